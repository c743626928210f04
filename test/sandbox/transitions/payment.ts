import { SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { raw as rawAnswer, startServer } from '../../support/server.ts';
import { cardFields, create, FIAT_ORDER, PIX, until, whenStatus } from '../money.ts';
import { createTransaction, execute, type Fields, payable, prepare, register, statusOf, toSign } from '../payer.ts';
import type { TestSandbox } from '../sandbox.ts';
import { historyOf, startOne, startWithPayment, statesAroundRejectedExecute, type Transition } from './transition.ts';

const step = (
  [from, to, trigger]: readonly [string, string, string],
  source: Transition['source'],
  by: string,
  observe: () => Promise<readonly string[]>,
): Transition => ({ machine: 'payment', from, to, trigger, source, by, observe });

/** A payment in `retry`, because another payment used its nonce. */
const makeRetry = async (client: TestSandbox, order: Fields = {}) => {
  const first = await payable(client);
  const { id, raw, payer } = await prepare(client, { payer: first.payer, order });
  await execute(client, first.id, first.raw);
  await execute(client, id, raw);
  return { id, payer };
};

const payOnChain = async (order: Fields, token?: string): Promise<readonly string[]> => {
  const client = await startOne();
  const { id, raw } = await payable(client, { order, token });
  await execute(client, id, raw);
  if (order['to_chain']) await whenStatus(client, id, 'success');
  return historyOf(client, id);
};

/** Checks that the webhook of `processing` has the signed transaction. */
const webhookHasSigned = async (): Promise<readonly string[]> => {
  const { url, received } = await startServer(rawAnswer(200, ''));
  const client = await startOne();
  const tenant_data = { public_client_id: `client_${'0a'.repeat(16)}`, webhook_url: url };
  const { id, raw } = await payable(client, { order: { tenant_data } });
  await execute(client, id, raw);
  const payment = await until(() =>
    received.map(({ body }) => JSON.parse(body).data).find(({ status }) => status === 'processing'),
  );
  return payment.signed_tx === raw ? ['processing', 'processing'] : ['processing', `without ${raw}`];
};

const payAfterRetry = async (): Promise<readonly string[]> => {
  const client = await startOne();
  const { id, payer } = await makeRetry(client);
  const again = await createTransaction(client, { payment_id: id, payer_wallet: payer.address });
  await execute(client, id, await payer.signTransaction(toSign(again.body.data.crypto_tx.transactionRequest)));
  return historyOf(client, id);
};

const pix = async (outcome: 'pay' | 'refuse' | 'expire', client?: TestSandbox, payment_id?: string) => {
  const sandbox = client ?? (await startOne());
  const id = payment_id ?? (await create(sandbox, PIX)).id;
  await sandbox.control('POST', 'pix', { payment_id: id, outcome });
  if (outcome === 'pay') await whenStatus(sandbox, id, 'success');
  return historyOf(sandbox, id);
};

const card = async (token: string, type = 'cardcrypto', wait = 'success') => {
  const sandbox = await startOne();
  const { id } = await create(sandbox, cardFields({ card_token: token }, { transaction_type: type }));
  await whenStatus(sandbox, id, wait);
  return historyOf(sandbox, id);
};

/** The receiver is a contract that accepts no coin, so that the payout of the bridge reverts. */
const payoutFails = async (): Promise<readonly string[]> => {
  const client = await startOne();
  const receivers = { split_payment_config: [{ receiver_wallet: SANDBOX_CONTRACTS.USDT, receiver_percent: 100 }] };
  const order = { to_chain: 'bsc', to_currency_symbol: 'BNB', amount_from: '600', ...receivers };
  const { id, raw } = await payable(client, { order });
  await execute(client, id, raw);
  await whenStatus(client, id, 'error');
  return historyOf(client, id);
};

const DOCUMENTED: readonly Transition[] = [
  step(['-', 'registered', 'register'], 'document', 'POST /payment/register/intents-create-order', async () => {
    const client = await startOne();
    const { payment_id } = (await register(client)).body.data;
    return ['-', (await statusOf(client, payment_id)).status];
  }),
  step(['registered', 'processing', 'execute'], 'document', 'execute begins', () => payOnChain({})),
  step(['retry', 'processing', 'execute'], 'document', 'a payment in retry, created and signed anew', payAfterRetry),
  step(['processing', 'processing', 'signed'], 'document', 'its webhook carries signed_tx', webhookHasSigned),
  step(['processing', 'success', 'confirmed'], 'document', 'the receipt is ok', () => payOnChain({})),
  step(['processing', 'received', 'bridged'], 'document', 'the receivers are on another chain', () =>
    payOnChain({ to_chain: 'base' }),
  ),
  step(['received', 'success', 'paid-out'], 'document', 'the bridge has paid out', () =>
    payOnChain({ to_chain: 'base' }),
  ),
  step(['registered', 'error', 'failure'], 'document', 'the bank refuses a Pix', () => pix('refuse')),
  step(['retry', 'error', 'failure'], 'document', 'a Pix after a stale nonce, refused', async () => {
    const client = await startOne();
    const { id } = await makeRetry(client, { ...FIAT_ORDER, from_currency_symbol: 'USDT' });
    const none = { chain_name: undefined, payer_token_symbol: undefined };
    await createTransaction(client, { payment_id: id, ...none, ...PIX });
    return pix('refuse', client, id);
  }),
  step(['processing', 'error', 'failure'], 'document', 'mined and reverted', () => payOnChain({}, 'POL')),
  step(['received', 'error', 'failure'], 'document', 'what the bridge pays out reverts', payoutFails),
];

const REFUSED: readonly Transition[] = [
  step(['processing', 'processing', 'refused'], 'document', 'execute of a payment that is under way', async () => {
    const { sandbox, id, raw } = await startWithPayment('processing', (client) => payable(client));
    return statesAroundRejectedExecute(sandbox, id, raw);
  }),
  step(['received', 'received', 'refused'], 'document', 'execute while the bridge works', async () => {
    const client = await startOne();
    const { id, raw } = await payable(client, { order: { to_chain: 'base' } });
    await execute(client, id, raw);
    return statesAroundRejectedExecute(client, id, raw);
  }),
  step(['success', 'success', 'refused'], 'document', 'execute of a paid payment', async () => {
    const client = await startOne();
    const { id, raw } = await payable(client);
    await execute(client, id, raw);
    return statesAroundRejectedExecute(client, id, raw);
  }),
  step(['error', 'error', 'refused'], 'document', 'execute of a failed payment', async () => {
    const client = await startOne();
    const { id, raw } = await payable(client, { token: 'POL' });
    await execute(client, id, raw);
    return statesAroundRejectedExecute(client, id, raw);
  }),
];

const CHOSEN: readonly Transition[] = [
  step(['registered', 'retry', 'stale-nonce'], 'sandbox', 'the nonce was used by another payment', async () => {
    const client = await startOne();
    return historyOf(client, (await makeRetry(client)).id);
  }),
  step(['registered', 'processing', 'pix-paid'], 'sandbox', 'the payer pays the Pix', () => pix('pay')),
  step(['processing', 'success', 'pix-settled'], 'sandbox', 'the treasury has paid the receivers', () => pix('pay')),
  step(['registered', 'error', 'pix-expired'], 'sandbox', 'nobody pays the Pix in an hour', async () => {
    const client = await startOne();
    const { id } = await create(client, PIX);
    await client.control('POST', 'clock', { advance: '+61m' });
    await whenStatus(client, id, 'error');
    return historyOf(client, id);
  }),
  step(['registered', 'processing', 'card-approved'], 'sandbox', 'cardcrypto is approved', () => card('tok_approved')),
  step(['processing', 'success', 'card-settled'], 'sandbox', 'the treasury has paid the receivers', () =>
    card('tok_approved'),
  ),
  step(['registered', 'success', 'card-fiat'], 'sandbox', 'cardfiat is approved', () =>
    card('tok_approved', 'cardfiat'),
  ),
  step(['registered', 'error', 'card-refused'], 'sandbox', 'the issuer refuses', () =>
    card('tok_refused', 'cardcrypto', 'error'),
  ),
];

export const PAYMENT_TRANSITIONS: readonly Transition[] = [...DOCUMENTED, ...REFUSED, ...CHOSEN];
