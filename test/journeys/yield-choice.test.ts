import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, type Meddler, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

/** Runs a command and records the called paths of the service; `change` edits the yields. */
const watched = async (args: readonly string[], change: (body: string) => string = (body) => body) => {
  const seen: string[] = [];
  const meddler: Meddler = async ({ path }, forward) => {
    if (!path.startsWith('/_sandbox')) seen.push(path);
    const { status, body } = await forward();
    return { status, body: path === PATH ? change(body) : body };
  };
  return { ...(await journey.through(meddler, () => journey.bursar(args))), seen };
};

const LIST = ['yield', 'strategies', 'USDC', '--json'];
const PATH = '/yield/strategies/USDC';

/** A cache belongs to an address, and a proxy has a new address each time, so these calls go to the sandbox. */
const direct = (...more: readonly string[]) => journey.bursar([...LIST, ...more]);

const cacheFiles = async () => {
  const folder = join(journey.home, 'cache', 'strategies');
  return (await readdir(folder)).map((name) => join(folder, name));
};

describe('yield strategies', () => {
  it('are read from the cache the second time, digit for digit, and stderr prints their age', async () => {
    const first = await direct();
    expect(first.stderr).not.toContain('old');
    await journey.bursar(['sandbox', 'chain', 'disable', 'solana']);
    const second = await direct();
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toMatch(/these strategies are .* old; --refresh/);
  });

  it('are read again with --refresh; an answer without providers has a warning and is not cached', async () => {
    const kept = await direct();
    const none = await direct('--refresh');
    expect(JSON.parse(none.stdout)).toMatchObject({ strategies: [] });
    expect(none.stderr).toContain('provider_a did not answer');
    expect((await direct()).stdout).toBe(kept.stdout);
    await journey.bursar(['sandbox', 'chain', 'enable', 'solana']);
  });

  it('are cached after --refresh', async () => {
    for (const path of await cacheFiles()) await writeFile(path, '{"v":1,"at":');
    const fresh = await direct('--refresh');
    await journey.bursar(['sandbox', 'chain', 'disable', 'solana']);
    const again = await direct();
    await journey.bursar(['sandbox', 'chain', 'enable', 'solana']);
    expect(again.stdout).toBe(fresh.stdout);
    expect(again.stderr).toContain('old; --refresh');
  });

  it.each<readonly [string, string]>([
    ['is damaged', '{"v":1,"at":'],
    ['is eleven hours old', JSON.stringify({ v: 1, at: Date.now() - 11 * 3_600_000, envelope: { success: true } })],
    ['comes from the future', JSON.stringify({ v: 1, at: Date.now() + 3_600_000, envelope: { success: true } })],
  ])('are not read from a cache that %s', async (_, content) => {
    for (const path of await cacheFiles()) await writeFile(path, content);
    const { code, stdout, stderr } = await direct();
    expect({ code, count: JSON.parse(stdout).strategies.length }).toEqual({ code: 0, count: 2 });
    expect(stderr).not.toContain('--refresh');
  });
});

describe('yield best', () => {
  it('calls the service despite the cache, and names the highest yield', async () => {
    await direct();
    const { code, stdout, seen } = await watched(['yield', 'best', 'USDC', '--json']);
    const best = JSON.parse(stdout);
    expect({ code, seen }).toEqual({ code: 0, seen: [PATH] });
    expect(best.alternatives).toHaveLength(1);
    expect(Number(best.apy_percent)).toBeGreaterThanOrEqual(Number(best.alternatives[0].apy_percent));
  });

  it.each<readonly [string, string, string]>([
    ['9.9', '10.1', 'provider_b'],
    ['10.1', '9.9', 'provider_a'],
  ])('compares yields as numbers, not as text: %s and %s', async (a, b, provider) => {
    const change = (body: string) => {
      const answer = JSON.parse(body);
      for (const each of answer.data.strategies) {
        const percent = Number(each.provider === 'provider_a' ? a : b);
        each.apy = { ...each.apy, total_with_rewards: null, supply: { percent, annualized: percent / 100 } };
      }
      return JSON.stringify(answer);
    };
    const { stdout } = await watched(['yield', 'best', 'USDC', '--json'], change);
    expect(JSON.parse(stdout)).toMatchObject({ provider, with_rewards: false });
  });

  it('ignores disabled strategies: exit 3 when none is left', async () => {
    const off = (body: string) => body.replaceAll('"enabled":true', '"enabled":false');
    expect((await watched(['yield', 'best', 'USDC', '--json'], off)).code).toBe(3);
  });
});
