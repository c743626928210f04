import { closest } from '../core/closest.ts';
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

/** The names in a JSON pointer (RFC 6901). */
const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A runtime expression (Arazzo 1.0.1, Runtime Expressions). `path` leads into a body, an input or an output. */
export type Expression =
  | { readonly source: 'url' | 'method' | 'statusCode' }
  | { readonly source: 'request' | 'response'; readonly part: 'header' | 'query' | 'path'; readonly name: string }
  | { readonly source: 'request' | 'response'; readonly part: 'body'; readonly path: readonly string[] }
  | { readonly source: 'inputs'; readonly name: string; readonly path: readonly string[] }
  | {
      readonly source: 'steps' | 'workflows';
      readonly name: string;
      readonly output: string;
      readonly path: readonly string[];
    };

const PLAIN = /^\$(url|method|statusCode)$/;
const HEADER = /^\$(request|response)\.header\.([\w!#$%&'*+.^`|~-]+)$/;
const ADDRESS = /^\$request\.(query|path)\.(.+)$/s;
const BODY = /^\$(request|response)\.body(.*)$/s;
const INPUT = /^\$inputs\.([\w-]+)(.*)$/s;
const OUTPUT = /^\$(steps|workflows)\.([\w-]+)\.outputs\.([\w-]+)(.*)$/s;

/** The way into a value: `.inner[0].more`, then a JSON pointer behind `#`. A bracket in a pointer is a mistake for `/0`. */
const WAY = /^((?:\.[\w-]+|\[\d+\])*)(?:#((?:\/(?:[^/~[\]]|~[01])*)*))?$/s;

const pathOf = (way: string | undefined): readonly string[] | undefined => {
  const [, dotted, pointer = ''] = WAY.exec(way ?? '') ?? [];
  return dotted === undefined ? undefined : [...(dotted.match(/[\w-]+/g) ?? []), ...tokensOf(pointer)];
};

/** Parses an expression to its end; `undefined` for text that is none. */
export const parseExpression = (text: string): Expression | undefined => {
  const [, plain] = PLAIN.exec(text) ?? [];
  if (plain !== undefined) return { source: plain as 'url' };
  const [, message, header] = HEADER.exec(text) ?? [];
  if (header !== undefined) return { source: message as 'request', part: 'header', name: header.toLowerCase() };
  const [, part, value] = ADDRESS.exec(text) ?? [];
  if (value !== undefined) return { source: 'request', part: part as 'query', name: value };
  const [, owner, inBody] = BODY.exec(text) ?? [];
  const [, input, inInput] = INPUT.exec(text) ?? [];
  const [, source, name, output, inOutput] = OUTPUT.exec(text) ?? [];
  const path = pathOf(inBody ?? inInput ?? inOutput);
  if (path === undefined) return undefined;
  if (owner !== undefined) return { source: owner as 'request', part: 'body', path };
  if (input !== undefined) return { source: 'inputs', name: input, path };
  return name === undefined || output === undefined ? undefined : { source: source as 'steps', name, output, path };
};

/** Whether text is a runtime expression that `expressionValue` can read. */
export const isExpression = (text: string): boolean => parseExpression(text) !== undefined;

const SOURCES = ['url', 'method', 'statusCode', 'request', 'response', 'inputs', 'steps', 'workflows'];

/** The expression that a text with a usual mistake means: no `$`, no `#`, or a misspelt source; `undefined` without one. */
const meantBy = (text: string): string | undefined => {
  const meant = (text.startsWith('/') ? `$response.body#${text}` : text.replace(/^\$?/, '$'))
    .replace(/^\$(\w+)/, (same, word: string) => (closest(word, SOURCES) ? `$${closest(word, SOURCES)}` : same))
    .replace(/^(\$re\w+\.)(\w+)/, (_, source: string, part: string) => source + (closest(part, PARTS) ?? part))
    .replace(/\.output\./, '.outputs.')
    .replace(/^(\$re\w+\.body|\$inputs\.[\w-]+|\$\w+\.[\w-]+\.outputs\.[\w-]+)(?:#\/?|\/)(?=[\w~])/, '$1#/')
    .replace(/#.*$/s, (pointer) => pointer.replaceAll(/\[(\d+)\]/g, '/$1'));
  return isExpression(meant) ? meant : undefined;
};

const PARTS = ['body', 'header', 'query', 'path'];

/** The problem of a text that must be an expression and is none. */
export const noExpression = (text: string): string => {
  const meant = meantBy(text);
  return `${text} is no expression${meant === undefined ? '' : `; did you mean ${meant}?`}`;
};

const valueIn = (expression: Expression, { inputs, steps, workflows, exchange }: Scope): unknown => {
  switch (expression.source) {
    case 'url':
    case 'method':
      return exchange?.[expression.source];
    case 'statusCode':
      return exchange?.response?.statusCode;
    case 'request':
    case 'response': {
      const message = exchange?.[expression.source];
      if (expression.part === 'body') return expression.path.reduce(child, message?.body);
      return child(child(message, expression.part), expression.name);
    }
    case 'inputs':
      return expression.path.reduce(child, child(inputs, expression.name));
    case 'steps':
    case 'workflows': {
      const outputs = child(child(expression.source === 'steps' ? steps : workflows, expression.name), 'outputs');
      return expression.path.reduce(child, child(outputs, expression.output));
    }
    default:
      return expression satisfies never;
  }
};

/** The value of a runtime expression. `undefined` for one without a value. */
export const expressionValue = (text: string, scope: Scope): unknown => {
  const expression = parseExpression(text);
  return expression && valueIn(expression, scope);
};

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

/** An expression in a value, and the place of its text. */
export type PlacedExpression = { readonly expression: string; readonly path: readonly (string | number)[] };

/** All expressions in a value, also those inside text, with their places. */
export const placedExpressionsIn = (
  value: unknown,
  path: PlacedExpression['path'] = [],
): readonly PlacedExpression[] => {
  if (typeof value === 'string') {
    // A dollar sign alone is text.
    if (/^\$./s.test(value)) return [{ expression: value, path }];
    return [...value.matchAll(EMBEDDED)].map(([, expression = '']) => ({ expression, path }));
  }
  if (Array.isArray(value)) return value.flatMap((entry, at) => placedExpressionsIn(entry, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => placedExpressionsIn(entry, [...path, name]));
};

/** All expressions in a value, also those inside text. */
export const expressionsIn = (value: unknown): readonly string[] =>
  placedExpressionsIn(value).map(({ expression }) => expression);

/** All texts in a value, at any depth, without the names of fields. */
export const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};
