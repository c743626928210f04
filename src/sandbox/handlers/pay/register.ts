import { EVM_CHAINS } from '../../../contract/chains.ts';
import type { InputOf } from '../../../contract/define.ts';
import { register as endpoint } from '../../../contract/pay/register.ts';
import { SOLANA } from '../../../contract/solana.ts';
import { compareDecimals } from '../../../core/decimal.ts';
import type { FieldError } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { CRYPTO_ONLY_DATA } from '../../assumptions.ts';
import { insertPayment } from '../../ledger/payments.ts';
import { isActiveOrder } from '../../payments/active-order.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from '../../payments/address.ts';
import { amountTo, isKnownCurrency } from '../../payments/amount.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../../solana/address.ts';
import { fail, handle, succeed } from '../handler.ts';

type Input = InputOf<typeof endpoint>;

const CHAINS: readonly string[] = [...EVM_CHAINS.map(({ name }) => name), SOLANA];

const checkCurrency = (field: string, symbol: string): readonly FieldError[] =>
  isKnownCurrency(symbol) ? [] : [{ field, message: `the sandbox's exchanges do not know ${symbol}` }];

/** Receivers are paid on `to_chain`: each must be an address of its family. An unknown chain is named instead. */
const checkReceivers = async ({ to_chain, split_payment_config: split }: Input): Promise<readonly FieldError[]> => {
  if (!CHAINS.includes(to_chain)) return [];
  const isSolana = to_chain === SOLANA;
  const message = isSolana ? NOT_A_SOLANA_ADDRESS : NOT_AN_ADDRESS;
  const checks = split.map(async ({ receiver_wallet: wallet }, at) =>
    (await (isSolana ? isSolanaAddress(wallet) : isEvmAddress(wallet)))
      ? []
      : [{ field: `split_payment_config.${at}.receiver_wallet`, message }],
  );
  return (await Promise.all(checks)).flat();
};

/** What the contract cannot know: the deployment's currencies, chains and orders. */
const problemsOf = async (input: Input, isOrder: boolean): Promise<readonly FieldError[]> => [
  ...checkCurrency('from_currency_symbol', input.from_currency_symbol),
  ...checkCurrency('to_currency_symbol', input.to_currency_symbol),
  ...(compareDecimals(input.amount_from, '0') > 0 ? [] : [{ field: 'amount_from', message: 'must be more than 0' }]),
  ...(CHAINS.includes(input.to_chain) ? [] : [{ field: 'to_chain', message: `must be one of ${CHAINS.join(', ')}` }]),
  ...(await checkReceivers(input)),
  ...(isOrder ? [] : [{ field: 'order_code', message: 'no active order has this id' }]),
];

/** POST /payment/register/intents-create-order. The id cannot be guessed. */
export const register = handle(endpoint, async ({ services, tenant }, input) => {
  const ledger = await services.ledger();
  const { order_code: code } = input;
  const isOrder = code === undefined || (await isActiveOrder(ledger, tenant, code));
  const problems = await problemsOf(input, isOrder);
  if (problems.length > 0) return fail('validation_error', 'The payment cannot be registered.', problems);
  const id = `pay_${Buffer.from(services.io.random.bytes(16)).toString('hex')}`;
  const at = services.clock.nowIso();
  const { from_currency_symbol: from, to_currency_symbol: to } = input;
  await insertPayment(ledger, {
    id,
    tenant_id: tenant,
    status: 'registered',
    // Document, Payment order: an order code makes the payment a checkout.
    executor_id: code === undefined ? input.executor_id : 'order_transaction',
    order_code: code ?? null,
    tenant_data: printJson(input.tenant_data),
    payment_method_allowed: printJson(input.payment_method_allowed),
    gateway_method: input.gateway_method,
    split_payment_config: printJson(input.split_payment_config),
    from_currency_symbol: from,
    to_currency_symbol: to,
    amount_from: input.amount_from,
    amount_to: amountTo(input.amount_from, from, to, input.to_chain),
    to_chain: input.to_chain,
    on_ramp: Number(input.on_ramp),
    global_payment_data: printJson(CRYPTO_ONLY_DATA),
    created_at: at,
    updated_at: at,
  });
  return succeed('payment_registered', 'The payment was registered.', { payment_id: id });
});
