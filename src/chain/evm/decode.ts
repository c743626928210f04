import { type Chain, isSplitterOf } from '../registry.ts';
import { batchName, MAX_STEPS, readBatch } from './batch.ts';
import { addressOf, type Payment, readPayment, readPayments, wordsOf } from './calldata.ts';
import { dangerOf } from './dangerous.ts';
import { SELECTORS } from './selectors.ts';
import type { UnsignedEvm } from './transaction.ts';

/** What the bytes of a transaction do. */
export type Call =
  /** Pays the chain's coin: by itself, or through the splitter. */
  | { readonly kind: 'coin'; readonly payments: readonly Payment[] }
  /** Pays a token (ERC-20): by itself, or through the splitter. */
  | { readonly kind: 'token'; readonly token: string; readonly payments: readonly Payment[] }
  /** Lets `spender` take the token later (ERC-20 approve). */
  | { readonly kind: 'allowance'; readonly token: string; readonly spender: string; readonly units: bigint }
  /** Makes several calls. `asItself`: its contract makes them, and not for whoever called it. */
  | { readonly kind: 'batch'; readonly name: string; readonly asItself: boolean; readonly steps: readonly Step[] }
  /** Hands over more than a payment needs. */
  | { readonly kind: 'dangerous'; readonly selector: string; readonly name: string }
  /** A known call in bytes that no encoder gives for it: hidden or damaged arguments. */
  | { readonly kind: 'malformed'; readonly name: string }
  | { readonly kind: 'unknown'; readonly selector: string; readonly name: string | undefined };

/** One call of a batch. `mayFail`: the others go on without it. */
export type Step = { readonly to: string; readonly call: Call; readonly mayFail: boolean };

/** Batches in batches in batches: nobody who has nothing to hide writes more. */
const DEEPEST = 3;

/** What is called, and with which bytes. `value` is the coin that goes with it. */
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
  isSplit(selector) ? 'a split, by a contract that is not the splitter of this chain' : undefined;

const decodeBatch = ({ to, data }: Target, name: string, chain: Chain | undefined, depth: number): Call => {
  const batch = depth < DEEPEST ? readBatch(data) : undefined;
  if (batch === undefined) return malformed(`${name} (at most ${MAX_STEPS} calls, ${DEEPEST} levels deep)`);
  const steps = batch.steps.map(({ to: target = to, data: inner, mayFail }) => ({
    to: target,
    mayFail,
    call: decode({ to: target, value: 0n, data: inner }, chain, depth + 1),
  }));
  return { kind: 'batch', name, asItself: batch.asItself, steps };
};

const decode = (target: Target, chain: Chain | undefined, depth: number): Call => {
  const { to, value, data } = target;
  if (data === '0x' && depth === 0) return { kind: 'coin', payments: [{ to, units: value }] };
  const selector = data.slice(0, 10);
  const danger = dangerOf(selector);
  if (danger !== undefined) return { kind: 'dangerous', selector, name: danger };
  const batch = batchName(selector);
  if (batch !== undefined) return decodeBatch(target, batch, chain, depth);
  if (isSplitterOf(chain, to) && isSplit(selector)) {
    return selector === SELECTORS.splitToken ? decodeSplitToken(data) : decodeSplitNative(data);
  }
  if (selector === SELECTORS.transfer) return decodeErc20(target, 'transfer');
  if (selector === SELECTORS.approve) return decodeErc20(target, 'approve');
  // In a batch, a call without data runs whatever the contract does with one: it pays nobody.
  return { kind: 'unknown', selector, name: data === '0x' ? 'a call without data' : nameOf(selector) };
};

/** Says what a transaction does on a chain. Only the splitter that the chain names is taken for one. */
export const decodeCall = (unsigned: UnsignedEvm, chain: Chain | undefined): Call => decode(unsigned, chain, 0);
