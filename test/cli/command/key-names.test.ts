import { describe, expect, it } from 'vitest';
import { newKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

const PAYER = ['--transaction-type', 'crypto', '--payer-email', 'a@b.example', '--payer-token-symbol', 'USDT'];
const YIELD = ['--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC'];
const TENANT = ['--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
const MONEY = ['--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'];

const open = async () => {
  const { url, received } = await startServer(envelope(200, 'ok', { data: {} }));
  const { bursar, home } = await newHomeInProcess();
  const keys = { till: await newKey(home, 'till', 'evm'), saver: await newKey(home, 'saver', 'solana') };
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  return { keys, received, run: (args: readonly string[], stdin = '') => bursar(args, { env, stdin }) };
};

describe('the name of a key in place of a wallet', () => {
  it.each<[string, 'till' | 'saver', readonly string[]]>([
    ['--wallet', 'saver', ['yield', 'deposit', ...YIELD, '--amount', '1', '--wallet', 'saver']],
    ['--wallet', 'saver', ['yield', 'withdraw', ...YIELD, '--amount', '1', '--wallet', 'saver']],
    ['--wallet', 'saver', ['yield', 'earnings', ...YIELD, '--wallet', 'saver']],
    ['--wallet', 'till', ['kyc', 'challenge', '--wallet', 'till']],
    [
      '--payer-wallet',
      'till',
      ['pay', 'transaction', 'pay_1', ...PAYER, '--chain-name', 'bsc', '--payer-wallet', 'till'],
    ],
  ])('for %s is exit 2 with the address of %s, and nothing is sent', async (option, name, args) => {
    const { keys, received, run } = await open();
    const { code, stderr } = await run(args);
    expect(stderr).toContain(`${option}: is the name of a key, not an address: use `);
    expect(stderr).toContain(keys[name]);
    expect(stderr.includes(`--key ${name}`)).toBe(args[0] === 'yield');
    expect([code, received]).toEqual([2, []]);
  });

  it('as a receiver of a payment is exit 2, and nothing is sent', async () => {
    const { keys, received, run } = await open();
    const register = ['pay', 'register', ...TENANT, ...MONEY, '--to-chain', 'polygon', '--allow', 'crypto'];
    const { code, stderr } = await run([...register, '--split', 'till=100']);
    expect(stderr).toContain(`till is the name of a key, not an address: use ${keys.till}`);
    expect([code, received]).toEqual([2, []]);
  });

  it('in a body file is exit 2 too', async () => {
    const { received, run } = await open();
    const body = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', wallet: 'saver', amount: '1' };
    expect((await run(['yield', 'deposit', '--body', '-'], JSON.stringify(body))).code).toBe(2);
    expect(received).toEqual([]);
  });
});
