import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { outcomeOf } from '../contract/outcomes.ts';
import { Failure } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import { isSameText } from '../core/text.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import { type Client, exchange, type Input } from './call.ts';
import { type ClassifiedCall, faultFailure, serviceFailure, unexpectedAnswer } from './classify.ts';
import { readEnvelope, type WireRequest } from './envelope.ts';
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

/** Why a path cannot be that of a call; `undefined` if it can. The key of a service goes to that service alone. */
const problemOfPath = (path: string, baseUrl: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|\\/i.test(path)) return 'must be a path, such as /config/products, without a host';
  if (/[^\x21-\x7e]/.test(path)) return 'must have no spaces and only ASCII: encode others, such as %20';
  if (path.includes('#')) return 'must have no fragment';
  const url = `${baseUrl}/${path.replace(/^\//, '')}`;
  const isBelow = URL.canParse(url) && `${new URL(url).href}/`.startsWith(`${baseUrl}/`);
  return isBelow ? undefined : 'must be below the address of the service';
};

/** The request of a raw call. Throws `invalid_input` for a path that leads out of the service. */
export const rawRequest = ({ baseUrl }: Pick<Service, 'baseUrl'>, raw: RawRequest): WireRequest => {
  const { method, path, query, headers, body } = raw;
  const problem = problemOfPath(path, baseUrl);
  if (problem !== undefined) throw new Failure('invalid_input', `PATH: ${problem}`, { isUnsent: true });
  const url = new URL(`${baseUrl}/${path.replace(/^\//, '')}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return { method, url: url.href, headers, body };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The segments of a path as any server may understand it: without escapes, and without repeated and last slashes. */
const segmentsOf = (path: string): readonly string[] =>
  decoded(path)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');

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

/** A call that the contract does not have. A read changes nothing; for others the answer alone says what happened. */
const unlisted = (method: string) => ({
  id: 'unlisted',
  effect: ['GET', 'HEAD'].includes(method) ? ('reads' as const) : ('writes' as const),
  errors: {},
});

const bodyFields = (body: string | undefined): Input => {
  const fields = body === undefined ? undefined : parseJson(body);
  return isJsonObject(fields) ? fields : {};
};

/** A raw call: its endpoint in the contract, if it has one, and what a lost answer means. */
export type RawCall = ClassifiedCall & { readonly listed: Endpoint | undefined };

/** Finds the endpoint of a request in the contract. */
export const classified = ({ baseUrl }: Pick<Service, 'baseUrl'>, { method, url, body }: WireRequest): RawCall => {
  const { pathname, origin, searchParams } = new URL(url);
  const path = segmentsOf(pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length));
  const fits = (endpoint: Endpoint) => (endpoint.method === method ? paramsIn(endpoint.path, path) : undefined);
  // A fixed path comes before one with a parameter, such as /order/{order_id}.
  const listed = ENDPOINTS.filter((endpoint) => fits(endpoint) !== undefined).toSorted(
    (one, other) => one.path.split('{').length - other.path.split('{').length,
  )[0];
  const input = { ...Object.fromEntries(searchParams), ...bodyFields(body), ...(listed && fits(listed)) };
  const endpoint = listed ?? unlisted(method);
  return { endpoint, listed, origin, input, outcome: outcomeOf(endpoint, input) };
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

const bodyOf = (answer: HttpAnswer): unknown => {
  const text = new TextDecoder().decode(answer.body);
  if (text === '' || !isJson(answer)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
};

/** Reads an answer without an envelope. A listed endpoint always has one. */
const readOther = (called: RawCall, answer: HttpAnswer, problem: string): RawAnswer => {
  const { http, headers } = answer;
  if (called.listed || (http >= 300 && http < 400)) throw unexpectedAnswer(called, http, problem);
  const body = bodyOf(answer);
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
  exchange(client, called, request, (answer) => withoutKey(readRaw(called, request, answer), client.service));
