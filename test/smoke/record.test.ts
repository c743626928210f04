import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, RECEIVERS, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const bursar = (...args: readonly string[]) => journey.bursar(args);

/** Records all requests of the log as a file. */
const recorded = async (name: string) => {
  const file = join(journey.home, `${name}.arazzo.yaml`);
  const { code, stderr } = await bursar('smoke', 'record', '--name', name, '--out', file);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return { file, stderr, text: await readFile(file, 'utf8') };
};

describe('smoke record', () => {
  it.each([
    ['crypto-payment', ['signPayment']],
    ['checkout-payment', ['signPayment', 'pay_at_most']],
    ['kyc-email', ['readCode']],
    ['kyc-wallet', ['signChallenge']],
    ['yield', ['signYield', 'signYield-2']],
  ] as const)('writes the requests of %s as a flow that passes in a sandbox without them', async (flow, parts) => {
    await bursar('sandbox', 'reset', '--yes');
    expect((await bursar('smoke', 'run', flow)).code).toBe(0);
    const file = join(journey.home, `${flow}.arazzo.yaml`);
    expect(await bursar('smoke', 'record', '--name', `again-${flow}`, '--out', file)).toMatchObject({ code: 0 });
    const text = await readFile(file, 'utf8');
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toMatch(/\*{8}|smoke-\w+-\w+@/);
    expect((await stat(file)).mode & 0o077).toBe(0);
    await bursar('sandbox', 'reset', '--yes');
    const { code, stdout } = await bursar('smoke', 'run', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 flow passed')]);
  });

  it('writes several flows as one, with an input for each family of wallets', async () => {
    await bursar('sandbox', 'reset', '--yes');
    for (const flow of ['crypto-payment', 'kyc-wallet', 'yield'])
      expect(await bursar('smoke', 'run', flow)).toMatchObject({ code: 0 });
    const { file, text } = await recorded('several');
    expect(text).toMatch(/wallet: *\n *from: evm-key/);
    expect(text).toMatch(/wallet_solana: *\n *from: solana-key/);
    await bursar('sandbox', 'reset', '--yes');
    const { code, stdout } = await bursar('smoke', 'run', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 flow passed')]);
  });

  it('writes a text that looks like an expression as text', async () => {
    await bursar('sandbox', 'reset', '--yes');
    const texts = ['$100 off', '$inputs.email', 'a{$inputs.api_key}b', '$', '{$', 'plain'];
    const body = join(journey.home, 'body.json');
    await writeFile(body, JSON.stringify({ executor_id: '$inputs.email', note: texts }));
    await bursar('api', 'POST', '/order/create', '--input', body);
    const { file } = await recorded('texts');
    await bursar('sandbox', 'reset', '--yes');
    expect(await bursar('smoke', 'run', file)).toMatchObject({ code: 0 });
    const { stdout } = await bursar('sandbox', 'logs', '--path', '/order/create', '--bodies', '--json', '--lines', '1');
    expect(JSON.parse(stdout)).toMatchObject({ request: { executor_id: '$inputs.email', note: texts } });
  });

  it('makes inputs of two wallets of one family', async () => {
    await bursar('sandbox', 'reset', '--yes');
    for (const wallet of RECEIVERS) await journey.ask('POST', '/security/wallet/challenge', { wallet });
    const { text } = await recorded('two');
    expect(text).toContain('wallet: $inputs.wallet\n');
    expect(text).toContain('wallet: $inputs.wallet_2\n');
  });

  it('makes an input of an id that no recorded answer has, and warns about it', async () => {
    await bursar('sandbox', 'reset', '--yes');
    expect((await bursar('smoke', 'run', 'crypto-payment')).code).toBe(0);
    const { stdout, stderr } = await bursar('smoke', 'record', '--last', '3');
    expect(stderr).toMatch(/input (?:payment_)?id has no value in the flow: .*, which no recorded answer has/);
    expect(stdout).not.toMatch(/pay_[0-9a-f]{32}/);
    expect(stdout).toContain('summary: Recorded from 3 requests\n');
  });

  it('makes an input of a part of a path that the log masks', async () => {
    await bursar('sandbox', 'reset', '--yes');
    await bursar('api', 'GET', '/payment/pay_404/status');
    const { file, text, stderr } = await recorded('masked');
    expect(text).toContain('Recorded from 1 request\n');
    expect(text).toContain('value: $inputs.id\n');
    expect(stderr).toContain('--input id=VALUE');
    expect(await bursar('smoke', 'run', file)).toMatchObject({ code: 2 });
    expect(await bursar('smoke', 'run', file, '--input', 'id=pay_404')).toMatchObject({ code: 0 });
  });

  it('refuses --last 0', async () => {
    const { code, stderr } = await bursar('smoke', 'record', '--last', '0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--last')]);
  });

  it('overwrites no file', async () => {
    await bursar('smoke', 'run', 'reads');
    const file = join(journey.home, 'kept.yaml');
    expect((await bursar('smoke', 'record', '--out', file)).code).toBe(0);
    const before = await readFile(file, 'utf8');
    expect(await bursar('smoke', 'record', '--out', file)).toMatchObject({ code: 2 });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('records nothing of a live service', async () => {
    const env = { BURSAR_PROFILE: '', BURSAR_BASE_URL: 'https://api.example', BURSAR_API_KEY: 'key_0123456789abcdef' };
    const { code, stderr } = await journey.bursar(['smoke', 'record'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('not from a live service')]);
  });
});
