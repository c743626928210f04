import { EVM_CHAINS, findEvmChain } from '../../contract/chains.ts';
import { release, trigger } from '../../contract/control/payments.ts';
import { type DataOf, type Endpoint, type InputOf, validate } from '../../contract/define.ts';
import type { EndpointId } from '../../contract/index.ts';
import { register } from '../../contract/pay/register.ts';
import type { PaymentStatus } from '../../contract/pay/shared.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { parseDecimal, toUnits } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import { FIRST_TENANT, FUND_COIN } from '../assumptions.ts';
import type { EvmNode } from '../chains/node.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { HANDLERS } from '../handlers/table.ts';
import { anyPayment } from '../ledger/charges.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { readDisabledChains } from '../ledger/settings.ts';
import { executePayment } from '../payments/execute.ts';
import { type PaymentInProgress, queueFor, settle, settleSaved } from '../payments/settle.ts';
import { readUnsigned, type UnsignedTransaction } from '../payments/signed.ts';
import { signTransfer } from '../payouts/worker.ts';
import type { Services } from '../services.ts';
import { handleControl, invalid } from './handler.ts';

type TriggerInput = InputOf<typeof trigger>;

const TOKEN = 'USDT';

/** Maps fields of the service's requests to the trigger's own fields, for its error messages. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  'tenant_data.webhook_url': 'webhook_url',
  amount_from: 'amount',
  payer_token_symbol: 'amount',
  chain_name: 'chain',
  to_chain: 'chain',
};

const refused = ({
  errors,
  message,
}: {
  readonly errors?: readonly FieldError[] | undefined;
  readonly message: string;
}) => {
  const [first] = errors ?? [];
  return invalid(OWN_FIELDS[first?.field ?? ''] ?? 'state', first?.message ?? message);
};

/** Runs an endpoint of the service like a request of the first tenant: its checks, then its handler. */
const request = async (services: Services, endpoint: Endpoint, fields: Readonly<Record<string, unknown>>) => {
  const checked = validate(endpoint, fields);
  if (!checked.ok) return fail('validation_error', 'A field is wrong.', checked.problems);
  const handler = HANDLERS[endpoint.id as EndpointId];
  return handler.run({ services, tenant: FIRST_TENANT }, checked.input as never);
};

/** A payer for one payment. Its key is not stored. */
type Payer = { readonly key: string; readonly address: string };

const newPayer = async ({ random }: Services): Promise<Payer> => {
  const { computeAddress } = await import('ethers/transaction');
  const key = `0x${Buffer.from(random.bytes(32)).toString('hex')}`;
  return { key, address: computeAddress(key) };
};

/** The chain of the receivers. The state `received` needs another one than that of the payer, so that the bridge pays. */
const receiverChain = ({ state, chain }: TriggerInput, disabled: readonly string[]): string => {
  const other = EVM_CHAINS.find(({ name }) => name !== chain && !disabled.includes(name))?.name;
  return state === 'received' ? (other ?? chain) : chain;
};

/** The problem of an amount with more decimals than the chain's token; `undefined` for a good amount. */
const problemOfAmount = ({ amount, chain }: TriggerInput): string | undefined => {
  const decimals = findEvmChain(chain)?.tokens[TOKEN].decimals ?? 0;
  return parseDecimal(amount).scale > decimals ? `must have at most ${decimals} decimals` : undefined;
};

const registrationOf = ({ amount, webhook_url }: TriggerInput, to_chain: string) => ({
  ...register.example,
  tenant_data: { ...register.example.tenant_data, webhook_url },
  from_currency_symbol: TOKEN,
  amount_from: amount,
  to_currency_symbol: TOKEN,
  to_chain,
});

const transactionOf = (payment_id: string, { chain }: TriggerInput, payer: Payer) => ({
  payment_id,
  transaction_type: 'crypto',
  payer_email: 'payer@example.com',
  payer_wallet: payer.address,
  chain_name: chain,
  payer_token_symbol: TOKEN,
});

const signPayment = ({ transactionRequest }: UnsignedTransaction, payer: Payer): Promise<string> => {
  const { value, gasLimit, maxPriorityFeePerGas, maxFeePerGas, ...rest } = transactionRequest;
  const numbers = {
    value: BigInt(digitsOf(value) ?? '0'),
    gasLimit: BigInt(gasLimit),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    maxFeePerGas: BigInt(maxFeePerGas),
  };
  return signTransfer({ ...rest, ...numbers }, payer.key);
};

/** Sends 0 coin from the payer to itself. This uses the nonce of the payer's signed payment. */
const useNonce = async (node: EvmNode, { key, address }: Payer): Promise<void> => {
  const amounts = [{ to: address, units: 0n }];
  const sent = await node.send(
    await signTransfer(await node.buildTransfer({ from: address, token: undefined, amounts }), key),
  );
  if (!sent.ok) throw new Error(`the node refused a transfer of a new payer: ${sent.message}`);
};

/** For each state, the result of execute that puts a payment into it. */
const ENDS = {
  retry: 'stale_transaction_nonce',
  processing: 'withheld',
  received: 'payment_received',
  success: 'payment_confirmed',
  error: 'payment_failed',
} as const satisfies Readonly<Record<Exclude<PaymentStatus, 'registered'>, string>>;

type Finish = (services: Services, payment: PaymentInProgress) => Promise<{ readonly status: string }>;

/** Sends nothing after the signed transaction is saved. The payment is then as after a crash at this point. */
const withhold: Finish = async () => ({ status: 'withheld' });

/**
 * Funds the payer, signs its transaction and executes it. For `error` the payer gets no tokens, so the transfer
 * reverts.
 */
const execute = async (services: Services, row: PaymentRow, state: keyof typeof ENDS, payer: Payer): Promise<void> => {
  const unsigned = readUnsigned(row.unsigned_tx ?? '');
  const node = await services.node(unsigned.chain_name);
  await node.fund(payer.address, undefined, toUnits(FUND_COIN, node.tokenDecimals(undefined)));
  if (state !== 'error') {
    await node.fund(payer.address, TOKEN, toUnits(row.amount_from, node.tokenDecimals(TOKEN)));
  }
  if (state === 'retry') await useNonce(node, payer);
  const raw = await signPayment(unsigned, payer);
  const finish: Finish = state === 'processing' ? withhold : settle;
  const ended = await services.inTurn(queueFor(row), () =>
    executePayment(services, row.tenant_id, row.id, raw, finish),
  );
  if (ended.status !== ENDS[state])
    throw new Error(`${row.id} did not come to ${state}: execute ended with ${ended.status}`);
};

const rowOf = async (services: Services, id: string): Promise<PaymentRow> => {
  const row = await anyPayment(await services.ledger(), id);
  if (!row) throw new Error(`the payment ${id} is gone`);
  return row;
};

const viewOf = ({ id, status, tid_hash }: PaymentRow) => ({ payment_id: id, status, tid_hash });

/** The handlers that put a payment into a state. They run the code of requests and write no rows themselves. */
export const PAYMENT_HANDLERS = {
  [trigger.id]: handleControl(trigger, async ({ services }, input) => {
    const wrongAmount = problemOfAmount(input);
    if (wrongAmount !== undefined) return invalid('amount', wrongAmount);
    const disabled = await readDisabledChains(await services.ledger());
    if (disabled.includes(input.chain)) return fail('invalid_chain', `The chain ${input.chain} is not enabled.`);
    const registered = await request(services, register, registrationOf(input, receiverChain(input, disabled)));
    if (!registered.ok) return refused(registered);
    const { payment_id: id } = registered.data as DataOf<typeof register, 'payment_registered'>;
    const { state } = input;
    if (state !== 'registered') {
      const payer = await newPayer(services);
      const created = await request(services, transaction, transactionOf(id, input, payer));
      if (!created.ok) return refused(created);
      await execute(services, await rowOf(services, id), state, payer);
    }
    return succeed('payment_triggered', `The payment was brought to ${state}.`, viewOf(await rowOf(services, id)));
  }),
  [release.id]: handleControl(release, async ({ services }, { payment_id: id }) => {
    const row = await anyPayment(await services.ledger(), id);
    if (!row) return fail('payment_not_found', 'There is no such payment.');
    if (row.status !== 'processing' || row.signed_tx === null) {
      return fail('invalid_payment_status', `The payment is ${row.status} and has no transaction that waits.`);
    }
    await settleSaved(services, row);
    return succeed('payment_released', 'The saved transaction was sent.', viewOf(await rowOf(services, id)));
  }),
};
