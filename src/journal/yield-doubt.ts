import { BLOCKHASH_EXPIRED } from '../contract/yield/shared.ts';
import type { Io } from '../io/io.ts';
import { journals, type Line } from './doubt.ts';
import type { Position, YieldIntent } from './yield-entry.ts';

/**
 * How far the last transaction of an earlier operation is known to have come.
 * - `sent`: it may have landed.
 * - `half`: it has landed, and the process ended before the other one of two was sent.
 * - `untold`: it has landed, all is done, and the process ended before it said so.
 */
export type Stage = 'sent' | 'half' | 'untold';

/** The last transaction of an earlier operation that did not come to its end before the eyes of the user. */
export type OpenPart = {
  readonly kind: Stage;
  /** The journal that tells of it. */
  readonly movement: string;
  /** When it was about to be sent, in milliseconds since 1970. */
  readonly at: number;
  readonly intent: YieldIntent;
  /** Its number, and of how many. */
  readonly part: number;
  readonly count: number;
  readonly hash: string;
  /** As it was signed: it names the blockhash. */
  readonly signedTransaction: string;
  /** What the wallet had before the operation. */
  readonly before: readonly Position[];
};

type Reading = {
  readonly positions: unknown;
  readonly signed: readonly Line[];
  readonly open: { readonly kind: Stage; readonly sent: Line } | undefined;
};

const NOTHING: Reading = { positions: [], signed: [], open: undefined };

const closed = (soFar: Reading): Reading => ({ ...soFar, open: undefined });

const afterLanding = (soFar: Reading, { part }: Line): Reading => {
  const kind = Number(part) < soFar.signed.length ? 'half' : 'untold';
  return { ...soFar, open: soFar.open && { ...soFar.open, kind } };
};

/** An expired transaction may have landed all the same, until it is shown to be `dead`. */
const afterFailure = (soFar: Reading, { is_unknown, status }: Line): Reading => {
  const mayHaveLanded = is_unknown !== false || status === BLOCKHASH_EXPIRED;
  return mayHaveLanded ? soFar : closed(soFar);
};

/** What one more entry makes of what was read so far. */
const afterEntry = (soFar: Reading, entry: Line): Reading => {
  switch (entry['step']) {
    case 'built':
      return { ...soFar, positions: entry['positions'] };
    case 'signed_part':
      // What expired was built and signed anew, from its first part.
      return { ...soFar, signed: [...soFar.signed.slice(0, Number(entry['part']) - 1), entry] };
    case 'broadcasting':
      return { ...soFar, open: { kind: 'sent', sent: entry } };
    case 'landed':
      return afterLanding(soFar, entry);
    case 'failed':
      return afterFailure(soFar, entry);
    case 'dead':
    case 'settled':
    case 'set_aside':
      return closed(soFar);
    default:
      return soFar;
  }
};

const isOperation = (intent: unknown): intent is YieldIntent =>
  typeof intent === 'object' && intent !== null && 'operation' in intent;

/** What one journal leaves open; nothing for a payment. */
const openIn = ([begun, ...entries]: readonly Line[]): OpenPart | undefined => {
  const { positions, signed, open } = entries.reduce(afterEntry, NOTHING);
  if (open === undefined || !isOperation(begun?.['intent'])) return undefined;
  const part = Number(open.sent['part']);
  return {
    kind: open.kind,
    movement: String(begun['movement']),
    at: Date.parse(String(open.sent['at'])),
    intent: begun['intent'],
    part,
    count: signed.length,
    hash: String(open.sent['hash']),
    signedTransaction: String(signed[part - 1]?.['signed_transaction']),
    before: Array.isArray(positions) ? (positions as readonly Position[]) : [],
  };
};

/** What a deposit put in, where one landed. */
const depositIn = ([begun, ...entries]: readonly Line[]): YieldIntent | undefined => {
  const intent = begun?.['intent'];
  if (!isOperation(intent) || intent.operation !== 'deposit') return undefined;
  return entries.some(({ step }) => step === 'landed') ? intent : undefined;
};

const COMPLETING = ['wallet', 'chain', 'asset', 'provider_in'] as const;

/** A deposit that came later is the other half. */
const isCompletedBy = ({ kind, intent }: OpenPart, deposits: readonly YieldIntent[]): boolean =>
  kind === 'half' && deposits.some((deposit) => COMPLETING.every((field) => deposit[field] === intent[field]));

/**
 * What yield operations through a service left open: transactions that may have landed, halves of what was asked for,
 * and ends that nobody was told; the newest first. Throws `journal_unwritable` for a damaged journal.
 */
export const openOperations = async (io: Io, baseUrl: string): Promise<readonly OpenPart[]> => {
  const found: OpenPart[] = [];
  const later: YieldIntent[] = [];
  for await (const entries of journals(io)) {
    if (entries[0]?.['base_url'] !== baseUrl) continue;
    const [open, deposit] = [openIn(entries), depositIn(entries)];
    if (open && !isCompletedBy(open, later)) found.push(open);
    if (deposit) later.push(deposit);
  }
  return found;
};
