import type { DataOf, InputOf } from '../../../contract/define.ts';
import type { transaction } from '../../../contract/pay/transaction.ts';
import type { FieldError } from '../../../core/failure.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Change, PaymentRow } from '../../ledger/payments.ts';
import type { Services } from '../../services.ts';

export type Input = InputOf<typeof transaction>;

type Answer = DataOf<typeof transaction, 'payment_registered'>;

/** What a payer transaction makes of its payment, and what the payer needs to pay it. */
export type Made = {
  readonly change: Omit<Change, 'updated_at'>;
  /** What is recorded together with the change. */
  readonly also: (step: Ledger) => Promise<unknown>;
  readonly crypto_tx: Answer['crypto_tx'];
  readonly fiat_tx: Answer['fiat_tx'];
};

/** Every field that is wrong, or how to make the transaction. Nothing is made by judging. */
export type Judged =
  | { readonly ok: false; readonly errors: readonly FieldError[] }
  | { readonly ok: true; readonly make: () => Promise<Made> };

/** Holds a payer transaction of one kind against its payment. */
export type Judge = (services: Services, row: PaymentRow, input: Input) => Promise<Judged>;

/** The payer's part of a payment that is not crypto: an earlier crypto transaction leaves nothing behind. */
export const fiatFields = (input: Input, chain: string) => ({
  transaction_type: input.transaction_type,
  payer_email: input.payer_email,
  payer_wallet: input.payer_wallet ?? '',
  payer_token_symbol: null,
  chain_name: chain,
  from_chain: '',
  unsigned_tx: null,
});
