import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { newHome } from '../support/bursar.ts';

it('the demo pays two receivers 70/30 on the chain, without a terminal, and leaves nothing running', async () => {
  const { home, bursar } = await newHome();
  const { code, stdout, stderr } = await bursar(['demo', '--json'], { env: { CI: 'true' } });
  expect(code).toBe(0);
  expect(stderr).toContain('No real money moves');
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({ status: 'success', profile: 'sandbox', kind: 'sandbox' });
  expect(told.balances.map(({ before, after }: { before: string; after: string }) => [before, after])).toEqual([
    ['25', '15'],
    ['0', '7'],
    ['0', '3'],
  ]);
  // With their environment, which names the home: neither the sandbox nor a node of it is left.
  expect(execFileSync('ps', ['axeww'], { encoding: 'utf8' })).not.toContain(`BURSAR_HOME=${home}`);
  expect((await bursar(['sandbox', 'status', '--json'])).stdout).toContain('"running": false');
});

it('the demo does not touch what is configured: a live key in the environment goes nowhere', async () => {
  const { bursar } = await newHome();
  const live = { BURSAR_BASE_URL: 'https://live.invalid', BURSAR_API_KEY: 'live-key' };
  expect((await bursar(['demo', '--json', '--quiet'], { env: live })).code).toBe(0);
});
