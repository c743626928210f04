import type * as z from 'zod';
import type { DataOf, Endpoint } from '../contract/define.ts';
import { type Outcome, outcomeOf } from '../contract/outcomes.ts';
import { validate } from '../contract/validate.ts';
import { escapeText } from '../core/escape.ts';
import { Failure, isFailure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import type { HttpAnswer, HttpFault, HttpRequest } from '../io/exchange.ts';
import type { Io } from '../io/io.ts';
import { type Called, faultFailure, serviceFailure, strangeAnswer } from './classify.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { guarded, withoutKey } from './guard.ts';
import { buildRequest, type WireRequest } from './request.ts';
import { requestIdOf } from './request-id.ts';
import type { Service } from './service.ts';
import { type Trace, traced } from './trace.ts';

/** A service, and how long the command may still take. */
export type Client = {
  readonly io: Io;
  readonly service: Service;
  /** `io.clock.monotonic()` after which nothing is waited for. */
  readonly deadline: number;
  /** Where --debug shows requests and answers. */
  readonly trace?: Trace | undefined;
  /** Where --verbose and --debug tell that a call is made again. */
  readonly note?: Trace | undefined;
};

/** What an endpoint is called with: the fields of its path, query and body in one object, by the service's names. */
export type Input = Readonly<Record<string, unknown>>;

/** A single call never takes longer than this, whatever the deadline of the command. */
const LONGEST_CALL_MS = 30_000;
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** Holds an input against the contract. Throws `invalid_input` with every wrong field; nothing was sent. */
export const checkInput = (endpoint: Endpoint, input: Input): Input => {
  const result = validate(endpoint, input);
  if (result.ok) return result.input;
  throw new Failure('invalid_input', 'nothing was sent: the service would not take this input', {
    errors: result.problems.map(({ field, message, isMissing }) => ({ field, message, isMissing })),
    isUnsent: true,
  });
};

/** Checks the input and builds the request that `call` would send. */
export const prepare = (service: Service, endpoint: Endpoint, input: Input): WireRequest =>
  buildRequest(service.baseUrl, endpoint, checkInput(endpoint, input));

const noKey = ({ baseUrl, profile }: Service): Failure => {
  const made = 'Keys are made in the account dashboard and shown once.';
  const elsewhere = 'Give it in BURSAR_API_KEY or in a file named by BURSAR_API_KEY_FILE.';
  // A service that only the environment names has no profile to log in to.
  const hasProfile = /^\w/.test(profile);
  return new Failure('no_api_key', `no API key for ${baseUrl}`, {
    hint: `${made} ${elsewhere}`,
    next: hasProfile ? nextStep('login.profile', profile) : nextStep('whoami'),
    isUnsent: true,
  });
};

const headersFor = (service: Service, endpoint: Endpoint, request: WireRequest): Record<string, string> => {
  if (!service.apiKey && endpoint.key !== 'optional') throw noKey(service);
  return {
    accept: 'application/json',
    'user-agent': 'bursar',
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(service.apiKey && { 'x-api-key': service.apiKey.reveal() }),
  };
};

const timeLeft = (client: Client): number => {
  const left = client.deadline - client.io.clock.monotonic();
  if (left <= 0) {
    throw new Failure('unavailable', 'the time given by --timeout is over', {
      hint: 'Nothing was sent.',
      isUnsent: true,
    });
  }
  return Math.min(left, LONGEST_CALL_MS);
};

/** How an answer ends a call: a successful envelope, or the failure. */
const judge = (called: Called, request: WireRequest, answer: HttpAnswer | HttpFault): Envelope => {
  if (answer.kind === 'fault') throw faultFailure(called, answer);
  const reading = readEnvelope(answer, request.url);
  if ('problem' in reading) throw strangeAnswer(called, answer.http, reading.problem);
  if (!reading.envelope.success) throw serviceFailure(called, reading.envelope);
  return reading.envelope;
};

/** Makes a call, once. */
const callOnce = async (client: Client, called: Called, request: WireRequest, headers: HttpRequest['headers']) => {
  const { io, service } = client;
  const timeoutMs = timeLeft(client);
  const trace = traced(client.trace, service, request);
  await trace.sent();
  const start = io.clock.monotonic();
  const answer = await io.http.send({
    method: request.method,
    url: request.url,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    timeoutMs,
    mostBytes: LARGEST_ANSWER,
  });
  await trace.ended(answer, io.clock.monotonic() - start);
  try {
    return withoutKey(judge(called, request, answer), service);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const said = answer.kind === 'answer' && {
      retryAfterMs: retryAfterMs(answer, io.clock.now()),
      requestId: requestIdOf(answer),
    };
    throw guarded(error, service, request, { isTraced: client.trace !== undefined, ...said });
  }
};

/**
 * Calls the service: input to request, answer to envelope. Resolves with a successful envelope, whatever
 * its status; throws a failure for everything else. Only what reads or builds is repeated, as `OUTCOMES` has it.
 */
export const call = async (client: Client, endpoint: Endpoint, input: Input): Promise<Envelope> => {
  const { service } = client;
  const request = prepare(service, endpoint, input);
  const headers = headersFor(service, endpoint, request);
  const { origin } = new URL(service.baseUrl);
  const called = { endpoint, origin, input, outcome: outcomeOf(endpoint, input) };
  return repeating(client, called.outcome, () => callOnce(client, called, request, headers));
};

/**
 * The data of an answer as the contract describes it for one success status. Throws `unexpected_answer`
 * when it is something else: a flow must not go on with half an answer.
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
  const what = issue
    ? `${issue.path.join('.') || 'data'}: ${issue.message}`
    : `status ${envelope.status}, not ${status}`;
  throw new Failure('unexpected_answer', `the answer to ${endpoint.id} is not as documented (${what})`, {
    status: envelope.status,
    http: envelope.statusCode,
    data: envelope.data,
  });
};

/**
 * How long an answer asks to wait, in milliseconds: its `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), which
 * is held against the answer's own `Date`, for clocks differ. `undefined` where it asks for nothing that can be read.
 */
const retryAfterMs = ({ headers }: HttpAnswer, now: number): number | undefined => {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
};

/** What may be used up by a call: until when, and where it is told. */
type Patience = { readonly io: Io; readonly deadline: number; readonly note?: Trace | undefined };

const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 250;
/** Whoever was told the same time to wait must not come back at the same moment. */
const SPREAD_MS = 250;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Full jitter: anything up to twice the last; after a time that the service asked for, a little more than that. */
const pauseBefore = ({ io }: Patience, retry: number, asked: number | undefined): number => {
  const most = asked === undefined ? FIRST_PAUSE_MS * 2 ** (retry - 1) : SPREAD_MS;
  return (asked ?? 0) + io.random.fraction() * most;
};

/** Says when the service wants to be called again, where nobody waits for it. */
const advised = ({ io, deadline }: Patience, failure: Failure, { isAutomatic }: Outcome): Failure => {
  const { retryAfterMs: asked, hint } = failure.details;
  if (asked === undefined) return failure;
  const left = Math.max(0, deadline - io.clock.monotonic());
  const why = isAutomatic && asked >= left ? `, and ${seconds(left)} of --timeout are left` : '';
  const when = new Date(io.clock.now() + asked).toISOString();
  const says = `The service asks to wait ${seconds(asked)}${why}: not before ${when}.`;
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    hint: [hint, says].filter(Boolean).join(' '),
    cause: failure,
  });
};

/**
 * Makes a call again where its outcome allows that without a word of the user: at most three times, after what may
 * pass, within the time of the command. A time that the service asks for is waited for, or the call given up at once.
 */
const repeating = async <T>(client: Patience, outcome: Outcome, once: () => Promise<T>): Promise<T> => {
  const { clock, interrupted } = client.io;
  for (let retry = 1; ; retry += 1) {
    try {
      return await once();
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { isPassing, retryAfterMs } = error.details;
      if (!outcome.isAutomatic || !isPassing || retry > MAX_RETRIES) throw advised(client, error, outcome);
      const pause = pauseBefore(client, retry, retryAfterMs);
      if (clock.monotonic() + pause >= client.deadline) throw advised(client, error, outcome);
      const what = `${escapeText(error.sentence)}; retry ${retry} of ${MAX_RETRIES} in ${seconds(pause)}`;
      await client.note?.(what);
      await clock.sleep(pause, interrupted);
    }
  }
};
