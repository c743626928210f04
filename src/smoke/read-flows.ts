import { createHash } from 'node:crypto';
import { closest } from '../core/closest.ts';
import { Failure, type FieldError, messageOf } from '../core/failure.ts';
import { isJsonObject, listAt, textAt, valueAt } from '../core/json.ts';
import { readYaml, type YamlDocument } from '../core/yaml.ts';
import { checkFields } from './check-fields.ts';
import { type Complain, cannotRetry, checkFlow, type Path } from './check-flow.ts';
import type { Criterion } from './criterion.ts';
import {
  type Action,
  type Flow,
  type FlowFile,
  INPUT_ORIGINS,
  type InputSpec,
  isRepeatable,
  type Operation,
  operationById,
  operationByPath,
  operationIds,
  type Parameter,
  type Step,
} from './flow.ts';

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

/** Follows `reference: $components.parameters.key`, and keeps the fields beside it. */
const dereferenced = (reader: Reader, value: unknown, path: Path): unknown => {
  const reference = textAt(value, 'reference') ?? textAt(value, '$ref');
  if (reference === undefined) return value;
  const found = valueAt(reader.root, ...reference.replace(/^[$#]\/?/, '').split(/[./]/));
  if (found === undefined) reader.wrong(path, `nothing is at ${reference}`);
  return { ...Object(found), ...(textAt(value, 'value') !== undefined && { value: valueAt(value, 'value') }) };
};

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(isJsonObject(value) ? value : {}).map(([name, text]) => [name, String(text)]));

const criteriaAt = (reader: Reader, owner: unknown, name: string, path: Path): readonly Criterion[] =>
  listAt(owner, name).map((each, at) => {
    checkFields(reader.wrong, each, 'criterion', [...path, name, at]);
    return criterionOf(each);
  });

const criterionOf = (value: unknown): Criterion => {
  const type = textAt(value, 'type') ?? textAt(value, 'type', 'type') ?? 'simple';
  const condition = textAt(value, 'condition') ?? '';
  const context = textAt(value, 'context');
  return { type: type as Criterion['type'], condition, context };
};

const parametersAt = (reader: Reader, owner: unknown, path: Path): readonly Parameter[] =>
  listAt(owner, 'parameters').map((each, at) => {
    checkFields(reader.wrong, each, 'parameter', [...path, 'parameters', at]);
    const value = dereferenced(reader, each, [...path, 'parameters', at]);
    const place = textAt(value, 'in');
    if (place !== undefined && !['path', 'query', 'header'].includes(place))
      reader.wrong([...path, 'parameters', at], `a parameter cannot be in ${place}`);
    return { name: textAt(value, 'name') ?? '', in: place as Parameter['in'], value: valueAt(value, 'value') };
  });

const actionsAt = (reader: Reader, owner: unknown, name: string, path: Path): readonly Action[] =>
  listAt(owner, name).map((each, at) => {
    checkFields(reader.wrong, each, 'action', [...path, name, at]);
    const value = dereferenced(reader, each, [...path, name, at]);
    const type = textAt(value, 'type') ?? '';
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
    outputs: textsIn(valueAt(value, 'outputs')),
  };
  const retries = step.onFailure.some(({ type: action }) => action === 'retry');
  if (retries && !isRepeatable(operation, step.payload)) reader.wrong([...path, 'onFailure'], cannotRetry(id));
  return step;
};

/** The extension that names the origins of inputs. It is no part of their schema, because validators refuse unknown keywords. */
const ORIGINS = 'x-bursar-inputs';

const inputsOf = (reader: Reader, value: unknown, path: Path): readonly InputSpec[] => {
  const schema = dereferenced(reader, valueAt(value, 'inputs'), [...path, 'inputs']);
  const isRequired = listAt(schema, 'required');
  return Object.entries(objectAt(schema, 'properties')).map(([name, spec]) => {
    const from = textAt(value, ORIGINS, name, 'from');
    if (from !== undefined && !INPUT_ORIGINS.some((each) => each === from))
      reader.wrong([...path, ORIGINS, name], `from is one of ${INPUT_ORIGINS.join(', ')}`);
    const choices = valueAt(spec, 'enum');
    return {
      name,
      type: textAt(spec, 'type'),
      description: textAt(spec, 'description') ?? '',
      isRequired: isRequired.includes(name),
      isSecret: textAt(spec, 'format') === 'password',
      choices: Array.isArray(choices) ? choices : undefined,
      usual: valueAt(spec, 'default'),
      inSandbox: valueAt(value, ORIGINS, name, 'sandbox'),
      from: from as InputSpec['from'],
    };
  });
};

const flowOf = (reader: Reader, value: unknown, path: Path): Flow => {
  checkFields(reader.wrong, value, 'workflow', path);
  const id = textAt(value, 'workflowId') ?? '';
  if (!/^[\w-]+$/.test(id)) reader.wrong(path, 'a workflow needs a workflowId of letters, digits, - and _');
  const steps = listAt(value, 'steps');
  if (steps.length === 0) reader.wrong(path, `workflow ${id} has no steps`);
  return {
    id,
    summary: textAt(value, 'summary') ?? textAt(value, 'description') ?? '',
    inputs: inputsOf(reader, value, path),
    parameters: parametersAt(reader, value, path),
    dependsOn: listAt(value, 'dependsOn').map(String),
    steps: steps.flatMap((step, at) => stepOf(reader, step, [...path, 'steps', at]) ?? []),
    successActions: actionsAt(reader, value, 'successActions', path),
    failureActions: actionsAt(reader, value, 'failureActions', path),
    outputs: textsIn(valueAt(value, 'outputs')),
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
  if (!VERSION.test(textAt(root, 'arazzo') ?? '')) wrong(['arazzo'], 'the document must have arazzo: 1.0.1');
  const listed = listAt(root, 'workflows');
  if (listed.length === 0) wrong(['workflows'], 'the document has no workflows');
  const flows = listed.map((flow, at) => flowOf(reader, flow, ['workflows', at]));
  const twice = flows.find(({ id }, at) => flows.findIndex((flow) => flow.id === id) !== at);
  if (twice) wrong(['workflows'], `two workflows are named ${twice.id}`);
  // What could not be read would only be reported twice.
  if (errors.length === 0)
    for (const [at, flow] of flows.entries()) await checkFlow(wrong, flow, flows, ['workflows', at]);
  if (errors.length > 0) throw wrongFile(name, errors);
  return { name, flows, digest: createHash('sha256').update(text).digest('hex') };
};
