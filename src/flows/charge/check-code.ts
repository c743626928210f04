import { compareDecimals, isDecimal, toUnits } from '../../core/decimal.ts';
import { actingIn } from '../../core/escape.ts';
import type { FieldError } from '../../core/failure.ts';
import { type BrCode, readBrCode } from './br-code.ts';

/** What a Pix code is held against: what was asked for, and what the service says of the charge beside the code. */
export type AskedPix = {
  readonly code: string;
  readonly txid: string;
  /** Where the service has just said it. */
  readonly key: string | undefined;
  readonly amount: string;
  readonly currency: string;
};

/** A code that may be shown: who it pays, and how much; `null` where only the payer's bank will know. */
export type CheckedCode = { readonly amount: string | null; readonly name: string; readonly city: string };

const REAL = '986';
const CENTS = 2;

/** A payment finer than a cent is asked for by the cent above or below. */
const isSameAmount = (found: string, asked: string): boolean => {
  const [whole = '', fraction = ''] = asked.split('.');
  const cut = toUnits(`${whole}.${fraction.slice(0, CENTS).padEnd(CENTS, '0')}`, CENTS);
  const isFiner = /[1-9]/.test(fraction.slice(CENTS));
  return [cut, ...(isFiner ? [cut + 1n] : [])].some((units) => toUnits(found, CENTS) === units);
};

/** Whether a payment is priced in what a Pix is paid in. */
export const isInReais = ({ currency }: Pick<AskedPix, 'currency'>): boolean => currency.toUpperCase() === 'BRL';

const amountProblem = ({ amount: found, url }: BrCode, { amount, currency }: AskedPix): string | undefined => {
  // A dynamic code may leave it to the address that the bank asks.
  if (found === undefined) return url === undefined ? 'leaves the amount to the payer' : undefined;
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(found) || !isDecimal(found)) return `asks for "${found}", which is no amount`;
  if (compareDecimals(found, '0') === 0) return 'asks for nothing';
  // What another currency is in reais the user states, or confirms.
  if (!isInReais({ currency })) return undefined;
  if (!isDecimal(amount) || isSameAmount(found, amount)) return undefined;
  return `asks for ${found} BRL, and the payment is of ${amount} BRL`;
};

/** `***` stands in a dynamic code for an id that only its address tells. */
const isOpenId = ({ txid, url }: BrCode): boolean => url !== undefined && (txid === undefined || txid === '***');

const problemsOf = (found: BrCode, asked: AskedPix): readonly FieldError[] => {
  const { key, url, currency, country, txid } = found;
  const problems: readonly (readonly [string, string | undefined])[] = [
    ['amount', amountProblem(found, asked)],
    ['txid', isOpenId(found) || txid === asked.txid ? undefined : `is of ${txid ?? 'no charge'}, not of ${asked.txid}`],
    [
      'pix_key',
      key === undefined || asked.key === undefined || key === asked.key
        ? undefined
        : 'pays another key than that of its charge',
    ],
    ['pix_key', key === undefined && url === undefined ? 'names no receiver' : undefined],
    ['currency', currency === REAL ? undefined : `is in currency ${currency ?? 'unknown'}, not in reais (${REAL})`],
    ['country', country === 'BR' ? undefined : `is of country ${country ?? 'unknown'}, not of BR`],
  ];
  return problems.flatMap(([field, message]) => (message ? [{ field, message: `the Pix code ${message}` }] : []));
};

const wrong = (message: string): readonly FieldError[] => [
  { field: 'pixCopiaECola', message: `the Pix code ${message}` },
];

/**
 * Holds a copy-and-paste code against the payment that it is for. Whoever copies it pays whatever it says, so nothing of
 * a wrong one is shown: every difference is named instead.
 */
export const checkPixCode = (asked: AskedPix): CheckedCode | { readonly problems: readonly FieldError[] } => {
  const acting = actingIn(asked.code);
  if (acting !== undefined || asked.code.includes('\n')) {
    return { problems: wrong(`holds a character that no code has (${acting ?? 'a line end'})`) };
  }
  const found = readBrCode(asked.code);
  if ('problem' in found) return { problems: wrong(found.problem) };
  const problems = problemsOf(found, asked);
  if (problems.length > 0) return { problems };
  return { amount: found.amount ?? null, name: found.name ?? '', city: found.city ?? '' };
};
