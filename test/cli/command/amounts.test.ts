import { describe, expect, it } from 'vitest';
import { newKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

const TENANT = ['--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
const RECEIVER = ['--to-currency-symbol', 'USDT', '--split', '0x1111111111111111111111111111111111111111=100'];
const PAYMENT = [...TENANT, ...RECEIVER, '--allow', 'crypto', '--payer-email', 'a@b.example', '--yes'];
const YIELD = ['--provider', 'provider_a', '--chain-name', 'solana'];

/** A service that registers every payment, and refuses everything else. */
const open = async () => {
  const { url, received } = await startServer(
    envelope(201, 'payment_registered', { data: { payment_id: 'pay_1', order_id: 'cmb1' } }),
  );
  const { bursar, home } = await newHomeInProcess();
  await newKey(home, 'payer', 'evm');
  await newKey(home, 'saver', 'solana');
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_KEY_PASSWORD: 'pw' };
  return { received, run: (args: readonly string[]) => bursar(args, { env }) };
};

const priced = (amount: string, currency: string, chain: string) => [
  ...['--amount-from', amount, '--from-currency-symbol', currency, '--to-chain', chain],
];

describe('an amount with more decimals than its token', () => {
  it.each([
    ['USDT on ethereum', 6, priced('1.1234567', 'USDT', 'ethereum')],
    ['USDT on bsc', 18, priced('1.1234567890123456789', 'USDT', 'bsc')],
    ['POL on polygon', 18, priced('1.1234567890123456789', 'POL', 'polygon')],
    ['usdc on polygon', 6, [...priced('1.1234567', 'usdc', 'bsc'), '--chain-name', 'polygon']],
  ])('of a payment in %s is exit 2 with its option, and no payment is registered', async (token, decimals, money) => {
    const { run, received } = await open();
    const { code, stderr } = await run(['pay', 'run', ...PAYMENT, ...money]);
    expect(stderr).toContain(`--amount-from: must have at most ${decimals} decimals: ${token} has no more`);
    expect([code, received]).toEqual([2, []]);
  });

  it('is reported together with a missing option', async () => {
    const { run } = await open();
    const { stderr } = await run(['pay', 'run', ...TENANT, ...priced('1.1234567', 'USDT', 'polygon')]);
    expect(stderr).toMatch(/--amount-from: must have at most 6 decimals/);
    expect(stderr).toMatch(/--split: required/);
  });

  it('is refused by pay register only when no chain has so many decimals', async () => {
    const { run, received } = await open();
    const register = (amount: string) =>
      run(['pay', 'register', ...TENANT, ...RECEIVER, '--allow', 'crypto', ...priced(amount, 'USDT', 'polygon')]);
    expect((await register('1.1234567890123456789')).stderr).toContain('at most 18 decimals: USDT has no more');
    expect(received).toEqual([]);
    expect((await register('1.1234567')).code).toBe(0);
  });

  it.each([
    ['ends in zeros only', priced('1.1000000', 'USDT', 'polygon')],
    ['is paid in another token', [...priced('1.1234567', 'USDT', 'polygon'), '--payer-token-symbol', 'USDC']],
    ['is in an unknown token', priced('1.1234567', 'NEWCOIN', 'polygon')],
    ['is paid on an unknown chain', priced('1.1234567', 'USDT', 'a-chain-of-tomorrow')],
  ])('is sent to the service when it %s', async (_, money) => {
    const { run, received } = await open();
    await run(['pay', 'run', ...PAYMENT, ...money]);
    expect(received.length).toBeGreaterThan(0);
  });

  it.each([['deposit'], ['withdraw']])('of a %s is exit 2, with and without --broadcast', async (verb) => {
    const { run, received } = await open();
    const command = ['yield', verb, ...YIELD, '--asset', 'USDC', '--amount', '1.1234567', '--key', 'saver'];
    for (const more of [[], ['--broadcast', '--yes', '--rpc-url', 'http://127.0.0.1:9']]) {
      const { code, stderr } = await run([...command, ...more]);
      expect(stderr).toContain('--amount: must have at most 6 decimals: USDC has no more');
      expect(code).toBe(2);
    }
    expect(received).toEqual([]);
  });

  it('of a rebalance is refused with an exponent too; six decimals are sent', async () => {
    const { run, received } = await open();
    const legs = ['--provider-out', 'provider_a', '--provider-in', 'provider_b', '--chain-name', 'solana'];
    const rebalance = ['yield', 'rebalance', ...legs, '--asset', 'USDC', '--key', 'saver', '--amount'];
    expect((await run([...rebalance, '12345678e-7'])).stderr).toContain('at most 6 decimals: USDC');
    expect(received).toEqual([]);
    await run([...rebalance, '1234567e-6']);
    expect(received).toHaveLength(1);
  });
});
