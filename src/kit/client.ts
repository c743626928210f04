import { type Client, call } from '../client/call.ts';
import { checkBaseUrl } from '../client/envelope.ts';
import type { Service } from '../client/service.ts';
import { type Endpoint, fieldsOf } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { camel } from '../contract/openapi/parts.ts';
import { outcomeOf } from '../contract/outcomes.ts';
import { Failure, type FailureCode, isFailure } from '../core/failure.ts';
import { textAt } from '../core/json.ts';
import { secret } from '../core/secret.ts';
import { type CallIo, libraryIo } from '../io/library.ts';
import { fieldsToWire, toPlain } from './numbers.ts';

/** The service of a client. */
export type ClientOptions = {
  /** The address of the service: https, or http on this machine. */
  readonly baseUrl: string;
  /** Sent to the origin of `baseUrl` only. */
  readonly apiKey?: string;
  /** The maximum time of one call with its retries, in milliseconds; 60,000 without it. */
  readonly timeoutMs?: number;
};

/** The options of one call. */
export type CallOptions = {
  /** Ends the call. A request that was sent may still have its effect. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

/** The codes of failed calls. They are those of `error.code` in the JSON output of bursar. */
export const CODES = [
  ...['invalid_input', 'no_api_key', 'unauthorized', 'not_found', 'unavailable', 'unexpected_answer'],
  ...['identity_gate', 'limit_reached', 'not_final', 'rejected', 'outcome_unknown', 'payment_failed', 'interrupted'],
] as const satisfies readonly FailureCode[];

/** A failed call. */
export type CallError = {
  readonly code: (typeof CODES)[number];
  /** The status of the service's answer, if it answered. */
  readonly status?: string;
  /** The HTTP status of the answer. */
  readonly http?: number;
  readonly message: string;
  /** The wrong fields; empty without any. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  readonly data?: unknown;
  /** Whether the call may have taken effect. Read the state back before you repeat it. */
  readonly isUnclear: boolean;
  /** The wait in milliseconds that the service requests. */
  readonly retryAfterMs?: number;
};

/** The result of a call: an answer of the service, or a failure. */
export type CallResult =
  | {
      readonly ok: true;
      readonly status: string;
      readonly http: number;
      readonly message: string;
      readonly data: unknown;
    }
  | { readonly ok: false; readonly error: CallError };

/** One function of the client. It never rejects for a failure of the service or of the network. */
export type CallFunction = (input?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<CallResult>;

/** The functions of a client by area and verb, such as `client.pay.register`. */
export type ServiceClient = Readonly<Record<string, Readonly<Record<string, CallFunction>>>>;

const DEFAULT_TIMEOUT_MS = 60_000;

/** The area and the function of an endpoint's id. */
export const placeOf = (id: string): readonly [area: string, name: string] => {
  const [area = '', verb = ''] = id.split('.');
  return [area, camel(verb)];
};

const isCode = (code: FailureCode): code is CallError['code'] => CODES.some((each) => each === code);

/** A thrown failure as a value. Throws any other error again. */
export const errorOf = (error: unknown): CallError => {
  if (!isFailure(error) || !isCode(error.code)) throw error;
  const { status, http, errors = [], data, isUnclear, retryAfterMs } = error.details;
  return {
    code: error.code,
    ...(status !== undefined && { status }),
    ...(http !== undefined && { http }),
    message: error.message,
    errors: errors.map(({ field, message }) => ({ field, message })),
    ...(data !== undefined && { data: toPlain(data) }),
    isUnclear: isUnclear === true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
};

/** A program without types may leave out the options, or the address of the service. */
const checkOptions = (options: ClientOptions): ClientOptions => {
  if (textAt(options, 'baseUrl') !== undefined) return options;
  throw new Failure('bad_settings', 'createClient needs an object with baseUrl, the address of the service');
};

/** A header can have visible characters of ASCII only. An error must not show the key. */
const checkApiKey = (key: string): string => {
  if (/^[!-~]+$/.test(key)) return key;
  throw new Failure('bad_settings', 'the API key is empty, or has characters that no key has');
};

/** The maximum time of a call. Throws an error for a value that is no number of milliseconds. */
const limitOf = (timeoutMs: number): number => {
  if (timeoutMs > 0) return timeoutMs;
  throw new Failure('bad_settings', 'timeoutMs must be a number of milliseconds above zero');
};

/** The failure of an answer whose status or data the contract does not have. */
const undocumented = (
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  answer: Pick<CallError, 'status' | 'http' | 'data'>,
): CallResult => {
  const { isAutomatic, movesMoney } = outcomeOf(endpoint, input);
  const message = `the answer to ${endpoint.id} is not as documented`;
  const code = movesMoney ? 'outcome_unknown' : 'unexpected_answer';
  return { ok: false, error: { code, ...answer, message, errors: [], isUnclear: !isAutomatic } };
};

const callEndpoint = async (
  client: Client<CallIo>,
  endpoint: Endpoint,
  given: Readonly<Record<string, unknown>>,
): Promise<CallResult> => {
  const shape = fieldsOf(endpoint);
  const input = fieldsToWire(shape, given);
  try {
    const { status, statusCode: http, message, data } = await call(client, endpoint, input);
    const plain = toPlain(data);
    const expected = Object.hasOwn(endpoint.success, status) ? endpoint.success[status] : undefined;
    const isDocumented = expected !== undefined && (expected.data?.safeParse(data).success ?? true);
    if (!isDocumented) return undocumented(endpoint, input, { status, http, data: plain });
    return { ok: true, status, http, message, data: plain };
  } catch (error) {
    return { ok: false, error: errorOf(error) };
  }
};

/**
 * Makes a client of a service. It has one function for each endpoint, by area and verb. A read is repeated up to three
 * times after a temporary failure; a call that moves money or spends a quota is never repeated. Throws an error for a
 * base URL that is neither https nor on this machine, and for an API key that no header can have.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', apiKey });
 * const quote = await client.quote.market({ from: 'ETH', to: 'USDT' });
 * if (quote.ok) console.log(quote.data.price);
 */
export const createClient = (options: ClientOptions): ServiceClient => {
  const { baseUrl, apiKey, timeoutMs } = checkOptions(options);
  const service: Service = {
    profile: '(kit)',
    kind: 'live',
    baseUrl: checkBaseUrl(baseUrl),
    apiKey: apiKey === undefined ? undefined : secret(checkApiKey(apiKey)),
  };
  const usualMs = limitOf(timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const areas: Record<string, Record<string, CallFunction>> = {};
  for (const endpoint of ENDPOINTS) {
    const [area, name] = placeOf(endpoint.id);
    const run: CallFunction = (input = {}, options = {}) => {
      const io = libraryIo(options.signal);
      const limit = options.timeoutMs ?? usualMs;
      return callEndpoint({ io, service, deadline: io.clock.monotonic() + limit }, endpoint, input);
    };
    areas[area] = { ...areas[area], [name]: run };
  }
  return areas;
};
