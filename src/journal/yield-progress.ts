import type { Position } from './event.ts';
import type { OperationState, SignedPart } from './operation-state.ts';

/**
 * The progress of the last transaction.
 * - `sent`: it may have landed.
 * - `half`: it has landed, and the second of two was not sent.
 * - `untold`: all has landed, and the result was not printed.
 */
export type OpenKind = 'sent' | 'half' | 'untold';

/** The open transaction; `at` is the time of the last send attempt. */
export type OpenStep = {
  readonly kind: OpenKind;
  readonly part: number;
  readonly hash: string;
  readonly at: number;
  /** The service refused the only call with it; the bytes can still land. */
  readonly isRefused: boolean;
};

/** The transactions of a yield operation and their progress. */
export type YieldProgress = {
  /** The wallet's positions before the newest and the first build. */
  readonly before: readonly Position[];
  readonly beforeAll: readonly Position[];
  /** The newest version of each part, in order. */
  readonly signed: readonly SignedPart[];
  /** The number of landed parts, counted from the first. */
  readonly landed: number;
  /** All landed parts. If two were sent together, the second may be known before the first. */
  readonly landedParts: readonly number[];
  /** Parts that may have been sent and are neither landed nor dead, in order. */
  readonly handed: readonly OpenStep[];
  /** The first of them, or the step where the operation stopped. */
  readonly open: OpenStep | undefined;
};

/** Expired transactions are built and signed again: all of them, or only the second. */
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

/** Reads how far the transactions of a yield operation have come. */
export const progressOf = (state: OperationState): YieldProgress => {
  const { built, positionsAtStart: beforeAll, status } = state;
  const signed = newestParts(state.signed);
  const landedParts = signed.filter(({ sent }) => sent === 'yes').map(({ part }) => part);
  const landed = countFromFirst(landedParts);
  const isOpen = status === undefined;
  const handed = isOpen ? signed.filter(({ sent }) => sent === 'maybe').map((part) => stepOf('sent', part)) : [];
  const last = isOpen ? signed[landed - 1] : undefined;
  const stopped = last && stepOf(landed < signed.length ? 'half' : 'untold', last);
  return { before: built?.positions ?? [], beforeAll, signed, landed, landedParts, handed, open: handed[0] ?? stopped };
};
