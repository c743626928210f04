import { addressOf, dangerOf, type Payment, readPayment, readPayments, uintOf, wordsOf } from './calldata.ts';
import { type Chain, isSplitterOf } from './network.ts';
import type { UnsignedEvm } from './transaction.ts';

/** Calls that bursar decodes in full (ERC-20; the splitter of the sandbox). */
export const SELECTORS = {
  transfer: '0xa9059cbb',
  approve: '0x095ea7b3',
  splitToken: '0x48145485',
  splitNative: '0x68b23301',
} as const;

/** One decoded call. */
export type Call =
  /** Pays the chain's coin: directly, or through the splitter. */
  | { readonly kind: 'coin'; readonly payments: readonly Payment[] }
  /** Pays a token (ERC-20): directly, or through the splitter. */
  | { readonly kind: 'token'; readonly token: string; readonly payments: readonly Payment[] }
  /** Lets `spender` take the token later (ERC-20 approve). */
  | { readonly kind: 'allowance'; readonly token: string; readonly spender: string; readonly units: bigint }
  /** Makes several calls. `asItself`: the contract is their sender, not the payer. */
  | { readonly kind: 'batch'; readonly name: string; readonly asItself: boolean; readonly steps: readonly Step[] }
  /** Grants more than a payment needs. */
  | { readonly kind: 'dangerous'; readonly selector: string; readonly name: string }
  /** A known call in bytes that no encoder writes: hidden or damaged arguments. */
  | { readonly kind: 'malformed'; readonly name: string }
  | { readonly kind: 'unknown'; readonly selector: string; readonly name: string | undefined };

/** One call of a batch. `mayFail`: a failure does not stop the others. */
export type Step = { readonly to: string; readonly call: Call; readonly mayFail: boolean };

/** Honest transactions nest batches no deeper. */
const MAX_DEPTH = 3;

/** The called contract, the calldata, and the coin that the call carries. */
type Target = Pick<UnsignedEvm, 'to' | 'value' | 'data'>;

const malformed = (name: string): Call => ({ kind: 'malformed', name });

const decodeErc20 = ({ to, data }: Target, name: 'transfer' | 'approve'): Call => {
  const payment = readPayment(wordsOf(data) ?? []);
  if (payment === undefined) return malformed(name);
  if (name === 'transfer') return { kind: 'token', token: to, payments: [payment] };
  return { kind: 'allowance', token: to, spender: payment.to, units: payment.units };
};

const decodeSplitToken = (data: string): Call => {
  const words = wordsOf(data) ?? [];
  const token = words[0] === undefined ? undefined : addressOf(words[0]);
  const payments = readPayments(words, 1);
  return token === undefined || payments === undefined ? malformed('splitToken') : { kind: 'token', token, payments };
};

const decodeSplitNative = (data: string): Call => {
  const payments = readPayments(wordsOf(data) ?? [], 0);
  return payments === undefined ? malformed('splitNative') : { kind: 'coin', payments };
};

const isSplit = (selector: string): boolean => selector === SELECTORS.splitToken || selector === SELECTORS.splitNative;

const nameOf = (selector: string): string | undefined =>
  isSplit(selector) ? 'a split by a contract that is not the splitter of this chain' : undefined;

const decodeBatch = ({ to, data }: Target, shape: Shape, chain: Chain | undefined, depth: number): Call => {
  const { name, asItself } = shape;
  const batch = depth < MAX_DEPTH ? readBatch(data, shape) : undefined;
  if (batch === undefined) return malformed(`${name} (at most ${MAX_STEPS} calls, ${MAX_DEPTH} levels deep)`);
  const steps = batch.map(({ to: target = to, data: inner, mayFail }) => ({
    to: target,
    mayFail,
    call: decode({ to: target, value: 0n, data: inner }, chain, depth + 1),
  }));
  return { kind: 'batch', name, asItself, steps };
};

const decode = (target: Target, chain: Chain | undefined, depth: number): Call => {
  const { to, value, data } = target;
  if (data === '0x' && depth === 0) return { kind: 'coin', payments: [{ to, units: value }] };
  const selector = data.slice(0, 10);
  const danger = dangerOf(selector);
  if (danger !== undefined) return { kind: 'dangerous', selector, name: danger };
  const shape = Object.hasOwn(SHAPES, selector) ? SHAPES[selector] : undefined;
  if (shape !== undefined) return decodeBatch(target, shape, chain, depth);
  if (isSplitterOf(chain, to) && isSplit(selector)) {
    return selector === SELECTORS.splitToken ? decodeSplitToken(data) : decodeSplitNative(data);
  }
  if (selector === SELECTORS.transfer) return decodeErc20(target, 'transfer');
  if (selector === SELECTORS.approve) return decodeErc20(target, 'approve');
  // In a batch, a call without data carries no coin: it runs the contract's fallback.
  return { kind: 'unknown', selector, name: data === '0x' ? 'a call without data' : nameOf(selector) };
};

/** Decodes the call of a transaction on a chain. Only the chain's own splitter counts as a splitter. */
export const decodeCall = (unsigned: UnsignedEvm, chain: Chain | undefined): Call => decode(unsigned, chain, 0);

/** One call of a batch. `to` is `undefined` for a call of the batch's own contract. */
type BatchStep = { readonly to: string | undefined; readonly data: string; readonly mayFail: boolean };

/** No payment needs more calls; a larger batch is malformed. */
const MAX_STEPS = 64;

/** The number of words before the list, and before the bytes of each entry (Solidity ABI). */
type Shape = { readonly name: string; readonly head: number; readonly fields: number; readonly asItself: boolean };

/** Batches that bursar decodes call by call (Uniswap's multicall, Multicall3), by selector. */
const SHAPES: Readonly<Record<string, Shape>> = {
  '0xac9650d8': { name: 'multicall', head: 0, fields: 0, asItself: false },
  '0x5ae401dc': { name: 'multicall with a deadline', head: 1, fields: 0, asItself: false },
  '0x82ad56cb': { name: 'aggregate3', head: 0, fields: 2, asItself: true },
};

const word = (value: number): string => value.toString(16).padStart(64, '0');

const padded = (hex: string): string => hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');

/** An entry as an encoder writes it: fields, offset of the bytes, their length, the bytes. */
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

/** Reads the entries in the order of an encoder. The caller compares the bytes with that encoding. */
const readEntries = (words: readonly string[], start: number, fields: number): readonly Entry[] | undefined => {
  const count = sizeOf(words[start], MAX_STEPS);
  if (count === undefined) return undefined;
  const entries: Entry[] = [];
  let at = start + 1 + count;
  for (let index = 0; index < count; index += 1) {
    // An entry with fields has one more word: the offset of its bytes.
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

/**
 * The calls of a batch. `undefined` unless its bytes equal an encoder's bytes for these calls, so that there is only one
 * reading of them.
 */
const readBatch = (data: string, { head, fields }: Shape): readonly BatchStep[] | undefined => {
  const words = wordsOf(data);
  if (words === undefined) return undefined;
  const entries = readEntries(words, head + 1, fields);
  if (entries === undefined || entries.length === 0) return undefined;
  const list = encodeList(entries.map((entry) => encodeEntry(entry.fields, entry.hex)));
  const whole = [...words.slice(0, head), word((head + 1) * 32), list].join('');
  if (whole !== data.slice(10)) return undefined;
  const steps = entries.flatMap((entry) => stepOf(entry) ?? []);
  return steps.length === entries.length ? steps : undefined;
};
