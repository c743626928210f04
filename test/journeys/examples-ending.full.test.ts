import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../../src/cli/command/areas.ts';
import { exitsOf } from '../../src/cli/help/command-page.ts';
import { startBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { ENDLESS } from '../support/endless.ts';
import { type Journey, startJourney } from '../support/journey.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const endless = leaves.flatMap((leaf) =>
  leaf.examples.filter((line) => ENDLESS.test(line)).map((line) => [line, exitsOf(leaf)] as const),
);

type Ending = { readonly code: number; readonly more?: string; readonly interruptAfterMs?: number };

/** How the test ends each example, and its exit code. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'quote BTC USDT --watch --every 2 --json': { more: '--timeout 4', code: 0 },
  'kyc start --key treasury --email payer@example.com': { more: '--timeout 6', code: 8 },
  'pay list --watch': { more: '--timeout 2', code: 0 },
  // Without a shared journal: its watch is tested with a queue in `test/bulk/queue`.
  'pay bulk-status 2026-11 --watch --timeout 3600': { code: 2 },
  'yield list --watch': { more: '--timeout 2', code: 0 },
  'sandbox status --watch': { more: '--timeout 2', code: 0 },
  'sandbox logs --follow --json': { interruptAfterMs: 2000, code: 130 },
  'webhook listen': { more: '--timeout 1', code: 0 },
  'webhook listen --forward-to http://127.0.0.1:3000/hook --verify': { more: '--idle 1', code: 0 },
  'webhook listen --count 1 --timeout 60': { interruptAfterMs: 2000, code: 130 },
  'sandbox reset': { code: 2 },
  'sandbox reset --yes': { code: 0 },
  'sandbox stop': { code: 0 },
  'sandbox stop --quiet': { code: 0 },
};

describe('the examples of help that do not end by themselves', () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney();
    await newEvmKey(journey.home, 'treasury');
  });
  afterAll(() => journey.end());

  it('all have an end in this test', () => {
    expect(endless.map(([line]) => line).toSorted()).toEqual(Object.keys(ENDINGS).toSorted());
  });

  it.each(Object.entries(ENDINGS))('bursar %s ends with an exit code that its help lists', async (line, ending) => {
    const { code, more, interruptAfterMs } = ending;
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
    const { child, ended } = startBursar(journey.home, `${line} ${more ?? ''}`.trim().split(' '), { env });
    if (interruptAfterMs !== undefined) setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
    const { code: seen, stdout, stderr } = await ended;
    expect(seen, stdout + stderr).toBe(code);
    expect(endless.find(([one]) => one === line)?.[1]).toContain(code);
  });
});
