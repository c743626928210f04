import type { Tone } from '../../output/card.ts';

const GOOD: readonly string[] = ['success', 'payment_confirmed', 'landed', 'settled'];
const BAD: readonly string[] = ['error', 'failed', 'refused', 'declined', 'expired'];

/** How a state reads: one that is not known is not at its end. */
export const toneOf = (state: string): Tone => {
  if (GOOD.includes(state)) return 'fine';
  return BAD.includes(state) ? 'bad' : 'open';
};
