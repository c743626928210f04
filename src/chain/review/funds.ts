import type { Kind } from '../../contract/chains.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { type Check, pass, refuse } from './check.ts';

/** The id of the check of the payer's funds. */
export const FUNDS = 'funds';

/** What a transaction needs of one asset, and what the payer has of it, both in smallest units. */
export type AssetNeed = {
  readonly needed: bigint;
  readonly held: bigint;
  /** Units of the asset as text, such as "10.5 USDT". */
  readonly inWords: (units: bigint) => string;
};

/** Compares what a payer has on a chain with what a transaction needs. `payer` is a key's name or an address. */
export const checkNeeds = (payer: string, chain: string, needs: readonly AssetNeed[]): readonly Check[] => {
  const short = needs.filter(({ needed, held }) => held < needed);
  if (short.length === 0) {
    const holdings = needs.map(({ held, inWords }) => inWords(held)).join(' and ');
    return [pass(FUNDS, `${payer} has ${holdings} on ${chain}, which is enough.`)];
  }
  return short.map(({ needed, held, inWords }) => {
    const missing = held === 0n ? '' : ` (${inWords(needed - held)} missing)`;
    return refuse(
      FUNDS,
      `${payer} has ${inWords(held)} on ${chain}; the transaction needs ${inWords(needed)}${missing}.`,
    );
  });
};

/** Whether a review found that the payer lacks funds for the transaction. */
export const lacksFunds = (checks: readonly Check[]): boolean =>
  checks.some(({ id, verdict }) => id === FUNDS && verdict === 'refuse');

/** In a sandbox, the command that funds a wallet that lacks funds; `wallet` is a key's name or an address. */
export const fundingCommand = (checks: readonly Check[], kind: Kind, wallet: string): NextStep | undefined =>
  kind === 'sandbox' && lacksFunds(checks) ? nextStep('sandbox.fund', wallet) : undefined;
