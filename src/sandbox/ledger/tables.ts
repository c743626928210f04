import type { Generated } from 'kysely';
import type { InboxTable, KycSessionTable, KycUserTable } from './identity-tables.ts';
import type { MoneyTables } from './money-tables.ts';
import type { OrderTable } from './order-table.ts';
import type { SolanaTables } from './solana-tables.ts';

/** Rows as the ledger keeps them. Objects and lists are JSON text that keeps every digit; times are ISO 8601. */
export type Tables = MoneyTables &
  SolanaTables & {
    readonly settings: { name: string; value: string };
    readonly tenants: { id: string; key_hash: string; created_at: string };
    readonly keys_without_tenant: { key_hash: string; created_at: string };
    readonly orders: OrderTable;
    readonly kyc_users: KycUserTable;
    readonly kyc_sessions: KycSessionTable;
    readonly wallet_challenges: { message: string; wallet: string; purpose: string; expires_at: string };
    readonly email_codes: { email: string; code: string; wrong_answers: number; expires_at: string };
    readonly inbox: InboxTable;
    readonly payments: PaymentTable;
    readonly payment_history: { seq: Generated<number>; payment_id: string; status: string; at: string };
  };

/** A payment: what was registered, and what its payer transaction added. */
export type PaymentTable = {
  id: string;
  tenant_id: string;
  status: string;
  executor_id: string;
  order_code: string | null;
  tenant_data: string;
  payment_method_allowed: string;
  gateway_method: string;
  split_payment_config: string;
  /** `null` until the payer transaction is created. */
  transaction_type: string | null;
  payer_email: Generated<string>;
  payer_wallet: Generated<string>;
  payer_token_symbol: string | null;
  payer_cpf: string | null;
  tid_hash: string | null;
  from_currency_symbol: string;
  to_currency_symbol: string;
  amount_from: string;
  amount_to: string;
  chain_name: Generated<string>;
  from_chain: Generated<string>;
  to_chain: string;
  on_ramp: number;
  unsigned_tx: string | null;
  signed_tx: string | null;
  global_payment_data: string;
  data_error: string | null;
  metadata: string | null;
  /** SHA-256 of the token in `session_payment`. */
  session_hash: string | null;
  created_at: string;
  updated_at: string;
};
