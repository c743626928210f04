import { pixCharge } from '../../contract/pay/fiat-tx.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import type { PixFacts } from '../../journal/entry.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import type { Preparing } from '../pay/prepare.ts';
import { keepingRefusal } from '../policy/refusal.ts';
import { type AskedPix, type CheckedCode, checkPixCode, isInReais } from './check-code.ts';

/** Nobody's clock but this one: how long a charge lives is the service's word, when that began is now. */
const expiryOf = ({ clock }: Preparing['client']['io'], seconds: unknown): string => {
  const lives = Number(digitsOf(seconds) ?? 0);
  const most = 366 * 86_400;
  return new Date(clock.now() + Math.min(Math.max(lives, 0), most) * 1000).toISOString();
};

/** A Pix that its payer may be shown, and whom the code names. */
export type Payable = { readonly pix: PixFacts; readonly receiver: string };

/**
 * Holds a code against its payment. Throws `refused_by_review` with every difference; nothing of the code is shown then.
 */
const passed = (asked: AskedPix): CheckedCode => {
  const checked = checkPixCode(asked);
  if ('name' in checked) return checked;
  throw new Failure('refused_by_review', checked.problems.map(({ message }) => message).join('; '), {
    errors: checked.problems,
    hint: 'The code was not shown: whoever paid it would not pay this payment.',
  });
};

/** Leaves the payment open: the user may state another bound, or the rate may move back. */
const aboveBound = (operationId: string, message: string, found: string | null): Failure =>
  new Failure('refused_by_review', message, {
    errors: [{ field: 'amount', message, option: '--pay-at-most' }],
    hint: 'The code was not shown. State the most to pay in BRL by --pay-at-most, or confirm it at a terminal.',
    next: found === null ? nextStep('pay.resume', operationId) : nextStep('pay.resume.bound', operationId, found),
    // Each try makes another charge: it is for the user to say when.
    isLeftOpen: true,
    isDeclined: true,
  });

/**
 * A code for a price in another currency asks for what the service made of it: the user states a bound, or confirms the
 * amount at a terminal. Throws `refused_by_review`, and leaves the payment open.
 */
const assertPriceStated = async (
  { operation, pixAtMost, confirmPixAmount }: Preparing,
  { amount: found }: CheckedCode,
  price: Pick<ChargeIntent, 'amount' | 'currency'>,
): Promise<void> => {
  if (isInReais(price)) return;
  if (pixAtMost !== undefined && found !== null) {
    if (compareDecimals(found, pixAtMost) <= 0) return;
    const message = `the code asks for ${found} BRL, and the most that you stated is ${pixAtMost} BRL`;
    throw aboveBound(operation.id, message, found);
  }
  const asked = found === null ? 'an amount that the code does not hold' : `${found} BRL`;
  const message = `The Pix asks for ${asked} for ${price.amount} ${price.currency}, as the service says.`;
  if (!confirmPixAmount) throw aboveBound(operation.id, message, found);
  if (await confirmPixAmount(message)) return;
  throw new Failure('refused_by_review', 'not confirmed; the code was not shown', { isDeclined: true });
};

/** Where the user does not take the amount, the journal has that nobody was shown the code: a resume makes another. */
const withholding = async ({ operation }: Preparing, payment_id: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (isFailure(error) && (error.details.isDeclined || error.details.isLeftOpen))
      await operation.record({ step: 'withheld', payment_id });
    throw error;
  }
};

const receiverOf = ({ name, city }: CheckedCode): string => [name, city].filter(Boolean).join(', ');

/** A code that was shown before, to be shown again. */
export const payableAgain = (pix: PixFacts, { amount, currency }: ChargeIntent): Payable => ({
  pix,
  receiver: receiverOf(passed({ code: pix.code, txid: pix.txid, key: undefined, amount, currency })),
});

/**
 * The Pix of a new charge, checked and written down, in that order, before anybody sees it: a code that the journal does
 * not have was shown to nobody, so another can be made. Throws `refused_by_review`, `journal_unwritable`, and
 * `unexpected_answer` for a charge that is not as documented.
 */
export const payableOf = async (
  context: Preparing,
  paymentId: string,
  { amount, currency }: ChargeIntent,
  fiatTx: unknown,
): Promise<Payable> => {
  const { data: charge } = pixCharge.safeParse(fiatTx);
  if (!charge) {
    throw new Failure('unexpected_answer', `payment ${paymentId} was created without a Pix charge as documented`);
  }
  const { pixCopiaECola: code, txid, pix_key: key, calendar } = charge;
  return keepingRefusal(context.operation, paymentId, async () => {
    const checked = passed({ code, txid, key, amount, currency });
    await withholding(context, paymentId, () => assertPriceStated(context, checked, { amount, currency }));
    const expires_at = expiryOf(context.client.io, calendar.expiracao);
    const pix = { code, txid, amount: checked.amount, expires_at };
    await context.operation.record({ step: 'payable', payment_id: paymentId, ...pix });
    return { pix, receiver: receiverOf(checked) };
  });
};
