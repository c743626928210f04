import { expect, onTestFinished, test } from 'vitest';
import { dashboardLink } from '../../../src/sandbox/address.ts';
import { runBursar } from '../../support/bursar.ts';
import { temporaryFolder } from '../../support/io.ts';

test('opens every tab of the built sandbox after both chains ran and a wallet has a position', async () => {
  const home = await temporaryFolder();
  const env = { BURSAR_KEY_PASSWORD: 'a long password', BURSAR_PROFILE: 'sandbox' };
  const bursar = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runBursar(home, [...args, '--json'], { env });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
  const address = await bursar('sandbox', 'start');
  for (const chain of ['evm', 'solana']) await bursar('key', 'new', chain, '--chain', chain);
  for (const key of ['evm', 'solana']) await bursar('sandbox', 'fund', key);
  const deposit = ['--provider', 'provider_a', '--chain-name', 'solana', '--asset', 'USDC', '--amount', '25'];
  await bursar('yield', 'deposit', ...deposit, '--key', 'solana', '--broadcast', '--yes');
  const entered = await fetch(dashboardLink(address), { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const tabOf = async (list: string) => {
    const answer = await fetch(`${address.url}/?list=${list}`, { headers: { cookie } });
    return { status: answer.status, text: await answer.text() };
  };
  for (const list of ['payments', 'requests', 'orders', 'inbox', 'webhooks', 'kyc', 'yield', 'faults', 'chains'])
    expect([list, (await tabOf(list)).status]).toEqual([list, 200]);
  for (const list of ['yield', 'yield&provider=provider_a'])
    expect((await tabOf(list)).text).toMatch(/2[45]\.\d+ USDC/);
  for (const list of ['yield&provider=provider_b', 'yield&search=nobody'])
    expect((await tabOf(list)).text).toContain('Nothing passes this filter.');
});
