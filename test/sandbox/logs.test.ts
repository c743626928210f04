import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { log, logPath } from '../../src/sandbox/log.ts';
import {
  earlierRequestsPath,
  isShown,
  type LogEntry,
  openLogReader,
  openRequestLog,
  requestsPath,
  shownPath,
} from '../../src/sandbox/request-log.ts';
import { cardFields, create } from './money.ts';
import { sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';

const requestsIn = (entries: readonly LogEntry[]) =>
  entries.flatMap((entry) => ('path' in entry ? [`${entry.method} ${entry.path} ${entry.http} ${entry.status}`] : []));

test('logs each request with its HTTP status and status, readable while the sandbox runs and after it stops', async () => {
  const sandbox = await startEphemeral();
  await sandbox.get('/quote/market?from=ETH&to=USDT');
  await sandbox.call('DELETE', '/order/create');
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: 'pair_not_found' });
  await sandbox.get('/quote/market?from=ETH&to=USDT');
  const expected = [
    'GET /quote/market 200 quote_ok',
    'DELETE /order/create 405 method_not_allowed',
    'POST /_sandbox/fault 200 fault_added',
    'GET /quote/market 400 pair_not_found',
  ];
  const { body } = await sandbox.control('GET', 'logs?lines=4');
  expect(requestsIn(body.data.entries)).toEqual(expected);
  for (const { at, ms } of body.data.entries) {
    expect([at, ms]).toEqual([expect.stringMatching(/^20\d\d-.*Z$/), expect.any(Number)]);
  }
  await sandbox.stop();
  const entries = await openLogReader(sandbox.io).next();
  expect(requestsIn(entries)).toEqual(expected);
  const messages = entries.flatMap((entry) => ('message' in entry ? [entry.message] : []));
  expect([messages[0]?.includes('answers on http://127.0.0.1:'), messages.at(-1)]).toEqual([
    true,
    'the sandbox has ended',
  ]);
});

test('logs no key, code, document, card, e-mail, wallet or session id from any part of a request', async () => {
  const sandbox = await startEphemeral();
  const secrets = [
    sandbox.address.api_key,
    sandbox.address.control_key,
    'secret.payer@example.com',
    '4111111111111111',
    '52998224725',
    '0x3333333333333333333333333333333333333333',
  ];
  const [key = '', , email = '', card = '', cpf = '', wallet = ''] = secrets;
  await create(sandbox, cardFields({ card: { number: card } }, { payer_email: email, payer_document: cpf }));
  await sandbox.post('/kyc/prepare', { email });
  await sandbox.post('/security/email/send-otp', { email });
  const { body: inbox } = await sandbox.control('GET', `inbox?to=${email}`);
  const { code } = inbox.data.emails[0];
  await sandbox.post('/security/email/verify-otp', { email, code });
  const { body } = await sandbox.post('/kyc/create/verify_public_kyc', { email });
  const { session_url, session_id } = body.data.session;
  await fetch(session_url);
  for (const secret of [...secrets, code]) {
    await sandbox.get(`/payment/${encodeURIComponent(secret)}/status`);
    await sandbox.get(`/${secret}?x=${secret}`);
    await sandbox.get(`/kyc/status?email=${email}&wallet=${wallet}`);
    await sandbox.call('POST', '/order/create', { key: `${key}x`, body: `{"x": "${secret}"` });
  }
  await sandbox.stop();
  const text = `${await readFile(requestsPath(sandbox.io), 'utf8')}${await readFile(logPath(sandbox.io), 'utf8')}`;
  expect(text.split('\n').length).toBeGreaterThan(30);
  for (const secret of [...secrets, code, session_id]) expect(text).not.toContain(secret);
});

test.each([
  ['/payment/pay_0123456789abcdef0123456789abcdef/status', '/payment/pay_0123456789abcdef0123456789abcdef/status'],
  ['/order/cmb1x2y3z0000abcd1234efgh/toggle', '/order/cmb1x2y3z0000abcd1234efgh/toggle'],
  ['/yield/strategies/USDC', '/yield/strategies/USDC'],
  ['/payment/Ana Souza/status', '/payment/{…}/status'],
  ['/\u001b[2J/\n2026', '/{…}/{…}'],
  ['/', '/'],
])('logs the path %j as %j', (path, expected) => {
  expect(shownPath(path)).toBe(expected);
});

test('limits the size of the request log, and a reader that follows it reads every request', async () => {
  const io = await sandboxIo();
  const requests = openRequestLog(io);
  const reader = openLogReader(io);
  let entriesRead = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let at = 0; at < 9000; at += 1) {
      requests.add({ method: 'GET', path: '/quote/market', http: 200, status: `quote_${round}_${at}`, ms: 1 });
    }
    await requests.flush();
    entriesRead += (await reader.next()).length;
  }
  expect(entriesRead).toBe(45_000);
  const sizes = await Promise.all([requestsPath(io), earlierRequestsPath(io)].map((path) => io.files.read(path)));
  for (const bytes of sizes) expect(bytes?.length).toBeLessThan(2 * 1024 * 1024);
  expect(sizes[1]?.length).toBeGreaterThan(1024 * 1024);
});

test('limits the size of the message log, keeps an open file descriptor valid, and a reader reads every message', async () => {
  const io = await sandboxIo();
  const reader = openLogReader(io);
  await log(io, 'begun');
  const openFile = await open(logPath(io), 'a');
  let entriesRead = 0;
  for (let at = 0; at < 40; at += 1) {
    await log(io, `${at} ${'it failed '.repeat(8000)}`);
    entriesRead += (await reader.next()).length;
  }
  await openFile.write('2026-01-01T00:00:00.000Z from the process itself\n');
  await openFile.close();
  const last = (await reader.next()).map((entry) => 'message' in entry && entry.message);
  expect([entriesRead, last]).toEqual([41, ['from the process itself']]);
  expect((await readFile(logPath(io))).length).toBeLessThan(1.3 * 1024 * 1024);
});

test('removes e-mails, documents and cards from log messages', async () => {
  const io = await sandboxIo();
  await log(io, 'of a.b+c@shop.example.com 52998224725 4111111111111111 on chain 1000137 at block 12');
  const [entry] = await openLogReader(io).next();
  expect(entry).toMatchObject({ message: 'of [personal] [personal] [personal] on chain 1000137 at block 12' });
});

test('drops a log line that cannot be written, without an error', async () => {
  const io = await sandboxIo();
  const appendDurably = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  await log({ ...io, files: { ...io.files, appendDurably } }, 'a payment failed');
  await log(io, 'and another');
  expect(await readFile(logPath(io), 'utf8')).toMatch(/^\S+ and another\n$/);
});

test('reads a stack as one entry, waits for the end of a partial line, and reads a replaced log from its start', async () => {
  const io = await sandboxIo();
  const reader = openLogReader(io);
  expect(await reader.next()).toEqual([]);
  await log(io, 'it failed: Error\n    at one\n    at two');
  await io.files.appendDurably(logPath(io), '2026-01-01T00:00:00.000Z half');
  const [entry, ...none] = await reader.next();
  expect([entry && 'message' in entry && entry.message, none]).toEqual([
    'it failed: Error\n    at one\n    at two',
    [],
  ]);
  await io.files.appendDurably(logPath(io), ' and whole\n');
  expect(await reader.next()).toEqual([{ at: '2026-01-01T00:00:00.000Z', message: 'half and whole' }]);
  await writeFile(logPath(io), '2026-02-02T00:00:00.000Z anew\n');
  expect(await reader.next()).toEqual([{ at: '2026-02-02T00:00:00.000Z', message: 'anew' }]);
});

test('rejects a wrong number of lines', async () => {
  const { control } = await startEphemeral();
  for (const lines of ['0', 'x', '99999', '1.5']) {
    const { http, body } = await control('GET', `logs?lines=${lines}`);
    expect([lines, http, body.errors?.[0]?.field]).toEqual([lines, 400, 'lines']);
  }
});

const ENTRY = { method: 'POST', path: '/payment/execute/on-chain', http: 409, status: 'invalid_payment_status', ms: 3 };

test.each([
  [{}, true],
  [{ status: '409' }, true],
  [{ status: '4xx' }, true],
  [{ status: 'invalid_payment_status' }, true],
  [{ status: '5xx' }, false],
  [{ status: '40' }, false],
  [{ method: 'post' }, true],
  [{ method: 'GET' }, false],
  [{ path: '/payment' }, true],
  [{ path: 'payment' }, false],
  [{ path: '*on-chain' }, true],
  [{ path: '/payment/*' }, true],
  [{ path: '/*/execute/*' }, true],
  [{ path: '/payment/*/status' }, false],
  [{ path: '/payment/*/execute*' }, false],
  [{ path: '/payment/execute/on-chain*on-chain' }, false],
  [{ status: '4xx', method: 'GET' }, false],
])('matches a rejected execute with the filter %j: %s', (filter, expected) => {
  expect(isShown(filter, ENTRY)).toBe(expected);
});

test('redacts bodies before it stores them: no key, code, document, card, e-mail or signed bytes', async () => {
  const sandbox = await startEphemeral();
  const email = 'secret.payer@example.com';
  const [card, cpf, signed] = ['4111111111111111', '52998224725', `0x${'ab'.repeat(100)}`];
  const { id } = await create(
    sandbox,
    cardFields({ card: { number: card, holder: 'ZELIA Q' } }, { payer_email: email, payer_document: cpf }),
  );
  await sandbox.post('/kyc/prepare', { email });
  await sandbox.post('/security/email/send-otp', { email });
  const { code } = (await sandbox.control('GET', 'inbox')).body.data.emails[0];
  await sandbox.post('/security/email/verify-otp', { email, code });
  await sandbox.get(`/kyc/status?email=${email}`);
  const { api_key } = (await sandbox.control('POST', 'tenant', {})).body.data;
  await sandbox.post('/payment/execute/on-chain', { payment_id: id, signed_transaction: signed, executor_id: 'x' });
  await sandbox.call('POST', '/order/create', { body: `{"x": "${email}"` });
  const { body } = await sandbox.control('GET', 'logs?lines=100&bodies=true');
  const text = JSON.stringify(body.data.entries);
  const { api_key: own, control_key } = sandbox.address;
  for (const secret of [email, card, 'ZELIA', cpf, signed, String(code), String(api_key), own, control_key]) {
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  }
  const found = (path: string) => body.data.entries.find((entry: LogEntry) => 'path' in entry && entry.path === path);
  expect(found('/kyc/status')).toMatchObject({ query: { email: '********' }, answer: { status: expect.any(String) } });
  expect(found('/kyc/prepare')).toMatchObject({ request: { email: '********' }, http: 201 });
  expect(found('/order/create')).toMatchObject({ request: expect.stringMatching(/^\(\d+ characters, not JSON\)$/) });
  expect(found('/payment/register/intents-create-order')).toMatchObject({ request: { amount_from: '100' } });
});

test('keeps the bodies of the last 100 calls in memory, shortens large bodies, and writes none to a file', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const mark = 'a-name-that-only-a-body-has';
  await sandbox.post('/order/create', { name: mark, note: 'x'.repeat(100_000) });
  await Promise.all(
    Array.from({ length: 20 }, () => sandbox.post('/order/create', { name: mark, note: 'y'.repeat(5000) })),
  );
  const first = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data.entries;
  expect(first[0].request).toMatch(/^\(100\d\d\d characters\)$/);
  expect([first[1].request.length, first[1].request.endsWith('…')]).toEqual([4001, true]);
  for (let at = 0; at < 130; at += 1) await sandbox.get('/quote/market?from=ETH&to=USDT');
  const { entries } = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data;
  expect([entries.length, entries.every(({ path }: { path: string }) => path === '/quote/market')]).toEqual([
    100,
    true,
  ]);
  expect(entries[99]).toMatchObject({ query: { from: 'ETH', to: 'USDT' }, answer: { status: 'quote_ok' } });
  const { id } = entries[99];
  await sandbox.control('POST', 'reset');
  const after = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data.entries;
  expect(after.map(({ path }: { path: string }) => path)).toEqual(['/_sandbox/reset']);
  await sandbox.stop();
  const files = await readdir(io.places.sandbox, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile() && !entry.name.startsWith('ledger'))) {
    const text = await readFile(join(file.parentPath, file.name), 'latin1');
    expect([file.name, text.includes(mark)]).toEqual([file.name, false]);
  }
  expect(await readFile(requestsPath(io), 'utf8')).toContain(`#${id} quote_ok`);
});

test('keeps no bodies of a call that was cut off, or of a form on a page', async () => {
  const sandbox = await startEphemeral();
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: 'drop_after' });
  await sandbox.get('/quote/market?from=ETH&to=USDT').catch(() => undefined);
  const { created } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
  const action = String(created.body.data.session_payment).replace('?', '/card?');
  await fetch(action, { method: 'POST', body: new URLSearchParams({ number: '5105105105105100', expiry: '12/40' }) });
  const { entries } = (await sandbox.control('GET', 'logs?lines=1000&bodies=true')).body.data;
  const paths = entries.map(({ path }: { path: string }) => path);
  expect(paths).toContain('/payment/register/intents-create-transaction');
  expect(paths).not.toContain('/quote/market');
  expect(paths.some((path: string) => path.startsWith('/pay/'))).toBe(false);
});
