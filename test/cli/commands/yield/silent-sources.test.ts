import { describe, expect, it } from 'vitest';
import { newHome } from '../../../support/bursar.ts';
import { runInProcess } from '../../../support/in-process.ts';
import { envelope, type Responder, startServer } from '../../../support/server.ts';

const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

const STRATEGY = {
  strategy_id: 'provider_a:m:v',
  provider: 'provider_a',
  protocol_display_name: 'A',
  product_type: 'lending',
  enabled: true,
  token: { symbol: 'USDC', mint: 'm', decimals: 6 },
  apy: { supply: { percent: 3, annualized: 0.03 }, total_with_rewards: null, rewards_only: null, borrow: null },
  risk: { max_ltv: null, max_ltv_percent: null },
  liquidity: { tvl_usd: 1, total_supply_usd: 1, total_borrow_usd: null },
  addresses: { market_or_vault: 'v', reserve: null, share_mint: null },
};

const POSITION = {
  ...{ provider: 'provider_a', asset: 'USDC', wallet: WALLET, chain_name: 'solana' },
  ...{ position_on_protocol: 5, earnings_status: 'ok', earnings_details: null },
};

const bothAsked = ({ length }: readonly object[]) => ({
  provider_a: { ok: length > 0, message: length > 0 ? 'ok' : 'gone', count: length },
  provider_b: { ok: false, message: 'timed out\u001b[2J', count: 0 },
});

/** A service with strategies of one provider only; `sources` lists the providers that it asked. */
const half = async (strategies: readonly object[] = [STRATEGY], sources = bothAsked(strategies) as object) => {
  const responder: Responder = (received, response) => {
    const path = received.path.split('?')[0];
    if (path === '/yield/earnings')
      return envelope(200, 'get_earnings_position', { data: { earnings: [POSITION] } })(received, response);
    if (path?.startsWith('/yield/rebalance-opportunities'))
      return envelope(200, 'get_rebalance_opportunities_ok', { data: { opportunities: [], sources } })(
        received,
        response,
      );
    return envelope(200, 'get_yield_strategies_ok', { data: { strategies, sources } })(received, response);
  };
  const { url, received } = await startServer(responder);
  const { home } = await newHome();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  return { received, url, run: (line: string) => runInProcess(home, line.split(' '), { env }) };
};

const SAID = /^(?:warning: )?provider_b did not answer \(timed out\\u\{1b\}\[2J\): what it offers is not in here\.$/m;

describe('a provider that does not answer the service', () => {
  it.each(['yield strategies', 'yield strategies USDC', 'yield opportunities', 'yield best USDC'])(
    'is named by %s, except with --quiet',
    async (line) => {
      const { run } = await half();
      const { code, stderr } = await run(line);
      expect(code).toBe(0);
      expect(stderr).toMatch(SAID);
      expect((await run(`${line} --quiet`)).stderr).toBe('');
    },
  );

  it('is asked again by the next command, because a partial list is not cached', async () => {
    const { run, received } = await half();
    await run('yield strategies');
    await run('yield strategies');
    expect(received).toHaveLength(2);
  });

  it('is listed in the positions of a wallet: exit 5', async () => {
    const { run } = await half();
    const { code, stdout, stderr } = await run(`yield earnings --wallet ${WALLET} --json`);
    expect(code).toBe(5);
    expect(JSON.parse(stdout).earnings).toEqual([
      POSITION,
      expect.objectContaining({
        provider: 'provider_b',
        asset: null,
        position_on_protocol: null,
        earnings_status: 'unavailable',
      }),
    ]);
    expect(stderr).toBe('');
    expect((await run(`yield earnings --wallet ${WALLET}`)).stderr).toContain('1 of 2 positions are not known');
    expect((await run(`yield earnings --wallet ${WALLET} --provider provider_a`)).code).toBe(0);
  });

  it('is listed in the document of yield best', async () => {
    const { run } = await half();
    const { stdout } = await run('yield best USDC --json');
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'provider_a', not_answered: [{ provider: 'provider_b' }] });
  });

  const REBALANCE = `yield rebalance --chain-name solana --asset USDC --amount 1 --wallet ${WALLET}`;

  it('is named before a rebalance to the highest yield', async () => {
    const { run } = await half();
    expect((await run(`${REBALANCE} --provider-out provider_a`)).stderr).toMatch(SAID);
  });

  it.each(['provider_b', 'provider_b --yes', 'PROVIDER_B --yes', 'provider_b --yes --json'])(
    'and holds the money stops the rebalance: from %s is exit 5, and nothing is built',
    async (from) => {
      const { run, received } = await half();
      const { code, stdout, stderr } = await run(`${REBALANCE} --provider-out ${from}`);
      expect(code).toBe(5);
      expect(stdout + stderr).toMatch(/what USDC yields at provider_b now is not known/i);
      expect(stdout + stderr).toContain('--provider-in');
      expect(stdout + stderr).not.toContain('the most for USDC');
      expect(received.map(({ path }) => path)).toEqual(['/yield/strategies/USDC']);
    },
  );

  it('is a warning of a rebalance, also with --quiet', async () => {
    const { run } = await half();
    expect((await run(`${REBALANCE} --provider-out provider_a --quiet`)).stderr).toMatch(
      /^warning: provider_b did not/,
    );
  });

  it('is not asked when the target is named', async () => {
    const { run, received } = await half();
    await run(`${REBALANCE} --provider-out provider_b --provider-in provider_a`);
    expect(received.map(({ path }) => path)).toEqual(['/yield/rebalance']);
  });

  it('is exit 5 when no other provider answers', async () => {
    const { run } = await half([]);
    const { code, stderr } = await run('yield best USDC');
    expect(code).toBe(5);
    expect(stderr).toContain('provider_a did not answer (gone).');
  });
});

describe('a provider that the answer does not name', () => {
  const FROM_B = `yield rebalance --chain-name solana --asset USDC --amount 1 --wallet ${WALLET} --provider-out`;
  const OK = { ok: true, message: 'ok', count: 1 };

  it.each([
    ['and its sources lack', { provider_a: OK }, 'provider_b'],
    ['and its sources are empty', {}, 'provider_b'],
    ['because the name is mistyped', { provider_a: OK, provider_b: OK }, 'provider_c'],
  ])('%s: nothing is moved from the provider, exit 5', async (_, sources, from) => {
    const { run, received } = await half([STRATEGY], sources);
    const { code, stdout, stderr } = await run(`${FROM_B} ${from} --yes`);
    expect(code).toBe(5);
    expect(stdout + stderr).toContain(`what USDC yields at ${from} now is not known: nothing was moved`);
    expect(stdout + stderr).toContain(`${from}: the service does not name it among those that it asked`);
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies/USDC']);
  });

  it('and that has no strategy is the source of a rebalance to another provider', async () => {
    const { run, received } = await half([STRATEGY], { provider_a: OK, provider_b: { ...OK, count: 0 } });
    expect((await run(`${FROM_B} provider_b --yes`)).stderr).toContain('provider_b names no yield now');
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies/USDC', '/yield/rebalance']);
  });

  it('in capitals is found without case: nothing to do', async () => {
    const { run, received } = await half([STRATEGY], { provider_a: OK });
    expect((await run(`${FROM_B} PROVIDER_A --yes`)).stderr).toContain('nothing to do');
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies/USDC']);
  });

  it('and that the profile names is listed in the document of yield best', async () => {
    const { run, url } = await half([STRATEGY], { provider_a: OK });
    await run(`profile set acme base_url=${url} providers.ours=provider_z`);
    const { stdout } = await run('yield best USDC --json --profile acme');
    expect(JSON.parse(stdout).not_answered).toEqual([
      { provider: 'provider_z', message: expect.stringContaining('does not name it'), asked: false },
    ]);
  });
});
