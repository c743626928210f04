import type { Chain } from '../registry.ts';
import { addressOf, type Payment, readPayment, readPayments, wordsOf } from './calldata.ts';
import { DANGEROUS, NAMED, SELECTORS } from './selectors.ts';
import type { UnsignedEvm } from './transaction.ts';

/** What the bytes of a transaction do. */
export type Call =
  /** Pays the chain's coin: by itself, or through the splitter. */
  | { readonly kind: 'coin'; readonly payments: readonly Payment[] }
  /** Pays a token (ERC-20): by itself, or through the splitter. */
  | { readonly kind: 'token'; readonly token: string; readonly payments: readonly Payment[] }
  /** Lets `spender` take the token later (ERC-20 approve). */
  | { readonly kind: 'allowance'; readonly token: string; readonly spender: string; readonly units: bigint }
  /** Hands over more than a payment needs. */
  | { readonly kind: 'dangerous'; readonly selector: string; readonly name: string }
  /** A known call in bytes that no encoder gives for it: hidden or damaged arguments. */
  | { readonly kind: 'malformed'; readonly name: string }
  | { readonly kind: 'unknown'; readonly selector: string; readonly name: string | undefined };

const malformed = (name: string): Call => ({ kind: 'malformed', name });

const lookUp = (table: Readonly<Record<string, string>>, selector: string): string | undefined =>
  Object.hasOwn(table, selector) ? table[selector] : undefined;

const decodeErc20 = ({ to, data }: UnsignedEvm, name: 'transfer' | 'approve'): Call => {
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
  isSplit(selector) ? 'a split, by a contract that is not the splitter of this chain' : lookUp(NAMED, selector);

/** Says what a transaction does on a chain. Only the splitter that the chain names is taken for one. */
export const decodeCall = (unsigned: UnsignedEvm, chain: Chain | undefined): Call => {
  const { to, value, data } = unsigned;
  if (data === '0x') return { kind: 'coin', payments: [{ to, units: value }] };
  const selector = data.slice(0, 10);
  const danger = lookUp(DANGEROUS, selector);
  if (danger !== undefined) return { kind: 'dangerous', selector, name: danger };
  if (chain?.splitter?.toLowerCase() === to.toLowerCase() && isSplit(selector)) {
    return selector === SELECTORS.splitToken ? decodeSplitToken(data) : decodeSplitNative(data);
  }
  if (selector === SELECTORS.transfer) return decodeErc20(unsigned, 'transfer');
  if (selector === SELECTORS.approve) return decodeErc20(unsigned, 'approve');
  return { kind: 'unknown', selector, name: nameOf(selector) };
};
