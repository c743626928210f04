import type { Kind } from '../contract/chains.ts';
import { isDecimal } from '../core/decimal.ts';
import { isSameAddress } from '../core/same-text.ts';
import { isSamePlace } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import type { Moved } from './entry.ts';
import { recordedSince } from './look-up.ts';
import { type FailedCall, neverLeft } from './never-left.ts';
import { readOperation } from './read.ts';

type Line = Readonly<Record<string, unknown>>;

/**
 * Whose transactions count together: those under profiles of these names, each at its address; or those of one wallet,
 * under any profile, on real chains or on those of the sandbox.
 */
export type Counted =
  | { readonly services: readonly { readonly profile: string; readonly baseUrl: string }[] }
  | { readonly wallet: string; readonly kind: Kind };

/** A transaction that passed its review, and of which it is not known that it will never be sent. */
export type Reserved = {
  readonly operationId: string;
  /** Stands for its bytes: the same bytes cannot move money twice. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moves: readonly Moved[];
  /** Who signs, and whether on a real chain. */
  readonly from: string;
  readonly kind: string;
  /** `gone`: it may have been sent, whatever came after. `taken`: it was, and the same bytes cannot go again. */
  readonly state: 'reviewed' | 'signed' | 'sending' | 'gone' | 'taken';
  /** As the journal has them; none of what is not signed yet. */
  readonly signed_transaction?: string;
};

/** `freed`: it has not left this machine so far. The same bytes may be sent again, and then they count. */
type Held = Omit<Reserved, 'state'> & { readonly hash?: string; readonly state: Reserved['state'] | 'freed' };

const isMove = (value: unknown): value is Moved => {
  const { token, amount } = (value ?? {}) as Partial<Record<keyof Moved, unknown>>;
  return typeof token === 'string' && typeof amount === 'string' && isDecimal(amount);
};

/** Entries that are older than `moves` count by what was asked for; a withdrawal takes nothing out of the wallet. */
const movesOfIntent = (begun: Line | undefined): readonly Moved[] => {
  const { amount, asset, currency, operation: action } = (begun?.['intent'] ?? {}) as Line;
  const move = { token: asset ?? currency, amount };
  return action !== 'withdraw' && isMove(move) ? [move] : [];
};

/** Entries that are older than `from` are of the wallet that the movement was begun for. */
const walletOfIntent = (begun: Line | undefined): unknown => {
  const { payer, wallet } = (begun?.['intent'] ?? {}) as Line;
  return wallet ?? payer;
};

const reviewed = (line: Line, begun: Line | undefined): Held => {
  const { moves, digest, at, movement: operation, from = walletOfIntent(begun), kind = begun?.['kind'] } = line;
  return {
    operationId: String(operation),
    digest: String(digest),
    at: Date.parse(String(at)),
    moves: Array.isArray(moves) ? moves.filter(isMove) : movesOfIntent(begun),
    from: String(from),
    kind: String(kind),
    state: 'reviewed',
  };
};

const isOf = (line: Line, { hash }: Held): boolean => hash !== undefined && hash === String(line['hash']);

const signatureIn = ({ hash, signed_transaction }: Line) =>
  ({ state: 'signed', hash: String(hash), signed_transaction: String(signed_transaction) }) as const;

/** The first that is not signed yet gets the signature: an operation signs in the order of its reviews. */
const signed = (held: readonly Held[], line: Line): readonly Held[] => {
  const next = held.findIndex(({ state }) => state === 'reviewed');
  return held.map((each, at) => (at === next ? { ...each, ...signatureIn(line) } : each));
};

/** What was reviewed before another is built, or before the user stopped it, is not signed any more. */
const unreviewed = (held: readonly Held[]): readonly Held[] => held.filter(({ state }) => state !== 'reviewed');

/** What never left this machine is free, and what would have followed it. After any other failure it may have moved. */
const failed = (held: readonly Held[], line: Line): readonly Held[] => {
  const isLeft = line['code'] === 'interrupted' || line['code'] === 'declined';
  if (!held.some(({ state }) => state === 'sending')) return isLeft ? unreviewed(held) : held;
  if (!neverLeft(line as FailedCall & Line))
    return held.map((each) => (each.state === 'sending' ? { ...each, state: 'gone' } : each));
  return held.map((each) => (each.state === 'sending' || each.state === 'signed' ? { ...each, state: 'freed' } : each));
};

/** A second sending before the first was answered: of that one it is never known what became of it. */
const sending = (each: Held): Held => {
  if (each.state === 'sending') return { ...each, state: 'gone' };
  return each.state === 'signed' || each.state === 'freed' ? { ...each, state: 'sending' } : each;
};

const after = (held: readonly Held[], line: Line, begun: Line | undefined): readonly Held[] => {
  switch (line['step']) {
    case 'reviewed':
      return [...held, reviewed(line, begun)];
    case 'creating':
    case 'building':
    case 'refused':
      return unreviewed(held);
    case 'signed':
    case 'signed_part':
      return signed(held, line);
    case 'executing':
    case 'broadcasting':
      return held.map((each) => (isOf(line, each) ? sending(each) : each));
    case 'executed':
    case 'landed':
      return held.map((each) => (isOf(line, each) ? { ...each, state: 'taken' } : each));
    case 'failed':
      return failed(held, line);
    case 'dead':
      return held.filter((each) => !isOf(line, each) && each.state !== 'signed');
    default:
      return held;
  }
};

const isReserved = (each: Held): each is Held & Reserved => each.state !== 'freed';

const reservedIn = (entries: readonly Line[]): readonly Reserved[] => {
  const begun = entries.find(({ step }) => step === 'begun');
  return entries.reduce<readonly Held[]>((held, line) => after(held, line, begun), []).filter(isReserved);
};

/** What one movement alone has reserved since then. Throws `journal_damaged`. */
export const reservedBy = async (io: Io, id: string, since: number): Promise<readonly Reserved[]> =>
  reservedIn((await readOperation(io, id))?.lines ?? []).filter(({ at }) => !(at <= since));

const isOfService = ([begun]: readonly Line[], counted: Counted): boolean =>
  !('services' in counted) ||
  counted.services.some(
    ({ profile, baseUrl }) => begun?.['profile'] === profile && isSamePlace(String(begun['base_url']), baseUrl),
  );

const isOfWallet = ({ from, kind }: Reserved, counted: Counted): boolean =>
  !('wallet' in counted) || (kind === counted.kind && isSameAddress(from, counted.wallet));

/**
 * What the transactions of all movements that count together move, of those that passed their review since then, each once.
 * What was surely not sent is left out; in doubt it counts. Throws `journal_damaged`.
 */
export const reservedSince = async (io: Io, counted: Counted, since: number): Promise<readonly Reserved[]> => {
  const found = new Map<string, Reserved>();
  for (const { lines: entries } of await recordedSince(io, since)) {
    if (!isOfService(entries, counted)) continue;
    for (const each of reservedIn(entries).filter((one) => isOfWallet(one, counted))) {
      const isKnown = found.has(each.digest) && each.state === 'reviewed';
      if (!(each.at <= since) && !isKnown) found.set(each.digest, each);
    }
  }
  return [...found.values()];
};
