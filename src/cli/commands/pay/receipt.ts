import type { Review } from '../../../chain/evm/review.ts';
import type { Service } from '../../../client/service.ts';
import type { Paid } from '../../../flows/pay/run.ts';

/** Who gets what, as a receipt has it. */
export const receiversIn = ({ moves }: Pick<Review, 'moves'>) =>
  moves.map(({ to, amount, token }) => ({ wallet: to, amount, token }));

/** What a payment ends with: the fields that scripts rely on first, then what a reader wants to know. */
export const receiptOf = ({ payment_id, hash, review, payment }: Paid, { profile, kind }: Service) => ({
  payment_id,
  status: payment.status,
  tid_hash: payment.tid_hash ?? hash,
  profile,
  kind,
  chain_name: review.chain,
  payer_wallet: review.from,
  amount_from: payment['amount_from'],
  from_currency_symbol: payment['from_currency_symbol'],
  receivers: receiversIn(review),
  fee_at_most: `${review.fee.at_most} ${review.fee.coin}`,
});
