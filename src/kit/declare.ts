import * as z from 'zod';
import type { ControlEndpoint } from '../contract/control/define.ts';
import { type AnyEndpoint, fieldsOf, type Shape } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { pascal } from '../contract/openapi/parts.ts';
import { outcomeOf } from '../contract/outcomes.ts';
import { CODES, placeOf } from './client.ts';
import { CONTROLS } from './control.ts';
import { CLIENT_TYPES, sandboxTypes } from './declared-types.ts';
import { definitionOf, isWei } from './numbers.ts';

type Definition = ReturnType<typeof definitionOf> & {
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly options?: readonly z.ZodType[];
  readonly valueType?: z.ZodType;
  readonly in?: z.ZodType;
};

/** The interfaces of one declaration file by name. A schema with a name in the OpenAPI document becomes an interface. */
type Named = Map<string, string>;

const metaOf = (schema: z.ZodType) => z.globalRegistry.get(schema);

/** The description of a field. A wrapper such as `optional` may have its own. */
const descriptionOf = (schema: z.ZodType): string => {
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return metaOf(schema)?.description ?? (innerType ? descriptionOf(innerType) : '');
};

/** A comment of a declaration. A text cannot end the comment. */
const comment = (text: string): string => (text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`);

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');

const isOptional = (schema: z.ZodType): boolean => {
  const { type, innerType } = schema.def as unknown as Definition;
  if (type === 'optional' || type === 'default') return true;
  return type === 'nullable' && innerType !== undefined && isOptional(innerType);
};

const isNullable = (schema: z.ZodType): boolean => {
  const { type, innerType } = schema.def as unknown as Definition;
  return (
    type === 'nullable' || (innerType !== undefined && ['optional', 'default'].includes(type) && isNullable(innerType))
  );
};

/** The schema inside the wrappers of an optional schema. */
const innerOf = (schema: z.ZodType): z.ZodType => {
  const { type, innerType } = schema.def as unknown as Definition;
  return innerType && ['optional', 'nullable', 'default'].includes(type) ? innerOf(innerType) : schema;
};

const propertyName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

const fieldLine = (named: Named, object: string, [name, schema]: readonly [string, z.ZodType]): string => {
  const type = isWei(object, name) ? 'bigint' : typeOf(named, schema, name);
  const optional = isOptional(schema);
  return `${comment(descriptionOf(schema))}readonly ${propertyName(name)}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
};

const fieldsText = (named: Named, shape: Shape, object: string): string =>
  `{\n${Object.entries(shape)
    .map((entry) => fieldLine(named, object, entry))
    .join('\n')}\n}`;

const objectType = (named: Named, schema: z.ZodType, shape: Shape, field: string): string => {
  const name = metaOf(schema)?.['id'] as string | undefined;
  if (name === undefined) return fieldsText(named, shape, field);
  if (!named.has(name)) {
    // A name before the text, because an object may contain itself.
    named.set(name, '');
    // An object in `transactionRequest` also has a name of its own.
    const text = fieldsText(named, shape, field);
    named.set(name, `${comment(descriptionOf(schema))}export interface ${name} ${text}`);
  }
  return name;
};

/** Text with known values that may have others. */
const textType = (schema: z.ZodType): string => {
  const known = metaOf(schema)?.examples as readonly unknown[] | undefined;
  return known ? `${quoted(known)} | (string & {})` : 'string';
};

const unwrapped = (named: Named, schema: z.ZodType, field: string): string => {
  const definition = definitionOf(schema) as Definition;
  switch (definition.type) {
    case 'string':
      return textType(schema);
    case 'boolean':
    case 'unknown':
      return definition.type;
    case 'number':
      return 'number';
    case 'custom':
      return 'ExactNumber';
    case 'enum':
      return quoted(Object.values(definition.entries ?? {}));
    case 'literal':
      return quoted(definition.values ?? []);
    case 'array':
      return `readonly (${typeOf(named, definition.element ?? z.unknown(), field)})[]`;
    case 'object':
      return objectType(named, schema, definition.shape ?? {}, field);
    case 'record':
      return `{ readonly [name: string]: ${typeOf(named, definition.valueType ?? z.unknown(), field)} }`;
    case 'union':
      return (definition.options ?? []).map((option) => `(${typeOf(named, option, field)})`).join(' | ');
    case 'pipe':
      return typeOf(named, definition.in ?? z.unknown(), field);
    default:
      throw new Error(`no declaration for the schema ${definition.type} of ${field}`);
  }
};

/** The TypeScript type of a schema. `field` is the name of the field that has it. */
const typeOf = (named: Named, schema: z.ZodType, field: string): string => {
  const type = unwrapped(named, innerOf(schema), field);
  return isNullable(schema) ? `${type} | null` : type;
};

const dataType = (named: Named, { data }: { readonly data?: z.ZodType }): string =>
  data ? typeOf(named, data, 'data') : 'undefined';

const hasRequired = (shape: Shape): boolean => Object.values(shape).some((schema) => !isOptional(schema));

/** The input of an endpoint without fields. */
const NO_INPUT = 'Record<string, never>';

const inputOf = (named: Named, endpoint: AnyEndpoint, name: string): string => {
  const shape = fieldsOf(endpoint);
  if (Object.keys(shape).length > 0) {
    named.set(
      name,
      `/** The fields of \`${endpoint.id}\`. */\nexport interface ${name} ${fieldsText(named, shape, name)}`,
    );
  }
  return Object.keys(shape).length === 0 ? NO_INPUT : name;
};

const REPEATED = 'It is repeated after a temporary failure.';
const ONCE = 'It is never repeated by itself.';

const docOf = (endpoint: (typeof ENDPOINTS)[number]): string => {
  const { summary, effect, method, path } = endpoint;
  const money = effect === 'moves_money' ? 'It may move money. ' : '';
  const repeats = outcomeOf(endpoint, {}).isAutomatic ? REPEATED : ONCE;
  return comment(`${summary}. ${money}${repeats} Document: ${method} ${path}.`);
};

const clientFunction = (named: Named, endpoint: (typeof ENDPOINTS)[number]): string => {
  const [, name] = placeOf(endpoint.id);
  const base = pascal(endpoint.id);
  const input = inputOf(named, endpoint, `${base}Input`);
  const successes = Object.entries(endpoint.success).map(
    ([status, success]) => `CallSuccess<${JSON.stringify(status)}, ${dataType(named, success)}>`,
  );
  const failure = `CallFailure<${quoted(Object.keys(endpoint.errors))}>`;
  named.set(
    `${base}Result`,
    `/** The result of \`${endpoint.id}\`. */\nexport type ${base}Result = ${[...successes, failure].join(' | ')};`,
  );
  const mark = hasRequired(fieldsOf(endpoint)) ? '' : '?';
  return `${docOf(endpoint)}${name}(input${mark}: ${input}, options?: CallOptions): Promise<${base}Result>;`;
};

const areasText = (named: Named): string => {
  const areas = new Map<string, string[]>();
  for (const endpoint of ENDPOINTS) {
    const [area] = placeOf(endpoint.id);
    areas.set(area, [...(areas.get(area) ?? []), clientFunction(named, endpoint)]);
  }
  return [...areas].map(([area, functions]) => `readonly ${area}: {\n${functions.join('\n')}\n};`).join('\n');
};

const controlFunction = (named: Named, name: string, endpoint: ControlEndpoint): string => {
  const base = pascal(name);
  const input = inputOf(named, endpoint, `${base}Input`);
  const types = new Set(Object.values(endpoint.success).map((success) => dataType(named, success)));
  const data = [...types].join(' | ').replace(/^undefined$/, 'void');
  const mark = hasRequired(fieldsOf(endpoint)) ? '' : '?';
  return `${comment(`${endpoint.summary}.`)}${name}(${input === NO_INPUT ? '' : `input${mark}: ${input}`}): Promise<${data}>;`;
};

/** Indents each line by its depth in braces. */
const indented = (text: string): string => {
  let depth = 0;
  const lines = text.split('\n').map((raw) => {
    const line = raw.trim();
    const isText = /^\/?\*/.test(line);
    if (!isText && line.startsWith('}')) depth -= 1;
    const shown = `${'  '.repeat(depth)}${line.startsWith('*') ? ' ' : ''}${line}`.trimEnd();
    if (!isText && line.endsWith('{')) depth += 1;
    return shown;
  });
  return lines.join('\n');
};

const file = (named: Named, head: string): string =>
  indented(`${head.trim()}\n\n${[...named.values()].join('\n\n')}\n`);

/** The declarations of `bursar/client` and `bursar/sandbox`: plain interfaces from the contract, without its libraries. */
export const declarations = () => {
  const [client, sandbox]: [Named, Named] = [new Map(), new Map()];
  const controls = Object.entries(CONTROLS).map(([name, endpoint]) => controlFunction(sandbox, name, endpoint));
  return {
    client: file(client, CLIENT_TYPES.replace('CODES', quoted(CODES)).replace('AREAS', areasText(client))),
    sandbox: file(sandbox, sandboxTypes(controls.join('\n'))),
  };
};
