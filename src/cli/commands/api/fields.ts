import { Failure } from '../../../core/failure.ts';
import { exactNumber, isJsonObject, parseJson, printJson } from '../../../core/json.ts';
import { isCredential, isSecretHeader, redactionOf, redactUrl } from '../../../core/secret.ts';
import { readGiven, readNamed } from '../../command/body.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg, stringArgs } from '../../command/options.ts';

/** A field of the command line: the parts of its name, such as `a` and `b` of `a[b]`, and its value. */
type GivenField = { readonly name: string; readonly parts: readonly string[]; readonly value: unknown };

const wrong = (flag: string, what: string): Failure => new Failure('invalid_input', `${flag}: ${what}`);

/** Splits NAME=VALUE. Throws `invalid_input`. */
export const splitField = (flag: string, text: string): readonly [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at < 1) throw wrong(flag, `"${text.slice(0, 40)}" is not NAME=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
};

/** The parts of a name: `a[b][]` has `a`, `b` and the empty part of a list. Throws `invalid_input`. */
const partsOfName = (flag: string, name: string): readonly string[] => {
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const parts = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, part = '']) => part)];
  if (first === '') throw wrong(flag, `"${name.slice(0, 40)}" is no name such as a, a[b] or a[]`);
  if (parts.includes('__proto__')) throw wrong(flag, '__proto__ is no name of a field');
  return parts;
};

const LITERALS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

const IS_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value by its form: true, false, null, a number digit for digit, the text of @FILE, or a text. */
const typedValue = async ({ io }: CommandContext, text: string): Promise<unknown> => {
  if (Object.hasOwn(LITERALS, text)) return LITERALS[text];
  if (IS_NUMBER.test(text)) return exactNumber(text);
  return text.startsWith('@') ? readNamed(io, text) : text;
};

const fieldsFrom = async (
  flag: string,
  texts: readonly string[],
  read: (text: string) => Promise<unknown>,
): Promise<readonly GivenField[]> => {
  const fields: GivenField[] = [];
  for (const text of texts) {
    const [name, value] = splitField(flag, text);
    fields.push({ name, parts: partsOfName(flag, name), value: await read(value) });
  }
  return fields;
};

/** A JSON value that grows with each field. */
type Growing = Record<string, unknown> | unknown[];

const isGrowing = (value: unknown): value is Growing => Array.isArray(value) || isJsonObject(value);

/** Puts a value at a path. Lists grow at `[]`. Throws `invalid_input` where a name is a list, an object or a value twice. */
const put = (into: Growing, { name, parts, value }: GivenField): void => {
  const clash = () => new Failure('invalid_input', `the field ${name} contradicts another one`);
  let place = into;
  for (const [at, part] of parts.entries()) {
    if (Array.isArray(place) !== (part === '')) throw clash();
    const isLast = at === parts.length - 1;
    const held = Array.isArray(place) || !Object.hasOwn(place, part) ? undefined : place[part];
    if (isLast && held !== undefined) throw clash();
    const inner = held === undefined ? (parts[at + 1] === '' ? [] : {}) : held;
    const next: unknown = isLast ? value : inner;
    if (Array.isArray(place)) place.push(next);
    else place[part] = next;
    if (isLast) return;
    if (!isGrowing(next)) throw clash();
    place = next;
  }
};

const inQuery = ({ name, value }: GivenField): readonly [string, string] => [
  name,
  typeof value === 'string' ? value : printJson(value),
];

/** The fields and the body of a raw call. */
export type GivenBody = {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
};

/** Reads --input: JSON, sent unchanged. Throws `unreadable_file`. */
const readInput = async (cli: CommandContext, path: string): Promise<string> => {
  const text = await readGiven(cli.io, path);
  try {
    parseJson(text);
    return text;
  } catch (error) {
    throw new Failure('unreadable_file', `--input: ${path === '-' ? 'standard input' : path} is not JSON`, {
      cause: error,
    });
  }
};

/** The fields go into the query of a read, and beside --input. Otherwise they are the JSON body. */
export const bodyFrom = async (cli: CommandContext, given: ParsedArgs, method: string): Promise<GivenBody> => {
  const fields = [
    ...(await fieldsFrom('--field', stringArgs(given, 'field'), (text) => typedValue(cli, text))),
    ...(await fieldsFrom('--raw-field', stringArgs(given, 'raw-field'), async (text) => text)),
  ];
  const path = stringArg(given, 'input');
  if (method === 'GET' && path !== undefined) throw wrong('--input', 'a GET has no body; --field adds to its query');
  const input = path === undefined ? undefined : await readInput(cli, path);
  if (method === 'GET' || input !== undefined) return { query: fields.map(inQuery), body: input };
  if (fields.length === 0) return { query: [], body: undefined };
  const body: Record<string, unknown> = {};
  for (const field of fields) put(body, field);
  return { query: [], body: printJson(body) };
};

const OF_CONNECTION = 'it belongs to the connection, which bursar makes itself';
const OF_REQUEST = 'METHOD and PATH alone say what is called';

/** Headers that bursar sets itself, or that would change what is called. */
const OWN_HEADERS = new Map<string, string>([
  ['x-api-key', 'the API key is that of the profile: see bursar login, or BURSAR_API_KEY_FILE'],
  ['content-type', 'the body is JSON'],
  ...[
    'host',
    'content-length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'expect',
    'upgrade',
  ].map((name) => [name, OF_CONNECTION] as const),
  ...['x-http-method', 'x-http-method-override', 'x-method-override', 'x-original-url', 'x-rewrite-url'].map(
    (name) => [name, OF_REQUEST] as const,
  ),
]);

/** The headers of the command line, by name in lower case. Throws `invalid_input`. */
export const headersFrom = (given: ParsedArgs): Readonly<Record<string, string>> => {
  const headers = stringArgs(given, 'header').map((text): readonly [string, string] => {
    const [, name = '', value = ''] = /^([A-Za-z][A-Za-z0-9-]*):[ \t]*([\x20-\x7e\t]*)$/.exec(text) ?? [];
    if (name === '') throw wrong('--header', `"${text.slice(0, 40)}" is not NAME:VALUE in ASCII`);
    const own = OWN_HEADERS.get(name.toLowerCase());
    if (own !== undefined) throw wrong('--header', `${name}: ${own}`);
    return [name.toLowerCase(), value.trim()];
  });
  const names = headers.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong('--header', `${twice} is given twice`);
  return Object.fromEntries(headers);
};

/** Names of fields whose values no output may show: those of the contract, and others that a service may have. */
export const isSensitive = (name: string): boolean =>
  isCredential(name) || /^(?:card|cvv|cvc|pin$)|secret|passw|otp$|verification_code/i.test(name);

/** Whether NAME=VALUE has a value that no printed command may repeat. */
export const isSensitiveField = (text: string): boolean =>
  text
    .slice(0, text.indexOf('='))
    .split(/[[\]]+/)
    .some(isSensitive);

/** Whether NAME:VALUE is a header that may grant access. */
export const isSensitiveHeader = (text: string): boolean => isSecretHeader(text.slice(0, text.indexOf(':')));

/** Whether a path has a value in its query that redaction masks, such as a key. */
export const isSensitivePath = (text: string): boolean => {
  const address = `https://service.example/${text.slice(text.indexOf('?') < 0 ? text.length : text.indexOf('?'))}`;
  if (!URL.canParse(address)) return false;
  const { href, searchParams } = new URL(address);
  return [...searchParams.keys()].some(isSensitive) || redactUrl(href, redactionOf([])) !== href;
};
