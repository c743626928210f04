/** `means` is the explanation in help; `stands` ends a sentence about an operation in this state. */
type StateWords = { readonly means: string; readonly stands?: string };

/** The states of an operation in words: those of `wireStatusOf` of the journal. */
export const OPERATION_STATES = {
  success: { means: 'it ended well', stands: 'was made' },
  error: { means: 'it ended in error', stands: 'ended in error' },
  expired: { means: 'nobody paid its Pix in time' },
  settled: { means: 'it has landed', stands: 'was done' },
  set_aside: { means: 'given up, or another took its place' },
  sent: { means: 'its transaction or card was taken, and the end is not known yet', stands: 'was sent' },
  in_doubt: {
    means: 'its transaction or card may have been sent',
    stands: 'is in doubt: it may have been sent',
  },
  payable: { means: 'a Pix that waits for its payer', stands: 'waits for its payer' },
  needs_identity: { means: 'its payer is to be verified', stands: 'waits for the identity of its payer' },
  declined: { means: 'a user said no, or has to confirm it; nothing was sent, and its resume by ID continues it' },
  unfinished: {
    means: 'nothing was sent that moves money, and it can go on',
    stands: 'is not finished; nothing was sent',
  },
  refused: { means: 'by the review; nothing moved' },
  failed: { means: 'for good; nothing moved' },
  registered: { means: 'pay register alone: over, and without an amount paid' },
  created: { means: 'pay transaction alone: over, and without an amount paid' },
  signed: { means: 'pay sign or yield sign alone: bursar sent nothing; who has the signed bytes can send them' },
} as const satisfies Readonly<Record<string, StateWords>>;

/** The name of a state. */
export type OperationStateName = keyof typeof OPERATION_STATES;

/** The states of an area for the help, with their meanings. */
export const statesInWords = (names: readonly OperationStateName[]): string =>
  names.map((name) => `${name} (${OPERATION_STATES[name].means})`).join(', ');

const WORDS: Readonly<Record<string, StateWords | undefined>> = OPERATION_STATES;

/** The state of an operation as the end of a sentence. */
export const standsInWords = (status: string): string => WORDS[status]?.stands ?? `is ${status}`;
