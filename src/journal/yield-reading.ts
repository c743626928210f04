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
  /** How many of them have landed, from the first on. */
  readonly landed: number;
  /** The numbers of all that have landed: of two that were sent together the second may be known to have, and not the first. */
  readonly landedParts: readonly number[];
  /** Hashes that never landed and never can. */
  readonly dead: readonly string[];
  /** What may have been sent and is not shown to have landed or to be dead, in order: two that were sent together. */
  readonly handed: readonly OpenStep[];
  /** The first of them, or else where the operation stopped. */
  readonly open: OpenStep | undefined;
};

/** An entry as it is read. */
export type YieldLine = Readonly<Record<string, unknown>>;

const NOTHING: YieldReading = {
  before: [],
  beforeAll: [],
  signed: [],
  landed: 0,
  landedParts: [],
  dead: [],
  handed: [],
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
  const landedParts = soFar.landedParts.filter((part) => part <= earlier);
  return {
    ...soFar,
    signed: [...soFar.signed.slice(0, earlier), signed],
    landed: Math.min(soFar.landed, earlier),
    landedParts,
    handed: soFar.handed.filter(({ part }) => part <= earlier),
  };
};

const beforeSending = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const [part, hash] = [Number(line['part']), String(line['hash'])];
  const isRepeated = soFar.handed.some((each) => each.hash === hash);
  const step: OpenStep = { kind: 'sent', part, hash, at: timeOf(line), isRepeated, isRefused: false };
  const others = soFar.handed.filter((each) => each.part !== part);
  return withHanded(
    soFar,
    [...others, step].toSorted((a, b) => a.part - b.part),
  );
};

/** What is in doubt is open, the first of it first. */
const withHanded = (soFar: YieldReading, handed: readonly OpenStep[], otherwise?: OpenStep): YieldReading => ({
  ...soFar,
  handed,
  open: handed[0] ?? otherwise,
});

const countFromFirst = (parts: readonly number[]): number => {
  let count = 0;
  while (parts.includes(count + 1)) count += 1;
  return count;
};

const afterLanding = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const part = Number(line['part']);
  const landedParts = [...new Set([...soFar.landedParts, part])];
  const landed = countFromFirst(landedParts);
  const kind = landed < soFar.signed.length ? 'half' : 'untold';
  const step = soFar.handed.find((each) => each.part === part) ?? soFar.open;
  const others = soFar.handed.filter((each) => each.part !== part);
  return withHanded({ ...soFar, landed, landedParts }, others, step && { ...step, kind });
};

/** What is left open where the last transaction cannot land: of two the first has landed all the same. */
const halfOf = ({ signed, landed }: YieldReading): OpenStep | undefined => {
  const last = signed[landed - 1];
  return last && { kind: 'half', part: last.part, hash: last.hash, at: last.at, isRepeated: false, isRefused: false };
};

/** Whatever was answered, the transaction may land until it is shown to be `dead`; unless it never left this machine. */
const afterFailure = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const failed = line as FailedCall & YieldLine;
  const { handed } = soFar;
  const step = failed.hash === undefined ? handed.at(-1) : handed.find(({ hash }) => hash === failed.hash);
  if (step === undefined) return soFar;
  const others = handed.filter((each) => each !== step);
  if (failedOnChain(failed)) return withHanded(soFar, others);
  if (step.isRepeated) return soFar;
  if (neverLeft(failed)) return withHanded(soFar, others);
  const refused = { ...step, isRefused: failed.hash !== undefined && !failed.is_unknown };
  return withHanded(
    soFar,
    handed.map((each) => (each === step ? refused : each)),
  );
};

const afterDeath = (soFar: YieldReading, line: YieldLine): YieldReading => {
  const dead = String(line['hash']);
  const others = soFar.handed.filter(({ hash }) => hash !== dead);
  return withHanded({ ...soFar, dead: [...soFar.dead, dead] }, others, halfOf(soFar));
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
      return withHanded(soFar, []);
    default:
      return soFar;
  }
};

/** Reads what the entries of an operation say of its transactions. */
export const readYieldSteps = (lines: readonly YieldLine[]): YieldReading => lines.reduce(afterEntry, NOTHING);
