import { createHash } from 'node:crypto';
import { closest } from '../core/closest.ts';
import { Failure, type FieldError, messageOf } from '../core/failure.ts';
import { briefly, isJsonObject, listAt, textAt, valueAt } from '../core/json.ts';
import { readYaml, type YamlDocument } from '../core/yaml.ts';
import { type Complain, checkFields, type Path } from './check-fields.ts';
import { cannotRetry, checkFlow } from './check-flow.ts';
import type { Criterion } from './criterion.ts';
import { isExpression, noExpression } from './expression.ts';
import {
  type Action,
  type Flow,
  type FlowFile,
  isRepeatable,
  type Operation,
  operationById,
  operationByPath,
  operationIds,
  type Parameter,
  type Step,
} from './flow.ts';
import { readInputs } from './input-schema.ts';

/** Reads parts of a document, and collects what is wrong with them. */
type Reader = {
  readonly root: unknown;
  readonly wrong: Complain;
};

const VERSION = /^1\.0\.\d+$/;

const objectAt = (value: unknown, name: string): Readonly<Record<string, unknown>> => {
  const found = valueAt(value, name);
  return isJsonObject(found) ? found : {};
};

const componentAt = (reader: Reader, reference: string, path: Path): unknown => {
  const found = valueAt(reader.root, ...reference.replace(/^[$#]\/?/, '').split(/[./]/));
  if (found === undefined) reader.wrong(path, `nothing is at ${reference}`);
  return found;
};

/** Follows `reference: $components.parameters.key`, and checks the fields of what is there. */
const dereferenced = (reader: Reader, value: unknown, kind: 'parameter' | 'action', path: Path): unknown => {
  const reference = textAt(value, 'reference');
  if (reference === undefined) {
    checkFields(reader.wrong, value, kind, path);
    return value;
  }
  checkFields(reader.wrong, value, 'reference', path);
  const own = valueAt(value, 'value');
  const whole = { ...Object(componentAt(reader, reference, path)), ...(own !== undefined && { value: own }) };
  checkFields(reader.wrong, whole, kind, path);
  return whole;
};

/** The outputs of a step or a workflow: each is an expression. */
const outputsAt = (reader: Reader, owner: unknown, path: Path): Step['outputs'] => {
  const outputs = Object.entries(objectAt(owner, 'outputs'));
  for (const [name, text] of outputs) {
    const place = [...path, 'outputs', name];
    if (!/^[\w-]+$/.test(name)) reader.wrong(place, `output ${name}: a name has letters, digits, - and _`);
    if (typeof text !== 'string') reader.wrong(place, `output ${name} must be an expression`);
    else if (!isExpression(text)) reader.wrong(place, `output ${name} must be an expression: ${noExpression(text)}`);
  }
  return Object.fromEntries(outputs.map(([name, text]) => [name, String(text)]));
};

const TYPES = ['simple', 'regex', 'jsonpath'];

const criteriaAt = (reader: Reader, owner: unknown, name: string, path: Path): readonly Criterion[] =>
  listAt(owner, name).map((each, at) => {
    const place = [...path, name, at];
    checkFields(reader.wrong, each, 'criterion', place);
    const { type = 'simple' } = Object(each) as { readonly type?: unknown };
    if (!TYPES.some((known) => known === type))
      reader.wrong(
        [...place, 'type'],
        `criteria are ${TYPES.join(', ')}, and not ${briefly(type)}; jsonpath is RFC 9535, and has no other version`,
      );
    const condition = textAt(each, 'condition') ?? '';
    return { type: type as Criterion['type'], condition, context: textAt(each, 'context') };
  });

const parametersAt = (reader: Reader, owner: unknown, path: Path): readonly Parameter[] =>
  listAt(owner, 'parameters').map((each, at) => {
    const value = dereferenced(reader, each, 'parameter', [...path, 'parameters', at]);
    const place = textAt(value, 'in');
    if (place !== undefined && !['path', 'query', 'header'].includes(place))
      reader.wrong([...path, 'parameters', at], `a parameter cannot be in ${place}`);
    // The inputs of a called workflow have no place.
    if (place === undefined && !(valueAt(owner, 'stepId') && valueAt(owner, 'workflowId')))
      reader.wrong([...path, 'parameters', at], 'a parameter of a request needs in: path, query or header');
    return { name: textAt(value, 'name') ?? '', in: place as Parameter['in'], value: valueAt(value, 'value') };
  });

const actionsAt = (reader: Reader, owner: unknown, name: string, path: Path): readonly Action[] =>
  listAt(owner, name).map((each, at) => {
    const value = dereferenced(reader, each, 'action', [...path, name, at]);
    const type = textAt(value, 'type') ?? '';
    if (type === 'retry' && !/^\d+$/.test(textAt(value, 'retryLimit') ?? '1'))
      reader.wrong([...path, name, at, 'retryLimit'], 'retryLimit must be a whole number');
    const isKnown = type === 'end' || type === 'goto' || (type === 'retry' && /fail/i.test(name));
    if (!isKnown) reader.wrong([...path, name, at], `"${type}" is no type of action here: end, goto, retry`);
    return {
      name: textAt(value, 'name') ?? '',
      type: type as Action['type'],
      criteria: criteriaAt(reader, value, 'criteria', [...path, name, at]),
      stepId: textAt(value, 'stepId'),
      workflowId: textAt(value, 'workflowId'),
      retryAfter: Number(textAt(value, 'retryAfter') ?? 0),
      retryLimit: Number(textAt(value, 'retryLimit') ?? 1),
    };
  });

const operationOf = (reader: Reader, value: unknown, path: Path): Operation | undefined => {
  const [id, place, workflowId] = ['operationId', 'operationPath', 'workflowId'].map((name) => textAt(value, name));
  const given = [id, place, workflowId].filter((each) => each !== undefined);
  if (given.length !== 1) reader.wrong(path, 'a step has one of operationId, operationPath, workflowId');
  if (workflowId !== undefined) return { source: 'workflow', workflowId };
  const [, source] = /^\{?\$sourceDescriptions\.([\w-]+)\./.exec(id ?? place ?? '') ?? [];
  const sources = listAt(reader.root, 'sourceDescriptions').map((each) => textAt(each, 'name'));
  if (source !== undefined && !sources.includes(source)) reader.wrong(path, `no source is named ${source}`);
  const found = id === undefined ? operationByPath(place ?? '') : operationById(id);
  if (found || given.length !== 1) return found;
  const near = closest(id?.replace(/^.*\./, '') ?? '', operationIds());
  reader.wrong(
    [...path, id === undefined ? 'operationPath' : 'operationId'],
    `no operation ${id ?? place}${near ? `; did you mean ${near}?` : ''}`,
  );
  return undefined;
};

const stepOf = (reader: Reader, value: unknown, path: Path): Step | undefined => {
  checkFields(reader.wrong, value, 'step', path);
  const body = valueAt(value, 'requestBody');
  if (body !== undefined) checkFields(reader.wrong, body, 'body', [...path, 'requestBody']);
  const id = textAt(value, 'stepId') ?? '';
  if (!/^[\w-]+$/.test(id)) reader.wrong(path, 'a step needs a stepId of letters, digits, - and _');
  const operation = operationOf(reader, value, path);
  if (operation === undefined) return undefined;
  if (operation.source === 'workflow')
    for (const name of ['successCriteria', 'onSuccess', 'onFailure', 'outputs', 'requestBody'])
      if (valueAt(value, name) !== undefined)
        reader.wrong([...path, name], `a step that calls a workflow has no ${name}: put it into that workflow`);
  const type = textAt(value, 'requestBody', 'contentType') ?? 'application/json';
  if (type !== 'application/json') reader.wrong([...path, 'requestBody'], `bodies are JSON, and not ${type}`);
  if (listAt(value, 'requestBody', 'replacements').length > 0)
    reader.wrong(
      [...path, 'requestBody', 'replacements'],
      'replacements are not supported: write an expression in their place',
    );
  const step = {
    id,
    description: textAt(value, 'description') ?? '',
    operation,
    parameters: parametersAt(reader, value, path),
    payload: valueAt(value, 'requestBody', 'payload'),
    criteria: criteriaAt(reader, value, 'successCriteria', path),
    onSuccess: actionsAt(reader, value, 'onSuccess', path),
    onFailure: actionsAt(reader, value, 'onFailure', path),
    outputs: outputsAt(reader, value, path),
  };
  const retries = step.onFailure.some(({ type: action }) => action === 'retry');
  if (retries && !isRepeatable(operation, step.payload)) reader.wrong([...path, 'onFailure'], cannotRetry(id));
  return step;
};

const flowOf = (reader: Reader, value: unknown, path: Path): Flow => {
  checkFields(reader.wrong, value, 'workflow', path);
  const id = textAt(value, 'workflowId') ?? '';
  if (!/^[\w-]+$/.test(id)) reader.wrong(path, 'a workflow needs a workflowId of letters, digits, - and _');
  const reference = textAt(value, 'inputs', '$ref');
  const schema =
    reference === undefined ? valueAt(value, 'inputs') : componentAt(reader, reference, [...path, 'inputs']);
  const steps = listAt(value, 'steps');
  if (steps.length === 0) reader.wrong(path, `workflow ${id} has no steps`);
  return {
    id,
    summary: textAt(value, 'summary') ?? textAt(value, 'description') ?? '',
    inputs: readInputs(reader.wrong, value, schema, path),
    parameters: parametersAt(reader, value, path),
    dependsOn: listAt(value, 'dependsOn').map(String),
    steps: steps.flatMap((step, at) => stepOf(reader, step, [...path, 'steps', at]) ?? []),
    successActions: actionsAt(reader, value, 'successActions', path),
    failureActions: actionsAt(reader, value, 'failureActions', path),
    outputs: outputsAt(reader, value, path),
    cleanup: textAt(value, 'x-bursar-cleanup'),
  };
};

/** The failure for a file: each error has the line, so that an editor can jump there. */
const wrongFile = (name: string, errors: readonly FieldError[]): Failure =>
  new Failure('unreadable_file', `${name}: not a flow that can run. Nothing was sent.`, { errors });

/** Reads the workflows of an Arazzo document. Throws `unreadable_file` with every problem, each with its line. */
export const readFlows = async (text: string, name: string): Promise<FlowFile> => {
  let source: YamlDocument;
  try {
    source = readYaml(text);
  } catch (error) {
    throw new Failure('unreadable_file', `${name}: not valid YAML or JSON: ${messageOf(error)}`, { cause: error });
  }
  const errors: FieldError[] = [];
  const wrong: Reader['wrong'] = (path, message) => {
    errors.push({ field: `${name}:${source.lineOf(path)}`, message });
  };
  const { value: root } = source;
  const reader: Reader = { root, wrong };
  checkFields(wrong, root, 'document', []);
  for (const [at, each] of listAt(root, 'sourceDescriptions').entries())
    checkFields(wrong, each, 'source', ['sourceDescriptions', at]);
  if (!VERSION.test(textAt(root, 'arazzo') ?? '')) wrong(['arazzo'], 'the document must have arazzo: 1.0.1');
  const listed = listAt(root, 'workflows');
  if (listed.length === 0) wrong(['workflows'], 'the document has no workflows');
  const flows = listed.map((flow, at) => flowOf(reader, flow, ['workflows', at]));
  for (const [at, { id }] of flows.entries())
    if (flows.findIndex((flow) => flow.id === id) < at) wrong(['workflows', at], `two workflows are named ${id}`);
  // What could not be read would only be reported twice.
  if (errors.length === 0)
    for (const [at, flow] of flows.entries()) await checkFlow(wrong, flow, flows, ['workflows', at]);
  if (errors.length > 0) throw wrongFile(name, errors);
  return { name, flows, digest: createHash('sha256').update(text).digest('hex') };
};
