/** Where a movement may stand, in words: what `standingOf` of the journal can say. */
export const MOVEMENT_STATES = {
  success: 'it ended well',
  error: 'it ended in error',
  expired: 'nobody paid its Pix in time',
  settled: 'it has landed',
  set_aside: 'given up, or another took its place',
  sent: 'its transaction or card was taken, and the end is not known yet',
  in_doubt: 'its transaction or card may have been sent',
  payable: 'a Pix that waits for its payer',
  needs_identity: 'its payer is to be verified',
  declined: 'a person said no to it; nothing was sent, and by its ID it can go on',
  unfinished: 'nothing was sent that moves money, and it can go on',
  refused: 'by the review; nothing moved',
  failed: 'for good; nothing moved',
  registered: 'pay register alone: over, and without an amount paid',
  created: 'pay transaction alone: over, and without an amount paid',
} as const satisfies Readonly<Record<string, string>>;

export type MovementStateName = keyof typeof MOVEMENT_STATES;

/** The states of an area as help lists them. */
export const statesInWords = (names: readonly MovementStateName[]): string =>
  names.map((name) => `${name} (${MOVEMENT_STATES[name]})`).join(', ');
