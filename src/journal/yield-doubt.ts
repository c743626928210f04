import { BLOCKHASH_EXPIRED } from '../contract/yield/shared.ts';
import type { Io } from '../io/io.ts';
import { allStates } from './overview.ts';
import { readMovement } from './read.ts';
import { type Deployment, isSameDeployment } from './same-service.ts';
import { isOver, isYieldIntent, type MovementState } from './state.ts';
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

type Line = Readonly<Record<string, unknown>>;

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

/** What one movement leaves open. */
const openIn = ({ id }: MovementState, intent: YieldIntent, entries: readonly Line[]): OpenPart | undefined => {
  const { positions, signed, open } = entries.reduce(afterEntry, NOTHING);
  if (open === undefined) return undefined;
  const part = Number(open.sent['part']);
  return {
    kind: open.kind,
    movement: id,
    at: Date.parse(String(open.sent['at'])),
    intent,
    part,
    count: signed.length,
    hash: String(open.sent['hash']),
    signedTransaction: String(signed[part - 1]?.['signed_transaction']),
    before: Array.isArray(positions) ? (positions as readonly Position[]) : [],
  };
};

const isLandedDeposit = ({ operation }: YieldIntent, { signed }: MovementState): boolean =>
  operation === 'deposit' && signed.some(({ sent }) => sent === 'yes');

const COMPLETING = ['wallet', 'chain', 'asset', 'provider_in'] as const;

/** A deposit that came later is the other half. */
const isCompletedBy = ({ kind, intent }: OpenPart, deposits: readonly YieldIntent[]): boolean =>
  kind === 'half' && deposits.some((deposit) => COMPLETING.every((field) => deposit[field] === intent[field]));

const linesOf = async (io: Io, { id }: MovementState): Promise<readonly Line[]> =>
  (await readMovement(io, id))?.lines ?? [];

/**
 * What yield operations through a service left open: transactions that may have landed, halves of what was asked for,
 * and ends that nobody was told; the newest first. Throws `journal_damaged`.
 */
export const openOperations = async (io: Io, deployment: Deployment): Promise<readonly OpenPart[]> => {
  const found: OpenPart[] = [];
  const later: YieldIntent[] = [];
  for await (const state of allStates(io)) {
    const { kind, base_url: baseUrl, intent } = state.begun;
    if (!isYieldIntent(intent) || !isSameDeployment({ kind, baseUrl }, deployment)) continue;
    const open = isOver(state) ? undefined : openIn(state, intent, await linesOf(io, state));
    if (open && !isCompletedBy(open, later)) found.push(open);
    if (isLandedDeposit(intent, state)) later.push(intent);
  }
  return found;
};
