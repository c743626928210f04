import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, PROGRAM } from '../../support/bursar.ts';
import { envelope, startServer } from '../../support/server.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['review'],
  ['key', 'import', 'k', '--chain', 'evm', '--file'],
  ['pay', 'register', '--body'],
];

describe.each(COMMANDS)('bursar %s', (...command) => {
  it('refuses an endless file at the size limit, at once and in little memory: exit 2', async () => {
    const { bursar } = await newHome();
    // The program prints its largest memory when it ends. maxRSS would include the memory of the worker that forked it.
    const peak = `const fs=await import("node:fs");process.on("exit",()=>process.stderr.write(/VmHWM.*/.exec(fs.readFileSync("/proc/self/status","utf8"))[0]))`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(peak)}` };
    const start = performance.now();
    const { code, stderr } = await bursar([...command, '/dev/zero'], { env });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(code).toBe(2);
    expect(stderr).toContain('/dev/zero: larger than 4194304 bytes');
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]), 'KiB').toBeLessThan(150_000);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 130],
  ] as const)('waits for the writer of a pipe until %s, and ends with 130', async (signal, expected) => {
    const { home } = await newHome();
    const pipe = join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home };
    const child = spawn(process.execPath, [PROGRAM, ...command, pipe], { env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(child.exitCode).toBeNull();
    const start = performance.now();
    child.kill(signal);
    expect(await ended).toBe(expected);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

it.each([
  [
    'orders.yaml',
    'version: 1\norders:\n  - a: 1\n   b: 2\n',
    /Sequence item without - indicator at line 4, column 1\n/,
  ],
  ['orders.json', '{"version": 1,\n "orders": [ {]}', / at line 2, column 15\n/],
])('the error about a broken %s is one line, with line and column', async (name, text, place) => {
  const { home, bursar } = await newHome();
  await writeFile(join(home, name), text);
  const { code, stderr } = await bursar(['order', 'apply', '-f', name]);
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 2 });
  expect(stderr).toMatch(/^next: bursar help order apply$/m);
  expect(stderr).toMatch(place);
  expect(stderr).not.toContain('\\n');
});

it('an undocumented field of --body is sent, and a warning suggests the documented name', async () => {
  const { url, received } = await startServer(envelope(200, 'order_created', { data: { order_id: 'o' } }));
  const { home, bursar } = await newHome();
  const order = { from_currency_symbol: 'BRL', amount_from: '1', to_currency_symbol: 'USDT' };
  const body = { ...order, amout_from: '2', tax: 1, payment_method_allowed: { crypto: true, pixcryto: true } };
  await writeFile(join(home, 'b.json'), JSON.stringify(body));
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
  const { code, stderr } = await bursar(['order', 'create', '--body', 'b.json'], { env });
  expect(code).toBe(0);
  expect(stderr).toContain('document names no amout_from; did you mean amount_from? It is sent as it stands.\n');
  expect(stderr).toContain('document names no tax. It is sent as it stands.\n');
  expect(stderr).toContain('document names no payment_method_allowed.pixcryto; did you mean pixcrypto?');
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject(body);
  expect((await bursar(['order', 'create', '--body', 'b.json', '--quiet'], { env })).stderr).toBe('');
});

it('review reads a process substitution like a file', async () => {
  const { home } = await newHome();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home };
  const line = `"$0" "$1" review <(sleep 0.2; printf '{"nothing": 1}')`;
  const run = () => execFileSync('bash', ['-c', line, process.execPath, PROGRAM], { env, stdio: 'pipe' });
  expect(run).toThrow('the file contains neither a crypto_tx nor a base64 Solana transaction');
});
