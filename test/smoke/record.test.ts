import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const bursar = (...args: readonly string[]) => journey.bursar(args);

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
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 flows passed')]);
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
