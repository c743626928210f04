import type { Position } from './event.ts';
import type { OperationState, SignedPart } from './operation-state.ts';

/**
 * How far the last transaction of an operation is known to have come.
 * - `sent`: it may have landed.
 * - `half`: it has landed, and the other one of two was not sent.
 * - `untold`: it has landed, all is done, and the result was not printed.
 */
export type OpenKind = 'sent' | 'half' | 'untold';

/** The transaction that is open; `at` is when it was last about to be sent. */
export type OpenStep = {
  readonly kind: OpenKind;
  readonly part: number;
  readonly hash: string;
  readonly at: number;
  /** The only call with it was answered by a refusal, which does not keep it from landing. */
  readonly isRefused: boolean;
};

/** What the state of a yield operation says of its transactions. */
export type YieldProgress = {
  /** What the wallet had before the newest building, and before the first. */
  readonly before: readonly Position[];
  readonly beforeAll: readonly Position[];
  /** The newest of each part, in order. */
  readonly signed: readonly SignedPart[];
  /** How many of them have landed, from the first on. */
  readonly landed: number;
  /** The numbers of all that have landed: of two that were sent together the second may be known to have, and not the first. */
  readonly landedParts: readonly number[];
  /** What may have been sent and is not shown to have landed or to be dead, in order: two that were sent together. */
  readonly handed: readonly OpenStep[];
  /** The first of them, or else where the operation stopped. */
  readonly open: OpenStep | undefined;
};

/** What expired was built and signed anew: the whole, or the second of two alone. */
const newestParts = (all: readonly SignedPart[]): readonly SignedPart[] =>
  all.reduce<readonly SignedPart[]>((parts, signed) => [...parts.slice(0, signed.part - 1), signed], []);

const countFromFirst = (parts: readonly number[]): number => {
  let count = 0;
  while (parts.includes(count + 1)) count += 1;
  return count;
};

const stepOf = (kind: OpenKind, { part, hash, sendingAt, signedAt, isRefused, isRepeated }: SignedPart): OpenStep => ({
  ...{ kind, part, hash },
  at: sendingAt ?? signedAt,
  isRefused: isRefused && !isRepeated,
});

/** A call with the next transaction failed before it left, and its command said so: nothing is left to report. */
const wasReported = (next: SignedPart | undefined): boolean =>
  next !== undefined && next.sendingAt !== undefined && next.sent === 'no' && !next.isDead;

/** Reads how far the transactions of a yield operation have come. */
export const progressOf = (state: OperationState): YieldProgress => {
  const { built, positionsAtStart: beforeAll, status } = state;
  const signed = newestParts(state.signed);
  const landedParts = signed.filter(({ sent }) => sent === 'yes').map(({ part }) => part);
  const landed = countFromFirst(landedParts);
  const isOpen = status === undefined;
  const handed = isOpen ? signed.filter(({ sent }) => sent === 'maybe').map((part) => stepOf('sent', part)) : [];
  const last = isOpen && !wasReported(signed[landed]) ? signed[landed - 1] : undefined;
  const stopped = last && stepOf(landed < signed.length ? 'half' : 'untold', last);
  return { before: built?.positions ?? [], beforeAll, signed, landed, landedParts, handed, open: handed[0] ?? stopped };
};
