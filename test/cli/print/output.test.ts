import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PROGRAM, runBursar } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';

const service = async (responder: Responder) => {
  const { url, received } = await startServer(responder);
  const { home, bursar } = await newHomeInProcess();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
  return { home, env, received, bursar: (args: readonly string[]) => bursar(args, { env }) };
};

const ORDERS = [
  { id: 'cmb1', active: true, amount_from: '10', note: 'two\nlines\tand a tab', nested: { a: 1 } },
  { id: 'cmb2', active: false, amount_from: '2.50', note: '\u001b[31mred\u202e', nested: { a: 2 } },
];

describe('an answer', () => {
  it('of an endpoint with --json is its data, digit for digit', async () => {
    const text = '{"price":1.10,"big":1000000000000000001,"nested":{"x":10000000000000000.0}}';
    const { bursar } = await service(
      raw(200, `{"statusCode":200,"success":true,"status":"quote_ok","message":"","data":${text}}`),
    );
    const { code, stdout, stderr } = await bursar(['quote', 'BTC', 'USDT', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/\s/g, '')).toBe(text);
  });

  it('without data prints its status', async () => {
    const { bursar } = await service(envelope(201, 'otp_sent'));
    const { stdout } = await bursar(['kyc', 'send-otp', '--email', 'A@Example.com', '--json']);
    expect(JSON.parse(stdout)).toEqual({ status: 'otp_sent' });
  });

  it('with --envelope is the whole envelope', async () => {
    const { bursar } = await service(envelope(201, 'otp_sent'));
    const { stdout } = await bursar(['kyc', 'send-otp', '--email', 'a@example.com', '--envelope']);
    expect(JSON.parse(stdout)).toMatchObject({ statusCode: 201, success: true, status: 'otp_sent' });
  });

  it('that is a list is complete TSV in a pipe, without a header and without escape bytes', async () => {
    const odd = ORDERS.map(({ note, ...order }) => ({ ...order, to_currency_symbol: note }));
    const { bursar } = await service(envelope(200, 'orders_listed', { data: { orders: odd, pagination: {} } }));
    const { stdout, stderr } = await bursar(['order', 'list']);
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout.split('\n')[0]).toBe('cmb1\ttrue\t\t10\t\ttwo\\nlines\\u{9}and a tab\t\t\t\t');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });

  it('that is a list has the same columns in a pipe for all entries, as its help lists them', async () => {
    const full = { ...ORDERS[0], payment_method_allowed: { crypto: true, pix: [{ a: 1 }] }, created_at: '2026-01-01' };
    for (const orders of [ORDERS, [full], [full, ...ORDERS], [...ORDERS, full]]) {
      const { bursar } = await service(envelope(200, 'orders_listed', { data: { orders, pagination: {} } }));
      const lines = (await bursar(['order', 'list'])).stdout.replace(/\n$/, '').split('\n');
      for (const line of lines) expect(line.split('\t')).toHaveLength(10);
      expect(lines.some((line) => line.split('\t')[8] === '2026-01-01')).toBe(orders.includes(full));
    }
    const { bursar } = await service(envelope(200, 'orders_listed', { data: { orders: ORDERS, pagination: {} } }));
    const help = (await bursar(['help', 'order', 'list'])).stdout.replaceAll(/\s+/g, ' ');
    expect(help).toContain('Columns in a pipe: id, active, gateway_method,');
  });

  it('that is an empty list prints an empty list: exit 0', async () => {
    const { bursar } = await service(envelope(200, 'orders_listed', { data: { orders: [], pagination: {} } }));
    expect(await bursar(['order', 'list'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await bursar(['order', 'list', '--json'])).stdout)).toEqual({ orders: [], pagination: {} });
  });

  it('has only the fields of --fields; an unknown field is exit 2 with the valid fields', async () => {
    const { bursar } = await service(envelope(200, 'orders_listed', { data: { orders: ORDERS, pagination: {} } }));
    const { stdout } = await bursar(['order', 'list', '--json', '--fields', 'id,nested.a']);
    expect(JSON.parse(stdout)).toEqual([
      { id: 'cmb1', 'nested.a': 1 },
      { id: 'cmb2', 'nested.a': 2 },
    ]);
    expect((await bursar(['order', 'list', '--fields', ''])).code).toBe(2);
    const wrong = await bursar(['order', 'list', '--fields', 'idd']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('id, active, amount_from');
  });

  it('of strategies has fixed columns in a pipe, the best rate first; --fields selects any field', async () => {
    const strategy = (provider: string, percent: number, rewards: number | null) => ({
      strategy_id: `${provider}:m:v`,
      provider,
      enabled: true,
      token: { symbol: 'USDC', mint: 'm', decimals: null },
      apy: { supply: { percent }, total_with_rewards: rewards && { percent: rewards } },
      liquidity: { tvl_usd: 5 },
      protocol_display_name: 'P',
      product_type: 'lending',
    });
    const strategies = [strategy('a', 3, null), strategy('b', 2, 4.5), strategy('c', 3.5, null)];
    const { bursar } = await service(envelope(200, 'get_yield_strategies_ok', { data: { strategies, sources: {} } }));
    const { stdout } = await bursar(['yield', 'strategies', '--refresh']);
    const [first = '', ...others] = stdout.replace(/\n$/, '').split('\n');
    expect(first).toBe('b\tP\tUSDC\tlending\t4.5\ttrue\t5\tb:m:v');
    for (const line of others) expect(line.split('\t')).toHaveLength(8);
    const picked = await bursar(['yield', 'strategies', '--fields', 'provider,token.mint']);
    expect(picked.stdout).toBe('b\tm\nc\tm\na\tm\n');
    expect(JSON.parse((await bursar(['yield', 'strategies', '--json'])).stdout)).toEqual({ strategies, sources: {} });
  });

  it('of 2 MB reaches a slow reader completely', async () => {
    const orders = Array.from({ length: 20_000 }, (_, at) => ({ id: `cmb${at}`, gateway_method: 'x'.repeat(100) }));
    const { home, env } = await service(envelope(200, 'orders_listed', { data: { orders } }));
    const command = `"${process.execPath}" "${PROGRAM}" order list | (sleep 1; wc -l)`;
    const out = await shell(command, home, env);
    expect(out.stdout.trim()).toBe('20000');
    expect(out.stderr).toBe('');
  });

  it('for a full disk is exit 1 with the reason', async () => {
    const { home, env } = await service(envelope(200, 'orders_listed', { data: { orders: ORDERS } }));
    const { code, stderr } = await runBursar(home, ['order', 'list'], { env, stdout: '/dev/full' });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: standard output cannot be written: no space left\nhint: [^\n]*\nnext: bursar explain unwritable_output\n$/,
    );
  });

  it('of --version for a full disk is exit 1, without a stack trace', async () => {
    const { home, env } = await service(envelope(200, 'x'));
    const { code, stderr } = await runBursar(home, ['--version'], { env, stdout: '/dev/full' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: standard output cannot be written: [^\n]*\n$/);
  });

  it('of a completed change goes to stderr with a warning when the disk is full', async () => {
    const { home, env } = await service(envelope(200, 'order_created', { data: { order_id: 'cmb1' } }));
    const order = '--from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto';
    const created = await runBursar(home, ['order', 'create', ...order.split(' ')], { env, stdout: '/dev/full' });
    expect(created.code).toBe(0);
    expect(created.stderr).toMatch(
      /^warning: standard output cannot be written: no space left[^\n]*\norder_id\tcmb1\n$/,
    );
  });

  it('to a reader that closes the pipe prints no stack trace', async () => {
    const orders = Array.from({ length: 20_000 }, (_, at) => ({ id: `cmb${at}`, gateway_method: 'x'.repeat(100) }));
    const { home, env } = await service(envelope(200, 'orders_listed', { data: { orders } }));
    const out = await shell(`"${process.execPath}" "${PROGRAM}" order list | head -1`, home, env);
    expect(out.stderr).toBe('');
    expect(out.stdout).toMatch(/^cmb0\t/);
  });
});

const shell = (command: string, home: string, env: Readonly<Record<string, string>>) =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const child = spawn('sh', ['-c', command], { env: { PATH: process.env['PATH'] ?? '', BURSAR_HOME: home, ...env } });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
    });
    child.on('close', () => resolve(said));
  });

describe('a failure of the service', () => {
  it('prints status, HTTP code, each field by its option, and the next command', async () => {
    const errors = [{ field: 'amount_from', message: 'too small' }];
    const { bursar } = await service(envelope(400, 'validation_error', { errors }));
    const args = ['order', 'update', 'cmb1x2y3z0000abcd1234efgh', '--amount-from', '1'];
    const { code, stdout, stderr } = await bursar(args);
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toMatch(/^error: validation_error \(HTTP 400\): it is validation_error$/m);
    expect(stderr).toMatch(/^ {2}--amount-from: too small$/m);
    expect(stderr).toMatch(/^next: /m);
  });

  it('writes no command to a terminal or a CI log, also in JSON', async () => {
    const message = '::error::x\u001b[2J\r\b\u009b31m\u202e\u200b\n::set-output name=a::b';
    const { bursar } = await service(envelope(404, 'order_not_found', { message }));
    const args = ['order', 'toggle', 'cmb1x2y3z0000abcd1234efgh'];
    const plain = await bursar(args);
    const json = await bursar([...args, '--json']);
    for (const text of [plain.stderr, plain.stdout, json.stdout, json.stderr]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/);
      expect(text).not.toMatch(/^\s*::/m);
    }
    expect(JSON.parse(json.stdout).error.message).toBe(message);
    expect(plain.code).toBe(3);
  });
});

describe('a request that is only shown', () => {
  const quote = ['quote', 'BTC', 'USDT'];

  it('with --dry-run contains all but the key, and nothing is sent', async () => {
    const { bursar, received } = await service(envelope(200, 'quote_ok'));
    const { code, stdout } = await bursar([...quote, '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'GET', headers: { 'x-api-key': '********' } });
    expect(stdout).not.toContain('key-of-the-test');
    expect(received).toHaveLength(0);
  });

  it('with --curl is a valid shell line, with the key in the environment', async () => {
    const { bursar, received } = await service(envelope(200, 'quote_ok'));
    const { stdout } = await bursar(['kyc', 'challenge', '--wallet', "it's $HOME `x`", '--curl']);
    execFileSync('bash', ['-n', '-c', stdout]);
    expect(stdout).toContain('"x-api-key: $BURSAR_API_KEY"');
    expect(stdout).not.toContain('key-of-the-test');
    expect(received).toHaveLength(0);
  });

  it('with --curl sends in a shell the same request as bursar', async () => {
    const { bursar, received, env } = await service(envelope(201, 'challenge_created', { data: {} }));
    const args = ['kyc', 'challenge', '--wallet', 'it\'s $HOME `x` \\ "q"'];
    const { stdout } = await bursar([...args, '--curl']);
    await bursar(args);
    await shell(stdout, '/tmp', env);
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.headers['x-api-key']).toBe('key-of-the-test');
  });
});

describe('colour', () => {
  const coloured = async (env: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    const { bursar } = await newHomeInProcess();
    const { stderr } = await bursar(['quote', 'BTC', 'USDT', ...args], { env });
    return stderr.includes('\u001b[');
  };

  it.each([
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ CLICOLOR_FORCE: '1' }, [], true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, [], true],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
  ])('in a pipe with %j and %j: %s', async (env, args, expected) => {
    expect(await coloured(env, args)).toBe(expected);
  });
});
