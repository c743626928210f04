import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/kit/client.ts';
import { type Sandbox, startSandbox } from '../../src/kit/sandbox.ts';
import { temporaryFolder } from '../support/io.ts';
import { stillRuns } from './processes.ts';

const ADDRESS = '0x4444444444444444444444444444444444444444';

/** The USDT of an address, and whether a payment is known. Both change together with a restore. */
const stateOf = async (sandbox: Sandbox, id: string) => {
  const { balances } = (await sandbox.balances({ address: ADDRESS, chain: 'polygon' })) as {
    balances: readonly { symbol: string; amount: string }[];
  };
  const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  const payment = await client['pay']?.['status']?.({ id });
  return { usdt: balances.find(({ symbol }) => symbol === 'USDT')?.amount, isKnown: payment?.ok };
};

const BEFORE = { usdt: '1', isKnown: false };
const AFTER = { usdt: '3', isKnown: true };

const fund = (sandbox: Sandbox, amount: string) =>
  sandbox.fund({ address: ADDRESS, chain: 'polygon', token: 'USDT', amount });

describe('a restore that is killed', () => {
  it('is whole or not begun after the next start, at any time of the kill', async () => {
    const seen = new Set<string>();
    for (const delay of [0, 20, 40, 60, 80, 110, 140, 180, 230]) {
      const home = join(await temporaryFolder(), 'home');
      const first = await startSandbox({ home });
      await fund(first, '1');
      await first.snapshot();
      await fund(first, '2');
      const { payment_id: id } = (await first.trigger({ state: 'success' })) as { payment_id: string };
      const restoring = first.restore().catch(() => undefined);
      await setTimeout(delay);
      process.kill(first.pid, 'SIGKILL');
      await restoring;
      while (stillRuns(first.pid)) await setTimeout(5);
      const second = await startSandbox({ home });
      const state = await stateOf(second, id);
      await second.stop();
      expect([BEFORE, AFTER], `killed after ${delay} ms`).toContainEqual(state);
      seen.add(String(state.usdt));
    }
    expect(seen.has('1')).toBe(true);
  });
});
