import type { Review } from '../../../chain/evm/review.ts';
import type { Service } from '../../../client/service.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { Paid } from '../../../flows/pay/run.ts';
import type { PixFacts } from '../../../journal/event.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import type { DeclaredFields } from '../../../output/render.ts';

type ChargeEnd = {
  readonly payment_id: string | null;
  readonly status: string;
  readonly tid_hash: string | null;
  readonly pix: PixFacts | undefined;
};

/** The receipt of a payment by Pix or card. The fields that scripts rely on come first. */
export const chargeReceipt = (
  { id, started }: Pick<OperationState, 'id' | 'started'>,
  intent: ChargeIntent,
  { payment_id, status, tid_hash, pix }: ChargeEnd,
) => ({
  payment_id,
  status,
  tid_hash,
  profile: started.profile,
  kind: started.kind,
  [WIRE_ID]: id,
  transaction_type: intent.type,
  amount_from: intent.amount,
  from_currency_symbol: intent.currency,
  to_currency_symbol: intent.to_currency,
  to_chain: intent.chain,
  receivers: intent.receivers,
  ...(pix && { pix_code: pix.code, pix_txid: pix.txid, pix_amount: pix.amount, expires_at: pix.expires_at }),
});

/** The receivers of a payment for its receipt. */
export const receiversIn = ({ moves }: Pick<Review, 'moves'>) =>
  moves.map(({ to, amount, token }) => ({ wallet: to, amount, token }));

/** Every field of a receipt, for all methods and also for a resumed payment. */
const FIELDS: Readonly<
  Record<
    keyof ReturnType<typeof receiptOf> | keyof ReturnType<typeof chargeReceipt> | typeof WIRE_ID | 'next' | 'warnings',
    true
  >
> = {
  ...{ payment_id: true, status: true, tid_hash: true, profile: true, kind: true, [WIRE_ID]: true },
  ...{ chain_name: true, payer_wallet: true, amount_from: true, from_currency_symbol: true, receivers: true },
  ...{ fee_at_most: true, transaction_type: true, to_currency_symbol: true, to_chain: true, next: true },
  ...{ pix_code: true, pix_txid: true, pix_amount: true, expires_at: true, warnings: true },
};

/** The fields of a receipt that `--fields` accepts. */
export const receiptFields = (): DeclaredFields => ({ names: Object.keys(FIELDS), isOpen: false });

/** The receipt of a payment in crypto. The fields that scripts rely on come first. */
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
