import type { Client } from '../client/call.ts';
import type { Envelope } from '../client/envelope.ts';
import { errorEntry } from '../contract/errors.ts';
import {
  Failure,
  type FailureCode,
  type FailureDetails,
  isFailure,
  isUninterrupted,
  messageOf,
  withDetails,
} from '../core/failure.ts';
import { type NextStep, variable, withOptions } from '../core/next.ts';
import type { OperationEvent } from '../journal/event.ts';
import type { Operation } from '../journal/operation.ts';

/** A rate limit from something other than the service, which may have passed the call on. */
export const isForeignLimit = ({ details }: Failure): boolean =>
  details.http === 429 && !(details.status !== undefined && errorEntry(details.status));

/** Refusals caused by the caller: the service may accept the same bytes later. */
const OF_CALLER: readonly (number | undefined)[] = [401, 403, 429];

/** The command with a place for a node, where only a node helps. */
export const askingNode = (step: NextStep): NextStep => withOptions(step, ['--rpc-url', variable('RPC_URL')]);

/** How a command that needs a higher bound is completed. */
export const BOUND_PLACE = 'write the most to pay in place of "$PAY_AT_MOST" below';

/** How the command of `askingNode` is completed. */
export const NODE_PLACE = 'put its address in place of "$RPC_URL" below';

/**
 * The hint and the resume command of bytes that were refused, and may still land. `who` refused; `canOnlyNodeShow` their
 * outcome.
 */
export const refusedDetails = (
  { details }: Failure,
  hash: string,
  { canOnlyNodeShow, resume, who = 'service' }: { canOnlyNodeShow: boolean; resume: NextStep; who?: string },
): Pick<FailureDetails, 'hint' | 'next'> => {
  const isForNode = canOnlyNodeShow && !OF_CALLER.includes(details.http);
  const node = isForNode ? ` Only a node shows its outcome: ${NODE_PLACE}.` : '';
  const hint = `The ${who} refused; the signed transaction may still be sent (${hash}).${node} ${details.hint ?? ''}`;
  return { hint: hint.trim(), next: isForNode ? askingNode(resume) : resume };
};

/** Whether a failed call may have taken effect. After an interrupt there is no time to check. */
export const isUnclear = (error: unknown): error is Failure =>
  isUninterrupted(error) && (error.details.isUnclear === true || isForeignLimit(error));

/**
 * Replaces a missing response: nothing was sent (`unchanged`), reading shows the effect after a lost response
 * (`read_back`), or several responses are combined (`collected`). It is not an envelope and never shown as one.
 */
export type LostAnswer = {
  readonly without: 'unchanged' | 'read_back' | 'collected';
  readonly status: string;
  readonly data: unknown;
};

/** The response of the service, or its replacement. */
export type CallResult = Envelope | LostAnswer;

/** Whether this is a response of the service. */
export const isEnvelope = (answered: CallResult): answered is Envelope => 'statusCode' in answered;

/** The replacement of a response. */
export const withoutAnswer = (without: LostAnswer['without'], status: string, data: unknown): LostAnswer => ({
  without,
  status,
  data,
});

/** Reads the effect of a call. If that fails, the first failure is kept and mentions it. */
export const readingBack = async <T>(failure: Failure, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!isUninterrupted(error)) throw error;
    const hint = `${failure.details.hint ?? ''} The result could not be read: ${error.sentence}`.trim();
    throw withDetails(failure, { hint });
  }
};

/**
 * Records `before`, makes a call, and records its outcome. A failure of the call is rethrown unchanged. Throws `outcome_unknown` if
 * the database of the journal went away: the next command takes the call for one in doubt.
 */
export const recorded = async <T>(
  { operation }: { readonly operation: Operation },
  before: OperationEvent,
  work: () => Promise<T>,
  after: (result: T) => OperationEvent,
): Promise<T> => {
  await operation.record(before);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const failure = isFailure(error) ? error : new Failure('internal', messageOf(error));
    const { code, details } = failure;
    const isDoubtful = isForeignLimit(failure) || (code === 'limit_reached' && details.isUnclear === true);
    const is_unknown = code === 'outcome_unknown' || code === 'internal' || isDoubtful;
    // Only calls with signed bytes have a hash: bytes that left this machine may land.
    const bytes = 'hash' in before && { hash: before.hash, ...(details.isUnsent && { unsent: true as const }) };
    await operation.note({ step: 'failed', code, status: details.status, is_unknown, ...bytes });
    throw error;
  }
  await operation.noteAnswer(after(result));
  return result;
};

const UNCLEAR: readonly FailureCode[] = ['outcome_unknown', 'unexpected_answer', 'internal'];

/** Whether a send failure leaves the outcome unknown; after any other failure the service has not accepted it. */
export const leavesOpen = ({ code }: Failure): boolean => UNCLEAR.includes(code);

/** The error of a send. An error that is no `Failure` leaves the outcome unknown. */
export const asFailure = (error: unknown): Failure =>
  isFailure(error) ? error : new Failure('outcome_unknown', messageOf(error), { cause: error });

/** The options of a wait. */
export type WaitOptions<T> = {
  readonly read: () => Promise<T>;
  /** The name of a state; each change is reported. */
  readonly stateOf: (value: T) => string;
  readonly onState: (value: T) => void | Promise<void>;
  /** Whether the state is final. Throws for a final failure. */
  readonly isDone: (value: T) => boolean;
  /** Whether the state does not change by itself, so that waiting is useless. */
  readonly isResting?: (value: T) => boolean;
  readonly notFinal: (value: T) => Failure;
  /** The state before the first read, which may then fail too. */
  readonly known?: T | undefined;
  /** The longest pause between two reads while a user watches. */
  readonly longestPauseMs?: number | undefined;
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Time reserved for a last read just before the deadline. */
const LAST_LOOK_MS = 500;

type Look<T> = { readonly value: T | undefined; readonly failure?: Failure };

/** Whether a failed read may succeed shortly. */
export const isPassing = (error: Failure): boolean =>
  ['unavailable', 'unexpected_answer'].includes(error.code) || error.details.isTransient === true;

/** Failed reads do not end a wait, once something has responded. If no server exists at the address, the wait ends. */
const look = async <T>({ read }: WaitOptions<T>, last: T | undefined): Promise<Look<T>> => {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isFailure(error) || !isPassing(error)) throw error;
    const hasAnswered = error.details.isTransient && error.details.http !== undefined;
    if (last === undefined && !hasAnswered) throw error;
    return { value: last, failure: error };
  }
};

/**
 * Reads until the state is final, with growing pauses and jitter, and once more just before the deadline. Waits as
 * long as the service requests, or stops if that exceeds the remaining time. Throws `notFinal` of the last state.
 */
export const waitFor = async <T>(client: Client, waiting: WaitOptions<T>): Promise<T> => {
  const { clock, random, interrupted } = client.io;
  const longest = waiting.longestPauseMs ?? LONGEST_PAUSE_MS;
  let last = waiting.known;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, longest)) {
    const seen = await look(waiting, last);
    const { value } = seen;
    if (value !== undefined) {
      const isNew = last === undefined || waiting.stateOf(value) !== waiting.stateOf(last);
      if (isNew) await waiting.onState(value);
      last = value;
      if (waiting.isDone(value)) return value;
      if (waiting.isResting?.(value)) throw waiting.notFinal(value);
    }
    const asked = seen.failure?.details.retryAfterMs ?? 0;
    const left = client.deadline - clock.monotonic();
    if (left <= LAST_LOOK_MS || asked >= left) throw value === undefined ? seen.failure : waiting.notFinal(value);
    const jittered = Math.max(pause, asked) * (1 + random.fraction() / 2) - (asked ? 0 : pause / 4);
    await clock.sleep(Math.min(jittered, left - LAST_LOOK_MS), interrupted);
  }
};

/** Runs a step and measures its time. */
export const timed = async <T>({ client }: { readonly client: Client }, work: () => Promise<T>) => {
  const { clock } = client.io;
  const start = clock.monotonic();
  const result = await work();
  return [result, clock.monotonic() - start] as const;
};
