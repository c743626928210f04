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

/** A command of one home, in which a sandbox runs. */
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

test('chain: listed, one with its addresses, switched off and on; its JSON-RPC answers at once', async () => {
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

test('tenant: a key that sees nothing of another; fund shows balances without giving; kyc shows the quota', async () => {
  const { data: tenant } = await json('sandbox tenant');
  expect(tenant).toEqual({ tenant: 'tenant_2', api_key: expect.stringMatching(/^sandbox_/) });
  expect((await json('sandbox tenant --without-tenant')).data.tenant).toBeNull();
  const wallet = '0x4444444444444444444444444444444444444444';
  const amounts = async (line: string) =>
    (await json(line)).data.balances.map(({ amount }: { amount: string }) => amount);
  expect(await amounts(`sandbox fund ${wallet} --chain base --balances`)).toEqual(['0', '0', '0']);
  expect(await amounts(`sandbox fund ${wallet} --chain base --token USDC --amount 2.5`)).toEqual(['10', '0', '2.5']);
  expect(await amounts(`sandbox fund ${wallet} --chain base --balances`)).toEqual(['10', '0', '2.5']);
  expect((await json('sandbox kyc')).data).toEqual({ quota: 100 });
});

test('fault: without a kind it names what can come next, and nothing is injected', async () => {
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

test('start: a port that the running sandbox does not have is a conflict with the address that it has', async () => {
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

test('start and status: output that is no terminal has no link to act on the dashboard', async () => {
  for (const line of ['sandbox status', 'sandbox status --json', 'sandbox start', 'sandbox start --json']) {
    const { code, stdout, stderr } = await bursar(line);
    expect([line, code, /127\.0\.0\.1/.test(stdout), /act=/.test(stdout + stderr)]).toEqual([line, 0, true, false]);
  }
});

test('start --ephemeral beside a sandbox that keeps its state is a conflict; beside an ephemeral one it is not', async () => {
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

test('start: what the log says of a port that is taken is one readable hint', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const elsewhere = await mkdtemp(join(tmpdir(), 'bursar-port-'));
  const { code, stderr } = await runBursar(elsewhere, ['sandbox', 'start', '--port', String(port)], { env: ENV });
  taken.close();
  await rm(elsewhere, { recursive: true, force: true });
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`hint: port ${port} is taken or not allowed. Choose another --port`),
  ]);
  expect(stderr).not.toContain('\\n');
});

test('kyc: who was never prepared is told what comes first', async () => {
  const { code, stderr } = await bursar('sandbox kyc nobody@example.com --approve');
  expect([code, stderr]).toEqual([3, expect.stringContaining('kyc prepare')]);
});

test('clock and advance: a negative span is refused with the reason, as an option and after --', async () => {
  for (const line of ['sandbox clock -5m', 'sandbox advance -5m', 'sandbox advance -- -5m', 'sandbox clock -90']) {
    const { code, stderr } = await bursar(line);
    expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining('The clock only goes forward')]);
  }
  expect((await json('sandbox clock')).data.offset_ms).toBe(0);
});

test('fault: a count out of range is named by its option before anything is sent', async () => {
  const { code, stderr } = await bursar('sandbox fault quote.market 500 --count 0');
  expect([code, stderr]).toEqual([2, expect.stringContaining('  --count: must be at least 1')]);
});

test('fault: by its kinds, and forgotten', async () => {
  const { data: added } = await json('sandbox fault quote.market 429 --count 2 --retry-after 3');
  expect(added).toEqual([{ endpoint: 'quote.market', kind: '429', count: 2, retry_after: 3 }]);
  // Longer than there is time: the wait is declined. Otherwise a read would outlive both.
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
])('bursar %s: exit %i, one line that says why, and the same as one JSON document', async (line, code) => {
  const plain = await bursar(line);
  expect([plain.code, plain.stdout, plain.stderr.startsWith('error: ')]).toEqual([code, '', true]);
  const { code: same, data } = await json(line);
  expect([same, typeof data.error.message]).toEqual([code, 'string']);
});

test.each([
  ['card', 'bursar pay run --transaction-type cardcrypto --card-token tok_pending'],
  ['pix', 'bursar pay run --transaction-type pixcrypto --no-wait'],
])('%s without a payment names the command that makes one that waits', async (verb, command) => {
  const { data } = await json(`sandbox ${verb}`);
  expect(data.error.errors).toEqual([
    expect.objectContaining({ message: expect.stringMatching(`waits.*: ${command}$`) }),
  ]);
});

test.each(['--show 99', '--resend 99', '--deliveries 99', '8'])(
  'events %s names the list of the webhooks',
  async (args) => {
    const { data } = await json(`sandbox events ${args}`);
    expect(data.error.next).toBe('bursar sandbox events');
  },
);

test('logs: the last requests as lines, as JSON lines and by field; nothing of a key in them', async () => {
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

test("logs: calls of bursar's own commands and of the dashboard are left out; --all and --path show them", async () => {
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

test('logs: a moved clock is named, because the times are those of the machine', async () => {
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

test('logs: by status, method and path; with bodies as lines and as JSON', async () => {
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

/** `sandbox logs --follow` until it has printed some text; then it is ended by `end`. */
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

test('logs --follow shows what is new until Ctrl-C, which is exit 130', async () => {
  expect(await follow(/quote_ok/, (child) => child.kill('SIGINT'))).toBe(130);
});

test('logs --follow --bodies shows each new request that passes the filter, with its answer', async () => {
  const options = ['--bodies', '--path', '/quote/*', '--status', '2xx'];
  const shown = /^\S+ GET \/quote\/market 200 quote_ok \d+ms\n {2}\? \{"from":"BTC".*\n {2}< \{"statusCode":200/;
  expect(await follow(shown, (child) => child.kill('SIGINT'), options)).toBe(130);
});

test('logs --follow ends when its reader has gone away, as behind head -1', async () => {
  expect(await follow(/quote_ok/, (child) => child.stdout?.destroy())).toBe(0);
});

test('logs of a home without a sandbox: nothing, said so, and none is started', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'bursar-control-'));
  const { code, stdout, stderr } = await runInProcess(empty, ['sandbox', 'logs']);
  expect([code, stdout, stderr]).toEqual([0, '', 'There is no log yet: no sandbox has run here.\n']);
  const withBodies = await runInProcess(empty, ['sandbox', 'logs', '--bodies']);
  expect(withBodies.stderr).toContain('Only a running sandbox has bodies');
  expect((await runInProcess(empty, ['sandbox', 'status', '--json'])).stdout).toContain('"running": false');
  await rm(empty, { recursive: true, force: true });
});
