import type { FieldError } from '../../core/failure.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { chainOf, decimalsOf, floorUnits, symbolsOf } from '../payments/amount.ts';
import { checkReceivers } from '../payments/receivers.ts';

/** What the treasury is to pay: `amount_to` in the target currency, on the destination chain. */
export type Plan = { readonly chain: string; readonly token: string; readonly units: bigint };

/** What is to be paid out, or every field that is wrong. */
export type Planned =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const wrong = (field: string, message: string): Planned => ({ ok: false, errors: [{ field, message }] });

/** What a payment gives its receivers when it is not their payer who pays them; or why that cannot be. */
export const planPayout = (row: PaymentRow): Planned => {
  const { to_chain, to_currency_symbol: token } = row;
  const chain = chainOf(to_chain);
  if (!chain) return wrong('to_chain', `the sandbox pays out on its EVM chains, not on ${to_chain}`);
  if (!symbolsOf(chain).includes(token)) {
    return wrong('to_currency_symbol', `must be one of ${symbolsOf(chain).join(', ')} on ${to_chain}`);
  }
  const units = floorUnits(row.amount_to, decimalsOf(chain, token));
  if (units === 0n) return wrong('amount_from', `is less than the smallest unit of ${token}`);
  return { ok: true, plan: { chain: to_chain, token, units } };
};

/** Everything that a payout depends on: the plan, its chain switched on, receivers that can be paid. */
export const checkPayout = async (row: PaymentRow, disabled: readonly string[]): Promise<readonly FieldError[]> => {
  const planned = planPayout(row);
  if (!planned.ok) return planned.errors;
  if (disabled.includes(row.to_chain)) {
    return [{ field: 'to_chain', message: `the chain ${row.to_chain} is not enabled` }];
  }
  return checkReceivers(row);
};
