import { type Check, confirm, refuse } from '../verdict.ts';
import { type Context, totalFees } from './context.ts';
import { unitsInWords } from './words.ts';

/** What a service may state without a person looking at it, in percent of the amount. */
export const USUAL_PERCENT = 5n;

/**
 * The fees are the one part of what is compared that the service says itself: stated high enough they would let it
 * take the whole wallet as a fee. Beyond what is usual a person decides, and a fee as large as the amount is refused.
 */
export const checkStatedFees = ({ wanted }: Context): readonly Check[] => {
  if (wanted === undefined) return [];
  const { amount, token } = wanted;
  const fees = totalFees(wanted);
  if (fees * 100n <= amount * USUAL_PERCENT) return [];
  const message = `The service states fees of ${unitsInWords(token, fees)}, and ${unitsInWords(token, amount)} was asked for`;
  return [
    fees >= amount
      ? refuse('stated_fee', `${message}: a fee is less than what it is for.`)
      : confirm('stated_fee', `${message}: that is more than ${USUAL_PERCENT} %.`),
  ];
};
