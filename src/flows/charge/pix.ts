import { pixCharge } from '../../contract/pay/transaction.ts';
import { compareDecimals, isDecimal, toUnits } from '../../core/decimal.ts';
import { Failure, type FieldError, isFailure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { actingIn } from '../../core/text.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import type { PrepareContext } from '../pay/prepare.ts';
import { keepingRefusal } from '../policy/key-policy.ts';
import { BOUND_PLACE } from '../read-back.ts';
import { type BrCode, readBrCode } from './br-code.ts';

/** The lifetime of a charge comes from the service; it starts at this machine's clock. */
const expiryOf = ({ clock }: PrepareContext['client']['io'], seconds: unknown): string => {
  const lives = Number(digitsOf(seconds) ?? 0);
  const most = 366 * 86_400;
  return new Date(clock.now() + Math.min(Math.max(lives, 0), most) * 1000).toISOString();
};

/** A checked Pix, and the receiver in its code. */
export type Payable = { readonly pix: PixFacts; readonly receiver: string };

/** Compares a code with its payment. Throws `refused_by_review` with every difference; the code is not shown then. */
export const assertPixCode = (asked: AskedPix): CheckedCode => {
  const checked = checkPixCode(asked);
  if ('name' in checked) return checked;
  throw new Failure('refused_by_review', checked.problems.map(({ message }) => message).join('; '), {
    errors: checked.problems,
    namesErrors: true,
    hint: 'The code was not shown: paying it would not pay this payment.',
  });
};

/** Leaves the payment open: the user may state another limit, or the rate may improve. */
const aboveBound = (operationId: string, message: string, hasAmount: boolean): Failure =>
  new Failure('refused_by_review', message, {
    errors: [{ field: 'amount', message, option: '--pay-at-most' }],
    namesErrors: true,
    hint: `The code was not shown. State the most to pay in BRL by --pay-at-most${hasAmount ? ` (${BOUND_PLACE})` : ''}, or confirm it at a terminal.`,
    next: hasAmount ? nextStep('pay.resume.bound', operationId) : nextStep('pay.resume', operationId),
    // Each attempt creates another charge, so the user decides when.
    isLeftOpen: true,
    isDeclined: true,
  });

/**
 * Why the user has not stated the amount of a code whose price is in another currency: `isAbove` the limit, or without one.
 * `undefined` within the limit, and for a price in reais.
 */
export const unstatedAmount = (
  found: string | null,
  price: Pick<ChargeIntent, 'amount' | 'currency'>,
  atMost: string | undefined,
): { readonly message: string; readonly isAbove: boolean } | undefined => {
  if (isInReais(price)) return undefined;
  if (atMost !== undefined && found !== null) {
    if (compareDecimals(found, atMost) <= 0) return undefined;
    const message = `the code asks for ${found} BRL, and the most that you stated is ${atMost} BRL`;
    return { message, isAbove: true };
  }
  const asked = found === null ? 'an amount that the code does not contain' : `${found} BRL`;
  const message = `The Pix asks for ${asked} for ${price.amount} ${price.currency}, as the service says.`;
  return { message, isAbove: false };
};

/**
 * Checks a code for a price in another currency, whose amount the service computed. The user states a limit, or
 * confirms the amount at a terminal. Throws `refused_by_review`, and leaves the payment open.
 */
const assertPriceStated = async (
  { operation, pixAtMost, confirmPixAmount }: PrepareContext,
  { amount: found }: CheckedCode,
  price: Pick<ChargeIntent, 'amount' | 'currency'>,
): Promise<void> => {
  const unstated = unstatedAmount(found, price, pixAtMost);
  if (!unstated) return;
  const { message, isAbove } = unstated;
  if (isAbove || !confirmPixAmount) throw aboveBound(operation.id, message, found !== null);
  if (await confirmPixAmount(message)) return;
  throw new Failure('refused_by_review', 'not confirmed; the code was not shown', { isDeclined: true });
};

/** If the user declines the amount, the code is recorded as not shown: a resume creates another. */
const withholding = async (
  { operation }: PrepareContext,
  payment_id: string,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (isFailure(error) && (error.details.isDeclined || error.details.isLeftOpen))
      await operation.record({ step: 'withheld', payment_id });
    throw error;
  }
};

const receiverOf = ({ name, city }: CheckedCode): string => [name, city].filter(Boolean).join(', ');

/** An earlier code, to show again. */
export const payableAgain = (pix: PixFacts, { amount, currency }: ChargeIntent): Payable => ({
  pix,
  receiver: receiverOf(assertPixCode({ code: pix.code, txid: pix.txid, key: undefined, amount, currency })),
});

/** The charge of a created Pix. Throws `unexpected_answer` if it is not as documented. */
export const chargeIn = (paymentId: string, fiatTx: unknown) => {
  const { data: charge } = pixCharge.safeParse(fiatTx);
  if (charge) return charge;
  throw new Failure('unexpected_answer', `payment ${paymentId} was created without a Pix charge as documented`, {
    next: nextStep('pay.status', paymentId),
  });
};

/**
 * The Pix of a new charge: checked, recorded, and only then shown. An unrecorded code was never shown, so another can
 * be created. Throws `refused_by_review`, `journal_unwritable`, and `unexpected_answer` for an undocumented charge.
 */
export const payableOf = async (
  context: PrepareContext,
  paymentId: string,
  { amount, currency }: ChargeIntent,
  fiatTx: unknown,
): Promise<Payable> => {
  const { pixCopiaECola: code, txid, pix_key: key, calendar } = chargeIn(paymentId, fiatTx);
  return keepingRefusal(context.operation, paymentId, async () => {
    const checked = assertPixCode({ code, txid, key, amount, currency });
    await withholding(context, paymentId, () => assertPriceStated(context, checked, { amount, currency }));
    const expires_at = expiryOf(context.client.io, calendar.expiracao);
    const pix = { code, txid, amount: checked.amount, expires_at };
    await context.operation.record({ step: 'payable', payment_id: paymentId, ...pix });
    return { pix, receiver: receiverOf(checked) };
  });
};

/** The expected values of a Pix code: from the request, and from the service's charge. */
export type AskedPix = {
  readonly code: string;
  readonly txid: string;
  /** Set if the service has just returned it. */
  readonly key: string | undefined;
  readonly amount: string;
  readonly currency: string;
};

/** A code that passed its check: its receiver and amount; `null` if only the payer's bank knows the amount. */
type CheckedCode = { readonly amount: string | null; readonly name: string; readonly city: string };

const REAL = '986';
const CENTS = 2;

/** An amount with fractions of a cent is rounded up or down to a cent. */
const isSameAmount = (found: string, asked: string): boolean => {
  const [whole = '', fraction = ''] = asked.split('.');
  const cut = toUnits(`${whole}.${fraction.slice(0, CENTS).padEnd(CENTS, '0')}`, CENTS);
  const isFiner = /[1-9]/.test(fraction.slice(CENTS));
  return [cut, ...(isFiner ? [cut + 1n] : [])].some((units) => toUnits(found, CENTS) === units);
};

/** Whether the price is in the currency of Pix. */
const isInReais = ({ currency }: Pick<AskedPix, 'currency'>): boolean => currency.toUpperCase() === 'BRL';

const amountProblem = ({ amount: found, url }: BrCode, { amount, currency }: AskedPix): string | undefined => {
  // A dynamic code may leave the amount to the address that the bank loads.
  if (found === undefined) return url === undefined ? 'leaves the amount to the payer' : undefined;
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(found) || !isDecimal(found)) return `asks for "${found}", which is no amount`;
  if (compareDecimals(found, '0') === 0) return 'asks for nothing';
  // For another currency, the user states or confirms the amount in reais.
  if (!isInReais({ currency })) return undefined;
  if (!isDecimal(amount) || isSameAmount(found, amount)) return undefined;
  return `asks for ${found} BRL, and the payment is of ${amount} BRL`;
};

/** `***` in a dynamic code is a placeholder: its address has the id. */
const isOpenId = ({ txid, url }: BrCode): boolean => url !== undefined && (txid === undefined || txid === '***');

const problemsOf = (found: BrCode, asked: AskedPix): readonly FieldError[] => {
  const { key, url, currency, country, txid } = found;
  const isOtherKey = key !== undefined && asked.key !== undefined && key !== asked.key;
  const problems: readonly (readonly [string, string | undefined])[] = [
    ['amount', amountProblem(found, asked)],
    ['txid', isOpenId(found) || txid === asked.txid ? undefined : `is of ${txid ?? 'no charge'}, not of ${asked.txid}`],
    ['pix_key', isOtherKey ? 'pays another key than that of its charge' : undefined],
    ['pix_key', key === undefined && url === undefined ? 'names no receiver' : undefined],
    ['currency', currency === REAL ? undefined : `is in currency ${currency ?? 'unknown'}, not in reais (${REAL})`],
    ['country', country === 'BR' ? undefined : `is of country ${country ?? 'unknown'}, not of BR`],
  ];
  return problems.flatMap(([field, message]) => (message ? [{ field, message: `the Pix code ${message}` }] : []));
};

const wrong = (message: string) => [{ field: 'pixCopiaECola', message: `the Pix code ${message}` }];

/**
 * Compares a copy-and-paste code with its payment. Paying a code follows its content, so a wrong code is never shown:
 * every difference is named instead.
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
