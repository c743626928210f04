import { addressOf, uintOf, wordsOf } from './calldata.ts';
import { BATCHES } from './selectors.ts';

/** One call of a batch. `to` is left out where the batch's own contract is called. `mayFail`: the rest goes on. */
export type BatchStep = { readonly to: string | undefined; readonly data: string; readonly mayFail: boolean };

/** A call that makes other calls. */
export type Batch = {
  readonly name: string;
  /** Whether the contract makes the calls as itself; otherwise it makes them for whoever called it. */
  readonly asItself: boolean;
  readonly steps: readonly BatchStep[];
};

/** More than any payment needs; a batch of more is not looked into. */
export const MAX_STEPS = 64;

/** What an encoder puts before the list, and what before the bytes of each entry (Solidity ABI). */
type Shape = { readonly name: string; readonly head: number; readonly fields: number; readonly asItself: boolean };

const SHAPES: Readonly<Record<string, Shape>> = {
  [BATCHES.multicall]: { name: 'multicall', head: 0, fields: 0, asItself: false },
  [BATCHES.multicallUntil]: { name: 'multicall with a deadline', head: 1, fields: 0, asItself: false },
  [BATCHES.aggregate3]: { name: 'aggregate3', head: 0, fields: 2, asItself: true },
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

const padded = (hex: string): string => hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');

/** An entry as an encoder writes it: its fields, where its bytes start, their length, the bytes. */
const encodeEntry = (fields: readonly string[], hex: string): string => {
  const start = fields.length === 0 ? '' : fields.join('') + word((fields.length + 1) * 32);
  return start + word(hex.length / 2) + padded(hex);
};

const encodeList = (entries: readonly string[]): string => {
  let at = entries.length * 32;
  const offsets = entries.map((entry) => {
    const offset = word(at);
    at += entry.length / 2;
    return offset;
  });
  return word(entries.length) + offsets.join('') + entries.join('');
};

const sizeOf = (text: string | undefined, most: number): number | undefined => {
  const size = text === undefined ? undefined : uintOf(text);
  return size === undefined || size > BigInt(most) ? undefined : Number(size);
};

type Entry = { readonly fields: readonly string[]; readonly hex: string };

/** Reads the entries one after the other, as an encoder lays them out; whether it did is for the caller to compare. */
const readEntries = (words: readonly string[], start: number, fields: number): readonly Entry[] | undefined => {
  const count = sizeOf(words[start], MAX_STEPS);
  if (count === undefined) return undefined;
  const entries: Entry[] = [];
  let at = start + 1 + count;
  for (let index = 0; index < count; index += 1) {
    // An entry with fields has one word more: where its bytes start.
    const lengthAt = fields === 0 ? at : at + fields + 1;
    const length = sizeOf(words[lengthAt], words.length * 32);
    if (length === undefined) return undefined;
    const end = lengthAt + 1 + Math.ceil(length / 32);
    const hex = words
      .slice(lengthAt + 1, end)
      .join('')
      .slice(0, length * 2);
    entries.push({ fields: words.slice(at, at + fields), hex });
    at = end;
  }
  return entries;
};

const stepOf = ({ fields, hex }: Entry): BatchStep | undefined => {
  const [target, mayFail] = fields;
  if (target === undefined || mayFail === undefined) return { to: undefined, data: `0x${hex}`, mayFail: false };
  const to = addressOf(target);
  const isFlag = uintOf(mayFail) <= 1n;
  return to === undefined || !isFlag ? undefined : { to, data: `0x${hex}`, mayFail: uintOf(mayFail) === 1n };
};

/** Whether a selector is that of a batch which is entered; its name then. */
export const batchName = (selector: string): string | undefined =>
  Object.hasOwn(SHAPES, selector) ? SHAPES[selector]?.name : undefined;

/**
 * The calls of a batch. `undefined` unless its bytes are, to the last one, those that an encoder writes for these
 * calls: there is one reading of them and no other.
 */
export const readBatch = (data: string): Batch | undefined => {
  const shape = SHAPES[data.slice(0, 10)];
  const words = wordsOf(data);
  if (shape === undefined || words === undefined) return undefined;
  const { head, fields, name, asItself } = shape;
  const entries = readEntries(words, head + 1, fields);
  if (entries === undefined || entries.length === 0) return undefined;
  const list = encodeList(entries.map((entry) => encodeEntry(entry.fields, entry.hex)));
  const whole = [...words.slice(0, head), word((head + 1) * 32), list].join('');
  if (whole !== data.slice(10)) return undefined;
  const steps = entries.flatMap((entry) => stepOf(entry) ?? []);
  return steps.length === entries.length ? { name, asItself, steps } : undefined;
};
