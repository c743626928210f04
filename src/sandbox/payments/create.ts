import { cnpj, cpf } from 'cpf-cnpj-validator';
import { EVM_CHAINS, type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import type { DataOf, InputOf } from '../../contract/define.ts';
import type { transaction } from '../../contract/pay/transaction.ts';
import { multiplyDecimals } from '../../core/decimal.ts';
import { type FieldError, isFailure } from '../../core/failure.ts';
import { parseJson, printJson } from '../../core/json.ts';
import {
  CRYPTO_ONLY_DATA,
  METHOD_OF_TYPE,
  NO_CRYPTO_TX,
  NO_FIAT_TX,
  PIX_EXPIRES_S,
  TRANSACTION_SOURCE,
} from '../assumptions.ts';
import { applyOutcome, cardView, outcomeOf } from '../charges/card.ts';
import { fiatTxOf, fitsPix, newPix } from '../charges/pix.ts';
import { type ValidationResult, wrongField } from '../handlers/handler.ts';
import { putCharge, removeCharge } from '../ledger/charges.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Change, PaymentRow } from '../ledger/payments.ts';
import { readDisabledChains } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import { ceilUnits, chainOf, decimalsOf, rateOf, symbolsOf, unitsDue } from './amount.ts';
import { checkAddress, checkPayout, checkReceivers, type Receivers, receiversOf, sharesOf } from './receivers.ts';
import { unsignedFrom } from './signed.ts';

/** The fields of create-transaction. */
export type Input = InputOf<typeof transaction>;

type Answer = DataOf<typeof transaction, 'payment_registered'>;

/** A created payer transaction: the changes of its payment, and the data for the payer. */
type CreatedTransaction = {
  readonly change: Omit<Change, 'updated_at'>;
  /** Writes further records in the same transaction as the change. */
  readonly also: (step: Ledger) => Promise<unknown>;
  readonly crypto_tx: Answer['crypto_tx'];
  readonly fiat_tx: Answer['fiat_tx'];
};

/** Validates a payer transaction against its payment. A valid result is the function that creates the transaction. */
type Validate = (
  services: Services,
  row: PaymentRow,
  input: Input,
) => Promise<ValidationResult<() => Promise<CreatedTransaction>>>;

/** The transfer that the payer must sign. */
type Transfer = {
  readonly chain: EvmChain;
  readonly payer: string;
  readonly symbol: string;
  readonly units: bigint;
  readonly receivers: Receivers;
};

const problem = (field: string, message: string): readonly FieldError[] => [{ field, message }];

const checkChain = (name: string, disabled: readonly string[]): readonly FieldError[] => {
  if (!chainOf(name)) {
    return problem('chain_name', `must be one of ${EVM_CHAINS.map((chain) => chain.name).join(', ')}`);
  }
  return disabled.includes(name) ? problem('chain_name', `the chain ${name} is not enabled`) : [];
};

/** The escrow of the bridge. The payer pays it when the receivers are on another chain. */
const BRIDGE: Receivers = [{ wallet: SANDBOX_CONTRACTS.bridge, percent: '100' }];

/** With larger amounts, shares and fees could overflow the 256-bit numbers of a contract. */
const MAX_UNITS = 2n ** 128n;

const validateAmount = (row: PaymentRow, chain: EvmChain, symbol: string): bigint | readonly FieldError[] => {
  if (!symbolsOf(chain).includes(symbol)) {
    return problem('payer_token_symbol', `must be one of ${symbolsOf(chain).join(', ')} on ${chain.name}`);
  }
  const currency = row.from_currency_symbol;
  const rate = rateOf(currency, symbol);
  if (rate === undefined) return problem('payer_token_symbol', `no exchange prices ${currency} in ${symbol}`);
  try {
    const units = unitsDue(row, symbol, decimalsOf(chain, symbol), rate);
    return units <= MAX_UNITS ? units : problem('payer_token_symbol', 'amount_from: more than a chain can hold');
  } catch (error) {
    if (isFailure(error)) return problem('payer_token_symbol', `amount_from: ${error.message}`);
    throw error;
  }
};

/** Creates the unsigned transaction with the shares of the receivers. Nonce, gas and fees come from the node. */
const createCrypto = async (services: Services, input: Input, transfer: Transfer): Promise<CreatedTransaction> => {
  const { chain, payer, symbol, units, receivers } = transfer;
  const node = await services.node(chain.name);
  const amounts = sharesOf(receivers, units);
  const unsigned = unsignedFrom(chain.name, await node.buildTransfer({ from: payer, token: symbol, amounts }));
  return {
    change: {
      transaction_type: input.transaction_type,
      payer_email: input.payer_email,
      payer_wallet: payer,
      payer_token_symbol: symbol,
      payer_cpf: null,
      chain_name: chain.name,
      from_chain: chain.name,
      unsigned_tx: printJson(unsigned),
      global_payment_data: printJson(CRYPTO_ONLY_DATA),
    },
    also: (step) => removeCharge(step, input.payment_id),
    crypto_tx: { ...unsigned, meta: { source: TRANSACTION_SOURCE } },
    fiat_tx: NO_FIAT_TX,
  };
};

/** Validates a crypto payment, which its payer signs. */
const validateCrypto: Validate = async (services, row, input) => {
  const { payer_wallet: payer = '', chain_name: name = '', payer_token_symbol: symbol = '' } = input;
  const disabled = await readDisabledChains(await services.ledger());
  const chain = chainOf(name);
  const isBridged = chain !== undefined && name !== row.to_chain;
  const units = chain ? validateAmount(row, chain, symbol) : [];
  const errors = [
    ...checkChain(name, disabled),
    ...(await checkAddress('payer_wallet', payer)),
    ...(typeof units === 'bigint' ? [] : units),
    ...(units === 0n && !isBridged ? problem('amount_from', `is less than the smallest unit of ${symbol}`) : []),
    ...(await (isBridged ? checkPayout(row, disabled) : checkReceivers(receiversOf(row), row.to_chain))),
  ];
  if (errors.length > 0 || !chain || typeof units !== 'bigint') return { ok: false, errors };
  const transfer = { chain, payer, symbol, units, receivers: isBridged ? BRIDGE : receiversOf(row) };
  return { ok: true, value: () => createCrypto(services, input, transfer) };
};

/** The payer's columns of a payment that is not crypto. They also clear the columns of an earlier crypto transaction. */
const fiatFields = (input: Input, chain: string) => ({
  transaction_type: input.transaction_type,
  payer_email: input.payer_email,
  payer_wallet: input.payer_wallet ?? '',
  payer_token_symbol: null,
  chain_name: chain,
  from_chain: '',
  unsigned_tx: null,
});

/** The amount of a payment in cents of a real, by the quote and rounded up. */
const centsOf = (row: PaymentRow): bigint =>
  ceilUnits(multiplyDecimals(row.amount_from, rateOf(row.from_currency_symbol, 'BRL') ?? '0'), 2);

const checkTaxId = (text: string): readonly FieldError[] =>
  isCpf(text) || isCnpj(text) ? [] : problem('payer_cpf', 'must be a CPF or a CNPJ: its check digits are wrong');

const checkAmount = (row: PaymentRow): readonly FieldError[] =>
  fitsPix(centsOf(row)) ? [] : problem('amount_from', 'cannot be asked for by Pix');

const createPix = async (services: Services, row: PaymentRow, input: Input): Promise<CreatedTransaction> => {
  const now = services.clock.now();
  const pix = newPix(services, centsOf(row));
  const expires_ms = now + PIX_EXPIRES_S * 1000;
  const charge = { payment_id: row.id, kind: 'pix', details: printJson(pix), expires_ms } as const;
  return {
    change: {
      ...fiatFields(input, row.to_chain),
      payer_cpf: maskTaxId(input.payer_cpf ?? ''),
      global_payment_data: printJson({ status: 'pending' }),
    },
    also: (step) => putCharge(step, charge),
    crypto_tx: NO_CRYPTO_TX,
    fiat_tx: await fiatTxOf(pix, new Date(now).toISOString()),
  };
};

/** Validates a Pix payment. The payer gets a charge. After the charge is paid, the treasury pays the receivers. */
const validatePix: Validate = async (services, row, input) => {
  const errors = [
    ...checkTaxId(input.payer_cpf ?? ''),
    ...checkAmount(row),
    ...(await checkPayout(row, await readDisabledChains(await services.ledger()))),
  ];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: () => createPix(services, row, input) };
};

/** Decides a card. The card, its holder and the address are not stored. */
const createCard = async (services: Services, row: PaymentRow, input: Input): Promise<CreatedTransaction> => {
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

/** Validates a card payment. */
const validateCard: Validate = async (services, row, input) => {
  const isOnChain = input.transaction_type === 'cardcrypto';
  const errors = isOnChain ? await checkPayout(row, await readDisabledChains(await services.ledger())) : [];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: () => createCard(services, row, input) };
};

/** The letters and digits of a CPF or CNPJ, without spaces and punctuation. */
const bare = (text: string): string => text.replaceAll(/[\s./-]/g, '').toUpperCase();

/** Whether a text is a CPF: 11 digits, of which the last two are check digits. */
const isCpf = (text: string): boolean => /^\d{11}$/.test(bare(text)) && cpf.isValid(bare(text));

/** Whether a text is a CNPJ: 12 digits, or letters and digits in the form of 2026, and two check digits. */
const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}\d{2}$/.test(bare(text)) && cnpj.isValid(bare(text));

/** A CPF or CNPJ as answers show it, with the first and the last places hidden. */
export const maskTaxId = (text: string): string => {
  const id = bare(text);
  return id.length === 11
    ? `***.${id.slice(3, 6)}.${id.slice(6, 9)}-**`
    : `**.${id.slice(2, 5)}.${id.slice(5, 8)}/${id.slice(8, 12)}-**`;
};

const VALIDATORS: Readonly<Record<Input['transaction_type'], Validate>> = {
  crypto: validateCrypto,
  pixcrypto: validatePix,
  fiatcrypto: validatePix,
  cardcrypto: validateCard,
  cardfiat: validateCard,
};

/** Validates a payer transaction against its payment. The payment must allow its method. */
export const validateTransaction: Validate = async (services, row, input) => {
  const method = METHOD_OF_TYPE[input.transaction_type];
  const allowed = parseJson(row.payment_method_allowed) as Readonly<Record<string, unknown>>;
  if (allowed[method] !== true) return wrongField('transaction_type', `the payment does not allow ${method}`);
  return VALIDATORS[input.transaction_type](services, row, input);
};
