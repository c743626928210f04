import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Meddler } from '../support/journey.ts';
import { asked, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
  await journey.json([...asked('deposit', 'USDC', '20'), '--broadcast', '--yes']);
});

afterAll(() => journey.end());

const STRATEGIES = '/yield/strategies/USDC';
const REBALANCE = '/yield/rebalance';

type Strategy = { provider: string; apy: Record<string, unknown> };

/** Changes the rates of the providers, and records the called yield paths. */
const yielding =
  (rates: Readonly<Record<string, number>>, seen: string[], rename = (name: string) => name): Meddler =>
  async ({ path }, forward) => {
    if (path.startsWith('/yield/')) seen.push(path);
    const answer = await forward();
    if (path !== STRATEGIES) return answer;
    const body = JSON.parse(answer.body);
    for (const each of body.data.strategies as Strategy[]) {
      each.apy = { ...each.apy, total_with_rewards: { percent: rates[each.provider], annualized: 0 } };
      each.provider = rename(each.provider);
    }
    return { status: answer.status, body: JSON.stringify(body) };
  };

const BASE = ['yield', 'rebalance', '--chain-name', 'solana', '--asset', 'USDC', '--amount', '2', '--key', 'saver'];
const FROM_A = [...BASE, '--provider-out', 'provider_a'];

const B_IS_BETTER = { provider_a: 5, provider_b: 12.5 };

const rebalance = async (
  rates: Readonly<Record<string, number>>,
  args: readonly string[],
  rename?: (name: string) => string,
) => {
  const seen: string[] = [];
  const ended = await journey.through(yielding(rates, seen, rename), async () => {
    // The cache must not count, because the choice is about money.
    await journey.bursar(['yield', 'strategies', 'USDC']);
    seen.length = 0;
    return journey.bursar([...args, '--json']);
  });
  return { ...ended, seen, data: JSON.parse(ended.stdout) };
};

/** A service to which one provider does not answer. */
const silencing =
  (gone: string, seen: string[]): Meddler =>
  async ({ path }, forward) => {
    if (path.startsWith('/yield/')) seen.push(path);
    const answer = await forward();
    if (path !== STRATEGIES) return answer;
    const body = JSON.parse(answer.body);
    const { strategies } = body.data as { strategies: readonly Strategy[] };
    body.data.strategies = strategies.filter(({ provider }) => provider !== gone);
    body.data.sources = { ...body.data.sources, [gone]: { ok: false, message: 'timed out', count: 0 } };
    return { status: answer.status, body: JSON.stringify(body) };
  };

describe('yield rebalance without --provider-in', () => {
  it('moves nothing from a provider that does not answer, also with --yes: exit 5', async () => {
    const seen: string[] = [];
    const command = [...FROM_A, '--broadcast', '--yes'];
    const { code, data } = await journey.through(silencing('provider_a', seen), () => journey.json(command));
    expect({ code, error: data['error'], seen }).toMatchObject({
      code: 5,
      error: { code: 'unavailable', hint: expect.stringContaining('provider_a did not answer (timed out)') },
      seen: [STRATEGIES],
    });
  });

  it('finds the highest current yield despite the cache, prints both rates, and needs --provider-in without a terminal', async () => {
    const chosen = await rebalance(B_IS_BETTER, [...FROM_A, '--broadcast', '--yes']);
    const { stderr, seen } = chosen;
    // The highest yield is a claim of the service, so a script must state the provider.
    expect({ code: chosen.code, error: chosen.data.error }).toMatchObject({
      code: 10,
      error: { code: 'refused_by_review', errors: [{ option: '--provider-in' }] },
    });
    expect(seen).toEqual([STRATEGIES]);
    const { code, data } = await rebalance(B_IS_BETTER, [
      ...[...FROM_A, '--provider-in', 'provider_b', '--broadcast', '--yes'],
    ]);
    expect({ code, data }).toMatchObject({
      code: 0,
      data: { status: 'landed', positions: [{ provider: 'provider_a' }, { provider: 'provider_b', after: '2' }] },
    });
    expect(stderr).toContain('provider_b yields 12.5 % a year with rewards, the most for USDC');
    expect(stderr).toContain('provider_a yields 5 % a year with rewards, where it is now');
  });

  it.each([
    ['best', { provider_a: 12, provider_b: 5 }],
    ['no worse', { provider_a: 7, provider_b: 7 }],
  ])('does nothing when the current provider is %s: exit 0, nothing is built', async (_, rates) => {
    const { code, data, seen } = await rebalance(rates, [...FROM_A, '--broadcast', '--yes']);
    expect({ code, data }).toMatchObject({ code: 0, data: { status: 'nothing_to_do', provider: 'provider_a' } });
    expect(seen).toEqual([STRATEGIES]);
  });

  it('with --sign needs a confirmation: without a terminal exit 10, nothing built', async () => {
    const { code, data, seen } = await rebalance(B_IS_BETTER, [...FROM_A, '--sign']);
    expect({ code, error: data.error }).toMatchObject({ code: 10, error: { code: 'refused_by_review' } });
    expect(seen).not.toContain(REBALANCE);
  });

  it('builds without a question when nothing is signed', async () => {
    const { code, data, seen } = await rebalance(B_IS_BETTER, FROM_A);
    expect({ code, data }).toMatchObject({ code: 0, data: { transaction: expect.any(String) } });
    expect(seen).toEqual([STRATEGIES, REBALANCE]);
  });

  it('prints with --dry-run the first request, and sends nothing', async () => {
    const { code, data, seen, stderr } = await rebalance(B_IS_BETTER, [...FROM_A, '--broadcast', '--dry-run']);
    expect({ code, data, seen }).toMatchObject({ code: 0, data: { method: 'GET' }, seen: [] });
    expect(data.url).toContain(STRATEGIES);
    expect(stderr).toContain('then PATCH /yield/rebalance');
    expect(stderr).toContain('this is the first call alone');
  });

  it('refuses a provider with an invalid name: exit 5, nothing built', async () => {
    const hostile = (name: string) => (name === 'provider_b' ? 'b\u001b[2J' : name);
    const { code, seen } = await rebalance(B_IS_BETTER, [...FROM_A, '--broadcast', '--yes'], hostile);
    expect({ code, seen }).toEqual({ code: 5, seen: [STRATEGIES] });
  });

  it.each([
    ['--provider-out is missing too', BASE],
    ['another field is wrong', [...FROM_A, '--amount', '1e1']],
  ])('is exit 2 before any call, when %s', async (_, args) => {
    const { code, seen } = await rebalance(B_IS_BETTER, [...args, '--broadcast', '--yes']);
    expect({ code, seen }).toEqual({ code: 2, seen: [] });
  });
});
