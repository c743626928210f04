import { parseJson, printJson } from '../../core/json.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { convert, rateOf } from '../payments/amount.ts';
import { receiversOf } from '../payments/receivers.ts';

const PIX_TYPES = ['pixcrypto', 'fiatcrypto'];

const fieldsOf = (text: string): Readonly<Record<string, unknown>> => parseJson(text) as Record<string, unknown>;

/** Assumption: of several receivers the first is named, and the amount is that of all. */
const pixData = (payment: PaymentRow, hash: string) => ({
  ...fieldsOf(payment.global_payment_data),
  crypto_payment_details: {
    chain_name: payment.to_chain,
    amount_usdt: convert(
      payment.amount_to,
      payment.to_currency_symbol,
      'USDT',
      rateOf(payment.to_currency_symbol, 'USDT') ?? '1',
    ),
    receiver_wallet: receiversOf(payment)[0]?.wallet ?? '',
    transaction_hash: hash,
  },
});

/** What a payment becomes when its receivers were paid by the treasury. */
export const settledChange = (payment: PaymentRow, hash: string) => {
  const type = payment.transaction_type ?? '';
  if (type === 'crypto') {
    // The payer's own transaction stays in `tid_hash`.
    const metadata = printJson({ bridge: { chain_name: payment.to_chain, transaction_hash: hash } });
    return { status: 'success', metadata };
  }
  const paid = { status: 'success', tid_hash: hash };
  return PIX_TYPES.includes(type) ? { ...paid, global_payment_data: printJson(pixData(payment, hash)) } : paid;
};
