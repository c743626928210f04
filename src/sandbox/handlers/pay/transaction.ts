import type { InputOf } from '../../../contract/define.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { transaction as endpoint } from '../../../contract/pay/transaction.ts';
import { splitUnits } from '../../../core/decimal.ts';
import { NO_FIAT_TX, TRANSACTION_SOURCE } from '../../assumptions.ts';
import { changePayment, findPayment } from '../../ledger/payments.ts';
import { readDisabledChains } from '../../ledger/settings.ts';
import { hashOf } from '../../ledger/tenants.ts';
import { judgeCrypto, type Order } from '../../payments/check-transaction.ts';
import { type Unsigned, unsignedFrom, writeUnsigned } from '../../payments/unsigned.ts';
import type { Services } from '../../services.ts';
import { fail, handle, succeed } from '../handler.ts';

type Input = InputOf<typeof endpoint>;

const wrongPayment = (message: string) =>
  fail('validation_error', 'The transaction cannot be created.', [{ field: 'payment_id', message }]);

/** The shares of the receivers as one unsigned transaction, with the node's own nonce, gas and fees. */
const build = async (services: Services, { chain, payer, symbol, units, receivers }: Order): Promise<Unsigned> => {
  const shares = splitUnits(
    units,
    receivers.map(({ percent }) => percent),
  );
  const node = await services.node(chain.name);
  const built = await node.buildTransfer({
    from: payer,
    token: symbol === chain.coin ? undefined : symbol,
    amounts: receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n })),
  });
  return unsignedFrom(chain.name, built);
};

/** Stores the payer transaction in the place of an earlier one; `false` when the payment has moved on meanwhile. */
const store = async (
  services: Services,
  input: Input,
  { chain, payer, symbol }: Order,
  unsigned: Unsigned,
  token: string,
) =>
  changePayment(
    await services.ledger(),
    { id: input.payment_id, statuses: EXECUTABLE_STATUSES },
    {
      transaction_type: input.transaction_type,
      payer_email: input.payer_email,
      payer_wallet: payer,
      payer_token_symbol: symbol,
      chain_name: chain.name,
      from_chain: chain.name,
      unsigned_tx: writeUnsigned(unsigned),
      session_hash: hashOf(token),
      updated_at: services.clock.nowIso(),
    },
  );

/** POST /payment/register/intents-create-transaction. Assumption: it may be repeated until the payment is executed. */
export const transaction = handle(endpoint, async ({ services, tenant }, input) => {
  const ledger = await services.ledger();
  const row = await findPayment(ledger, tenant, input.payment_id);
  if (!row) return wrongPayment('there is no such payment');
  if (!EXECUTABLE_STATUSES.includes(row.status)) return wrongPayment(`the payment is ${row.status}`);
  const judged = await judgeCrypto(row, input, await readDisabledChains(ledger));
  if (!judged.ok) return fail('validation_error', 'The transaction cannot be created.', judged.errors);
  const unsigned = await build(services, judged.order);
  const token = Buffer.from(services.io.random.bytes(24)).toString('base64url');
  if (!(await store(services, input, judged.order, unsigned, token))) return wrongPayment('the payment has moved on');
  return succeed('payment_registered', 'The payer transaction was created.', {
    payment_id: row.id,
    session_payment: `${services.url()}/pay/${row.id}?token=${token}`,
    crypto_tx: { ...unsigned, meta: { source: TRANSACTION_SOURCE } },
    fiat_tx: NO_FIAT_TX,
  });
});
