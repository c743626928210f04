import { type FailedCall, failedOnChain, neverLeft } from './never-left.ts';
import type { Position } from './yield-entry.ts';

/**
 * How far the last transaction of an operation is known to have come.
 * - `sent`: it may have landed.
 * - `half`: it has landed, and the other one of two was not sent.
 * - `untold`: it has landed, all is done, and nobody was told so.
 */
export type Stage = 'sent' | 'half' | 'untold';

/** Signed bytes of an operation; `at` is when they were signed, in milliseconds since 1970. */
export type SignedBytes = {
  readonly part: number;
  readonly at: number;
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
};

/** The transaction that is open; `at` is when it was last about to be sent. */
export type OpenStep = {
  readonly kind: Stage;
  readonly part: number;
  readonly hash: string;
  readonly at: number;
  /** It may have been sent before too: that the last call never left says nothing of an earlier one. */
  readonly isRepeated: boolean;
  /** The only call with it was answered by a refusal, which does not keep it from landing. */
  readonly isRefused: boolean;
};

/** What the entries of an operation say of its transactions. */
export type YieldReading = {
  /** What the wallet had before the newest building, and before the first. */
  readonly before: readonly Position[];
  readonly beforeAll: readonly Position[];
  /** The newest of each part, in order. */
  readonly signed: readonly SignedBytes[];
  /** How many of them have landed. */
  readonly landed: number;
  /** Hashes that never landed and never can. */
  readonly dead: readonly string[];
  readonly open: OpenStep | undefined;
};

/** An entry as it is read. */
export type YieldLine = Readonly<Record<string, unknown>>;

const NOTHING: YieldReading = {
  before: [],
  beforeAll: [],
  signed: [],
  landed: 0,
  dead: [],
  open: undefined,
};

const timeOf = ({ at }: YieldLine): number => Date.parse(String(at));

const signedIn = (line: YieldLine): SignedBytes => ({
  part: Number(line['part']),
  at: timeOf(line),
  signed_transaction: String(line['signed_transaction']),
  hash: String(line['hash']),
  from: String(line['from']),
});

const afterBuilding = (soFar: YieldReading, { positions }: YieldLine): YieldReading => {
  const before = Array.isArray(positions) ? (positions as readonly Position[]) : [];
  return { ...soFar, before, beforeAll: soFar.beforeAll.length > 0 ? soFar.beforeAll : before };
};

/** What expired was built and signed anew: the whole, or the second of two alone. */
const afterSigning = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const signed = signedIn(line);
  const earlier = signed.part - 1;
  return {
    ...soFar,
    signed: [...soFar.signed.slice(0, earlier), signed],
    landed: Math.min(soFar.landed, earlier),
  };
};

const beforeSending = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const hash = String(line['hash']);
  const isRepeated = soFar.open?.kind === 'sent' && soFar.open.hash === hash;
  const open = { kind: 'sent' as const, part: Number(line['part']), hash, at: timeOf(line), isRepeated };
  return { ...soFar, open: { ...open, isRefused: false } };
};

const afterLanding = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const landed = Number(line['part']);
  const kind = landed < soFar.signed.length ? 'half' : 'untold';
  return { ...soFar, landed, open: soFar.open && { ...soFar.open, kind } };
};

/** What is left open where the last transaction cannot land: of two the first has landed all the same. */
const halfOf = ({ signed, landed }: YieldReading): OpenStep | undefined => {
  const last = signed[landed - 1];
  return last && { kind: 'half', part: last.part, hash: last.hash, at: last.at, isRepeated: false, isRefused: false };
};

/** Whatever was answered, the transaction may land until it is shown to be `dead`; unless it never left this machine. */
const afterFailure = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const { open } = soFar;
  const failed = line as FailedCall & YieldLine;
  if (open?.kind !== 'sent' || (failed.hash ?? open.hash) !== open.hash) return soFar;
  if (failedOnChain(failed)) return { ...soFar, open: undefined };
  if (open.isRepeated) return soFar;
  if (neverLeft(failed)) return { ...soFar, open: undefined };
  return { ...soFar, open: { ...open, isRefused: failed.hash !== undefined && !failed.is_unknown } };
};

const afterDeath = (soFar: YieldReading, line: YieldLine): YieldReading => ({
  ...soFar,
  dead: [...soFar.dead, String(line['hash'])],
  open: halfOf(soFar),
});

/** What one more entry makes of what was read so far. */
const afterEntry = (soFar: YieldReading, line: YieldLine): YieldReading => {
  switch (line['step']) {
    case 'built':
      return afterBuilding(soFar, line);
    case 'signed_part':
      return afterSigning(soFar, line);
    case 'broadcasting':
      return beforeSending(soFar, line);
    case 'landed':
      return afterLanding(soFar, line);
    case 'failed':
      return afterFailure(soFar, line);
    case 'dead':
      return afterDeath(soFar, line);
    case 'settled':
    case 'set_aside':
      return { ...soFar, open: undefined };
    default:
      return soFar;
  }
};

/** Reads what the entries of an operation say of its transactions. */
export const readOperation = (lines: readonly YieldLine[]): YieldReading => lines.reduce(afterEntry, NOTHING);
