import { describe, expect, it } from 'vitest';
import { execute } from '../../src/contract/pay/execute.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { HOSTILE_RUN, hostilePayments, type Nonces, transactionOf } from '../support/hostile-payments.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../support/server.ts';

const HTML = '<!doctype html><title>Bad Gateway</title>';

/** Each answer to execute, and the exit code that it leads to. */
const ANSWERS: readonly (readonly [string, Responder, number])[] = [
  ...Object.entries(execute.errors).map(([status, http]) => {
    const code = { payment_not_found: 3, unauthorized: 4, payment_failed: 12 }[status] ?? (http === 500 ? 11 : 9);
    return [`${http} ${status}`, envelope(http, status), code] as const;
  }),
  ['401 with an unknown status', envelope(401, 'no'), 4],
  ['403', envelope(403, 'forbidden'), 9],
  ['429', envelope(429, 'too_many_requests'), 7],
  ['429 of the service', envelope(429, 'order_limit_reached'), 7],
  ...[500, 501, 502, 503, 504, 520].map((http) => [`${http}`, envelope(http, 'internal'), 11] as const),
  ['a lost answer', (_, response) => void response.destroy(), 11],
  ['an HTML page with 200', raw(200, HTML, { 'content-type': 'text/html' }), 11],
  ['an HTML page with 502', raw(502, HTML, { 'content-type': 'text/html' }), 11],
  ['an unknown success status', envelope(200, 'payment_maybe', { data: {} }), 11],
];

/** A home whose service is hostile. */
const withHostileService = async (nonces: Nonces) => {
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

/** Each command that could make the payment again. */
const repeatsIn = ({
  run,
  address,
}: Awaited<ReturnType<typeof withHostileService>>): readonly (() => Promise<unknown>)[] => [
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

/** A payment whose execute got this answer. */
const executedWith = async (nonces: Nonces, answer: Responder) => {
  const setup = await withHostileService(nonces);
  setup.service.answering(answer);
  return { ...setup, first: await setup.run(...HOSTILE_RUN, ...KEY, '--intent', 'rent') };
};

describe.each(ANSWERS)('a payment whose execute is answered with %s', (_, answer, exit) => {
  it.each(['next', 'same'] as const)(
    'is never signed with a second nonce, whatever command repeats it, when the service offers the %s nonce',
    async (nonces) => {
      const setup = await executedWith(nonces, answer);
      for (const repeat of repeatsIn(setup)) await repeat();
      const { received } = setup.service;
      expect([...new Set(received.map(({ nonce }) => nonce))]).toEqual([7]);
      const distinct = new Set(received.map(({ hash }) => hash)).size;
      // The same bytes are sent again; with the same nonce, other bytes may replace them.
      expect(received.length).toBeGreaterThan(2);
      expect(distinct > 1).toBe(nonces === 'same');
    },
  );

  it('has the exit code of the answer, and shows the transaction as live with the command to resolve it', async () => {
    const { first, service } = await executedWith('next', answer);
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
