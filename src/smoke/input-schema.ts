import { isFailure, messageOf } from '../core/failure.ts';
import { briefly, isExactNumber, isJsonObject, listAt, printJson, textAt, valueAt } from '../core/json.ts';
import { type Complain, checkFields, meant, type Path } from './check-fields.ts';
import { orderOf } from './condition.ts';
import { matches } from './criterion.ts';
import { placedExpressionsIn } from './expression.ts';
import { INPUT_ORIGINS, type InputSchema, type InputSpec } from './flow.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number' || isExactNumber(value);

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value) || (isExactNumber(value) && /^-?\d+(?:\.0+)?$/.test(value.toString())),
  number: isNumber,
  object: isJsonObject,
  array: Array.isArray,
};

/** A keyword: the types that it is for, what its own value must be, and whether a value of the input meets it. */
type Keyword = {
  readonly types?: readonly string[];
  readonly needs: string;
  readonly isUsable: (own: unknown) => boolean;
  readonly isMet?: (value: unknown, own: unknown) => boolean;
  readonly expects?: string;
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
/** JSON Schema counts characters, and not the units of UTF-16. */
const lengthOf = (value: unknown): number => Array.from(String(value)).length;

const isPattern = (own: unknown): boolean => {
  try {
    return typeof own === 'string' && new RegExp(own, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const note: Keyword = { needs: 'text', isUsable: isText };

const bound = (expects: string, isMet: (order: number) => boolean): Keyword => ({
  types: ['number', 'integer'],
  needs: 'a number',
  isUsable: isNumber,
  isMet: (value, own) => isMet(orderOf(value, own) ?? Number.NaN),
  expects,
});

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    needs: `one of ${Object.keys(IS_OF_TYPE).join(', ')}`,
    isUsable: (own) => typeof own === 'string' && Object.hasOwn(IS_OF_TYPE, own),
    isMet: (value, own) => IS_OF_TYPE[String(own)]?.(value) === true,
    expects: 'of type',
  },
  enum: {
    needs: 'a list of values',
    isUsable: (own) => Array.isArray(own) && own.length > 0,
    isMet: (value, own) =>
      (own as readonly unknown[]).some((one) =>
        isNumber(one) && isNumber(value) ? orderOf(one, value) === 0 : printJson(one) === printJson(value),
      ),
    expects: 'one of',
  },
  minimum: bound('at least', (order) => order >= 0),
  maximum: bound('at most', (order) => order <= 0),
  exclusiveMinimum: bound('more than', (order) => order > 0),
  exclusiveMaximum: bound('less than', (order) => order < 0),
  minLength: {
    types: ['string'],
    needs: 'a whole number',
    isUsable: isCount,
    isMet: (value, own) => lengthOf(value) >= Number(own),
    expects: 'a text with a length of at least',
  },
  maxLength: {
    types: ['string'],
    needs: 'a whole number',
    isUsable: isCount,
    isMet: (value, own) => lengthOf(value) <= Number(own),
    expects: 'a text with a length of at most',
  },
  pattern: {
    types: ['string'],
    needs: 'a regular expression',
    isUsable: isPattern,
    isMet: (value, own) => matches(String(own), String(value)),
    expects: 'a text that matches',
  },
  description: note,
  title: note,
  format: note,
  default: { needs: 'a value', isUsable: () => true },
  examples: { needs: 'a list of values', isUsable: Array.isArray },
};

/** What a value of an input must be and is not; `undefined` if its schema accepts it. */
export const problemOfInput = (schema: InputSchema, value: unknown): string | undefined => {
  try {
    const [broken] = Object.entries(schema).filter(([name, own]) => KEYWORDS[name]?.isMet?.(value, own) === false);
    if (broken === undefined) return undefined;
    const [name, own] = broken;
    const limit = Array.isArray(own) ? own.map((one) => (isText(one) ? one : printJson(one))).join(', ') : String(own);
    return `it must be ${KEYWORDS[name]?.expects} ${limit}`;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return messageOf(error);
  }
};

/** Keywords that limit no value. */
const ANNOTATIONS = ['$schema', '$comment', 'title', 'deprecated', 'example', 'examples', 'readOnly', 'writeOnly'];

const checkSchema = (wrong: Complain, name: string, schema: unknown, path: Path): void => {
  if (!/^[\w-]+$/.test(name)) wrong(path, `input ${name}: a name has letters, digits, - and _`);
  if (!isJsonObject(schema)) wrong(path, `input ${name}: its schema must be an object`);
  for (const [keyword, own] of Object.entries(isJsonObject(schema) ? schema : {})) {
    if (keyword.startsWith('x-') || ANNOTATIONS.includes(keyword)) continue;
    const place = [...path, keyword];
    const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (known === undefined)
      wrong(place, `input ${name}: the keyword ${keyword} is not supported${meant(keyword, KEYWORDS)}`);
    else if (!known.isUsable(own)) wrong(place, `input ${name}: ${keyword} must be ${known.needs}`);
    else if (known.types && !known.types.includes(textAt(schema, 'type') ?? 'string'))
      wrong(place, `input ${name}: ${keyword} is for inputs of type ${known.types.join(' or ')}`);
  }
};

/** The extension that names the origins of inputs. Validators would refuse it inside a schema. */
const ORIGINS = 'x-bursar-inputs';

/** Reports a default that the schema of its input refuses, or that reads another value than an earlier input. */
const checkValue = (
  wrong: Complain,
  { name, schema }: InputSpec,
  value: unknown,
  known: readonly string[],
  path: Path,
) => {
  const expressions = placedExpressionsIn(value);
  const problem = value === undefined || expressions.length > 0 ? undefined : problemOfInput(schema, value);
  if (problem !== undefined) wrong(path, `input ${name}: ${problem}`);
  for (const { expression } of expressions)
    if (!known.some((input) => expression === `$inputs.${input}`))
      wrong(path, `input ${name}: ${expression} is no input before it`);
};

/** The origins of the inputs of a workflow, by name. */
const readOrigins = (wrong: Complain, workflow: unknown, names: readonly string[], path: Path): InputSchema => {
  const origins = valueAt(workflow, ORIGINS);
  if (!isJsonObject(origins)) return {};
  for (const [name, origin] of Object.entries(origins)) {
    const place = [...path, ORIGINS, name];
    checkFields(wrong, origin, 'origin', place);
    if (!names.includes(name)) wrong(place, `no input is named ${name}`);
    const from = textAt(origin, 'from');
    if (from !== undefined && !INPUT_ORIGINS.some((each) => each === from))
      wrong(place, `from is one of ${INPUT_ORIGINS.join(', ')}`);
  }
  return origins;
};

/** The inputs of a workflow, by their schema and their origins. */
export const readInputs = (wrong: Complain, workflow: unknown, schema: unknown, path: Path): readonly InputSpec[] => {
  const place = [...path, 'inputs'];
  if (schema !== undefined) checkFields(wrong, schema, 'schema of inputs', place);
  if ((textAt(schema, 'type') ?? 'object') !== 'object') wrong([...place, 'type'], 'the type of inputs must be object');
  const found = valueAt(schema, 'properties');
  const properties = Object.entries(isJsonObject(found) ? found : {});
  const names = properties.map(([name]) => name);
  const required = listAt(schema, 'required');
  for (const [at, name] of required.entries())
    if (!names.some((each) => each === name)) wrong([...place, 'required', at], `no input is named ${briefly(name)}`);
  const origins = readOrigins(wrong, workflow, names, path);
  return properties.map(([name, own], at) => {
    checkSchema(wrong, name, own, [...place, 'properties', name]);
    const spec: InputSpec = {
      name,
      schema: isJsonObject(own) ? own : {},
      description: textAt(own, 'description') ?? '',
      isRequired: required.includes(name),
      isSecret: textAt(own, 'format') === 'password',
      usual: valueAt(own, 'default'),
      inSandbox: valueAt(origins, name, 'sandbox'),
      from: textAt(origins, name, 'from') as InputSpec['from'],
    };
    checkValue(wrong, spec, spec.usual, names.slice(0, at), [...place, 'properties', name, 'default']);
    checkValue(wrong, spec, spec.inSandbox, names.slice(0, at), [...path, ORIGINS, name]);
    return spec;
  });
};
