import { describe, expect, test } from 'vitest';
import { switchChain } from '../../src/contract/control/chains.ts';
import { release, trigger } from '../../src/contract/control/payments.ts';
import { control } from '../../src/sandbox/control-client.ts';
import { raw, startServer } from '../support/server.ts';
import { until, whenStatus } from './money.ts';
import { execute, statusOf } from './payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';
import { historyOf } from './transitions/transition.ts';

const RECEIVERS = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'];

/** Calls the JSON-RPC of a chain. */
const callChain = async ({ address }: Client, method: string, params: readonly unknown[], chain = 'polygon') => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address.url}/_chain/${chain}`, { method: 'POST', headers, body });
  return ((await answer.json()) as { readonly result: never }).result;
};

const clientOf = ({ io, address }: Client) => control(io, address);

describe('trigger', () => {
  test.each([
    ['registered', ['registered']],
    ['retry', ['registered', 'retry']],
    ['processing', ['registered', 'processing']],
    ['received', ['registered', 'processing', 'received']],
    ['success', ['registered', 'processing', 'success']],
    ['error', ['registered', 'processing', 'error']],
  ] as const)(
    '%s: creates a payment that reaches the state by the documented steps, with a webhook for each',
    async (state, steps) => {
      const { url, received } = await startServer(raw(200, ''));
      const sandbox = await startEphemeral();
      const triggered = await clientOf(sandbox)(trigger, { state, webhook_url: url });
      expect(triggered).toEqual({
        payment_id: expect.stringMatching(/^pay_/),
        status: state,
        tid_hash: triggered.tid_hash,
      });
      expect((await historyOf(sandbox, triggered.payment_id)).slice(0, steps.length)).toEqual(steps);
      await until(() => (received.length >= steps.length - 1 ? true : undefined));
      const webhookPayments = received.map(({ body }) => JSON.parse(body).data);
      expect(webhookPayments.map(({ status }) => status).slice(0, steps.length - 1)).toEqual(steps.slice(1));
      for (const { id } of webhookPayments) expect(id).toBe(triggered.payment_id);
    },
  );

  test('success: mines the transaction, and pays the shares of the receivers', async () => {
    const sandbox = await startEphemeral();
    const triggered = await clientOf(sandbox)(trigger, { state: 'success', amount: '2.5', chain: 'bsc' });
    const payment = await statusOf(sandbox, triggered.payment_id);
    expect(payment).toMatchObject({
      amount_from: '2.5',
      chain_name: 'bsc',
      to_chain: 'bsc',
      tid_hash: triggered.tid_hash,
    });
    const receipt = await callChain(sandbox, 'eth_getTransactionReceipt', [triggered.tid_hash], 'bsc');
    expect(receipt).toMatchObject({ status: '0x1', from: payment.payer_wallet.toLowerCase() });
    const balances = await Promise.all(
      RECEIVERS.map(async (address) => (await sandbox.control('GET', `balances?address=${address}&chain=bsc`)).body),
    );
    expect(balances.map(({ data }) => data.balances[1].amount)).toEqual(['1.75', '0.75']);
  });

  test('error: mines a transaction that reverts', async () => {
    const sandbox = await startEphemeral();
    const { payment_id, tid_hash } = await clientOf(sandbox)(trigger, { state: 'error' });
    const { data_error } = await statusOf(sandbox, payment_id);
    expect([tid_hash, data_error.status]).toEqual([null, 'payment_failed']);
    const receipt = await callChain(sandbox, 'eth_getTransactionReceipt', [data_error.details.hash]);
    expect(receipt).toMatchObject({ status: '0x0' });
  });

  test('received: lets the bridge complete the payment on another chain', async () => {
    const sandbox = await startEphemeral();
    const { payment_id } = await clientOf(sandbox)(trigger, { state: 'received' });
    const { to_chain, metadata } = await whenStatus(sandbox, payment_id, 'success');
    expect(to_chain).not.toBe('polygon');
    const receipt = await callChain(sandbox, 'eth_getTransactionReceipt', [metadata.bridge.transaction_hash], to_chain);
    expect(receipt).toMatchObject({ status: '0x1' });
  });

  test('retry: uses the nonce of the payer for another transaction', async () => {
    const sandbox = await startEphemeral();
    const { payment_id } = await clientOf(sandbox)(trigger, { state: 'retry' });
    const { payer_wallet, unsigned_tx, signed_tx } = await statusOf(sandbox, payment_id);
    const nonce = await callChain(sandbox, 'eth_getTransactionCount', [payer_wallet, 'latest']);
    expect([nonce, unsigned_tx.transactionRequest.nonce, signed_tx]).toEqual(['0x1', 0, null]);
  });

  test.each([
    [{ state: 'paid' }, 'state'],
    [{ state: 'success', amount: '0' }, 'amount'],
    [{ state: 'success', amount: '1e3' }, 'amount'],
    [{ state: 'success', amount: '0.0000001' }, 'amount'],
    [{ state: 'success', amount: '9'.repeat(60) }, 'amount'],
    [{ state: 'success', chain: 'solana' }, 'chain'],
    [{ state: 'success', webhook_url: 'shop' }, 'webhook_url'],
  ])('names the wrong field of %j', async (body, field) => {
    const sandbox = await startEphemeral();
    const answer = await sandbox.control('POST', 'trigger', body);
    expect([answer.http, answer.body.status, answer.body.errors?.[0]?.field]).toEqual([
      400,
      'invalid_parameters',
      field,
    ]);
  });
});

describe('a payment whose transaction is withheld in processing', () => {
  const withheld = async (sandbox: Client) => {
    const { payment_id } = await clientOf(sandbox)(trigger, { state: 'processing' });
    return { payment_id, payment: await statusOf(sandbox, payment_id) };
  };

  test('has its signed transaction saved, but not on the chain', async () => {
    const sandbox = await startEphemeral();
    const { payment } = await withheld(sandbox);
    expect(payment).toMatchObject({ status: 'processing', tid_hash: null, signed_tx: expect.stringMatching(/^0x02/) });
    expect(await callChain(sandbox, 'eth_getTransactionCount', [payment.payer_wallet, 'latest'])).toBe('0x0');
  });

  test('returns invalid_payment_status for execute, and stays in processing', async () => {
    const sandbox = await startEphemeral();
    const { payment_id, payment } = await withheld(sandbox);
    const { http, body } = await execute(sandbox, payment_id, payment.signed_tx);
    expect([http, body.status]).toEqual([409, 'invalid_payment_status']);
    expect((await statusOf(sandbox, payment_id)).status).toBe('processing');
  });

  test('is paid once when it is released', async () => {
    const sandbox = await startEphemeral();
    const { payment_id } = await withheld(sandbox);
    const client = clientOf(sandbox);
    const released = await client(release, { payment_id });
    expect(released).toMatchObject({ payment_id, status: 'success', tid_hash: expect.stringMatching(/^0x/) });
    expect(await historyOf(sandbox, payment_id)).toEqual(['registered', 'processing', 'success']);
    const receipt = await callChain(sandbox, 'eth_getTransactionReceipt', [released.tid_hash]);
    expect(receipt).toMatchObject({ status: '0x1' });
    await expect(client(release, { payment_id })).rejects.toMatchObject({ code: 'rejected' });
  });

  test('is paid once by two concurrent releases', async () => {
    const sandbox = await startEphemeral();
    const { payment_id, payment } = await withheld(sandbox);
    const client = clientOf(sandbox);
    const both = await Promise.all([client(release, { payment_id }), client(release, { payment_id })]);
    expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
    expect(await historyOf(sandbox, payment_id)).toEqual(['registered', 'processing', 'success']);
    expect(await callChain(sandbox, 'eth_getTransactionCount', [payment.payer_wallet, 'latest'])).toBe('0x1');
  });

  test('is paid when the sandbox starts again', async () => {
    const io = await sandboxIo();
    const before = await startTestSandbox(io);
    const { payment_id } = await withheld(before);
    await before.stop();
    const after = await startTestSandbox(io);
    expect((await whenStatus(after, payment_id, 'success')).tid_hash).toMatch(/^0x/);
  });

  test('does not block another payment', async () => {
    const sandbox = await startEphemeral();
    await withheld(sandbox);
    expect((await clientOf(sandbox)(trigger, { state: 'success' })).status).toBe('success');
  });
});

test('refuses to release an unknown payment, and a payment without a saved transaction', async () => {
  const sandbox = await startEphemeral();
  const client = clientOf(sandbox);
  await expect(client(release, { payment_id: 'pay_0' })).rejects.toMatchObject({ code: 'not_found' });
  const { payment_id } = await client(trigger, { state: 'registered' });
  await expect(client(release, { payment_id })).rejects.toMatchObject({ code: 'rejected' });
});

test('invalid_chain: registers no payment on a chain that is not enabled', async () => {
  const sandbox = await startEphemeral();
  const client = clientOf(sandbox);
  await client(switchChain, { name: 'polygon', enabled: false });
  await expect(client(trigger, { state: 'success' })).rejects.toMatchObject({ details: { status: 'invalid_chain' } });
  // The bridge pays on a chain that is enabled.
  await client(switchChain, { name: 'ethereum', enabled: false });
  expect((await client(trigger, { state: 'received', chain: 'base' })).status).toBe('received');
});
