import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';
import { showInProcess } from '../support/shown-in-process.ts';

const ORDER = ['--from-currency-symbol', 'BRL', '--amount-from', '25', '--to-currency-symbol', 'USDT'];

describe('with a clock of the sandbox that is hours ahead', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
    await journey.bursar(['sandbox', 'advance', '5h']);
    await journey.bursar(['order', 'create', ...ORDER, '--allow', 'crypto']);
    await journey.bursar(['kyc', 'prepare', '--email', 'a@example.com']);
    await journey.bursar(['kyc', 'send-otp', '--email', 'a@example.com']);
  });

  afterAll(() => journey.end());

  it.each([
    ['an order', ['order', 'list']],
    ['a mail', ['sandbox', 'inbox']],
  ])('%s of this minute is not shown as future', async (_, args) => {
    const look = { columns: 160, env: { BURSAR_PROFILE: 'sandbox', NO_COLOR: '1' } };
    const { code, stdout } = await showInProcess(journey.home, args, look);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/just now|\b\d+ seconds? ago/)]);
    expect(stdout).not.toMatch(/in \d+ hours?/);
  });

  it.each([
    ['clock', []],
    ['advance', ['2h']],
  ])('sandbox %s prints how far the clock is ahead', async (verb, args) => {
    const look = { columns: 160, env: { BURSAR_PROFILE: 'sandbox', NO_COLOR: '1' } };
    const { stdout } = await showInProcess(journey.home, ['sandbox', verb, ...args], look);
    expect(stdout).toMatch(/The sandbox's clock is \d+ (?:d|h|min).* ahead of this machine\n +now +20\S+ \S+ UTC\n$/);
  });

  it('doctor reports the moved clock as ok', async () => {
    const { stdout } = await journey.bursar(['doctor', '--json']);
    const clock = JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === 'clock');
    expect(clock).toMatchObject({ state: 'ok', says: expect.stringMatching(/the sandbox is 2[45]\d{3} s ahead/) });
  });
});
