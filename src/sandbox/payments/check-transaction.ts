import { EVM_CHAINS, type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { type FieldError, isFailure } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { METHOD_OF_TYPE } from '../assumptions.ts';
import type { Judged } from '../handlers/handler.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { chainOf, decimalsOf, rateOf, symbolsOf, unitsDue } from './amount.ts';
import { checkAddress, checkPayout, checkReceivers, type Receivers, receiversOf } from './receivers.ts';

/** The fields of create-transaction that a crypto payment uses. */
type CryptoInput = {
  readonly payer_wallet?: string | undefined;
  readonly chain_name?: string | undefined;
  readonly payer_token_symbol?: string | undefined;
};

/** What the payer is to pay. */
export type Order = {
  readonly chain: EvmChain;
  readonly payer: string;
  readonly symbol: string;
  readonly units: bigint;
  readonly receivers: Receivers;
};

const problem = (field: string, message: string): readonly FieldError[] => [{ field, message }];

/** A payment is paid by a method that it allows. */
export const checkMethod = (row: PaymentRow, type: keyof typeof METHOD_OF_TYPE): readonly FieldError[] => {
  const method = METHOD_OF_TYPE[type];
  const allowed = parseJson(row.payment_method_allowed) as Readonly<Record<string, unknown>>;
  return allowed[method] === true ? [] : problem('transaction_type', `the payment does not allow ${method}`);
};

const checkChain = (name: string, disabled: readonly string[]): readonly FieldError[] => {
  if (!chainOf(name)) {
    return problem('chain_name', `must be one of ${EVM_CHAINS.map((chain) => chain.name).join(', ')}`);
  }
  return disabled.includes(name) ? problem('chain_name', `the chain ${name} is not enabled`) : [];
};

/** The bridge's escrow, to which the payer pays when the receivers are on another chain. */
const BRIDGE: Receivers = [{ wallet: SANDBOX_CONTRACTS.bridge, percent: '100' }];

/** Above it shares and fees would overflow the 256 bits of a contract's numbers. */
const LARGEST_UNITS = 2n ** 128n;

const judgeAmount = (row: PaymentRow, chain: EvmChain, symbol: string): bigint | readonly FieldError[] => {
  if (!symbolsOf(chain).includes(symbol)) {
    return problem('payer_token_symbol', `must be one of ${symbolsOf(chain).join(', ')} on ${chain.name}`);
  }
  const currency = row.from_currency_symbol;
  const rate = rateOf(currency, symbol);
  if (rate === undefined) return problem('payer_token_symbol', `no exchange prices ${currency} in ${symbol}`);
  try {
    const units = unitsDue(row, symbol, decimalsOf(chain, symbol), rate);
    return units <= LARGEST_UNITS ? units : problem('payer_token_symbol', 'amount_from: more than a chain can hold');
  } catch (error) {
    if (isFailure(error)) return problem('payer_token_symbol', `amount_from: ${error.message}`);
    throw error;
  }
};

/** Compares a payer transaction of type `crypto` with its payment: all wrong fields, or the amount to pay. */
export const judgeCrypto = async (
  row: PaymentRow,
  input: CryptoInput,
  disabled: readonly string[],
): Promise<Judged<Order>> => {
  const { payer_wallet: payer = '', chain_name: name = '', payer_token_symbol: symbol = '' } = input;
  const chain = chainOf(name);
  const isBridged = chain !== undefined && name !== row.to_chain;
  const units = chain ? judgeAmount(row, chain, symbol) : [];
  const errors = [
    ...checkChain(name, disabled),
    ...(await checkAddress('payer_wallet', payer)),
    ...(typeof units === 'bigint' ? [] : units),
    ...(units === 0n && !isBridged ? problem('amount_from', `is less than the smallest unit of ${symbol}`) : []),
    ...(await (isBridged ? checkPayout(row, disabled) : checkReceivers(row))),
  ];
  if (errors.length > 0 || !chain || typeof units !== 'bigint') return { ok: false, errors };
  return { ok: true, value: { chain, payer, symbol, units, receivers: isBridged ? BRIDGE : receiversOf(row) } };
};
