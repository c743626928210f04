import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEvmChain } from '../../../src/contract/chains.ts';
import { ANNA, cryptoTxJson, transferData } from '../../chain/evm/given.ts';
import { newEvmKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { PAYMENT } from '../../support/journey.ts';
import { envelope, startServer } from '../../support/server.ts';

const KEY = 'sk_live_0123456789';

/** A home whose working folder has a project file for a service that only this file names. */
const given = async (more: object = {}) => {
  const { home, bursar } = await newHomeInProcess();
  const answer = (request: { readonly path: string }) =>
    request.path.includes('register')
      ? envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } })
      : envelope(200, 'products_listed', { data: {} });
  const { url, received } = await startServer((request, response) => answer(request)(request, response));
  await writeFile(join(home, 'bursar.json'), JSON.stringify({ base_url: url, ...more }));
  await writeFile(join(home, 'key'), KEY, { mode: 0o600 });
  return { home, bursar, url, received };
};

describe('a project file that names a service', () => {
  it.each([
    ['BURSAR_API_KEY', { BURSAR_API_KEY: KEY }],
    ['BURSAR_API_KEY_FILE', { BURSAR_API_KEY_FILE: 'key' }],
  ])('gets no key of %s: exit 2 with the variable that confirms the address, and nothing is sent', async (_, env) => {
    const { bursar, url, received } = await given();
    for (const args of [['products'], ['whoami'], ['products', '--curl']]) {
      const { code, stderr } = await bursar([...args], { env });
      expect({ args, code, stderr }).toEqual({
        args,
        code: 2,
        stderr: expect.stringContaining(`set BURSAR_BASE_URL=${url} to confirm`),
      });
    }
    expect(received).toEqual([]);
  });

  it('gets the key after the user names that address', async () => {
    const { bursar, url, received } = await given();
    const env = { BURSAR_API_KEY: KEY };
    expect((await bursar(['products'], { env: { ...env, BURSAR_BASE_URL: url } })).code).toBe(0);
    expect((await bursar(['products', '--base-url', url], { env })).code).toBe(0);
    expect((await bursar(['profile', 'set', 'own', `base_url=${url}`])).code).toBe(0);
    expect((await bursar(['products'], { env })).code).toBe(0);
    expect(received).toHaveLength(3);
  });

  it('is named before its webhook_url and public_client_id are used, and only then', async () => {
    const [hook, id] = ['https://project.example/hook', `client_${'1'.repeat(32)}`];
    const { home, bursar, url } = await given({ webhook_url: hook, public_client_id: id });
    const { tenant_data, payer_email, ...payment } = PAYMENT;
    await writeFile(join(home, 'bare.json'), JSON.stringify(payment));
    await writeFile(join(home, 'whole.json'), JSON.stringify({ ...payment, tenant_data }));
    const env = { BURSAR_API_KEY: KEY, BURSAR_BASE_URL: url };
    const register = (file: string) => bursar(['pay', 'register', '--body', file, '--quiet'], { env });
    const { code, stderr } = await register('bare.json');
    expect({ code, payer_email }).toMatchObject({ code: 0 });
    expect(stderr).toContain(`bursar.json sets webhook_url ${hook}, public_client_id ${id}`);
    expect((await register('whole.json')).stderr, 'the body has its own values').not.toContain('bursar.json sets');
  });
});

describe('a project file that names the sandbox', () => {
  it('does not select the sandbox without a terminal: exit 4', async () => {
    const { home, bursar } = await newHomeInProcess();
    await writeFile(join(home, 'bursar.json'), JSON.stringify({ profile: 'sandbox' }));
    const { code, stderr } = await bursar(['products']);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('bursar.json names the sandbox') });
    expect((await bursar(['products', '--profile', 'production'])).code, 'an option has priority').toBe(2);
  });
});

describe('the default profile, when bytes are signed without a service', () => {
  const PASSWORD = { BURSAR_KEY_PASSWORD: 'pw' };
  const STATED = [
    ...['--amount-from', '2000', '--payer-token-symbol', 'USDT', '--chain-name', 'polygon'],
    ...['--split', `${ANNA}=100`],
  ];

  /** A home whose default profile has one limit, and a transfer of 2000 USDT on the real Polygon. */
  const signing = async (...limit: readonly string[]) => {
    const { home, bursar } = await newHomeInProcess();
    const settings = ['base_url=https://prod.example', ...limit];
    expect((await bursar(['profile', 'set', 'prod', ...settings])).code).toBe(0);
    expect((await bursar(['profile', 'set', 'other', 'base_url=https://other.example'])).code).toBe(0);
    expect((await bursar(['profile', 'use', 'prod'])).code).toBe(0);
    const { address } = await newEvmKey(home, 'treasury');
    const request = {
      from: `"${address}"`,
      to: `"${findEvmChain('polygon')?.tokens.USDT.address}"`,
      data: `"${transferData(ANNA, 2_000_000_000n)}"`,
      value: '0',
      chainId: '137',
      gasLimit: '"300000"',
    };
    await writeFile(join(home, 'tx.json'), cryptoTxJson(request));
    const sign = async (more: readonly string[] = [], env: Record<string, string> = {}) => {
      const words = ['pay', 'sign', '--unsigned', 'tx.json', '--key', 'treasury', ...STATED, ...more];
      const { code, stdout, stderr } = await bursar(words, { env: { ...PASSWORD, ...env } });
      return { code, isSigned: stdout !== '', stderr };
    };
    return { home, sign };
  };

  const WAYS: readonly (readonly [string, boolean, readonly string[], Record<string, string>])[] = [
    ['nothing', false, [], {}],
    ['a project file that names the sandbox', true, [], {}],
    ['a project file beside an API key', true, [], { BURSAR_API_KEY: KEY }],
    ['an API key', false, [], { BURSAR_API_KEY: KEY }],
    ['--base-url', false, ['--base-url', 'https://third.example'], { BURSAR_API_KEY: KEY }],
    ['BURSAR_BASE_URL', false, [], { BURSAR_API_KEY: KEY, BURSAR_BASE_URL: 'https://third.example' }],
    ['--profile', false, ['--profile', 'other'], {}],
    ['BURSAR_PROFILE', false, [], { BURSAR_PROFILE: 'other' }],
  ];

  it.each(WAYS)('has a policy that no choice of another profile lifts: %s', async (_, hasProject, more, env) => {
    const { home, sign } = await signing('policy.most_per_transaction.USDT=10');
    if (hasProject) await writeFile(join(home, 'bursar.json'), JSON.stringify({ profile: 'sandbox' }));
    const { code, isSigned, stderr } = await sign(more, env);
    expect({ code, isSigned }).toEqual({ code: 10, isSigned: false });
    expect(stderr).toContain('bursar profile set prod policy.most_per_transaction');
  });

  it.each(WAYS)(
    'has an amount to type that no choice of another profile lifts: %s',
    async (_, hasProject, more, env) => {
      const { home, sign } = await signing('type_amount_above.USDT=10');
      if (hasProject) await writeFile(join(home, 'bursar.json'), JSON.stringify({ profile: 'sandbox' }));
      const { code, isSigned, stderr } = await sign(more, env);
      expect({ code, isSigned }).toEqual({ code: 2, isSigned: false });
      expect(stderr).toContain('2000 USDT on polygon');
      expect(await sign([...more, '--yes'], env), '--yes replaces the typed amount').toMatchObject({
        code: 0,
        isSigned: true,
      });
    },
  );
});
