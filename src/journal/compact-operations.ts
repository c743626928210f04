import { larger, newIntegers, newNumbers, newTable } from './compact.ts';
import type { IndexEntry } from './store.ts';

/** Keys that few operations share. Each is a kind, a colon and 16 hexadecimal digits. */
const EXACT = ['intent:', 'partial:', 'name:', 'payment:', 'hash:'] as const;
const DAY = 'day:';
const HASH_BYTES = 8;
const KEY_BYTES = 1 + HASH_BYTES;
/** The number of keys, and that of days, each stand before them in this many bytes. */
const COUNT_BYTES = 2;
const DAY_BYTES = 4;

/** The number of a key's kind; -1 for another key. The key is between two places of a text. */
const kindOf = (keys: string, from: number, to: number): number => {
  const length = to - from - 2 * HASH_BYTES;
  let kind = EXACT.length - 1;
  while (kind >= 0 && !(EXACT[kind]?.length === length && keys.startsWith(EXACT[kind] ?? '', from))) kind -= 1;
  return kind;
};

const digit = (code: number): number => (code < 0x3a ? code - 0x30 : code - 0x57);

/** Writes a key that few operations share: its kind and its hash. Returns 32 bits of them, for a table. */
const writeKey = (bytes: Buffer, at: number, kind: number, keys: string, to: number): number => {
  bytes[at] = kind;
  let sum = 0x811c9dc5 ^ kind;
  for (let digits = to - 2 * HASH_BYTES, place = at + 1; digits < to; digits += 2, place += 1) {
    const byte = digit(keys.charCodeAt(digits)) * 16 + digit(keys.charCodeAt(digits + 1));
    bytes[place] = byte;
    sum = Math.imul(sum ^ byte, 0x01000193);
  }
  return sum >>> 0;
};

const isDay = (key: string): boolean => /^day:\d{1,9}$/.test(key);

/** Texts that most operations share, each stored once, with the parts that they consist of. */
const newGroups = () => {
  const numbers = new Map<string, number>();
  const texts = [''];
  const withKey = new Map<string, Set<number>>();
  return {
    /** The number of a text; never 0. */
    of: (text: string): number => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      const number = texts.push(text) - 1;
      numbers.set(text, number);
      for (const key of text.split(' ')) withKey.set(key, (withKey.get(key) ?? new Set()).add(number));
      return number;
    },
    text: (number: number): string => texts[number] ?? '',
    with: (key: string): ReadonlySet<number> => withKey.get(key) ?? new Set(),
  };
};

/**
 * The ended operations of a journal with their keys, in about 200 bytes each. Keys that few operations share are found by
 * their hash. Other keys (wallet, service, marks) are equal for many operations: a text of them is stored once.
 */
export const newCompactOperations = () => {
  // A record: the length of the id and the id, the number of exact keys and the keys, the number of days and the days.
  let records = Buffer.alloc(1 << 14);
  let used = 0;
  const table = newTable();
  const groups = newGroups();
  /** By the number of an operation: its record, its group (0: removed), and the time of its last event or review. */
  const [starts, groupNumbers, times] = [newIntegers(), newIntegers(), newNumbers((size) => new Float64Array(size))];
  /** Operation numbers, sorted by id. */
  const order: number[] = [];
  let newestId = '';
  let count = 0;

  const idOf = (operation: number): string => {
    const at = starts.get(operation) + 1;
    return records.toString('utf8', at, at + (records[at - 1] ?? 0));
  };
  const placesOf = (operation: number) => {
    const start = starts.get(operation);
    const keysAt = start + 1 + (records[start] ?? 0) + COUNT_BYTES;
    const keysEnd = keysAt + records.readUInt16LE(keysAt - COUNT_BYTES) * KEY_BYTES;
    const daysAt = keysEnd + COUNT_BYTES;
    return { keysAt, keysEnd, daysAt, end: daysAt + records.readUInt16LE(keysEnd) * DAY_BYTES };
  };
  const hasDay = (operation: number, days: ReadonlySet<number>): boolean => {
    const { daysAt, end } = placesOf(operation);
    for (let at = daysAt; at < end; at += DAY_BYTES) if (days.has(records.readUInt32LE(at))) return true;
    return false;
  };
  const hasKey = (operation: number, key: Uint8Array): boolean => {
    const { keysAt, keysEnd } = placesOf(operation);
    for (let at = keysAt; at < keysEnd; at += KEY_BYTES)
      if (records.subarray(at, at + KEY_BYTES).equals(key)) return true;
    return false;
  };
  const entryOf = (operation: number): IndexEntry => {
    const { keysAt, keysEnd, daysAt, end } = placesOf(operation);
    let keys = groups.text(groupNumbers.get(operation));
    for (let at = keysAt; at < keysEnd; at += KEY_BYTES)
      keys += `${EXACT[records[at] ?? 0]}${records.toString('hex', at + 1, at + KEY_BYTES)} `;
    for (let at = daysAt; at < end; at += DAY_BYTES) keys += `${DAY}${records.readUInt32LE(at)} `;
    return { id: idOf(operation), keys };
  };

  /** The first place in the order whose id is not below. */
  const placeOf = (id: string): number => {
    let [low, high] = [0, order.length];
    while (low < high) {
      // Most operations are added at the end.
      const middle = high === order.length ? high - 1 : (low + high) >> 1;
      if (idOf(order[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const find = (id: string): number | undefined => {
    const operation = order[placeOf(id)];
    return operation !== undefined && idOf(operation) === id ? operation : undefined;
  };
  const remove = (id: string): void => {
    const operation = find(id);
    if (operation === undefined) return;
    groupNumbers.set(operation, 0);
    order.splice(placeOf(id), 1);
  };

  /** `time`: that of its last event or review, in milliseconds since 1970, if it is known. */
  const add = ({ id, keys }: IndexEntry, time = Number.NaN): void => {
    const isNewest = id > newestId;
    if (isNewest) newestId = id;
    else remove(id);
    const most = used + 3 * (id.length + keys.length) + 1 + 2 * COUNT_BYTES;
    if (most > records.length) records = Buffer.concat([records, Buffer.alloc(larger(most) - records.length)]);
    count += 1;
    starts.set(count, used);
    times.set(count, time);
    const length = records.write(id, used + 1);
    records[used] = length;
    const keysAt = used + 1 + length + COUNT_BYTES;
    const days: number[] = [];
    let [at, shared] = [keysAt, ' '];
    for (let from = 1, to = keys.indexOf(' ', 1); to > 0; from = to + 1, to = keys.indexOf(' ', from)) {
      const kind = kindOf(keys, from, to);
      if (kind >= 0) {
        table.add(writeKey(records, at, kind, keys, to), count);
        at += KEY_BYTES;
      } else if (isDay(keys.slice(from, to))) days.push(Number(keys.slice(from + DAY.length, to)));
      else shared += keys.slice(from, to + 1);
    }
    records.writeUInt16LE((at - keysAt) / KEY_BYTES, keysAt - COUNT_BYTES);
    records.writeUInt16LE(days.length, at);
    for (const [place, day] of days.entries()) records.writeUInt32LE(day, at + COUNT_BYTES + place * DAY_BYTES);
    used = at + COUNT_BYTES + days.length * DAY_BYTES;
    groupNumbers.set(count, groups.of(shared));
    if (isNewest) order.push(count);
    else order.splice(placeOf(id), 0, count);
  };

  /** The operations with any of the keys, the newest first. Operations may be added meanwhile. */
  const newest = function* (keys: readonly string[]): Generator<IndexEntry> {
    const few = new Set<number>();
    const many = new Set<number>();
    const days = new Set<number>();
    for (const key of keys) {
      const kind = kindOf(key, 0, key.length);
      const bytes = Buffer.alloc(KEY_BYTES);
      if (kind >= 0) {
        for (const operation of table.find(writeKey(bytes, 0, kind, key, key.length)))
          if (groupNumbers.get(operation) > 0 && hasKey(operation, bytes)) few.add(operation);
      } else if (isDay(key)) days.add(Number(key.slice(DAY.length)));
      else for (const group of groups.with(key)) many.add(group);
    }
    if (many.size === 0 && days.size === 0) {
      yield* [...few].map(entryOf).toSorted((one, other) => (one.id < other.id ? 1 : -1));
      return;
    }
    for (let place = order.length - 1; place >= 0; place -= 1) {
      const operation = order[place] ?? 0;
      const isShared = many.has(groupNumbers.get(operation)) || (days.size > 0 && hasDay(operation, days));
      if (!isShared && !few.has(operation)) continue;
      const entry = entryOf(operation);
      yield entry;
      place = placeOf(entry.id);
    }
  };

  /** Those with a last event or review since a time; if it is not known, those of any of the days. The newest first. */
  const since = (time: number, days: readonly string[], wallet?: string): readonly string[] => {
    const meant = wallet === undefined ? undefined : groups.with(wallet);
    const meantDays = new Set(days.map((day) => Number(day.slice(DAY.length))));
    const found: number[] = [];
    for (const operation of meant?.size === 0 ? [] : order) {
      const known = times.get(operation);
      const isSince = Number.isNaN(known) ? hasDay(operation, meantDays) : known >= time;
      if (isSince && meant?.has(groupNumbers.get(operation)) !== false) found.push(operation);
    }
    return found.map(idOf).toReversed();
  };

  return {
    add,
    remove,
    newest,
    since,
    /** Sets the time of the last event or review. */
    setTime: (id: string, time: number): void => {
      const operation = find(id);
      if (operation !== undefined) times.set(operation, time);
    },
    has: (id: string): boolean => find(id) !== undefined,
    size: (): number => order.length,
    /** All ids, sorted. */
    ids: (): readonly string[] => order.map(idOf),
  };
};
