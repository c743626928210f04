import { CHAIN_NAMES } from '../../contract/chains.ts';
import type { InputOf } from '../../contract/define.ts';
import { execute } from '../../contract/pay/execute.ts';
import { register } from '../../contract/pay/register.ts';
import { EXECUTABLE_STATUSES, PAYMENT_METHODS } from '../../contract/pay/shared.ts';
import { payment, status } from '../../contract/pay/status.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { compareDecimals } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { CRYPTO_ONLY_DATA, NO_DATA_YET } from '../assumptions.ts';
import { type GateVerdict, identityGate } from '../identity/session.ts';
import { isActiveOrder } from '../ledger/orders.ts';
import { findPayment, insertPayment, type PaymentRow } from '../ledger/payments.ts';
import { hashOf } from '../ledger/tenants.ts';
import { amountTo, isKnownCurrency } from '../payments/amount.ts';
import { type Input as TransactionInput, validateTransaction } from '../payments/create.ts';
import { executePayment } from '../payments/execute.ts';
import { checkReceivers, receiversIn } from '../payments/receivers.ts';
import { movePayment, queueFor, settle } from '../payments/settle.ts';
import { paymentView } from '../payments/view.ts';
import type { Services } from '../services.ts';
import { fail, handle, succeed } from './handler.ts';

type Registration = InputOf<typeof register>;

const CHAINS: readonly string[] = CHAIN_NAMES;

const checkCurrency = (field: string, symbol: string): readonly FieldError[] =>
  isKnownCurrency(symbol) ? [] : [{ field, message: `no exchange of the sandbox lists ${symbol}` }];

/** Checks `to_chain`, and that it can pay the receivers. */
const checkChain = async ({ to_chain, split_payment_config }: Registration): Promise<readonly FieldError[]> =>
  CHAINS.includes(to_chain)
    ? checkReceivers(receiversIn(split_payment_config), to_chain)
    : [{ field: 'to_chain', message: `must be one of ${CHAINS.join(', ')}` }];

/** The checks that the contract cannot do: currencies, chains and orders of the deployment. */
const problemsOf = async (input: Registration, isOrder: boolean): Promise<readonly FieldError[]> => [
  ...checkCurrency('from_currency_symbol', input.from_currency_symbol),
  ...checkCurrency('to_currency_symbol', input.to_currency_symbol),
  ...(compareDecimals(input.amount_from, '0') > 0 ? [] : [{ field: 'amount_from', message: 'must be more than 0' }]),
  ...(await checkChain(input)),
  ...(isOrder ? [] : [{ field: 'order_code', message: 'no active order has this id' }]),
];

/** Fields of a registration that have no column. The status of the payment shows them unchanged. */
const fieldsWithoutColumn = (input: Registration, columns: object) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in payment.shape && !(name in columns)));

/** Whether crypto is the only allowed method. */
const isCryptoOnly = ({ payment_method_allowed: allowed }: Registration): boolean =>
  PAYMENT_METHODS.every((method) => method === 'crypto' || allowed[method] !== true);

const REFUSALS = {
  kyc_verification_required: 'The payer has to be verified before this kind of payment.',
  kyc_not_approved: "The payer's verification is not approved.",
} as const;

const wrongPayment = (message: string) =>
  fail('validation_error', 'The transaction cannot be created.', [{ field: 'payment_id', message }]);

/**
 * The result of the KYC check. A checkout and a crypto payment need no KYC. Document: KYC/KYB rules for transaction
 * creation.
 */
const checkKyc = async (services: Services, row: PaymentRow, input: TransactionInput): Promise<GateVerdict> =>
  row.executor_id === 'order_transaction' || input.transaction_type === 'crypto'
    ? 'approved'
    : identityGate(services, { email: input.payer_email, wallet: input.payer_wallet });

/** The handlers of payments: registration, payer transaction, execution and status. */
export const PAY_HANDLERS = {
  /** POST /payment/register/intents-create-order. The payment id is random: nobody can guess it. */
  [register.id]: handle(register, async ({ services, tenant }, input) => {
    const ledger = await services.ledger();
    const { order_code: code } = input;
    const isOrder = code === undefined || (await isActiveOrder(ledger, tenant, code));
    const problems = await problemsOf(input, isOrder);
    if (problems.length > 0) return fail('validation_error', 'The payment cannot be registered.', problems);
    const id = `pay_${Buffer.from(services.random.bytes(16)).toString('hex')}`;
    const at = services.clock.nowIso();
    const { from_currency_symbol: from, to_currency_symbol: to } = input;
    const columns = {
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
      global_payment_data: printJson(isCryptoOnly(input) ? CRYPTO_ONLY_DATA : NO_DATA_YET),
      created_at: at,
      updated_at: at,
    };
    await insertPayment(ledger, { ...columns, more: printJson(fieldsWithoutColumn(input, columns)) });
    return succeed('payment_registered', 'The payment was registered.', { payment_id: id });
  }),
  /** POST /payment/register/intents-create-transaction. Assumption: repeats are allowed until the payment is executed. */
  [transaction.id]: handle(transaction, async ({ services, tenant }, input) => {
    const row = await findPayment(await services.ledger(), tenant, input.payment_id);
    if (!row) return wrongPayment('there is no such payment');
    if (!EXECUTABLE_STATUSES.includes(row.status)) return wrongPayment(`the payment is ${row.status}`);
    const validated = await validateTransaction(services, row, input);
    if (!validated.ok) return fail('validation_error', 'The transaction cannot be created.', validated.errors);
    const verdict = await checkKyc(services, row, input);
    if (verdict !== 'approved') return fail(verdict, REFUSALS[verdict]);
    const { change, also, crypto_tx, fiat_tx } = await validated.value();
    const token = Buffer.from(services.random.bytes(24)).toString('base64url');
    const expected = { id: row.id, statuses: EXECUTABLE_STATUSES };
    if (!(await movePayment(services, expected, { ...change, session_hash: hashOf(token) }, also))) {
      return wrongPayment('the payment has moved on');
    }
    return succeed('payment_registered', 'The payer transaction was created.', {
      payment_id: row.id,
      session_payment: `${services.url()}/pay/${row.id}?token=${token}`,
      crypto_tx,
      fiat_tx,
    });
  }),
  /** POST /payment/execute/on-chain. The executions of one payer on one chain run one after the other. */
  [execute.id]: handle(execute, async ({ services, tenant }, { payment_id, signed_transaction }) => {
    const row = await findPayment(await services.ledger(), tenant, payment_id);
    if (!row) return fail('payment_not_found', 'There is no such payment.');
    const executed = await services.inTurn(queueFor(row), () =>
      executePayment(services, tenant, payment_id, signed_transaction, settle),
    );
    if (executed.status === 'payment_received') {
      return succeed('payment_received', 'The payment was received; the bridge pays out on the destination chain.', {
        id: payment_id,
        tx_hash: executed.hash,
      });
    }
    if (executed.status !== 'payment_confirmed') return fail(executed.status, executed.message);
    return succeed('payment_confirmed', 'The payment was confirmed on its chain.', {
      id: payment_id,
      tid_hash: executed.hash,
    });
  }),
  /** GET /payment/{id}/status. Assumption: 404 `payment_not_found` for an unknown id, and for another tenant's payment. */
  [status.id]: handle(status, async ({ services, tenant }, { id }) => {
    const row = await findPayment(await services.ledger(), tenant, id);
    if (!row) return fail('payment_not_found', 'There is no such payment.');
    return succeed('payment_found', 'The payment was found.', paymentView(row));
  }),
};
