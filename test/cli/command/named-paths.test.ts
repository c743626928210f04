import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

const SECRET = `${'11'.repeat(32)}\n`;

const home = async () => {
  const { home: folder, bursar } = await newHomeInProcess();
  const files = { 'empty.hex': '', password: 'correct horse battery\n', 'payment.json': '{"amount_from": "10"}' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  await mkdir(join(folder, 'folder'), { mode: 0o700 });
  return { folder, bursar };
};

const IMPORT = ['--chain', 'evm', '--private-key-stdin', '--password-file', 'password'];

describe('a named path', () => {
  it('to an empty file of signed bytes is exit 2, and the error states that the file is empty', async () => {
    const { bursar } = await home();
    const { code, stderr } = await bursar(['pay', 'execute', 'pay_1', '--signed-transaction', '@empty.hex']);
    expect(code).toBe(2);
    expect(stderr).toContain('empty.hex is empty');
    expect((await bursar(['pay', 'execute', 'pay_1', '--signed-transaction', '-'])).stderr).toContain(
      'standard input is empty',
    );
  });

  it('to a folder in place of an API key file is exit 2, without a chmod hint', async () => {
    const { folder, bursar } = await home();
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY_FILE: join(folder, 'folder') };
    const { code, stderr } = await bursar(['order', 'list'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('folder is a folder, not a file with a key');
    expect(stderr).not.toContain('chmod');
  });

  it('to a bursar.json that is a folder is exit 2, and the error names the path', async () => {
    const { folder, bursar } = await home();
    await mkdir(join(folder, 'bursar.json'));
    const { code, stderr } = await bursar(['order', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(folder, 'bursar.json')} is a folder`);
    expect(stderr).not.toContain('EISDIR');
  });

  it('to export to in a missing folder is exit 2, with the path and a hint', async () => {
    const { folder, bursar } = await home();
    const data = { orders: [], pagination: { total: 0, page: 1, limit: 100, total_pages: 0 } };
    const { url } = await startServer(envelope(200, 'orders_listed', { data }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const { code, stderr } = await bursar(['order', 'export', '--out', 'nodir/x.yaml'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`${join(folder, 'nodir', 'x.yaml')} cannot be written: its folder does not exist\nhint: `);
  });

  it('to a file without a transaction is exit 2 for pay sign, as for review', async () => {
    const { bursar } = await home();
    expect((await bursar(['key', 'import', 'a', ...IMPORT, '--yes'], { stdin: SECRET })).code).toBe(0);
    const sign = ['pay', 'sign', '--unsigned', 'payment.json', '--key', 'a', '--password-file', 'password'];
    const { code, stderr } = await bursar(sign);
    expect(code).toBe(2);
    expect(stderr).toContain('payment.json holds no crypto_tx');
    expect((await bursar(['review', 'payment.json'])).code).toBe(2);
  });
});

it('the import of a stored key under another name prints the stored name', async () => {
  const { bursar } = await home();
  const [first, second] = [
    await bursar(['key', 'import', 'a', ...IMPORT, '--yes'], { stdin: SECRET }),
    await bursar(['key', 'import', 'b', ...IMPORT, '--yes'], { stdin: SECRET }),
  ];
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.stderr).not.toContain('already');
  expect(second.stderr).toContain('the same key is already stored as a');
});

it.each([
  ['key', 'new', 'a', '--chain', 'evm', '--password-file', 'password'],
  ['sandbox', 'start'],
])('%s %s in a home that cannot be created ends at once with exit 2 and the path', async (...args) => {
  const { home: cwd, bursar } = await newHome();
  await writeFile(join(cwd, 'password'), 'correct horse battery\n', { mode: 0o600 });
  const start = performance.now();
  const { code, stdout, stderr } = await bursar(args, { cwd, env: { BURSAR_HOME: '/proc/no-home' } });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('/proc/no-home');
  expect(performance.now() - start).toBeLessThan(15_000);
});

it('yield strategies succeeds without a warning when its cache cannot be written', async () => {
  const { url } = await startServer(
    envelope(200, 'get_yield_strategies_ok', { data: { strategies: [], sources: {} } }),
  );
  const { bursar } = await newHome();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_HOME: '/proc/no-home' };
  const { code, stderr } = await bursar(['yield', 'strategies', '--timeout', '20'], { env });
  expect([code, stderr]).toEqual([0, '']);
});
