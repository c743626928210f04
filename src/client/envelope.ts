import type { Endpoint, Shape } from '../contract/define.ts';
import { Failure, type FieldError, messageOf } from '../core/failure.ts';
import { isExactNumber, isJsonObject, parseJson, printJson } from '../core/json.ts';
import { canonicalAddress, isLoopback } from '../core/web-address.ts';
import type { HttpAnswer } from '../io/http/http.ts';

/** The service's answer. Document: Response envelope. */
export type Envelope = {
  readonly statusCode: number;
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: readonly FieldError[];
};

type EnvelopeResult = { readonly envelope: Envelope } | { readonly problem: string };

/** A remote value as text; any other type becomes JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? ''));

const fieldErrors = (value: unknown): readonly FieldError[] | undefined =>
  Array.isArray(value)
    ? value.filter(isJsonObject).map(({ field, message }) => ({ field: asText(field), message: asText(message) }))
    : undefined;

const describeBody = (answer: HttpAnswer): string => {
  const type = answer.headers['content-type'] ?? 'no content type';
  return `HTTP ${answer.http}, ${type}, ${answer.body.length} bytes`;
};

/** Shows only the origin of a redirect: the rest of the address may contain secrets. */
const originOf = (location: string | undefined, from: string): string => {
  if (location === undefined || !URL.canParse(location, from)) return 'nowhere';
  const { origin, protocol } = new URL(location, from);
  if (origin === 'null') return `an address of ${protocol}`;
  return origin === new URL(from).origin ? 'another path of its own' : origin;
};

/** Whether a type is `application/json` or a JSON suffix type (RFC 6839). A missing type is accepted. */
const isJsonType = (type: string | undefined): boolean =>
  type === undefined || /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

/** Why an answer cannot be the service's, from its HTTP status, headers and length. */
const envelopeProblem = (answer: HttpAnswer, url: string): string | undefined => {
  const { http, headers, body } = answer;
  if (http >= 300 && http < 400) {
    return `a redirect to ${originOf(headers['location'], url)} (HTTP ${http}), and redirects are never followed`;
  }
  if (body.length === 0) return `an empty body (HTTP ${http})`;
  return isJsonType(headers['content-type']) ? undefined : `a body that is not JSON (${describeBody(answer)})`;
};

type WireEnvelope = Readonly<Record<string, unknown>> & { readonly status: string; readonly success: boolean };

/** Whether JSON has the fields of an envelope. */
export const isWire = (json: unknown): json is WireEnvelope =>
  isJsonObject(json) && typeof json['status'] === 'string' && typeof json['success'] === 'boolean';

/** Keeps fields that the document does not show. */
const asEnvelope = (wire: WireEnvelope, http: number): Envelope => {
  const { status, success, message, data, errors: wireErrors, ...others } = wire;
  const errors = fieldErrors(wireErrors);
  return {
    ...others,
    statusCode: http,
    success,
    status,
    message: typeof message === 'string' ? message : '',
    ...(data !== undefined && { data }),
    ...(errors && { errors }),
  };
};

/**
 * Reads an answer as the service's envelope. Returns the problem if it is none: a redirect, a proxy's page, half a
 * document, or a `statusCode` that differs from the HTTP status. `url` is the address of the request.
 */
export const readEnvelope = (answer: HttpAnswer, url: string): EnvelopeResult => {
  const problem = envelopeProblem(answer, url);
  if (problem !== undefined) return { problem };
  const { http } = answer;
  let json: unknown;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(answer.body));
  } catch (error) {
    return { problem: `invalid JSON (${describeBody(answer)}): ${messageOf(error)}` };
  }
  if (!isWire(json)) return { problem: `JSON without the service's envelope (${describeBody(answer)})` };
  if (json['statusCode'] !== http) {
    return { problem: `an envelope for ${asText(json['statusCode'])} in an answer with HTTP ${http}` };
  }
  if (json.success !== http < 300) {
    return { problem: `an envelope with success ${json.success} in an answer with HTTP ${http}` };
  }
  return { envelope: asEnvelope(json, http) };
};

/** The HTTP request of a call, without the API key. */
export type WireRequest = {
  readonly method: string;
  readonly url: string;
  /** Headers of the user, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; `undefined` for a call without a body. */
  readonly body: string | undefined;
};

type Input = Readonly<Record<string, unknown>>;

const has = (shape: Shape | undefined, field: string): boolean => shape !== undefined && Object.hasOwn(shape, field);

const inUrl = (value: unknown): string => (isExactNumber(value) ? value.toString() : String(value));

const pathOf = (endpoint: Endpoint, input: Input): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inUrl(input[name])));

const queryOf = (entries: readonly (readonly [string, unknown])[]): string => {
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, inUrl(value)]));
  return query.size > 0 ? `?${query}` : '';
};

/**
 * Builds the request of an endpoint from a flat input. Undeclared fields go into the body, or into the query of a GET:
 * the document does not name all fields, so users may add some.
 */
export const buildRequest = (baseUrl: string, endpoint: Endpoint, input: Input): WireRequest => {
  const fields = Object.entries(input).filter(([name, value]) => value !== undefined && !has(endpoint.params, name));
  const inQuery = ([name]: readonly [string, unknown]) =>
    has(endpoint.query, name) || (endpoint.method === 'GET' && !has(endpoint.body, name));
  const body = fields.filter((entry) => !inQuery(entry));
  return {
    method: endpoint.method,
    url: baseUrl + pathOf(endpoint, input) + queryOf(fields.filter(inQuery)),
    body: endpoint.body && printJson(Object.fromEntries(body)),
  };
};

/**
 * Checks the address of a service and returns it without a slash at the end. Throws `bad_settings` unless the address is
 * https, or http on this machine: the API key travels in a header.
 */
export const checkBaseUrl = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i.test(address);
    const whole = isHost ? `; did you mean https://${address}?` : '';
    throw new Failure('bad_settings', `the base URL "${address}" is not an http(s) address${whole}`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Failure('bad_settings', 'the base URL must have no user, password, query or fragment');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const message = `the base URL ${url.origin} is not https: the API key would be sent unencrypted`;
    throw new Failure('bad_settings', message, { hint: 'Plain http is allowed only for this machine.' });
  }
  return canonicalAddress(url);
};
