import type { Kind } from '../../contract/chains.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { type Check, confirm, FEE_AT_MOST, pass, refuse } from './check.ts';

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

/** The user may confirm a fee up to so many times the usual maximum; a higher fee is refused. */
const MAX_TIMES = 10n;

/** A fee or tip and the usual maximum of its chain, in the same unit. */
type AboveUsual = { readonly units: bigint; readonly usual: bigint; readonly usualText: string };

/** The verdict on a fee or tip above the usual maximum. `fact` starts the sentence, such as "Fee: at most 6 POL". */
export const checkAboveUsual = (fact: string, { units, usual, usualText }: AboveUsual): Check =>
  units > usual * MAX_TIMES
    ? refuse(
        'fee',
        `${fact}: more than ${MAX_TIMES} times the usual maximum of ${usualText}. ${FEE_AT_MOST} sets another.`,
      )
    : confirm('fee', `${fact}, above the usual maximum of ${usualText}. ${FEE_AT_MOST} sets another.`);

/** The whole fee of a transaction, in smallest units of the chain's coin. */
type FeeLimits = {
  readonly fee: bigint;
  /** The user's maximum from --fee-at-most; it replaces the usual maximum. */
  readonly stated: bigint | undefined;
  readonly usual: bigint;
  /** The chain after the usual maximum, such as " on polygon". */
  readonly place: string;
  readonly inWords: (units: bigint) => string;
};

/** Compares the whole fee with the maximum that the user stated, or with the usual one of the chain. */
export const checkFeeTotal = ({ fee, stated, usual, place, inWords }: FeeLimits): Check => {
  const fact = `Fee: at most ${inWords(fee)}`;
  if (fee <= (stated ?? usual)) return pass('fee', `${fact}.`);
  if (stated !== undefined) return refuse('fee', `${fact}, above the ${inWords(stated)} that ${FEE_AT_MOST} allows.`);
  return checkAboveUsual(fact, { units: fee, usual, usualText: `${inWords(usual)}${place}` });
};
