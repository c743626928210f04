import type { Kind } from '../../contract/chains.ts';
import { BLOCKHASH_EXPIRED } from '../../contract/yield/shared.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { leavesOpen } from '../unclear.ts';

/** The command that shows what a wallet has with the provider that an operation ends at. */
export const lookCommand = ({ wallet, asset, chain, provider_in, provider_out }: YieldIntent): NextStep =>
  nextStep('yield.earnings', { wallet, asset, provider: provider_in ?? provider_out ?? '', chain });

/** What is sent for an operation: on which chain, of which world, and the id by which it is resumed. */
export type Task = { readonly chain: string; readonly kind: Kind; readonly operationId: string };

/** Nobody knows whether a transaction landed: its hash is what settles it later. */
export const unknownOutcome = (error: Failure, { operationId }: Pick<Task, 'operationId'>, hash: string): Failure =>
  new Failure('outcome_unknown', error.sentence, {
    ...error.details,
    data: { hash, [WIRE_ID]: operationId, live: true },
    hint: `The transaction ${hash} may have landed. The command below finds out; a node (--rpc-url) knows best.`,
    next: nextStep('yield.resume.live', operationId),
    cause: error,
  });

/** Refusals after which the same bytes may be taken yet: what was wrong was the caller. */
const OF_CALLER: readonly (number | undefined)[] = [401, 403, 429];

/** What was handed over may land, whatever was answered: on a live chain only a node tells. `who` refused it. */
export const refusedLive = (error: Failure, { operationId, kind }: Task, hash: string, who = 'service'): Failure => {
  const isForNode = kind === 'live' && !OF_CALLER.includes(error.details.http);
  const node = isForNode ? ' Only a node shows its outcome: add --rpc-url URL to the command below.' : '';
  return new Failure(error.code, error.sentence, {
    ...error.details,
    data: { hash, [WIRE_ID]: operationId, live: true },
    hint: `The ${who} refused; the signed transaction may still be sent (${hash}).${node} ${error.details.hint ?? ''}`.trim(),
    next: nextStep('yield.resume.live', operationId),
    cause: error,
  });
};

/** Too many calls: whoever said so may have passed this one on, and nothing but the chain can tell. */
export const limitedOutcome = (error: Failure, { operationId }: Task, hash: string): Failure =>
  new Failure(error.code, error.sentence, {
    ...error.details,
    data: { hash, [WIRE_ID]: operationId, live: true },
    hint: `Too many calls were made, and the transaction ${hash} may have been passed on. The command below sends it again, which cannot land twice.`,
    next: nextStep('yield.resume.live', operationId),
    isUnclear: true,
    cause: error,
  });

/** A gateway may have repeated our one call, so that a refusal is about the second: it names our transaction. */
export const namesOurs = ({ message, details }: Failure, hash: string): boolean =>
  [message, ...(details.errors ?? []).map((each) => each.message)].some((text) => text.includes(hash));

/** Whether a failure to send leaves open what happened. */
export const isUnclear = (error: Failure, hash: string): boolean => leavesOpen(error) || namesOurs(error, hash);

/** The transaction is part of the chain and did nothing but cost its fee. */
export const failedOnChain = (hash: string, why: string, { operationId }: Pick<Task, 'operationId'>): Failure =>
  new Failure('payment_failed', `the transaction failed on the chain: ${why}`, {
    data: { hash, [WIRE_ID]: operationId, live: false },
    hint: `Nothing moved but its fee. Its hash is ${hash}.`,
    next: nextStep('operation.show', 'yield', operationId),
  });

/** Whether a transaction was refused because its blockhash is too old. */
export const isExpired = (error: unknown): error is Failure =>
  isFailure(error, 'rejected') && error.details.status === BLOCKHASH_EXPIRED;
