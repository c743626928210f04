import { Transaction, Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { newEvmKey } from '../support/cheap-key.ts';
import { confirming, HOSTILE_RUN, hostilePayments, type Nonces, transactionOf } from '../support/hostile-payments.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { envelope, startServer } from '../support/server.ts';

const KEY = ['--key', 'payer', '--yes'];

const withHostileService = async (nonces: Nonces) => {
  const { home, bursar } = await newHomeInProcess();
  const { address, privateKey } = await newEvmKey(home, 'payer');
  const service = hostilePayments(address, nonces);
  const { url } = await startServer(service.respond);
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k'.repeat(32), BURSAR_KEY_PASSWORD: 'pw' };
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await bursar([...args, '--json', '--timeout', '20'], { env });
    return { code, data: JSON.parse(stdout || 'null'), stderr };
  };
  const pay = (name: string) => run(...HOSTILE_RUN, ...KEY, '--intent', name);
  return { service, address, key: new Wallet(privateKey), run, pay };
};

const REFUSING = envelope(400, 'invalid_chain');

/** A payment whose bytes the service received and refused. */
const withRefused = async (nonces: Nonces) => {
  const setup = await withHostileService(nonces);
  setup.service.answering(REFUSING);
  expect((await setup.pay('first')).code).toBe(9);
  return setup;
};

describe('a nonce that earlier bytes in doubt use', () => {
  it('makes another payment create its transaction again until the service offers a free nonce', async () => {
    const setup = await withRefused('next');
    setup.service.handingOut((created) => (created < 4 ? 7 : 8));
    setup.service.answering(confirming);
    setup.service.payment.status = 'success';
    expect((await setup.pay('second')).code).toBe(0);
    expect(setup.service.created()).toBe(4);
    expect(setup.service.received.map(({ nonce }) => nonce)).toEqual([7, 8]);
  });

  it('is signed after three more tries, and the review names the payment in doubt', async () => {
    const setup = await withRefused('same');
    const refusedHash = setup.service.received[0]?.hash;
    setup.service.answering(confirming);
    setup.service.payment.status = 'success';
    const { code, data, stderr } = await setup.pay('second');
    expect({ code, data }).toMatchObject({ code: 0, data: { payment_id: 'pay_2', status: 'success' } });
    expect(setup.service.created()).toBe(1 + 4);
    expect(setup.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    expect(stderr).toMatch(
      /payment pay_1 of 1500 USDT from this wallet is in doubt, and this one has the same nonce, 7/,
    );
    expect(data.tid_hash).not.toBe(refusedHash);
  });
});

describe('the policy of a key', () => {
  it('counts a transaction and its replacement with the same nonce once, and adds one with another nonce', async () => {
    const setup = await withHostileService('same');
    expect((await setup.run('key', 'policy', 'set', 'payer', 'most_per_day.USDT=2000')).code).toBe(0);
    setup.service.answering(REFUSING);
    expect((await setup.pay('first')).code).toBe(9);
    setup.service.answering(confirming);
    setup.service.payment.status = 'success';
    expect((await setup.pay('second')).code).toBe(0);
    expect(setup.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    setup.service.handingOut(() => 8);
    const { code, data } = await setup.pay('third');
    expect({ code, fields: data.error.errors.map(({ field }: { field: string }) => field) }).toEqual({
      code: 10,
      fields: ['policy.most_per_day'],
    });
    expect(setup.service.received).toHaveLength(2);
  });
});

describe('bytes that have paid another payment', () => {
  it('do not pay the first payment, whose --intent is then paid once by other bytes', async () => {
    const setup = await withRefused('identical');
    setup.service.answering(confirming);
    setup.service.payment.status = 'success';
    expect((await setup.pay('second')).code).toBe(0);
    const [first, second] = setup.service.received.map(({ hash }) => hash);
    expect(second).toBe(first);

    setup.service.payment.status = 'registered';
    setup.service.handingOut(() => 8);
    expect((await setup.run('pay', 'list', '--open')).data).toMatchObject([{ payment_id: 'pay_1', state: 'in_doubt' }]);
    expect(await setup.run('pay', 'resume', 'pay_1')).toMatchObject({
      code: 8,
      data: { error: { code: 'not_final' } },
    });
    expect((await setup.run('pay', 'list', '--open')).data).toMatchObject([
      { payment_id: 'pay_1', state: 'unfinished' },
    ]);
    setup.service.answering((received, response) => {
      setup.service.payment.status = 'success';
      return confirming(received, response);
    });
    expect(await setup.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_1', status: 'success' } });
    expect(setup.service.received.map(({ nonce }) => nonce)).toEqual([7, 7, 8]);
    expect((await setup.run('pay', 'list', '--open')).data).toEqual([]);
  });

  it('do not pay the first payment when the service ends it, and its --intent makes a new payment', async () => {
    const setup = await withRefused('identical');
    setup.service.answering(confirming);
    setup.service.payment.status = 'success';
    expect((await setup.pay('second')).code).toBe(0);
    setup.service.payment.status = 'error';
    const ended = await setup.run('pay', 'resume', 'pay_1');
    expect(ended).toMatchObject({ code: 12, data: { error: { data: { live: false, moved: false } } } });
    expect((await setup.run('pay', 'list', '--open')).data).toEqual([]);
    setup.service.payment.status = 'success';
    setup.service.handingOut(() => 8);
    expect(await setup.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_3' } });
  });
});

describe('a payment whose bytes the service refused', () => {
  it.each(['error', 'retry', 'registered'])(
    'stays in doubt in the state %s: neither the same --intent nor the same command pays again',
    async (status) => {
      const setup = await withRefused('next');
      const hash = setup.service.received[0]?.hash ?? '';
      setup.service.payment.status = status;
      setup.service.payment.tid_hash = status === 'error' ? hash : null;
      expect((await setup.run('pay', 'resume', 'pay_1', '--yes')).data.error).toMatchObject({
        data: { hash, live: true },
      });
      expect([9, 12]).toContain((await setup.pay('first')).code);
      expect((await setup.run(...HOSTILE_RUN, ...KEY)).code).toBe(11);
      expect(new Set(setup.service.received.map(({ hash: sent }) => sent)).size).toBe(1);
    },
  );

  it('is settled by the success of a replacement with the same nonce', async () => {
    const setup = await withRefused('same');
    await setup.run(...transactionOf('pay_1', setup.address));
    setup.service.answering((received, response) => {
      setup.service.payment.status = 'success';
      setup.service.payment.tid_hash = setup.service.received.at(-1)?.hash ?? '';
      return confirming(received, response);
    });
    expect((await setup.run('pay', 'execute', 'pay_1', ...KEY)).code).toBe(0);
    expect(setup.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    expect(await setup.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_1', status: 'success' } });
    expect((await setup.run('pay', 'list', '--open')).data).toEqual([]);
  });
});

describe('bytes signed elsewhere', () => {
  it('with another nonce are not sent beside bytes in doubt: exit 11, and no open operation is added', async () => {
    const setup = await withRefused('next');
    const { data } = await setup.run(...transactionOf('pay_1', setup.address));
    const { from: _, ...request } = data.crypto_tx.transactionRequest;
    const signed = await setup.key.signTransaction({ ...request, type: 2 });
    expect(Transaction.from(signed).nonce).toBe(8);
    const before = (await setup.run('pay', 'list', '--open')).data;
    const refused = await setup.run('pay', 'execute', 'pay_1', '--signed-transaction', signed, '--yes');
    expect(refused).toMatchObject({
      code: 11,
      data: { error: { data: { hash: setup.service.received[0]?.hash, live: true } } },
    });
    expect(setup.service.received).toHaveLength(1);
    expect((await setup.run('pay', 'list', '--open')).data).toEqual(before);
  });

  it.each([
    ['are no transaction', '0x02deadbeef', 2],
    ['do not belong to the payment', undefined, 10],
  ] as const)('that %s are refused before a call, and leave no open payment', async (_, hex, code) => {
    const setup = await withHostileService('next');
    const { data: registered } = await setup.run('pay', 'register', ...HOSTILE_RUN.slice(2, -2));
    const id = String(registered.payment_id);
    const { data } = await setup.run(...transactionOf(id, setup.address));
    const { from: _from, ...request } = data.crypto_tx.transactionRequest;
    const other = await setup.key.signTransaction({ ...request, nonce: 99, type: 2 });
    expect((await setup.run('pay', 'execute', id, '--signed-transaction', hex ?? other, '--yes')).code).toBe(code);
    expect(setup.service.received).toEqual([]);
    expect((await setup.run('pay', 'list', '--open')).data).toEqual([]);
  });
});
