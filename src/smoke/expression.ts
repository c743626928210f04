import { isExactNumber, isJsonObject, printJson } from '../core/json.ts';

/** A request that a step sent, and its answer, as the expressions of Arazzo read them. Names of headers are in lower case. */
export type Exchange = {
  readonly method: string;
  readonly url: string;
  readonly request: {
    readonly path: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly header: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  };
  /** `undefined` if no answer arrived. */
  readonly response:
    | { readonly statusCode: number; readonly header: Readonly<Record<string, string>>; readonly body: unknown }
    | undefined;
};

/** The values that the expressions of a step can read. */
export type Scope = {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The outputs of each step that ran. */
  readonly steps: Readonly<Record<string, { readonly outputs: Readonly<Record<string, unknown>> }>>;
  /** The outputs of each workflow that ended. */
  readonly workflows: Readonly<Record<string, { readonly outputs: Readonly<Record<string, unknown>> }>>;
  readonly exchange?: Exchange | undefined;
};

/** One level deeper: a field of an object, or an entry of a list. Only own properties. */
const child = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

/** The value at a JSON pointer (RFC 6901); `undefined` if there is none. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(child, value);

/** The parts of `name.inner[0].more`. */
const partsOf = (path: string): readonly string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');

const within = (value: unknown, parts: readonly string[]): unknown => parts.reduce(child, value);

const messageValue = (
  message: { readonly header: Readonly<Record<string, unknown>>; readonly body: unknown } | undefined,
  rest: string,
): unknown => {
  if (message === undefined) return undefined;
  const [, pointer] = /^body#(\/.*)$/.exec(rest) ?? [];
  if (pointer !== undefined) return atPointer(message.body, pointer);
  const [part, name] = splitOnce(rest, '.');
  if (part === 'header') return child(message.header, name.toLowerCase());
  if (part === 'body') return name === '' ? message.body : within(message.body, partsOf(name));
  return (part === 'query' || part === 'path') && part in message ? child(child(message, part), name) : undefined;
};

const splitOnce = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
};

/** `$steps.register.outputs.payment`, with an optional pointer behind `#`. */
const namedValue = (scope: unknown, text: string): unknown => {
  const [path, pointer] = splitOnce(text, '#');
  const found = within(scope, partsOf(path));
  return pointer === '' ? found : atPointer(found, pointer);
};

/** The value of a runtime expression (Arazzo 1.0.1, 4.7). `undefined` for one without a value. */
export const expressionValue = (expression: string, { inputs, steps, workflows, exchange }: Scope): unknown => {
  const [source, rest] = splitOnce(expression.slice(1), '.');
  switch (source) {
    case 'url':
      return exchange?.url;
    case 'method':
      return exchange?.method;
    case 'statusCode':
      return exchange?.response?.statusCode;
    case 'request':
      return messageValue(exchange?.request, rest);
    case 'response':
      return messageValue(exchange?.response, rest);
    case 'inputs':
      return namedValue(inputs, rest);
    case 'steps':
      return namedValue(steps, rest);
    case 'workflows':
      return namedValue(workflows, rest);
    default:
      return undefined;
  }
};

/** The sources that an expression can begin with. */
const SOURCES =
  /^\$(?:(?:url|method|statusCode)$|(?:request|response)\.(?:header|query|path|body)|(?:inputs|steps|workflows)\.)/;

/** Whether text is a runtime expression that `expressionValue` can read. */
export const isExpression = (text: string): boolean => SOURCES.test(text);

const EMBEDDED = /\{(\$[^{}]+)\}/g;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : isExactNumber(value) ? value.toString() : printJson(value ?? '');

/**
 * Replaces the expressions in a value: a text that is one becomes its value, with its type; one in braces becomes text.
 * A field whose expression has no value is left out.
 */
export const resolved = (value: unknown, scope: Scope): unknown => {
  if (typeof value === 'string') {
    if (isExpression(value)) return expressionValue(value, scope);
    return value.replaceAll(EMBEDDED, (_, expression: string) => asText(expressionValue(expression, scope)));
  }
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, scope));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, entry]) => [name, resolved(entry, scope)] as const);
  return Object.fromEntries(fields.filter(([, entry]) => entry !== undefined));
};

/** All expressions in a value, also those inside text. */
export const expressionsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') {
    if (value.startsWith('$')) return [value];
    return [...value.matchAll(EMBEDDED)].map(([, expression = '']) => expression);
  }
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(expressionsIn) : [];
};

/** All texts in a value, at any depth, without the names of fields. */
export const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};
