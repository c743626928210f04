import { hash } from 'node:crypto';

/** Stores an id with its row. Returns the row that had the same id before, which stays stored; `undefined` for a new id. */
export type SeenIds = (id: string, row: number) => number | undefined;

/** 16 bytes of a hash are compared: nobody can find two ids with the same. */
const WORDS = 4;

/** An entry is the words of a hash and a row. */
const ENTRY = WORDS + 1;
/** Entries are stored in blocks, so that a larger file moves none of them. */
const BLOCK = 32_768;

const FULL = 0.7;

/** Remembers ids by their hash, so that a file of millions of rows needs about 30 bytes for each. */
export const newSeenIds = (): SeenIds => {
  const blocks: Uint32Array[] = [];
  /** A hash table with open addressing of the numbers of entries, which count from 1. 0 is an empty place. */
  let places = new Uint32Array(1024);
  let count = 0;

  const entryOf = (number: number): Uint32Array => {
    const at = ((number - 1) % BLOCK) * ENTRY;
    return blocks[Math.floor((number - 1) / BLOCK)]?.subarray(at, at + ENTRY) ?? new Uint32Array(ENTRY);
  };

  /** The place of an entry: its own, or the empty one where it belongs. */
  const placeOf = (wanted: Uint32Array): number => {
    let place = (wanted[0] ?? 0) % places.length;
    for (let number = places[place]; number; number = places[place]) {
      if (hasSameHash(entryOf(number), wanted)) break;
      place = place + 1 === places.length ? 0 : place + 1;
    }
    return place;
  };

  const grow = (): void => {
    places = new Uint32Array(places.length * 2);
    for (let number = 1; number <= count; number += 1) places[placeOf(entryOf(number))] = number;
  };

  const add = (entry: Uint32Array): void => {
    if (count % BLOCK === 0) blocks.push(new Uint32Array(BLOCK * ENTRY));
    count += 1;
    entryOf(count).set(entry);
    places[placeOf(entry)] = count;
    if (count > places.length * FULL) grow();
  };

  const entry = new Uint32Array(ENTRY);
  return (id, row) => {
    const sum = hash('sha256', id, 'hex');
    for (let at = 0; at < WORDS; at += 1) entry[at] = Number.parseInt(sum.slice(at * 8, at * 8 + 8), 16);
    entry[WORDS] = row;
    const found = places[placeOf(entry)];
    if (found) return entryOf(found)[WORDS];
    add(entry);
    return undefined;
  };
};

const hasSameHash = (a: Uint32Array, b: Uint32Array): boolean => {
  for (let at = 0; at < WORDS; at += 1) if (a[at] !== b[at]) return false;
  return true;
};
