import { describe, expect, it } from 'vitest';
import { execute } from '../../src/contract/pay/execute.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { HOSTILE_RUN, hostilePayments, type Nonces, transactionOf } from '../support/hostile-payments.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../support/server.ts';

const HTML = '<!doctype html><title>Bad Gateway</title>';

/** Each answer that execute may get, and the exit code that it ends with. */
const ANSWERS: readonly (readonly [string, Responder, number])[] = [
  ...Object.entries(execute.errors).map(([status, http]) => {
    const code = { payment_not_found: 3, unauthorized: 4, payment_failed: 12 }[status] ?? (http === 500 ? 11 : 9);
    return [`${http} ${status}`, envelope(http, status), code] as const;
  }),
  ['401 without a status that is known', envelope(401, 'no'), 4],
  ['403', envelope(403, 'forbidden'), 9],
  ['429', envelope(429, 'too_many_requests'), 7],
  ['429 of the service', envelope(429, 'order_limit_reached'), 7],
  ...[500, 501, 502, 503, 504, 520].map((http) => [`${http}`, envelope(http, 'internal'), 11] as const),
  ['a lost answer', (_, response) => void response.destroy(), 11],
  ['a page, 200', raw(200, HTML, { 'content-type': 'text/html' }), 11],
  ['a page, 502', raw(502, HTML, { 'content-type': 'text/html' }), 11],
  ['a success that nobody knows', envelope(200, 'payment_maybe', { data: {} }), 11],
];

/** A home whose service is the hostile one. */
const facing = async (nonces: Nonces) => {
  const { home, bursar } = await newHomeInProcess();
  const { address } = await newEvmKey(home, 'payer');
  const service = hostilePayments(address, nonces);
  const { url } = await startServer(service.respond);
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k'.repeat(32), BURSAR_KEY_PASSWORD: 'pw' };
  const run = async (...args: readonly string[]) => {
    const { code, stdout } = await bursar([...args, '--json', '--timeout', '20'], { env });
    return { code, data: JSON.parse(stdout || 'null') };
  };
  return { service, address, run };
};

const KEY = ['--key', 'payer', '--yes'];

/** Every way in which a user can have the payment made again. */
const againIn = ({ run, address }: Awaited<ReturnType<typeof facing>>): readonly (() => Promise<unknown>)[] => [
  () => run(...HOSTILE_RUN, ...KEY),
  () => run(...HOSTILE_RUN, ...KEY, '--intent', 'rent'),
  () => run('pay', 'resume', 'pay_1', '--yes'),
  () => run('pay', 'resume', '--all', '--yes'),
  () => run('pay', 'execute', 'pay_1', ...KEY),
  () => run(...transactionOf('pay_1', address)),
  () => run('pay', 'sign', 'pay_1', '--key', 'payer'),
  () => run('pay', 'execute', 'pay_1', ...KEY),
  () => run('pay', 'resume', 'pay_1', '--yes'),
];

/** A payment whose execute got that answer. */
const answered = async (nonces: Nonces, answer: Responder) => {
  const one = await facing(nonces);
  one.service.answering(answer);
  return { ...one, first: await one.run(...HOSTILE_RUN, ...KEY, '--intent', 'rent') };
};

describe.each(ANSWERS)('execute is answered with %s:', (_, answer, exit) => {
  it.each(['next', 'same'] as const)(
    'of whatever is run again nothing is signed with a second nonce, where the service hands out the %s one',
    async (nonces) => {
      const one = await answered(nonces, answer);
      for (const again of againIn(one)) await again();
      const { received } = one.service;
      expect([...new Set(received.map(({ nonce }) => nonce))]).toEqual([7]);
      const distinct = new Set(received.map(({ hash }) => hash)).size;
      // The same bytes go again; with the same nonce others take their place.
      expect(received.length).toBeGreaterThan(2);
      expect(distinct > 1).toBe(nonces === 'same');
    },
  );

  it('the exit code is that of the answer; the transaction is named as live, with the command that finds out', async () => {
    const { first, service } = await answered('next', answer);
    expect(first.code).toBe(exit);
    const { error } = first.data;
    const hash = service.received[0]?.hash;
    expect(error.data, JSON.stringify(error)).toMatchObject({ payment_id: 'pay_1', hash, live: true });
    const isForNode = String(error.hint).includes('Only a node shows its outcome');
    expect(error.next).toBe(`bursar pay resume pay_1${isForNode ? ' --rpc-url "$RPC_URL"' : ''}`);
    expect(error.hint).toMatch(
      exit === 11 || exit === 7
        ? /may (?:still )?(?:be|have been) (?:sent|passed)/
        : /The service refused; the signed transaction may still be sent/,
    );
    expect(JSON.stringify(error)).not.toMatch(/did not move|nothing (?:was|were) (?:sent|paid)|no money/i);
  });
});
