import { multiplyDecimals } from '../../../core/decimal.ts';
import type { FieldError } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { NO_CRYPTO_TX, PIX_EXPIRES_S } from '../../assumptions.ts';
import { fiatTxOf, fitsPix, newPix } from '../../charges/pix.ts';
import { isCnpj, isCpf, maskTaxId } from '../../charges/tax-id.ts';
import { putCharge } from '../../ledger/charges.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { readDisabledChains } from '../../ledger/settings.ts';
import { checkPayout } from '../../payouts/plan.ts';
import type { Services } from '../../services.ts';
import { ceilUnits, rateOf } from '../amount.ts';
import { fiatFields, type Input, type Judge, type Made } from './made.ts';

/** Pix is paid in reais: another currency is converted by the quote, rounded up to a cent. */
const centsOf = (row: PaymentRow): bigint =>
  ceilUnits(multiplyDecimals(row.amount_from, rateOf(row.from_currency_symbol, 'BRL') ?? '0'), 2);

const checkTaxId = (text: string): readonly FieldError[] =>
  isCpf(text) || isCnpj(text)
    ? []
    : [{ field: 'payer_cpf', message: 'must be a CPF or a CNPJ: its check digits are wrong' }];

const checkAmount = (row: PaymentRow): readonly FieldError[] =>
  fitsPix(centsOf(row)) ? [] : [{ field: 'amount_from', message: 'cannot be asked for by Pix' }];

const make = async (services: Services, row: PaymentRow, input: Input): Promise<Made> => {
  const now = services.clock.now();
  const pix = newPix(services.io, centsOf(row));
  return {
    change: {
      ...fiatFields(input, row.to_chain),
      payer_cpf: maskTaxId(input.payer_cpf ?? ''),
      global_payment_data: printJson({ status: 'pending' }),
    },
    also: (step) =>
      putCharge(step, {
        payment_id: row.id,
        kind: 'pix',
        details: printJson(pix),
        expires_ms: now + PIX_EXPIRES_S * 1000,
      }),
    crypto_tx: NO_CRYPTO_TX,
    fiat_tx: await fiatTxOf(pix, new Date(now).toISOString()),
  };
};

/** A payment by Pix: its payer gets a charge, its receivers are paid on their chain when that is paid. */
export const judgePixPayment: Judge = async (services, row, input) => {
  const errors = [
    ...checkTaxId(input.payer_cpf ?? ''),
    ...checkAmount(row),
    ...(await checkPayout(row, await readDisabledChains(await services.ledger()))),
  ];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, make: () => make(services, row, input) };
};
