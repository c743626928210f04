import { Failure } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../core/json.ts';
import { idTime } from '../keys.ts';
import type { NewEntry, StoredEntry } from './database.ts';
import { isSameMac, isSealed, type JournalKey } from './journal-key.ts';

/**
 * The fields of a line that only a home with the key may read. Signed bytes are money; on Solana the hash is the signature, so
 * that unsigned bytes are enough. The address of a page is enough to open it. The others identify the user.
 */
const SEALED_FIELDS = ['signed_transaction', 'transactions', 'intent_key', 'asker', 'page'] as const;

/** A field that is an array. */
const LIST = 'transactions';

/** A payer by Pix or card is a keyed hash; a wallet is public. */
const MARK = /^[0-9a-f]{16}$/;

/** The context of the sealed secret that identifies payers. */
export const PAYER_SECRET = 'payer secret';

/** The clock of a machine whose folder moved here may have been set back by this. */
const LATE_MS = 60 * 60 * 1000;
const TIME_LENGTH = '20260101T000000Z'.length;

/** The place of a line. Its MAC and its sealed fields hold in this place alone. */
type Place = { readonly operation: string; readonly seq: number };

const contextOf = ({ operation, seq }: Place, field: string): string => `${operation} ${seq} ${field}`;

const macOf = (key: JournalKey, place: Place, line: string): string =>
  key.mac('line', `${contextOf(place, 'line')} ${line}`);

type Line = Readonly<Record<string, unknown>>;

/** A line with other secret fields. `undefined` leaves a field out. */
const withSecrets = (
  line: Line,
  isSecret: (text: string, field: string) => boolean,
  change: (text: string, field: string) => string | undefined,
): Line =>
  Object.fromEntries(
    Object.entries(line).flatMap(([name, field]): (readonly [string, unknown])[] => {
      if (name === 'intent' && isJsonObject(field)) {
        const { payer } = field;
        const isMark = typeof payer === 'string' && isSecret(payer, 'payer');
        return [[name, isMark ? { ...field, payer: change(payer, 'payer') ?? '' } : field]];
      }
      if (Array.isArray(field) && isSecret(printJson(field), name)) return [[name, change(printJson(field), name)]];
      if (typeof field !== 'string' || !isSecret(field, name)) return [[name, field]];
      const changed = change(field, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );

const mustSeal = (text: string, field: string): boolean =>
  field === 'payer' ? MARK.test(text) : SEALED_FIELDS.some((each) => each === field);

/** Seals the secret fields of a line, and makes its MAC. */
export const sealLine = (
  key: JournalKey,
  { line, ...place }: Place & { readonly line: string },
): Pick<NewEntry, 'line' | 'mac'> => {
  const value = parseJson(line);
  const seal = (text: string, field: string): string => key.seal(contextOf(place, field), text);
  const sealed = isJsonObject(value) ? printJson(withSecrets(value, mustSeal, seal)) : line;
  return { line: sealed, mac: macOf(key, place, sealed) };
};

const AT = /^(\{"v":\d+,)"at":"([^"]*)"/;

/** The time of a line. */
export const timeIn = (line: string): string | undefined => AT.exec(line)?.[2];

/** The time of the server in place of the writer's, which stands beside it. */
const withServerTime = (line: string, at: number): string =>
  line.replace(
    AT,
    (_, start: string, writtenAt: string) => `${start}"at":"${new Date(at).toISOString()}","written_at":"${writtenAt}"`,
  );

/** What only somebody without the key of the journal can have done. */
export const changedInDatabase = (where: string, what: string): Failure =>
  new Failure('journal_damaged', `${where}: ${what}`, {
    hint: 'Somebody without the key of the journal changed the database. Nothing is sent while it cannot be read.',
  });

type StoredOperation = {
  readonly operation: string;
  readonly where: string;
  readonly entries: readonly StoredEntry[];
};

const openLine = (key: JournalKey | undefined, place: Place & { readonly where: string }, stored: StoredEntry) => {
  const { line, mac, at } = stored;
  if (key && !isSameMac(macOf(key, place, line), mac))
    throw changedInDatabase(place.where, `entry ${place.seq} was changed, or is of another journal`);
  const value = line.includes('"sealed1.') ? parseJson(line) : undefined;
  if (!isJsonObject(value)) return withServerTime(line, at);
  const opened = withSecrets(value, isSealed, (text, field) => {
    if (key) return key.open(contextOf(place, field), text);
    if (field === LIST) return '[]';
    return field === 'signed_transaction' ? '' : undefined;
  });
  const { [LIST]: list } = opened;
  return withServerTime(printJson(typeof list === 'string' ? { ...opened, [LIST]: parseJson(list) } : opened), at);
};

/**
 * The lines of an operation as the journal in a folder has them. Without the key the sealed fields are missing. Throws
 * `journal_damaged` for lines that nobody with the key wrote at these places, or that are not all.
 */
export const openLines = (
  key: JournalKey | undefined,
  { operation, where, entries }: StoredOperation,
): readonly string[] => {
  const sealed = entries.at(-1)?.head;
  if (key && (sealed === undefined || openHead(key, operation, sealed).seq !== entries.length))
    throw changedInDatabase(where, 'entries are missing');
  return entries.map((entry, at) => {
    if (key && entry.seq !== at + 1) throw changedInDatabase(where, `entry ${at + 1} is missing`);
    // Ids begin with the time of the start: an earlier time would take the operation out of a day.
    if (key && idTime(entry.at + LATE_MS) < operation.slice(0, TIME_LENGTH))
      throw changedInDatabase(where, `entry ${entry.seq} is older than its operation`);
    return openLine(key, { operation, seq: entry.seq, where }, entry);
  });
};

/** How an operation is found, and which entry is its last. */
export type OperationHead = { readonly seq: number; readonly hasEnded: boolean; readonly keys: string };

const headContext = (operation: string): string => `head ${operation}`;

/** Seals a head: the database changes neither the keys of an operation nor its end. */
export const sealHead = (key: JournalKey, operation: string, { seq, hasEnded, keys }: OperationHead): string =>
  key.seal(headContext(operation), `${seq} ${hasEnded ? 'ended' : 'open'}${keys}`);

/** The head of an operation. Throws `journal_damaged`. */
export const openHead = (key: JournalKey, operation: string, sealed: string): OperationHead => {
  const [, seq, end, keys = ''] = /^(\d+) (ended|open)(.*)$/s.exec(key.open(headContext(operation), sealed)) ?? [];
  return { seq: Number(seq), hasEnded: end === 'ended', keys };
};

/** Each key as a hash, by which the database finds the operation. */
export const hashKeys = (key: JournalKey, keys: readonly string[]): readonly string[] =>
  keys.map((each) => key.mac('key', each));
