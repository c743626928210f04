import type * as z from 'zod';
import { type DataOf, type Endpoint, validate } from '../contract/define.ts';
import { type Outcome, outcomeOf } from '../contract/outcomes.ts';
import { Failure, isFailure, withDetails } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { escapeText, inSentence } from '../core/text.ts';
import type { HttpAnswer, HttpFault, HttpRequest } from '../io/http/http.ts';
import type { Io } from '../io/io.ts';
import type { CallIo } from '../io/library.ts';
import { type ClassifiedCall, faultFailure, serviceFailure, unexpectedAnswer } from './classify.ts';
import { buildRequest, type Envelope, readEnvelope, type WireRequest } from './envelope.ts';
import type { Service } from './service.ts';
import { guarded, requestIdOf, retryAfterMs, type Trace, traced, withoutKey } from './trace.ts';

/** A service, and the time limit of the command. */
export type Client<I extends CallIo = Io> = {
  readonly io: I;
  readonly service: Service;
  /** The `io.clock.monotonic()` at which waiting ends; it moves by the time of questions. */
  readonly deadline: number;
  /** Prints requests and answers, for --debug. */
  readonly trace?: Trace | undefined;
  /** Prints retries, for --verbose and --debug. */
  readonly note?: Trace | undefined;
};

/** The input of a call: the fields of path, query and body in one object, under the service's names. */
export type Input = Readonly<Record<string, unknown>>;

/** The maximum time of one call, even if the command has more. */
export const LONGEST_CALL_MS = 30_000;
/** The largest answer that is read, in bytes. */
export const LARGEST_ANSWER = 4 * 1024 * 1024;

/** Validates an input by the contract. Throws `invalid_input` with every wrong field, before anything is sent. */
export const checkInput = (endpoint: Endpoint, input: Input): Input => {
  const result = validate(endpoint, input);
  if (result.ok) return result.input;
  throw new Failure('invalid_input', 'nothing was sent: this input is not valid for the service', {
    errors: result.problems.map(({ field, message, isMissing }) => ({ field, message, isMissing })),
    isUnsent: true,
  });
};

/** Checks the input and builds the request that `call` would send. */
export const prepare = (service: Service, endpoint: Endpoint, input: Input): WireRequest =>
  buildRequest(service.baseUrl, endpoint, checkInput(endpoint, input));

/** The failure of a call that needs an API key. */
export const noKey = ({ baseUrl, profile }: Service): Failure => {
  const origin = 'Create a key in the account dashboard, which shows it once.';
  const usage = 'Set BURSAR_API_KEY, or set BURSAR_API_KEY_FILE to a file with the key.';
  // A service from the environment has no profile to log in to.
  const hasProfile = /^\w/.test(profile);
  return new Failure('no_api_key', `no API key for ${baseUrl}`, {
    hint: `${origin} ${usage}`,
    next: hasProfile ? nextStep('login.profile', profile) : nextStep('whoami'),
    isUnsent: true,
  });
};

const headersFor = (service: Service, { endpoint }: ClassifiedCall, request: WireRequest): Record<string, string> => {
  if (!service.apiKey && endpoint.key !== 'optional') throw noKey(service);
  return {
    accept: 'application/json',
    'user-agent': 'bursar',
    ...request.headers,
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(service.apiKey && { 'x-api-key': service.apiKey.reveal() }),
  };
};

const timeLeft = (client: Client<CallIo>): number => {
  const left = client.deadline - client.io.clock.monotonic();
  if (left > 0) return Math.min(left, LONGEST_CALL_MS);
  const details = { hint: 'Nothing was sent. --timeout sets the limit.', isUnsent: true } as const;
  throw new Failure('unavailable', 'the time limit has passed', details);
};

/** Reads an answer: returns a successful envelope, and throws the failure for everything else. */
export const readResult = (called: ClassifiedCall, request: WireRequest, answer: HttpAnswer | HttpFault): Envelope => {
  if (answer.kind === 'fault') throw faultFailure(called, answer);
  const reading = readEnvelope(answer, request.url);
  if ('problem' in reading) throw unexpectedAnswer(called, answer.http, reading.problem);
  if (!reading.envelope.success) throw serviceFailure(called, reading.envelope);
  return reading.envelope;
};

/** Reads an answer or a fault: returns a result, and throws a failure. */
type Reading<T> = (answer: HttpAnswer | HttpFault) => T;

/** Makes a call once, without retries. */
const callOnce = async <T>(
  client: Client<CallIo>,
  request: WireRequest,
  headers: HttpRequest['headers'],
  read: Reading<T>,
) => {
  const { io, service } = client;
  const timeoutMs = timeLeft(client);
  const trace = traced(client.trace, service, request);
  await trace.sent();
  const start = io.clock.monotonic();
  const answer = await io.http.send({ ...request, headers, timeoutMs, maxBytes: LARGEST_ANSWER });
  await trace.ended(answer, io.clock.monotonic() - start);
  try {
    return read(answer);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const headerFacts = answer.kind === 'answer' && {
      retryAfterMs: retryAfterMs(answer, io.clock.now()),
      requestId: requestIdOf(answer),
    };
    throw guarded(error, service, request, { isTraced: client.trace !== undefined, ...headerFacts });
  }
};

/**
 * Calls the service: input to request, answer to envelope. Resolves with a successful envelope of any status and throws
 * a failure for everything else. Retries only calls that read or build, as `OUTCOMES` states.
 */
export const call = async (client: Client<CallIo>, endpoint: Endpoint, input: Input): Promise<Envelope> => {
  const { service } = client;
  const request = prepare(service, endpoint, input);
  const { origin } = new URL(service.baseUrl);
  const called = { endpoint, origin, input, outcome: outcomeOf(endpoint, input) };
  return exchange(client, called, request, (answer) => withoutKey(readResult(called, request, answer), service));
};

/**
 * Sends a request with the key of the service, and retries as the outcome of the call allows. Throws what `read` throws, with
 * its secrets masked.
 */
export const exchange = async <T>(
  client: Client<CallIo>,
  called: ClassifiedCall,
  request: WireRequest,
  read: Reading<T>,
): Promise<T> => {
  const headers = headersFor(client.service, called, request);
  return withRetries(client, called.outcome, () => callOnce(client, request, headers, read));
};

/**
 * The data of an answer, with the contract's type for one success status. Throws `unexpected_answer` if the data does
 * not match: a flow must not continue with an incomplete answer.
 */
export const dataOf = <E extends Endpoint, S extends keyof E['success'] & string>(
  endpoint: E,
  status: S,
  envelope: Envelope,
): DataOf<E, S> => {
  const schema: z.ZodType | undefined = endpoint.success[status]?.data;
  const parsed = envelope.status === status ? schema?.safeParse(envelope.data) : undefined;
  if (parsed?.success) return parsed.data as DataOf<E, S>;
  const issue = parsed?.error?.issues[0];
  const ofStatus = `status ${inSentence(envelope.status)}, not ${status}`;
  const difference = issue ? `${issue.path.join('.') || 'data'}: ${issue.message}` : ofStatus;
  const details = { status: envelope.status, http: envelope.statusCode, data: envelope.data };
  throw new Failure('unexpected_answer', `the answer to ${endpoint.id} is not as documented (${difference})`, details);
};

/** The data of an answer in the form that a caller needs; other fields pass. Throws `unexpected_answer` for another form. */
export const dataAs = <T>(schema: z.ZodType<T>, { data, status }: Envelope, problem: string): T => {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Failure('unexpected_answer', problem, { status, data });
};

/** The limits of retries: their deadline, and the printer of their notes. */
type RetryLimits = Pick<Client<CallIo>, 'io' | 'deadline' | 'note'>;

const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 250;
/** Clients with the same `Retry-After` must not retry at the same moment. */
const SPREAD_MS = 250;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Adds the earliest time of the next call to the hint, if the service requested a wait and bursar does not wait. */
const withWaitAdvice = ({ io, deadline }: RetryLimits, failure: Failure, { isAutomatic }: Outcome): Failure => {
  const { retryAfterMs: requestedMs, hint } = failure.details;
  if (requestedMs === undefined) return failure;
  const left = Math.max(0, deadline - io.clock.monotonic());
  const remaining = isAutomatic && requestedMs >= left ? ` (--timeout leaves ${seconds(left)})` : '';
  const when = new Date(io.clock.now() + requestedMs).toISOString();
  const message = `The service requests a wait of ${seconds(requestedMs)}${remaining}. Retry after ${when}.`;
  return withDetails(failure, { hint: [hint, message].filter(Boolean).join(' ') });
};

/**
 * Retries a call after a transient failure, at most three times and within the deadline. Only calls that their outcome
 * marks as automatic are retried. If the service requests a wait beyond the deadline, the call fails at once.
 */
const withRetries = async <T>(client: RetryLimits, outcome: Outcome, once: () => Promise<T>): Promise<T> => {
  const { clock, interrupted } = client.io;
  for (let retry = 1; ; retry += 1) {
    try {
      return await once();
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { isTransient, retryAfterMs } = error.details;
      if (!outcome.isAutomatic || !isTransient || retry > MAX_RETRIES) throw withWaitAdvice(client, error, outcome);
      // Full jitter: a random pause up to twice the last maximum, or a small random part after a requested wait.
      const spread = retryAfterMs === undefined ? FIRST_PAUSE_MS * 2 ** (retry - 1) : SPREAD_MS;
      const pause = (retryAfterMs ?? 0) + client.io.random.fraction() * spread;
      if (clock.monotonic() + pause >= client.deadline) throw withWaitAdvice(client, error, outcome);
      await client.note?.(`${escapeText(error.sentence)}; retry ${retry} of ${MAX_RETRIES} in ${seconds(pause)}`);
      await clock.sleep(pause, interrupted);
    }
  }
};

/** A client whose deadline is later than that of another, with which it moves. */
export const withMoreTime = (client: Client, moreMs: () => number): Client => ({
  ...client,
  get deadline() {
    return client.deadline + moreMs();
  },
});

/** Makes a client whose deadline can pause. */
export const withPauses = (client: Client) => {
  const { clock, prompt } = client.io;
  // The deadline moves by the time of questions in any case.
  const now = () => clock.monotonic() - prompt.waitedMs();
  let paused = 0;
  return {
    client: withMoreTime(client, () => paused),
    /** Runs work of the user, such as a verification, and extends the deadline by its time. */
    pauseWhile: async <T>(work: () => Promise<T>): Promise<T> => {
      const start = now();
      try {
        return await work();
      } finally {
        paused += now() - start;
      }
    },
  };
};

/** A client whose deadline can pause. */
export type PausableClient = ReturnType<typeof withPauses>;
