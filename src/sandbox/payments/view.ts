import type { Selectable } from 'kysely';
import type { DataOf } from '../../contract/define.ts';
import type { status } from '../../contract/pay/status.ts';
import { parseJson } from '../../core/json.ts';
import type { PaymentTable } from '../ledger/ledger.ts';

type Payment = DataOf<typeof status, 'payment_found'>;

/** The value of a column with JSON text. */
const parsed = <T>(text: string | null): T => (text === null ? null : parseJson(text)) as T;

/** A payment as answers and webhooks show it. Document: Payment transaction. */
export const paymentView = (row: Selectable<PaymentTable>): Payment => ({
  ...parsed<object | null>(row.more),
  id: row.id,
  status: row.status,
  executor_id: row.executor_id,
  order_code: row.order_code,
  transaction_type: row.transaction_type,
  payer_email: row.payer_email,
  payer_wallet: row.payer_wallet,
  payer_token_symbol: row.payer_token_symbol,
  payer_cpf: row.payer_cpf,
  tid_hash: row.tid_hash,
  from_currency_symbol: row.from_currency_symbol,
  to_currency_symbol: row.to_currency_symbol,
  amount_from: row.amount_from,
  amount_to: row.amount_to,
  chain_name: row.chain_name,
  from_chain: row.from_chain,
  to_chain: row.to_chain,
  on_ramp: row.on_ramp === 1,
  split_payment_config: parsed(row.split_payment_config),
  unsigned_tx: parsed(row.unsigned_tx),
  signed_tx: row.signed_tx,
  global_payment_data: parsed(row.global_payment_data),
  data_error: parsed(row.data_error),
  metadata: parsed(row.metadata),
  created_at: row.created_at,
  updated_at: row.updated_at,
});
