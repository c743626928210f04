import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { type Outcome, outcomeOf } from '../contract/outcomes.ts';
import { Failure, undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { isSameText } from '../core/text.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import { type Client, exchange, type Input } from './call.ts';
import { type ClassifiedCall, faultFailure, serviceFailure, unexpectedAnswer } from './classify.ts';
import { isWire, readEnvelope, type WireRequest } from './envelope.ts';
import type { Service } from './service.ts';
import { withoutKey } from './trace.ts';

/** A request of the user's own: any method and path, and a body that is sent unchanged. */
export type RawRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string | undefined;
};

/** Escapes that servers understand in different ways: a slash, a backslash, a percent sign, a zero, a semicolon. */
const AMBIGUOUS = /%(?:2f|5c|25|00|3b)|%(?![0-9a-f]{2})|[;\\]/i;

const undefinedOnError = (work: () => string): string | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);

/** Why a path cannot be that of a call; `undefined` if it can. The key of a service goes to that service alone. */
const problemOfPath = (text: string, baseUrl: string): string | undefined => {
  if (/[^\x21-\x7e]/.test(text)) return 'must have no spaces and only ASCII: encode others, such as %20';
  if (text.includes('#')) return 'must have no fragment';
  const path = text.replace(/\?.*$/, '');
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return 'must be a path, such as /config/products, without a host';
  if (AMBIGUOUS.test(path)) return 'must have no backslash, no semicolon, and no escape of a slash or a percent sign';
  if (undefinedOnError(() => decodeURIComponent(path)) === undefined) return 'has an escape that is no UTF-8';
  if (path.split('/').some(isDots)) return 'must have no . and .. between slashes';
  const url = `${baseUrl}/${text.replace(/^\//, '')}`;
  return URL.canParse(url) && new URL(url).href.startsWith(`${baseUrl}/`) ? undefined : 'is not a path';
};

/** The request of a raw call. Throws `invalid_input` for a path that leads out of the service. */
export const rawRequest = ({ baseUrl }: Pick<Service, 'baseUrl'>, raw: RawRequest): WireRequest => {
  const { method, path, query, headers, body } = raw;
  const problem = problemOfPath(path, baseUrl);
  if (problem !== undefined) throw new Failure('invalid_input', `PATH: ${problem}`, { isUnsent: true });
  const { href } = new URL(`${baseUrl}/${path.replace(/^\//, '')}`);
  const added = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  // The user's own query stays as it is written.
  const url = added === '' ? href : `${href}${href.includes('?') ? '&' : '?'}${added}`;
  return { method, url, headers, body };
};

/** The segments of a path without escapes, and without repeated and last slashes, as many servers understand it. */
export const segmentsOf = (path: string): readonly string[] => decodeURIComponent(path).split('/').filter(Boolean);

/** The parameters of a path that fits a template such as /payment/{id}/status in any case; `undefined` if it does not. */
const paramsIn = (template: string, path: readonly string[]): Input | undefined => {
  const parts = template.split('/').filter(Boolean);
  if (parts.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name !== undefined) params[name] = path[at] ?? '';
    else if (!isSameText(part, path[at] ?? '')) return undefined;
  }
  return params;
};

/** The endpoint of a method and a path, with its parameters. A fixed path comes before one such as /order/{order_id}. */
export const findEndpoint = (method: string, path: readonly string[]) =>
  ENDPOINTS.flatMap((endpoint) => {
    const params = endpoint.method === method ? paramsIn(endpoint.path, path) : undefined;
    return params === undefined ? [] : [{ endpoint, params }];
  }).toSorted((one, other) => one.endpoint.path.split('{').length - other.endpoint.path.split('{').length)[0];

/** A call that the contract does not have. A read changes nothing; for others the answer alone says what happened. */
const unlisted = (method: string) => ({
  id: 'unlisted',
  effect: method === 'GET' ? ('reads' as const) : ('writes' as const),
  errors: {},
});

const bodyFields = (body: string | undefined): Input => {
  const fields = body === undefined ? undefined : parseJson(body);
  return isJsonObject(fields) ? fields : {};
};

/** A raw call: its endpoint in the contract, if it has one, and what a lost answer means. */
export type RawCall = ClassifiedCall & { readonly listed: Endpoint | undefined };

/** The last words of the paths that can move money. A path that has one of them is taken for such a call, in any form. */
const MONEY_WORDS = ENDPOINTS.filter((endpoint) => outcomeOf(endpoint, {}).movesMoney).map(({ id, path }) => ({
  id,
  word: path.slice(path.lastIndexOf('/') + 1),
}));

/** What a lost answer means. Only the body says how a payment is paid, and a card in it always counts. */
const outcomeIn = (endpoint: Parameters<typeof outcomeOf>[0], path: readonly string[], fields: Input): Outcome => {
  const text = path.join('/').toLowerCase();
  const { id = endpoint.id } = MONEY_WORDS.find(({ word }) => text.includes(word)) ?? {};
  const paid = Object.hasOwn(fields, 'card_data') ? {} : fields;
  return outcomeOf(id === endpoint.id ? endpoint : { id, effect: 'moves_money' }, paid);
};

/** Finds the endpoint of a request in the contract. */
export const classified = ({ baseUrl }: Pick<Service, 'baseUrl'>, { method, url, body }: WireRequest): RawCall => {
  const { pathname, origin, searchParams } = new URL(url);
  const path = segmentsOf(pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length));
  const { endpoint: listed, params } = findEndpoint(method, path) ?? {};
  const fields = bodyFields(body);
  const input = { ...Object.fromEntries(searchParams), ...fields, ...params };
  const endpoint = listed ?? unlisted(method);
  return { endpoint, listed, origin, input, outcome: outcomeIn(endpoint, path, fields) };
};

/** An answer of any path: the envelope of the service, or for a path that the contract does not have any other body. */
export type RawAnswer = {
  readonly http: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body has, as JSON or as text. */
  readonly body: unknown;
  /** The data of an envelope, or its status if it has none. The whole body otherwise. */
  readonly data: unknown;
};

const isJson = ({ headers }: HttpAnswer): boolean => /json/i.test(headers['content-type'] ?? 'json');

/** The body of an answer as JSON or text; `undefined` for a body that says to be JSON and is none. */
const bodyOf = (answer: HttpAnswer): unknown => {
  const text = new TextDecoder().decode(answer.body);
  return text === '' || !isJson(answer) ? text : undefinedOn(() => parseJson(text), 'invalid_input');
};

/** Reads an answer without an envelope. A listed endpoint always has one. An envelope in it contradicts its HTTP code. */
const readOther = (called: RawCall, answer: HttpAnswer, problem: string): RawAnswer => {
  const { http, headers } = answer;
  const body = bodyOf(answer);
  const isRedirect = http >= 300 && http < 400;
  if (called.listed || isRedirect || body === undefined || isWire(body)) throw unexpectedAnswer(called, http, problem);
  if (http < 300) return { http, headers, body, data: body === '' ? { http } : body };
  const message = typeof body === 'string' ? `HTTP ${http}` : `HTTP ${http}, and no envelope of the service`;
  throw serviceFailure(called, { statusCode: http, success: false, status: '', message, data: body });
};

const readRaw = (called: RawCall, request: WireRequest, answer: HttpAnswer | HttpFault): RawAnswer => {
  if (answer.kind === 'fault') throw faultFailure(called, answer);
  const reading = readEnvelope(answer, request.url);
  if ('problem' in reading) return readOther(called, answer, reading.problem);
  const { envelope } = reading;
  if (!envelope.success) throw serviceFailure(called, envelope);
  const data = envelope.data ?? { status: envelope.status };
  return { http: answer.http, headers: answer.headers, body: envelope, data };
};

/** Sends a request. Throws the failure of an error, with the exit code of the status, else of the HTTP code. */
export const callRaw = (client: Client, called: RawCall, request: WireRequest): Promise<RawAnswer> =>
  exchange(client, called, request, (answer) => withoutKey(readRaw(called, request, answer), client.service, request));
