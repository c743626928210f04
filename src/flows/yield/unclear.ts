import { BLOCKHASH_EXPIRED } from '../../contract/yield/shared.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { shellQuote } from '../../core/shell.ts';
import type { YieldIntent } from '../../journal/yield-entry.ts';
import { leavesOpen } from '../unclear.ts';

/** The command that shows what a wallet has with the provider that an operation ends at. */
export const lookCommand = ({ wallet, asset, chain, provider_in, provider_out }: YieldIntent): string => {
  const options = [wallet, asset, provider_in ?? provider_out ?? '', chain].map(shellQuote);
  const [ofWallet, ofAsset, provider, chainName] = options;
  return `bursar yield earnings --wallet ${ofWallet} --asset ${ofAsset} --provider ${provider} --chain-name ${chainName}`;
};

/** Nobody knows whether a transaction landed: its hash is what settles it later. */
export const unknownOutcome = (error: Failure, intent: YieldIntent, hash: string): Failure =>
  new Failure('outcome_unknown', error.message, {
    ...error.details,
    data: { hash },
    hint: `The transaction ${hash} may have landed. Look for it on the chain before you do this again.`,
    next: lookCommand(intent),
    cause: error,
  });

/** A gateway may have repeated our one call, so that a refusal is about the second: it names our transaction. */
const namesOurs = ({ message, details }: Failure, hash: string): boolean =>
  [message, ...(details.errors ?? []).map((each) => each.message)].some((text) => text.includes(hash));

/** Whether a failure to send leaves open what happened. */
export const isUnclear = (error: Failure, hash: string): boolean => leavesOpen(error) || namesOurs(error, hash);

/** The transaction is part of the chain and did nothing but cost its fee. */
export const failedOnChain = (hash: string, why: string, intent: YieldIntent): Failure =>
  new Failure('payment_failed', `the transaction failed on the chain: ${why}`, {
    data: { hash },
    hint: `Nothing moved but its fee. Its hash is ${hash}.`,
    next: lookCommand(intent),
  });

/** Whether a transaction was refused because its blockhash is too old. */
export const isExpired = (error: unknown): error is Failure =>
  isFailure(error, 'rejected') && error.details.status === BLOCKHASH_EXPIRED;
