/** The exit codes that scripts rely on. A number never changes its meaning. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notFound: 3,
  refusedKey: 4,
  unavailable: 5,
  identityGate: 6,
  limitReached: 7,
  notFinal: 8,
  rejected: 9,
  refusedByReview: 10,
  outcomeUnknown: 11,
  endedInError: 12,
  interrupted: 130,
} as const;

/** One of them. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
