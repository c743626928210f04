import { BLOCKHASH_EXPIRED } from '../contract/yield/shared.ts';
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
  /** It may have been sent before too: a certain failure of the last call says nothing of an earlier one. */
  readonly isRepeated: boolean;
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
  /** What was handed to somebody and is not shown to have landed or to be dead, also where it was refused. */
  readonly handed: OpenStep | undefined;
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
  handed: undefined,
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
    handed: undefined,
  };
};

const beforeSending = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const hash = String(line['hash']);
  const isRepeated = soFar.open?.kind === 'sent' && soFar.open.hash === hash;
  const open = { kind: 'sent' as const, part: Number(line['part']), hash, at: timeOf(line), isRepeated };
  return { ...soFar, open, handed: open };
};

const afterLanding = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const landed = Number(line['part']);
  const kind = landed < soFar.signed.length ? 'half' : 'untold';
  return { ...soFar, landed, open: soFar.open && { ...soFar.open, kind }, handed: undefined };
};

/** An expired transaction may have landed all the same, until it is shown to be `dead`. */
const afterFailure = (soFar: YieldReading, { is_unknown, status }: YieldLine): YieldReading => {
  const { open } = soFar;
  const leavesOpen = is_unknown !== false || status === BLOCKHASH_EXPIRED || open?.isRepeated === true;
  return open?.kind !== 'sent' || leavesOpen ? soFar : { ...soFar, open: undefined };
};

/** The second of two is dead: the first has landed all the same. */
const afterDeath = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const dead = [...soFar.dead, String(line['hash'])];
  const last = soFar.signed[soFar.landed - 1];
  const half = last && { kind: 'half' as const, part: last.part, hash: last.hash, at: last.at, isRepeated: false };
  return { ...soFar, dead, open: half, handed: undefined };
};

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
      return { ...soFar, open: undefined, handed: undefined };
    default:
      return soFar;
  }
};

/** Reads what the entries of an operation say of its transactions. */
export const readOperation = (lines: readonly YieldLine[]): YieldReading => lines.reduce(afterEntry, NOTHING);
