import { WIRE_ID } from '../../../core/wire-names.ts';
import type { PixFacts } from '../../../journal/event.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import type { OperationState } from '../../../journal/operation-state.ts';

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
