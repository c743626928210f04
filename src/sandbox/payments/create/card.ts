import { NO_CRYPTO_TX } from '../../assumptions.ts';
import { cardView, outcomeOf } from '../../charges/card.ts';
import { applyOutcome } from '../../charges/settle-card.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { readDisabledChains } from '../../ledger/settings.ts';
import { checkPayout } from '../../payouts/plan.ts';
import type { Services } from '../../services.ts';
import { fiatFields, type Input, type Judge, type Made } from './made.ts';

/** The card itself, its holder and the address are looked at and forgotten: no column has a place for them. */
const make = async (services: Services, row: PaymentRow, input: Input): Promise<Made> => {
  const type = input.transaction_type;
  const outcome = outcomeOf(input.card_data ?? {});
  const { status, charges } = cardView(row, outcome);
  const { change, also } = applyOutcome(row, type, outcome, services.clock.now());
  return {
    change: { ...fiatFields(input, type === 'cardcrypto' ? row.to_chain : ''), payer_cpf: null, ...change },
    also,
    crypto_tx: NO_CRYPTO_TX,
    fiat_tx: { status, charges },
  };
};

/** A payment by card: approved, refused or left to the control, by its test token. */
export const judgeCardPayment: Judge = async (services, row, input) => {
  const isOnChain = input.transaction_type === 'cardcrypto';
  const errors = isOnChain ? await checkPayout(row, await readDisabledChains(await services.ledger())) : [];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, make: () => make(services, row, input) };
};
