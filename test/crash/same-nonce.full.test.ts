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
  const one = await withHostileService(nonces);
  one.service.answering(REFUSING);
  expect((await one.pay('first')).code).toBe(9);
  return one;
};

describe('a nonce that earlier bytes in doubt use', () => {
  it('makes another payment create its transaction again until the service offers a free nonce', async () => {
    const one = await withRefused('next');
    one.service.handingOut((created) => (created < 4 ? 7 : 8));
    one.service.answering(confirming);
    one.service.payment.status = 'success';
    expect((await one.pay('second')).code).toBe(0);
    expect(one.service.created()).toBe(4);
    expect(one.service.received.map(({ nonce }) => nonce)).toEqual([7, 8]);
  });

  it('is signed after three more tries, and the review names the payment in doubt', async () => {
    const one = await withRefused('same');
    const refusedHash = one.service.received[0]?.hash;
    one.service.answering(confirming);
    one.service.payment.status = 'success';
    const { code, data, stderr } = await one.pay('second');
    expect({ code, data }).toMatchObject({ code: 0, data: { payment_id: 'pay_2', status: 'success' } });
    expect(one.service.created()).toBe(1 + 4);
    expect(one.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    expect(stderr).toMatch(
      /payment pay_1 of 1500 USDT from this wallet is in doubt, and this one has the same nonce, 7/,
    );
    expect(data.tid_hash).not.toBe(refusedHash);
  });
});

describe('the policy of a key', () => {
  it('counts a transaction and its replacement with the same nonce once, and adds one with another nonce', async () => {
    const one = await withHostileService('same');
    expect((await one.run('key', 'policy', 'set', 'payer', 'most_per_day.USDT=2000')).code).toBe(0);
    one.service.answering(REFUSING);
    expect((await one.pay('first')).code).toBe(9);
    one.service.answering(confirming);
    one.service.payment.status = 'success';
    expect((await one.pay('second')).code).toBe(0);
    expect(one.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    one.service.handingOut(() => 8);
    const { code, data } = await one.pay('third');
    expect({ code, fields: data.error.errors.map(({ field }: { field: string }) => field) }).toEqual({
      code: 10,
      fields: ['policy.most_per_day'],
    });
    expect(one.service.received).toHaveLength(2);
  });
});

describe('bytes that have paid another payment', () => {
  it('do not pay the first payment, whose --intent is then paid once by other bytes', async () => {
    const one = await withRefused('identical');
    one.service.answering(confirming);
    one.service.payment.status = 'success';
    expect((await one.pay('second')).code).toBe(0);
    const [first, second] = one.service.received.map(({ hash }) => hash);
    expect(second).toBe(first);

    one.service.payment.status = 'registered';
    one.service.handingOut(() => 8);
    expect((await one.run('pay', 'list', '--open')).data).toMatchObject([{ payment_id: 'pay_1', state: 'in_doubt' }]);
    expect(await one.run('pay', 'resume', 'pay_1')).toMatchObject({ code: 8, data: { error: { code: 'not_final' } } });
    expect((await one.run('pay', 'list', '--open')).data).toMatchObject([{ payment_id: 'pay_1', state: 'unfinished' }]);
    one.service.answering((received, response) => {
      one.service.payment.status = 'success';
      return confirming(received, response);
    });
    expect(await one.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_1', status: 'success' } });
    expect(one.service.received.map(({ nonce }) => nonce)).toEqual([7, 7, 8]);
    expect((await one.run('pay', 'list', '--open')).data).toEqual([]);
  });

  it('do not pay the first payment when the service ends it, and its --intent makes a new payment', async () => {
    const one = await withRefused('identical');
    one.service.answering(confirming);
    one.service.payment.status = 'success';
    expect((await one.pay('second')).code).toBe(0);
    one.service.payment.status = 'error';
    const ended = await one.run('pay', 'resume', 'pay_1');
    expect(ended).toMatchObject({ code: 12, data: { error: { data: { live: false, moved: false } } } });
    expect((await one.run('pay', 'list', '--open')).data).toEqual([]);
    one.service.payment.status = 'success';
    one.service.handingOut(() => 8);
    expect(await one.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_3' } });
  });
});

describe('a payment whose bytes the service refused', () => {
  it.each(['error', 'retry', 'registered'])(
    'stays in doubt in the state %s: neither the same --intent nor the same command pays again',
    async (status) => {
      const one = await withRefused('next');
      const hash = one.service.received[0]?.hash ?? '';
      one.service.payment.status = status;
      one.service.payment.tid_hash = status === 'error' ? hash : null;
      expect((await one.run('pay', 'resume', 'pay_1', '--yes')).data.error).toMatchObject({
        data: { hash, live: true },
      });
      expect([9, 12]).toContain((await one.pay('first')).code);
      expect((await one.run(...HOSTILE_RUN, ...KEY)).code).toBe(11);
      expect(new Set(one.service.received.map(({ hash: sent }) => sent)).size).toBe(1);
    },
  );

  it('is settled by the success of a replacement with the same nonce', async () => {
    const one = await withRefused('same');
    await one.run(...transactionOf('pay_1', one.address));
    one.service.answering((received, response) => {
      one.service.payment.status = 'success';
      one.service.payment.tid_hash = one.service.received.at(-1)?.hash ?? '';
      return confirming(received, response);
    });
    expect((await one.run('pay', 'execute', 'pay_1', ...KEY)).code).toBe(0);
    expect(one.service.received.map(({ nonce }) => nonce)).toEqual([7, 7]);
    expect(await one.pay('first')).toMatchObject({ code: 0, data: { payment_id: 'pay_1', status: 'success' } });
    expect((await one.run('pay', 'list', '--open')).data).toEqual([]);
  });
});

describe('bytes signed elsewhere', () => {
  it('with another nonce are not sent beside bytes in doubt: exit 11, and no open operation is added', async () => {
    const one = await withRefused('next');
    const { data } = await one.run(...transactionOf('pay_1', one.address));
    const { from: _, ...request } = data.crypto_tx.transactionRequest;
    const signed = await one.key.signTransaction({ ...request, type: 2 });
    expect(Transaction.from(signed).nonce).toBe(8);
    const before = (await one.run('pay', 'list', '--open')).data;
    const refused = await one.run('pay', 'execute', 'pay_1', '--signed-transaction', signed, '--yes');
    expect(refused).toMatchObject({
      code: 11,
      data: { error: { data: { hash: one.service.received[0]?.hash, live: true } } },
    });
    expect(one.service.received).toHaveLength(1);
    expect((await one.run('pay', 'list', '--open')).data).toEqual(before);
  });

  it.each([
    ['are no transaction', '0x02deadbeef', 2],
    ['do not belong to the payment', undefined, 10],
  ] as const)('that %s are refused before a call, and leave no open payment', async (_, hex, code) => {
    const one = await withHostileService('next');
    const { data: registered } = await one.run('pay', 'register', ...HOSTILE_RUN.slice(2, -2));
    const id = String(registered.payment_id);
    const { data } = await one.run(...transactionOf(id, one.address));
    const { from: _from, ...request } = data.crypto_tx.transactionRequest;
    const other = await one.key.signTransaction({ ...request, nonce: 99, type: 2 });
    expect((await one.run('pay', 'execute', id, '--signed-transaction', hex ?? other, '--yes')).code).toBe(code);
    expect(one.service.received).toEqual([]);
    expect((await one.run('pay', 'list', '--open')).data).toEqual([]);
  });
});
