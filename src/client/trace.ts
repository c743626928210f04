import { Failure } from '../core/failure.ts';
import { jsonOf, LARGEST_SHOWN, redactedBody } from '../core/redacted-body.ts';
import {
  credentialsIn,
  isSecretHeader,
  mapTexts,
  maskerOf,
  type Redaction,
  redactionOf,
  redactUrl,
  secretsIn,
  secretsInUrl,
} from '../core/secret.ts';
import { escapeText } from '../core/text.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import type { WireRequest } from './envelope.ts';
import type { Service } from './service.ts';

const keyOf = ({ apiKey }: Service): readonly string[] => (apiKey ? [apiKey.reveal()] : []);

/** What an Authorization header of the scheme Basic has: user and password, and the password alone. */
const pairIn = (value: string): readonly string[] => {
  const [, encoded] = /^basic\s+([\w+/=-]+)$/i.exec(value) ?? [];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return [pair, pair.slice(pair.indexOf(':') + 1)];
};

/** The values of the user's own headers that may grant access, and their parts, such as a token after its scheme. */
const secretHeaders = ({ headers = {} }: WireRequest): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    isSecretHeader(name) ? [value, ...value.split(/[\s;,]+|(?<=\w)=/), ...pairIn(value)] : [],
  );

/** The API key, and the secrets in the headers and the query of a request. */
const ownSecrets = (service: Service, request: WireRequest): readonly string[] => [
  ...keyOf(service),
  ...secretHeaders(request),
  ...secretsInUrl(request.url),
];

/** All secrets and personal data in a request. */
const secretsOf = (service: Service, request: WireRequest): readonly string[] => [
  ...ownSecrets(service, request),
  ...secretsIn(jsonOf(request.body)),
];

/** A shorter key could be an ordinary word of the answer. */
const SHORTEST_KEY = 16;

/** A shorter part of a header, such as Bearer, is an ordinary word. */
const SHORTEST_OWN = 8;

/** Masks the API key, and secret headers of the user, in an answer that repeats them. The rest stays as received. */
export const withoutKey = <T>(answer: T, service: Service, request?: WireRequest): T => {
  const own = request === undefined ? [] : secretHeaders(request).filter(({ length }) => length >= SHORTEST_OWN);
  const secrets = [...keyOf(service).filter(({ length }) => length >= SHORTEST_KEY), ...own];
  return secrets.length === 0 ? answer : (mapTexts(answer, maskerOf(secrets)) as T);
};

/** Facts for a failure from the headers of its answer. `isTraced`: --debug is on. */
type GuardOptions = {
  readonly isTraced: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
};

/**
 * Masks secrets in a failure, because a service may repeat its input and errors end in logs. The key, codes, cards and
 * signatures are always masked; with --debug personal data is masked too.
 */
export const guarded = (
  failure: Failure,
  service: Service,
  request: WireRequest,
  { isTraced, retryAfterMs, requestId }: GuardOptions,
): Failure => {
  const { details } = failure;
  const hide = isTraced
    ? redactionOf(secretsOf(service, request))
    : maskerOf([...ownSecrets(service, request), ...credentialsIn(jsonOf(request.body))]);
  return new Failure(failure.code, hide(failure.sentence), {
    ...details,
    status: details.status && hide(details.status),
    errors: details.errors?.map((one) => ({ ...one, field: hide(one.field), message: hide(one.message) })),
    data: mapTexts(details.data, hide),
    retryAfterMs,
    requestId: requestId && hide(requestId),
  });
};

/** Prints a line about a call, for --debug. */
export type Trace = (line: string) => void | Promise<void>;

const bodyLine = (text: string, redaction: Redaction): string => escapeText(redactedBody(text, redaction));

/** Traces a request and its end. Masks secrets by name, value and shape. */
export const traced = (trace: Trace | undefined, service: Service, request: WireRequest) => {
  if (!trace) return { sent: async () => undefined, ended: async () => undefined };
  const { method, url, body } = request;
  const secrets = secretsOf(service, request);
  const redactRequest = redactionOf(secrets);
  return {
    sent: async () => {
      await trace(`> ${method} ${escapeText(redactUrl(url, redactRequest))}`);
      if (body !== undefined) await trace(`> ${bodyLine(body, redactRequest)}`);
    },
    ended: async (answer: HttpAnswer | HttpFault, took: number) => {
      const time = `${Math.round(took)} ms`;
      if (answer.kind === 'fault')
        return trace(`< ${answer.reason} (${escapeText(redactRequest(answer.message))}), ${time}`);
      const text = new TextDecoder().decode(answer.body);
      const answerSecrets = text.length > LARGEST_SHOWN ? [] : secretsIn(jsonOf(text));
      const id = requestIdOf(answer);
      const idText = id === undefined ? '' : `, request ${redactRequest(id)}`;
      await trace(`< HTTP ${answer.http}, ${answer.body.length} bytes, ${time}${idText}`);
      await trace(`< ${bodyLine(text, redactionOf([...secrets, ...answerSecrets]))}`);
    },
  };
};

/** Headers with the id of a request, of services first, then of gateways and clouds. The service documents none. */
const NAMES = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'cf-ray',
];

/** A plain word of limited length. Any other value is not an id. */
const IS_ID = /^[\w.:=/+@-]{1,128}$/;

/** The id of the request in the headers of an answer, for a support request; `undefined` if there is none. */
export const requestIdOf = ({ headers }: HttpAnswer): string | undefined =>
  NAMES.map((name) => headers[name]?.trim()).find((value) => value !== undefined && IS_ID.test(value));

/**
 * The wait in milliseconds from the `Retry-After` of an answer: seconds or a date (RFC 9110, 10.2.3). A date is compared
 * with the answer's own `Date`, because clocks differ. `undefined` if the header is missing or unreadable.
 */
export const retryAfterMs = ({ headers }: HttpAnswer, now: number): number | undefined => {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
};
