import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBursar } from '../../../support/bursar.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { envelope, type Responder, startServer } from '../../../support/server.ts';

const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

const quoteOf = (price: string, from = 'BTC', to = 'USDT'): Responder =>
  envelope(200, 'quote_ok', {
    data: {
      symbol: 'BTCUSDT',
      price,
      source: 'exchange_a',
      exchange: { symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', meaning: '' },
      requested: { from, to, price, description: '' },
      market: { symbol: 'BTCUSDT', price },
    },
  });

const service = async (...answers: readonly Responder[]) => {
  let at = 0;
  const { url, received } = await startServer((one, response) => {
    const answer = answers[Math.min(at, answers.length - 1)];
    at += 1;
    return answer?.(one, response);
  });
  const { home, bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  const run = (line: string) => bursar(line.split(' '), { env });
  /** Runs the command as the arguments of a shell script. */
  const under = (line: string, script: string) =>
    startBursar(home, line.split(' ').filter(Boolean), { env, under: ['sh', '-c', script, 'sh'] }).ended;
  return { run, under, received, start: (line: string) => startBursar(home, line.split(' '), { env }) };
};

describe('quote --amount', () => {
  it.each([
    ['BTC', 'USDT', '0.1', '6400.00000000000000128', true],
    ['USDT', 'BTC', '1', '0.000015624999999999', false],
  ])('of %s in %s is exact, or is marked as not exact', async (from, to, amount, worth, isExact) => {
    const { run } = await service(quoteOf('64000.0000000000000128', from, to));
    const { stdout } = await run(`quote ${from} ${to} --amount ${amount} --json`);
    expect(JSON.parse(stdout).worth).toMatchObject({
      amount,
      from,
      to,
      worth,
      is_exact: isExact,
      source: 'exchange_a',
    });
    expect(JSON.parse(stdout).worth.reverse).toMatchObject({ amount, from: to, to: from });
  });

  it.each(['-1', '1e3', 'ten'])('of %s is exit 2, and nothing is sent', async (amount) => {
    const { run, received } = await service(quoteOf('1'));
    expect((await run(`quote BTC USDT --amount ${amount}`)).code).toBe(2);
    expect(received).toEqual([]);
  });

  it('at a price of 0 is exit 5', async () => {
    expect((await (await service(quoteOf('0'))).run('quote BTC USDT --amount 1')).code).toBe(5);
  });
});

describe('quote --watch', () => {
  it('prints one line for each read to a pipe until --timeout, also with --json', async () => {
    const { run } = await service(quoteOf('1'), quoteOf('1'), quoteOf('2'));
    const { code, stdout, stderr } = await run('quote BTC USDT --watch --every 0.2 --timeout 4');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [first, second, ...more] = stdout.trimEnd().split('\n');
    expect(first).toMatch(/^\d{4}-\S+Z\tBTC\tUSDT\t1\texchange_a$/);
    expect(second).toMatch(/\tBTC\tUSDT\t1\texchange_a$/);
    for (const line of more) expect(line).toMatch(/\tBTC\tUSDT\t2\texchange_a$/);
    expect(more.length).toBeGreaterThan(0);
    const { run: again } = await service(quoteOf('1'), quoteOf('1'), quoteOf('2'));
    const json = await again('quote BTC USDT --watch --every 0.2 --timeout 4 --json');
    const prices = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).price);
    expect([json.code, json.stderr, ...prices.slice(0, 3)]).toEqual([0, '', '1', '1', '2']);
  });

  it('continues after a failed answer, and prints the failure', async () => {
    const broken = envelope(500, 'server_error');
    const { run } = await service(quoteOf('1'), ...Array.from({ length: 4 }, () => broken), quoteOf('2'));
    const { code, stdout } = await run('quote BTC USDT --watch --every 0.2 --timeout 6 --json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines[0].price).toBe('1');
    expect(lines.some(({ error }) => error?.code === 'unavailable')).toBe(true);
    expect(lines.at(-1).price).toBe('2');
  });

  it('prints no failure of a last read that --timeout cuts off', async () => {
    const { run } = await service(quoteOf('1'), () => undefined);
    const { code, stdout } = await run('quote BTC USDT --watch --every 0.2 --timeout 1.5 --json');
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout).price).toBe('1');
  });

  it('prints the failure of a read that gets no answer in its time', async () => {
    const { run } = await service(quoteOf('1'), () => undefined);
    const { stdout } = await run('quote BTC USDT --watch --every 0.2 --timeout 4 --json');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').error.code).toBe('unavailable');
  });

  it('continues when the first read fails', async () => {
    const { run } = await service(...Array.from({ length: 4 }, () => envelope(500, 'server_error')), quoteOf('2'));
    const { code, stdout } = await run('quote BTC USDT --watch --every 0.2 --timeout 12 --json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ at: expect.any(String), error: { code: 'unavailable' } });
    expect(lines.slice(1).map(({ price }) => price)).toContain('2');
  });

  it('without any price ends as the last read, with one line for each read: exit 5', async () => {
    const { run } = await service(envelope(503, 'server_error'));
    const { code, stdout } = await run('quote BTC USDT --watch --every 0.2 --timeout 2 --json');
    expect(code).toBe(5);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line).error.code).toBe('unavailable');
  });

  it('with a refused key is exit 4; with --envelope or two pairs nothing is sent', async () => {
    expect((await (await service(envelope(401, 'unauthorized'))).run('quote A B --watch --json')).code).toBe(4);
    const { run, received } = await service(quoteOf('1'));
    expect((await run('quote BTC USDT --watch --envelope')).code).toBe(2);
    expect((await run('quote BTC USDT --pair ETHUSDT')).code).toBe(2);
    expect(received).toEqual([]);
  });

  it('of an unknown pair is exit 3', async () => {
    expect((await (await service(envelope(400, 'pair_not_found'))).run('quote A B --watch')).code).toBe(3);
  });

  it('ends with 130 at Ctrl-C, without a stack trace', async () => {
    const { start } = await service(quoteOf('1'));
    const { child, ended } = start('quote BTC USDT --watch --every 0.2');
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await pause(300);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: '' });
  });

  it.each(['--json', ''])('of a constant price ends when head -1 closes the pipe: "%s"', async (format) => {
    const { under } = await service(quoteOf('1'));
    const start = performance.now();
    const ended = await under(
      `quote BTC USDT --watch --every 0.3 ${format}`,
      '{ "$@"; echo "exit=$?" >&2; } | head -1',
    );
    expect(ended).toMatchObject({ stderr: 'exit=0\n', stdout: expect.stringMatching(/^[^\n]+\n$/) });
    expect(performance.now() - start).toBeLessThan(8000);
  });
});

describe('yield earnings without a provider', () => {
  const strategy = (provider: string, symbol: string) => ({
    strategy_id: `${provider}:m:a`,
    provider,
    protocol_display_name: provider,
    product_type: 'lending',
    enabled: true,
    token: { symbol, mint: 'm', decimals: 6 },
    apy: { supply: null, total_with_rewards: null, rewards_only: null, borrow: null },
    risk: { max_ltv: null, max_ltv_percent: null },
    liquidity: { tvl_usd: 1, total_supply_usd: 1, total_borrow_usd: null },
    addresses: { market_or_vault: 'a', reserve: null, share_mint: null },
  });
  const answers =
    (broken: string): Responder =>
    (one, response) => {
      const { pathname, searchParams } = new URL(one.path, 'http://x');
      const [provider, asset] = [searchParams.get('provider') ?? '', searchParams.get('asset') ?? ''];
      if (pathname === '/yield/strategies') {
        const strategies = [strategy('a', 'USDC'), strategy('b', 'USDC'), strategy('a', 'USDT'), strategy('a', 'USDC')];
        return envelope(200, 'get_yield_strategies_ok', { data: { strategies, sources: {} } })(one, response);
      }
      if (provider === broken) return envelope(400, 'params_mismatch')(one, response);
      const entry = {
        provider,
        asset,
        wallet: WALLET,
        chain_name: 'solana',
        position_on_protocol: 5,
        earnings_status: 'ok',
      };
      return envelope(200, 'get_earnings_position', { data: { earnings: [entry] } })(one, response);
    };

  it('reads each pair of provider and token once, or only those of --asset', async () => {
    const { run } = await service(answers(''));
    const all = await run(`yield earnings --wallet ${WALLET}`);
    expect({
      code: all.code,
      lines: all.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t').slice(0, 2).join(' ')),
    }).toEqual({
      code: 0,
      lines: ['a USDC', 'b USDC', 'a USDT'],
    });
    expect((await run(`yield earnings --wallet ${WALLET} --asset usdt`)).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('of an invalid wallet is exit 2, and nothing is sent', async () => {
    const { run, received } = await service(answers(''));
    const { code, stderr } = await run('yield earnings --wallet nope');
    expect(code).toBe(2);
    expect(stderr).toContain('--wallet');
    expect(received).toEqual([]);
  });

  it('marks a position that cannot be read, and ends with its exit code', async () => {
    const { run } = await service(answers('b'));
    const { code, stdout } = await run(`yield earnings --wallet ${WALLET} --json`);
    expect(code).toBe(9);
    expect(
      JSON.parse(stdout).earnings.map(({ earnings_status }: { earnings_status: string }) => earnings_status),
    ).toEqual(['ok', 'params_mismatch', 'ok']);
    expect((await run(`yield earnings --wallet ${WALLET}`)).stderr).toContain('1 of 3 positions are not known');
  });
});
