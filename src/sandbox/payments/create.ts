import { cnpj, cpf } from 'cpf-cnpj-validator';
import type { DataOf, InputOf } from '../../contract/define.ts';
import type { transaction } from '../../contract/pay/transaction.ts';
import { multiplyDecimals } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { CRYPTO_ONLY_DATA, NO_CRYPTO_TX, NO_FIAT_TX, PIX_EXPIRES_S, TRANSACTION_SOURCE } from '../assumptions.ts';
import { applyOutcome, cardView, outcomeOf } from '../charges/card.ts';
import { fiatTxOf, fitsPix, newPix } from '../charges/pix.ts';
import type { Judged } from '../handlers/handler.ts';
import { putCharge, removeCharge } from '../ledger/charges.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Change, PaymentRow } from '../ledger/payments.ts';
import { readDisabledChains } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import { ceilUnits, rateOf } from './amount.ts';
import { judgeCrypto, type Order } from './check-transaction.ts';
import { checkPayout, sharesOf } from './receivers.ts';
import { type Unsigned, unsignedFrom, writeUnsigned } from './signed.ts';

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

/** Holds a payer transaction of one kind against its payment: how to make it. Nothing is made by judging. */
export type Judge = (services: Services, row: PaymentRow, input: Input) => Promise<Judged<() => Promise<Made>>>;

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

/** The shares of the receivers as one unsigned transaction, with the node's own nonce, gas and fees. */
const build = async (services: Services, { chain, payer, symbol, units, receivers }: Order): Promise<Unsigned> => {
  const node = await services.node(chain.name);
  const built = await node.buildTransfer({
    from: payer,
    token: symbol === chain.coin ? undefined : symbol,
    amounts: sharesOf(receivers, units),
  });
  return unsignedFrom(chain.name, built);
};

const makeCrypto = async (services: Services, input: Input, order: Order): Promise<Made> => {
  const unsigned = await build(services, order);
  return {
    change: {
      transaction_type: input.transaction_type,
      payer_email: input.payer_email,
      payer_wallet: order.payer,
      payer_token_symbol: order.symbol,
      payer_cpf: null,
      chain_name: order.chain.name,
      from_chain: order.chain.name,
      unsigned_tx: writeUnsigned(unsigned),
      global_payment_data: printJson(CRYPTO_ONLY_DATA),
    },
    also: (step) => removeCharge(step, input.payment_id),
    crypto_tx: { ...unsigned, meta: { source: TRANSACTION_SOURCE } },
    fiat_tx: NO_FIAT_TX,
  };
};

/** A payment whose payer signs. */
export const judgeCryptoPayment: Judge = async (services, row, input) => {
  const judged = await judgeCrypto(row, input, await readDisabledChains(await services.ledger()));
  return judged.ok ? { ok: true, value: () => makeCrypto(services, input, judged.value) } : judged;
};

/** Pix is paid in reais: another currency is converted by the quote, rounded up to a cent. */
const centsOf = (row: PaymentRow): bigint =>
  ceilUnits(multiplyDecimals(row.amount_from, rateOf(row.from_currency_symbol, 'BRL') ?? '0'), 2);

const checkTaxId = (text: string): readonly FieldError[] =>
  isCpf(text) || isCnpj(text)
    ? []
    : [{ field: 'payer_cpf', message: 'must be a CPF or a CNPJ: its check digits are wrong' }];

const checkAmount = (row: PaymentRow): readonly FieldError[] =>
  fitsPix(centsOf(row)) ? [] : [{ field: 'amount_from', message: 'cannot be asked for by Pix' }];

const makePix = async (services: Services, row: PaymentRow, input: Input): Promise<Made> => {
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
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: () => makePix(services, row, input) };
};

/** The card itself, its holder and the address are looked at and forgotten: no column has a place for them. */
const makeCard = async (services: Services, row: PaymentRow, input: Input): Promise<Made> => {
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
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: () => makeCard(services, row, input) };
};

/** Letters and digits of a CPF or CNPJ, without the marks that it is written with. */
const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

/** A CPF: 11 digits of which the last two are check digits. */
export const isCpf = (text: string): boolean => /^\d{11}$/.test(bare(text)) && cpf.isValid(bare(text));

/** A CNPJ: 12 digits, or letters and digits in the form of 2026, and two check digits. */
export const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}\d{2}$/.test(bare(text)) && cnpj.isValid(bare(text));

/** As answers show it: the first three and the last two places are hidden. */
export const maskTaxId = (text: string): string => {
  const id = bare(text);
  return id.length === 11
    ? `***.${id.slice(3, 6)}.${id.slice(6, 9)}-**`
    : `**.${id.slice(2, 5)}.${id.slice(5, 8)}/${id.slice(8, 12)}-**`;
};
