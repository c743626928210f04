import { open, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { log, logPath } from '../../src/sandbox/log.ts';
import {
  earlierRequestsPath,
  type LogEntry,
  openLogReader,
  openRequestLog,
  requestsPath,
  shownPath,
} from '../../src/sandbox/request-log.ts';
import { cardFields, create } from './money.ts';
import { sandboxIo, startEphemeral } from './sandbox.ts';

const requestsIn = (entries: readonly LogEntry[]) =>
  entries.flatMap((entry) => ('path' in entry ? [`${entry.method} ${entry.path} ${entry.http} ${entry.status}`] : []));

test('each request is told with how it was answered, while the sandbox runs and when it has ended', async () => {
  const sandbox = await startEphemeral();
  await sandbox.get('/quote/market?from=ETH&to=USDT');
  await sandbox.call('DELETE', '/order/create');
  await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: 'pair_not_found' });
  await sandbox.get('/quote/market?from=ETH&to=USDT');
  const told = [
    'GET /quote/market 200 quote_ok',
    'DELETE /order/create 405 method_not_allowed',
    'POST /_sandbox/fault 200 fault_added',
    'GET /quote/market 400 pair_not_found',
  ];
  const { body } = await sandbox.control('GET', 'logs?lines=4');
  expect(requestsIn(body.data.entries)).toEqual(told);
  for (const { at, ms } of body.data.entries) {
    expect([at, ms]).toEqual([expect.stringMatching(/^20\d\d-.*Z$/), expect.any(Number)]);
  }
  await sandbox.stop();
  const entries = await openLogReader(sandbox.io).next();
  expect(requestsIn(entries)).toEqual(told);
  const messages = entries.flatMap((entry) => ('message' in entry ? [entry.message] : []));
  expect([messages[0]?.includes('answers on http://127.0.0.1:'), messages.at(-1)]).toEqual([
    true,
    'the sandbox has ended',
  ]);
});

test('no key, code, document, card, e-mail, wallet or session is in the log, wherever it was sent', async () => {
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
])('the path %j is told as %j', (path, shown) => {
  expect(shownPath(path)).toBe(shown);
});

test('the log stays small however long a sandbox runs, and a reader that follows it misses nothing', async () => {
  const io = await sandboxIo();
  const requests = openRequestLog(io);
  const reader = openLogReader(io);
  let seen = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let at = 0; at < 9000; at += 1) {
      requests.add({ method: 'GET', path: '/quote/market', http: 200, status: `quote_${round}_${at}`, ms: 1 });
    }
    await requests.flush();
    seen += (await reader.next()).length;
  }
  expect(seen).toBe(45_000);
  const sizes = await Promise.all([requestsPath(io), earlierRequestsPath(io)].map((path) => io.files.read(path)));
  for (const bytes of sizes) expect(bytes?.length).toBeLessThan(2 * 1024 * 1024);
  expect(sizes[1]?.length).toBeGreaterThan(1024 * 1024);
});

test('what the process says stays small too, and goes on in the file that it holds open; a reader misses nothing', async () => {
  const io = await sandboxIo();
  const reader = openLogReader(io);
  await log(io, 'begun');
  const held = await open(logPath(io), 'a');
  let seen = 0;
  for (let at = 0; at < 40; at += 1) {
    await log(io, `${at} ${'it failed '.repeat(8000)}`);
    seen += (await reader.next()).length;
  }
  await held.write('2026-01-01T00:00:00.000Z from the process itself\n');
  await held.close();
  const last = (await reader.next()).map((entry) => 'message' in entry && entry.message);
  expect([seen, last]).toEqual([41, ['from the process itself']]);
  expect((await readFile(logPath(io))).length).toBeLessThan(1.3 * 1024 * 1024);
});

test('e-mails, documents and cards in what failed are taken out', async () => {
  const io = await sandboxIo();
  await log(io, 'of a.b+c@shop.example.com 52998224725 4111111111111111 on chain 1000137 at block 12');
  const [entry] = await openLogReader(io).next();
  expect(entry).toMatchObject({ message: 'of [personal] [personal] [personal] on chain 1000137 at block 12' });
});

test('a log that cannot be written loses its line, and fails nothing of what it tells of', async () => {
  const io = await sandboxIo();
  const appendDurably = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  await log({ ...io, files: { ...io.files, appendDurably } }, 'a payment failed');
  await log(io, 'and another');
  expect(await readFile(logPath(io), 'utf8')).toMatch(/^\S+ and another\n$/);
});

test('a stack is one entry, half a line waits for its end, a log that begins again is read from there', async () => {
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

test('a wrong number of lines is refused', async () => {
  const { control } = await startEphemeral();
  for (const lines of ['0', 'x', '99999', '1.5']) {
    const { http, body } = await control('GET', `logs?lines=${lines}`);
    expect([lines, http, body.errors?.[0]?.field]).toEqual([lines, 400, 'lines']);
  }
});
