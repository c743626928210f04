import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { Failure, isFailure, valueOn, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { Position } from '../../journal/event.ts';
import { partOf, type YieldIntent } from '../../journal/intents.ts';
import { asFailure, type CallResult, timed, withoutAnswer } from '../read-back.ts';
import type { MovingContext } from './context.ts';
import { type LandingState, readLanding } from './landing.ts';
import { hasMoved, readPositions } from './positions.ts';
import { LANDED, relay, type Sendable, SUCCEEDED } from './send.ts';
import { failedOnChain, refusedLive, type Task, unknownOutcome } from './unclear.ts';

/** Two transactions of a rebalance, in the order in which they must land. */
export type Pair = readonly [first: SignedSolana, second: SignedSolana];

/** The context of sending both by one call. Without a witness, positions show which of the two has landed. */
export type Together = Pick<MovingContext, 'client' | 'operation' | 'witness' | 'gate'> & {
  /** Whether the wallet's positions show one of the two. */
  readonly hasMoved: (part: number) => Promise<boolean>;
};

/** The state of one of the two after the call. */
type KnownOutcome = { readonly part: number; readonly hash: string; readonly landing: LandingState };

const UNSEEN: LandingState = { kind: 'unseen' };

/** The response to the call, or its failure. */
type Answer = Awaited<ReturnType<typeof relay>> | { readonly failure: Failure };

/** Document: op_signed is an array of up to two for a dual rebalance. The answer names one hash. */
const post = async ({ client, operation, gate }: Together, chain: string, pair: Pair): Promise<Answer> => {
  const input = { chain_name: chain, op_signed: pair.map(({ signed_transaction }) => signed_transaction) };
  const hashes = pair.map(({ hash }) => hash);
  try {
    await gate?.assertDayStill(operation, hashes);
    return await relay(client, input, hashes, 'which is none of the two that were sent');
  } catch (error) {
    return { failure: asFailure(error) };
  }
};

/** Without a node only the hash in a success response counts as landed; positions must show the other. */
const readBack = async (together: Together, answer: Answer, part: number, hash: string): Promise<LandingState> => {
  const { witness, hasMoved } = together;
  // An interrupted read proves nothing, like a node without a response.
  if (witness) return readLanding(witness, hash).catch(valueOn(isFailure, UNSEEN));
  if ('failure' in answer) return UNSEEN;
  return answer.named === hash || (await hasMoved(part)) ? { kind: 'landed' } : UNSEEN;
};

/** Whether a failed call was refused by the service. */
const isRefusal = ({ code, details }: Failure): boolean => details.http !== undefined && code !== 'outcome_unknown';

const isOpen = ({ landing }: KnownOutcome): boolean => landing.kind !== 'landed' && landing.kind !== 'failed';

/** Records the known states: landed, failed on the chain, or still in doubt. */
const recordKnown = async ({ operation }: Together, all: readonly KnownOutcome[], failure: Failure): Promise<void> => {
  for (const { part, hash, landing } of all) {
    if (landing.kind === 'landed') await operation.note({ step: 'landed', part, hash });
    if (landing.kind === 'failed') await operation.note({ step: 'dead', hash });
  }
  const { code, details } = failure;
  for (const { hash } of all.filter(isOpen)) {
    await operation.note({ step: 'failed', code, status: details.status, is_unknown: !isRefusal(failure), hash });
  }
};

const NOT_SHOWN = 'the answer does not show that both transactions have landed';

/** The failure with the known state of each of the two. */
const failureOf = (task: Task, answer: Answer, all: readonly KnownOutcome[]): Failure => {
  const { operationId } = task;
  const open = all.find(isOpen);
  const hashesOf = (kind: LandingState['kind']) =>
    all.filter(({ landing }) => landing.kind === kind).map(({ hash }) => hash);
  const [landed, failed] = [hashesOf('landed'), hashesOf('failed')];
  const known = [
    ...landed.map((hash) => `${hash} has landed.`),
    ...failed.map((hash) => `${hash} failed on the chain and moved nothing.`),
  ];
  const base = ((): Failure => {
    if (open === undefined) {
      const wrong = all.find(({ landing }) => landing.kind === 'failed');
      const why = wrong?.landing.kind === 'failed' ? wrong.landing.error : '';
      return failedOnChain(wrong?.hash ?? '', why, task);
    }
    const { failure } = 'failure' in answer ? answer : { failure: new Failure('outcome_unknown', NOT_SHOWN) };
    return (isRefusal(failure) ? refusedLive : unknownOutcome)(failure, task, open.hash);
  })();
  const hash = open?.hash ?? failed[0];
  return withDetails(base, {
    data: { landed, failed, hash, [WIRE_ID]: operationId, live: open !== undefined },
    hint: [...known, base.details.hint ?? ''].join(' ').trim(),
    next: base.details.next ?? nextStep('yield.resume.live', operationId),
  });
};

/**
 * Sends both transactions of a dual rebalance by one call, after recording each. Each must be shown as landed: by a
 * node, by its hash in the response, or by positions. Throws `outcome_unknown` while one is unknown, `payment_failed`
 * if a node shows a failure, and the service's refusal.
 */
export const sendTogether = async (together: Together, chain: string, pair: Pair): Promise<CallResult> => {
  const { client, operation } = together;
  const task: Task = { chain, kind: client.service.kind, operationId: operation.id };
  for (const [at, { hash }] of pair.entries()) {
    await operation.record({ step: 'sending', part: at + 1, hash, via: 'service' });
  }
  const answer = await post(together, chain, pair);
  if ('failure' in answer && answer.failure.details.isUnsent) {
    const { code, details } = answer.failure;
    for (const { hash } of pair) {
      await operation.note({ step: 'failed', code, status: details.status, is_unknown: false, hash, unsent: true });
    }
    throw answer.failure;
  }
  const all: KnownOutcome[] = [];
  for (const [at, { hash }] of pair.entries()) {
    all.push({ part: at + 1, hash, landing: await readBack(together, answer, at + 1, hash) });
  }
  const isDone = all.every(({ landing }) => landing.kind === 'landed');
  const failure = isDone ? undefined : failureOf(task, answer, all);
  await recordKnown(together, all, failure ?? new Failure('internal', 'both have landed'));
  if (failure) throw failure;
  if ('envelope' in answer) return answer.envelope;
  return withoutAnswer('read_back', LANDED, { status: SUCCEEDED, transactionHash: pair[1].hash });
};

/** Sends both parts of an operation by one call, as `sendTogether`. `before` are the earlier positions. */
export const sendBoth = async (
  context: MovingContext,
  intent: YieldIntent,
  [first, second]: readonly [Sendable, Sendable],
  before: readonly Position[],
): Promise<void> => {
  const { client, on } = context;
  const hasMovedBy = async (part: number): Promise<boolean> => {
    const done = partOf(intent, part, 2);
    return hasMoved(done, before, await readPositions(client, done));
  };
  const together = { ...context, hasMoved: hasMovedBy };
  const sending = timed({ client }, () => sendTogether(together, intent.chain, [first.signed, second.signed]));
  const [, took] = await client.io.spin('Sending both transactions', sending);
  for (const { signed } of [first, second]) await on({ kind: 'landed', hash: signed.hash, took });
};
