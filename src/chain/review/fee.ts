import { type Check, confirm, FEE_AT_MOST, pass, refuse } from './check.ts';

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
