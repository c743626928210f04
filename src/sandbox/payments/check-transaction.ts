import { EVM_CHAINS, type EvmChain } from '../../contract/chains.ts';
import type { FieldError } from '../../core/failure.ts';
import { isFailure } from '../../core/failure.ts';
import { digitsOf, parseJson } from '../../core/json.ts';
import { METHOD_OF_TYPE, SANDBOX_TRANSACTION_TYPES } from '../assumptions.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from './address.ts';
import { rateOf, unitsDue } from './amount.ts';
import { chainOf, decimalsOf, symbolsOf } from './token.ts';

/** The fields of create-transaction that a crypto payment uses. */
export type CryptoInput = {
  readonly transaction_type: keyof typeof METHOD_OF_TYPE;
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
  readonly receivers: readonly { readonly wallet: string; readonly percent: string }[];
};

export type Judged =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const problem = (field: string, message: string): readonly FieldError[] => [{ field, message }];

const checkMethod = (row: PaymentRow, type: CryptoInput['transaction_type']): readonly FieldError[] => {
  const method = METHOD_OF_TYPE[type];
  const allowed = parseJson(row.payment_method_allowed) as Readonly<Record<string, unknown>>;
  if (allowed[method] !== true) return problem('transaction_type', `the payment does not allow ${method}`);
  if (SANDBOX_TRANSACTION_TYPES.includes(type)) return [];
  return problem('transaction_type', `this version of the sandbox has no ${type} payments yet`);
};

const checkChain = (row: PaymentRow, name: string, disabled: readonly string[]): readonly FieldError[] => {
  if (!chainOf(name)) {
    return problem('chain_name', `must be one of ${EVM_CHAINS.map((chain) => chain.name).join(', ')}`);
  }
  if (disabled.includes(name)) return problem('chain_name', `the chain ${name} is not enabled`);
  if (name === row.to_chain) return [];
  return problem(
    'chain_name',
    `must be ${row.to_chain}: this version of the sandbox has no payments across chains yet`,
  );
};

const checkAddress = async (field: string, address: string): Promise<readonly FieldError[]> =>
  (await isEvmAddress(address)) ? [] : problem(field, NOT_AN_ADDRESS);

const receiversOf = (row: PaymentRow): Order['receivers'] =>
  (parseJson(row.split_payment_config) as readonly { receiver_wallet: string; receiver_percent: unknown }[]).map(
    ({ receiver_wallet, receiver_percent }) => ({ wallet: receiver_wallet, percent: digitsOf(receiver_percent) ?? '' }),
  );

/** Above it shares and fees would overflow the 256 bits of a contract's numbers. */
const LARGEST_UNITS = 2n ** 128n;

const judgeAmount = (row: PaymentRow, chain: EvmChain, symbol: string): bigint | readonly FieldError[] => {
  if (!symbolsOf(chain).includes(symbol)) {
    return problem('payer_token_symbol', `must be one of ${symbolsOf(chain).join(', ')} on ${chain.name}`);
  }
  const due = {
    amount: row.amount_from,
    currency: row.from_currency_symbol,
    token: symbol,
    decimals: decimalsOf(chain, symbol),
  };
  const rate = rateOf(due.currency, symbol);
  if (rate === undefined) return problem('payer_token_symbol', `no exchange prices ${due.currency} in ${symbol}`);
  try {
    const units = unitsDue(due, rate);
    return units <= LARGEST_UNITS ? units : problem('payer_token_symbol', 'amount_from: more than a chain can hold');
  } catch (error) {
    if (isFailure(error)) return problem('payer_token_symbol', `amount_from: ${error.message}`);
    throw error;
  }
};

/** Holds a payer transaction of type `crypto` against its payment: every wrong field at once, or what is to be paid. */
export const judgeCrypto = async (
  row: PaymentRow,
  input: CryptoInput,
  disabled: readonly string[],
): Promise<Judged> => {
  const method = checkMethod(row, input.transaction_type);
  if (method.length > 0) return { ok: false, errors: method };
  const { payer_wallet: payer = '', chain_name: name = '', payer_token_symbol: symbol = '' } = input;
  const receivers = receiversOf(row);
  const chain = chainOf(name);
  const units = chain ? judgeAmount(row, chain, symbol) : [];
  const wallets = receivers.map(({ wallet }, index) =>
    checkAddress(`split_payment_config.${index}.receiver_wallet`, wallet),
  );
  const errors = [
    ...checkChain(row, name, disabled),
    ...(await checkAddress('payer_wallet', payer)),
    ...(typeof units === 'bigint' ? [] : units),
    ...(await Promise.all(wallets)).flat(),
  ];
  if (errors.length > 0 || !chain || typeof units !== 'bigint') return { ok: false, errors };
  return { ok: true, order: { chain, payer, symbol, units, receivers } };
};
