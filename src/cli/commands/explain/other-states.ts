import type { WordExplained, Words } from './word.ts';

const SANDBOX_STATE =
  'The document shows pending alone; the sandbox has in_review, approved, declined and expired besides.';

/** Document, KYC: the state of a verification, as kyc status shows it. */
const OF_VERIFICATION: Readonly<Record<string, Words>> = {
  pending: {
    means: `The user is prepared, and nothing is decided yet. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Go on from where they stand: bursar kyc start --email EMAIL',
  },
  in_review: {
    means: `The user has done their part, and it is being looked at. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Wait for it: bursar kyc status --email EMAIL --wait',
  },
  approved: {
    means: `The user is verified: payments by Pix and card are taken from them. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Take the payment, or go on with the one that waited: bursar pay resume',
  },
};

/** What `yield` says in `status`, where that is no state of the journal. */
const OF_RECEIPT: Readonly<Record<string, Words>> = {
  landed: { means: 'The transaction is on its chain.', money: 'Yes.', hint: 'Nothing has to be done.' },
  nothing_to_do: {
    means: 'No other provider yields more, so nothing was moved.',
    money: 'No.',
    hint: 'Nothing has to be done.',
  },
};

/** Words of `kyc status` and of the receipts of `yield`. */
export const otherStates = (): readonly WordExplained[] => [
  ...Object.entries(OF_VERIFICATION).map(([code, words]) => ({
    code,
    kind: 'state of a verification' as const,
    ...words,
  })),
  ...Object.entries(OF_RECEIPT).map(([code, words]) => ({ code, kind: 'state in a receipt' as const, ...words })),
];
