import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAIN_NAMES } from '../../../../src/contract/chains.ts';
import { type Ended, PROGRAM, runBursar } from '../../../support/bursar.ts';
import { runInProcess } from '../../../support/in-process.ts';

const ENV = { BURSAR_PROFILE: 'sandbox' };
let home = '';

/** Runs a command of one home with a running sandbox. */
const bursar = (line: string): Promise<Ended> => runInProcess(home, line.split(' '), { env: ENV });

const json = async (line: string) => {
  const { code, stdout } = await bursar(`${line} --json`);
  return { code, data: JSON.parse(stdout) };
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bursar-control-'));
  await runBursar(home, ['sandbox', 'start', '--ephemeral']);
});

afterAll(async () => {
  await bursar('sandbox stop');
  await rm(home, { recursive: true, force: true });
});

test('sandbox chain lists chains, shows their addresses, disables and enables one; its JSON-RPC answers', async () => {
  const { data: chains } = await json('sandbox chain');
  expect(chains.map(({ name }: { name: string }) => name)).toEqual(CHAIN_NAMES);
  const { stdout } = await bursar('sandbox chain ethereum --fields rpc_url');
  const url = stdout.trim().split('\t')[1] ?? '';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(await answer.json()).toMatchObject({ result: '0xf4241' });
  expect((await json('sandbox chain solana')).data).toMatchObject({ running: true, websocket_url: expect.any(String) });
  expect((await json('sandbox chain disable base')).data).toEqual({ name: 'base', enabled: false });
  expect((await json('sandbox chain base')).data).toMatchObject({ enabled: false });
  expect((await json('sandbox chain enable base')).data).toEqual({ name: 'base', enabled: true });
});

test('sandbox start runs in a home that a relative BURSAR_HOME names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-relative-'));
  const relative = { env: { BURSAR_HOME: 'a home' }, cwd: folder };
  const { code, stdout, stderr } = await runBursar(folder, ['sandbox', 'start', '--json'], relative);
  expect([code, stderr]).toEqual([0, '']);
  const { stdout: status } = await runBursar(join(folder, 'a home'), ['sandbox', 'status', '--json']);
  expect(JSON.parse(status)).toMatchObject({ running: true, url: JSON.parse(stdout).url });
  expect((await runBursar(folder, ['sandbox', 'stop'], relative)).code).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

test('sandbox tenant creates an API key that sees nothing of another; fund --balances gives nothing; kyc shows the quota', async () => {
  const { data: tenant } = await json('sandbox tenant');
  expect(tenant).toEqual({ tenant: 'tenant_2', api_key: expect.stringMatching(/^sandbox_/) });
  const order = 'order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto';
  expect((await bursar(order)).code).toBe(0);
  const { payment_id: id } = (await json('sandbox trigger success')).data;
  const seenWith = async (env: object) => {
    const read = (words: readonly string[]) => runInProcess(home, [...words, '--json'], { env: { ...ENV, ...env } });
    const { orders } = JSON.parse((await read(['order', 'list'])).stdout);
    return [orders.length, (await read(['pay', 'status', id])).code];
  };
  expect([await seenWith({}), await seenWith({ BURSAR_API_KEY: tenant.api_key })]).toEqual([
    [1, 0],
    [0, 3],
  ]);
  expect((await json('sandbox tenant --without-tenant')).data.tenant).toBeNull();
  const wallet = '0x4444444444444444444444444444444444444444';
  const amounts = async (line: string) =>
    (await json(line)).data.balances.map(({ amount }: { amount: string }) => amount);
  expect(await amounts(`sandbox fund ${wallet} --chain base --balances`)).toEqual(['0', '0', '0']);
  expect(await amounts(`sandbox fund ${wallet} --chain base --token USDC --amount 2.5`)).toEqual(['10', '0', '2.5']);
  expect(await amounts(`sandbox fund ${wallet} --chain base --balances`)).toEqual(['10', '0', '2.5']);
  expect((await json('sandbox kyc')).data).toEqual({ quota: 100 });
});

test('sandbox fault without a valid endpoint and kind is exit 2 with the choices, and sets no fault', async () => {
  const wrong = await bursar('sandbox fault nope');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/"nope" is no endpoint[\s\S]*quote\.market/) });
  const kind = await bursar('sandbox fault quote.market pair_not_fund');
  expect(kind).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /"pair_not_fund" is no fault of quote\.market[\s\S]*Did you mean pair_not_found\?[\s\S]*drop_after/,
    ),
  });
  const alone = await bursar('sandbox fault quote.market');
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/KIND: required[\s\S]*pair_not_found/) });
  expect((await json('sandbox fault')).data).toEqual([]);
});

test('sandbox start with another port than the running sandbox is exit 2 with its address', async () => {
  const { data } = await json('sandbox status');
  const { port } = new URL(data.url);
  const other = await bursar('sandbox start --port 1 --json');
  expect([other.code, JSON.parse(other.stdout).error]).toEqual([
    2,
    expect.objectContaining({
      message: `a sandbox runs already at ${data.url}, on port ${port}`,
      errors: [{ field: '--port', option: '--port', message: `the running sandbox has port ${port}` }],
      next: 'bursar sandbox stop',
    }),
  ]);
  expect((await json('sandbox start')).data.url).toBe(data.url);
  const same = await bursar(`sandbox start --port ${new URL(data.url).port} --json`);
  expect(same).toMatchObject({ code: 0, stderr: '' });
});

test('sandbox start and status outside a terminal print no link that may act on the dashboard', async () => {
  for (const line of ['sandbox status', 'sandbox status --json', 'sandbox start', 'sandbox start --json']) {
    const { code, stdout, stderr } = await bursar(line);
    expect([line, code, /127\.0\.0\.1/.test(stdout), /act=/.test(stdout + stderr)]).toEqual([line, 0, true, false]);
  }
});

test('sandbox start --ephemeral is exit 2 beside a persistent sandbox, and succeeds beside an ephemeral one', async () => {
  const kept = await mkdtemp(join(tmpdir(), 'bursar-kept-'));
  const start = (...more: string[]) => runInProcess(kept, ['sandbox', 'start', '--json', ...more], { env: ENV });
  expect((await start()).stderr).toBe('');
  const refused = await start('--ephemeral');
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('keeps its state')]);
  expect(await start()).toMatchObject({ code: 0, stderr: '' });
  expect((await bursar('sandbox start --ephemeral --json')).code).toBe(0);
  await runInProcess(kept, ['sandbox', 'stop']);
  await rm(kept, { recursive: true, force: true });
});

test('sandbox start with a taken port is exit 5 with one readable hint', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const elsewhere = await mkdtemp(join(tmpdir(), 'bursar-port-'));
  const { code, stderr } = await runBursar(elsewhere, ['sandbox', 'start', '--port', String(port)], { env: ENV });
  taken.close();
  await rm(elsewhere, { recursive: true, force: true });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`hint: port ${port} is taken or not allowed. Choose another port`),
  ]);
  expect(stderr).not.toContain('\\n');
});

test('sandbox kyc of an unprepared user is exit 3 and names kyc prepare', async () => {
  const { code, stderr } = await bursar('sandbox kyc nobody@example.com --approve');
  expect([code, stderr]).toEqual([3, expect.stringContaining('kyc prepare')]);
});

test('sandbox clock and advance refuse a negative span, as an option and after --', async () => {
  for (const line of ['sandbox clock -5m', 'sandbox advance -5m', 'sandbox advance -- -5m', 'sandbox clock -90']) {
    const { code, stderr } = await bursar(line);
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining('The clock only goes forward')]);
  }
  expect((await json('sandbox clock')).data.offset_ms).toBe(0);
});

test('sandbox fault with a count out of range is exit 2 and names --count', async () => {
  const { code, stderr } = await bursar('sandbox fault quote.market 500 --count 0');
  expect([code, stderr]).toEqual([2, expect.stringContaining('  --count: must be at least 1')]);
});

test('each kind of sandbox fault has its exit code, and --clear removes faults', async () => {
  const { data: added } = await json('sandbox fault quote.market 429 --count 2 --retry-after 3');
  expect(added).toEqual([{ endpoint: 'quote.market', kind: '429', count: 2, retry_after: 3 }]);
  // The requested wait is longer than --timeout, so bursar declines it. Otherwise its retries would use up both faults.
  expect((await bursar('quote ETH USDT --timeout 2')).code).toBe(7);
  for (const [kind, code] of [
    ['pair_not_found', 3],
    ['503', 5],
    ['drop_before', 5],
    ['drop_after', 5],
    ['truncate', 5],
    ['html', 5],
  ] as const) {
    await bursar('sandbox fault --clear');
    await bursar(`sandbox fault quote.market ${kind} --count 9`);
    expect([kind, (await bursar('quote ETH USDT --timeout 1')).code]).toEqual([kind, code]);
  }
  await bursar('sandbox fault pay.status 500');
  expect((await json('sandbox fault quote.market --clear')).data).toEqual([
    { endpoint: 'pay.status', kind: '500', count: 1 },
  ]);
  expect((await bursar('sandbox fault quote.markt --clear')).code).toBe(2);
  await bursar('sandbox fault --clear');
  await bursar('sandbox fault quote.market hang');
  const hung = await bursar('quote ETH USDT --timeout 1');
  expect([hung.code, (await json('sandbox fault --clear')).data]).toEqual([5, []]);
  expect((await bursar('quote ETH USDT')).code).toBe(0);
});

test.each([
  ['sandbox chain mars', 2],
  ['sandbox chain disable', 2],
  ['sandbox chain disable mars', 2],
  ['sandbox chain base base', 2],
  ['sandbox clock +10x', 2],
  ['sandbox clock -10m', 2],
  ['sandbox clock 36501d', 9],
  ['sandbox logs --lines x', 2],
  ['sandbox logs --fields nope', 2],
  ['sandbox logs --method FETCH', 2],
  ['sandbox logs --status 9xx', 2],
  ['sandbox fault quote.nope 500', 2],
  ['sandbox fault quote.market order_not_found', 2],
  ['sandbox fault quote.market', 2],
  ['sandbox fault quote.market 500 --count many', 2],
  ['sandbox fault quote.market 500 --count 0', 2],
  ['sandbox fault quote.market 600', 2],
  ['sandbox fault quote.market 500 --retry-after 86401', 2],
  ['sandbox fund', 2],
  ['sandbox fund 0x4444444444444444444444444444444444444444 --balances --token USDC', 2],
  ['sandbox fund 0x4444444444444444444444444444444444444444 --amount 1e9', 2],
  ['sandbox fund nobody', 2],
  ['sandbox pix', 2],
  ['sandbox pix pay_0', 3],
  ['sandbox pix pay_0 --pay', 3],
  ['sandbox card pay_0 --approve', 3],
  ['sandbox card pay_0', 2],
  ['sandbox kyc nobody@example.com --approve', 3],
  ['sandbox events --resend 99', 3],
  ['sandbox events --deliveries 99', 3],
  ['sandbox events --deliveries x', 2],
  ['sandbox events 8', 2],
  ['sandbox events --send-to mars', 2],
  ['sandbox inbox not-an-address', 2],
])('bursar %s: exit %i with an error on stderr, and one document with --json', async (line, code) => {
  const plain = await bursar(line);
  expect([plain.code, plain.stdout, plain.stderr.startsWith('error: ')]).toEqual([code, '', true]);
  const { code: same, data } = await json(line);
  expect([same, typeof data.error.message]).toEqual([code, 'string']);
});

test.each([
  ['card', 'bursar pay run --transaction-type cardcrypto --card-token tok_pending'],
  ['pix', 'bursar pay run --transaction-type pixcrypto --no-wait'],
])(
  'sandbox %s without a payment: the error names the command that creates a waiting payment',
  async (verb, command) => {
    const { data } = await json(`sandbox ${verb}`);
    expect(data.error.errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(`waits.*: ${command}$`) }),
    ]);
  },
);

test.each(['--show 99', '--resend 99', '--deliveries 99', '8'])(
  'sandbox events %s: the next command lists the webhooks',
  async (args) => {
    const { data } = await json(`sandbox events ${args}`);
    expect(data.error.next).toBe('bursar sandbox events');
  },
);

test('sandbox logs prints requests as lines, as JSON lines and by field, without keys', async () => {
  await bursar('quote BTC USDT');
  await bursar('quote NOPE USDT');
  const { stdout } = await bursar('sandbox logs --lines 2');
  expect(stdout).toMatch(/^\S+Z GET \/quote\/market 200 quote_ok \d+ms\n\S+ GET \/quote\/market 400 pair_not_found/);
  const lines = (await bursar('sandbox logs --lines 2 --json')).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).status)).toEqual(['quote_ok', 'pair_not_found']);
  expect((await bursar('sandbox logs --lines 1 --fields http,status')).stdout).toBe('400\tpair_not_found\n');
  const all = await bursar('sandbox logs --lines 999999');
  expect([all.code, all.stdout.length > 1000, /(?:sandbox|control)_[\w-]{20}/.test(all.stdout)]).toEqual([
    ...[0, true, false],
  ]);
});

test('sandbox logs omits calls of bursar commands and of the dashboard; --all and --path show them', async () => {
  await bursar('sandbox fault --clear');
  const { data } = await json('sandbox status');
  await fetch(`${data.url}/`);
  const pathsOf = async (line: string) =>
    new Set((await bursar(`sandbox logs --lines 9999 --fields path${line}`)).stdout.split('\n'));
  const usual = await pathsOf('');
  expect([usual.has('/quote/market'), usual.has('/_sandbox/fault'), usual.has('/')]).toEqual([true, false, false]);
  const all = await pathsOf(' --all');
  expect(['/quote/market', '/_sandbox/fault', '/'].filter((path) => !all.has(path))).toEqual([]);
  expect((await pathsOf(' --path /_sandbox/')).has('/_sandbox/fault')).toBe(true);
});

test('sandbox logs names a moved clock and prints the times of the machine', async () => {
  const moved = await mkdtemp(join(tmpdir(), 'bursar-moved-'));
  const run = (...args: string[]) => runInProcess(moved, ['sandbox', ...args], { env: ENV });
  await run('start', '--ephemeral');
  expect((await run('logs')).stderr).toBe('');
  await run('advance', '1d2h');
  const { stdout, stderr } = await run('logs', '--all');
  expect(stderr).toBe("The times are those of this machine. The sandbox's clock is 1 d 2 h ahead.\n");
  expect(Date.parse(stdout.trim().split('\n').at(-1)?.split(' ')[0] ?? '')).toBeLessThan(Date.now() + 60_000);
  await run('stop');
  await rm(moved, { recursive: true, force: true });
});

test('sandbox logs filters by status, method and path, and prints bodies as lines and as JSON', async () => {
  await bursar('quote BTC USDT');
  await bursar('quote NOPE USDT');
  const paths = async (line: string) => (await bursar(`sandbox logs ${line} --fields method,path,http`)).stdout;
  expect(await paths('--status 400 --lines 1')).toBe('GET\t/quote/market\t400\n');
  expect(await paths('--status pair_not_found --lines 1')).toBe('GET\t/quote/market\t400\n');
  expect(await paths('--status 4xx --path /quote --method POST')).toBe('');
  expect(await paths('--path /*/market --lines 1')).toBe('GET\t/quote/market\t400\n');
  const { stdout } = await bursar('sandbox logs --lines 1 --path /quote --bodies');
  expect(stdout).toMatch(
    /^\S+Z GET \/quote\/market 400 pair_not_found \d+ms\n {2}\? \{"from":"NOPE","to":"USDT"\}\n {2}< \{"statusCode":400,.*\n$/,
  );
  const { data } = await json('sandbox logs --lines 1 --path /quote --bodies');
  expect(data).toMatchObject({ id: expect.any(String), query: { from: 'NOPE' }, answer: { status: 'pair_not_found' } });
  expect((await bursar('sandbox logs --lines 1 --path /quote --bodies --fields request,http')).stdout).toBe('\t400\n');
});

/** Runs `sandbox logs --follow` until it prints a text, then ends it by `end`. */
const follow = async (
  until: RegExp,
  end: (child: ReturnType<typeof spawn>) => void,
  more: readonly string[] = [],
): Promise<number | null> => {
  const child = spawn(process.execPath, [PROGRAM, 'sandbox', 'logs', '--follow', '--lines', '0', ...more], {
    env: { PATH: process.env['PATH'], HOME: home, BURSAR_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const calls = setInterval(() => void bursar('quote BTC USDT'), 500);
  await new Promise<void>((resolve) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (until.test(said)) resolve();
    });
  });
  end(child);
  const code = await ended;
  clearInterval(calls);
  return code;
};

test('sandbox logs --follow prints new requests until Ctrl-C, which is exit 130', async () => {
  expect(await follow(/quote_ok/, (child) => child.kill('SIGINT'))).toBe(130);
});

test('sandbox logs --follow --bodies prints each new request that passes the filter, with its answer', async () => {
  const options = ['--bodies', '--path', '/quote/*', '--status', '2xx'];
  const shown = /^\S+ GET \/quote\/market 200 quote_ok \d+ms\n {2}\? \{"from":"BTC".*\n {2}< \{"statusCode":200/;
  expect(await follow(shown, (child) => child.kill('SIGINT'), options)).toBe(130);
});

test('sandbox logs --follow ends with 0 when the reader closes the pipe', async () => {
  expect(await follow(/quote_ok/, (child) => child.stdout?.destroy())).toBe(0);
});

test('sandbox logs --follow ends with 0 at the end of --timeout', async () => {
  const { code, stderr } = await bursar('sandbox logs --follow --lines 0 --timeout 1');
  expect([code, stderr]).toEqual([0, '']);
});

test('sandbox logs in a home without a sandbox prints a note, and starts no sandbox', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'bursar-control-'));
  const { code, stdout, stderr } = await runInProcess(empty, ['sandbox', 'logs']);
  expect([code, stdout, stderr]).toEqual([0, '', 'There is no log yet: no sandbox has run here.\n']);
  const withBodies = await runInProcess(empty, ['sandbox', 'logs', '--bodies']);
  expect(withBodies.stderr).toContain('Only a running sandbox has bodies');
  expect((await runInProcess(empty, ['sandbox', 'status', '--json'])).stdout).toContain('"running": false');
  await rm(empty, { recursive: true, force: true });
});
