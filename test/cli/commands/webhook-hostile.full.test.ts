import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBursar } from '../../support/bursar.ts';
import { newHomeInProcess, runInProcess } from '../../support/in-process.ts';
import { raw, startServer } from '../../support/server.ts';
import { hasTerminal, openTerminal } from '../../support/terminal.ts';
import { linesOf, listed, newListener, paid, post, request, send, statusOf, stop } from '../../support/webhook.ts';

const folderOf = (home: string): string => join(home, 'state', 'webhooks');

const storeFiles = async (home: string) => (await readdir(folderOf(home))).filter((name) => name.endsWith('.ndjson'));

describe('a hostile sender', () => {
  it('that guesses the path, or rebinds a name to loopback, gets 404 and no header that a page could read', async () => {
    const listener = await newListener();
    const { url, home } = listener;
    const { origin, pathname } = new URL(url);
    const guesses = ['/', pathname.slice(0, -1), `${pathname}/`, `${pathname}?x=1`, pathname.toUpperCase()];
    for (const guess of [...guesses, `${pathname}x`]) expect(await post(origin + guess, '{}')).toBe(404);
    const rebound = await send(url, request(`${origin}/guess`, ['host: evil.example', 'content-length: 0']));
    expect(rebound).toMatch(/^HTTP\/1\.1 404 /);
    expect(rebound).not.toMatch(/access-control|server:|x-powered/i);
    // A tunnel of the user sends its own name: the path alone decides.
    expect(statusOf(await send(url, request(url, ['host: me.tunnel.example', 'content-length: 2'], '{}')))).toBe('200');
    expect(await listed(home)).toHaveLength(1);
    await stop(listener);
  });

  it.each([
    ['two lengths', ['host: x', 'content-length: 2', 'content-length: 5'], '{}xxx', '400'],
    ['a length and chunks', ['host: x', 'content-length: 2', 'transfer-encoding: chunked'], '0\r\n\r\n', '400'],
    ['a folded header', ['host: x', 'x-a: 1', ' x-api-key: 2', 'content-length: 2'], '{}', '400'],
    ['a bare line feed', ['host: x', 'x-a: 1\nx-b: 2', 'content-length: 2'], '{}', '400'],
    ['a zero byte', ['host: x', 'x-a: 1\0', 'content-length: 2'], '{}', '400'],
    ['17 KB of headers', ['host: x', `x-a: ${'a'.repeat(17_000)}`, 'content-length: 2'], '{}', '431'],
    ['no host', ['content-length: 2'], '{}', '400'],
  ])('with %s is refused, and nothing is kept', async (_name, head, body, http) => {
    const listener = await newListener();
    expect(statusOf(await send(listener.url, request(listener.url, head, body)))).toBe(http);
    expect(await post(listener.url, '{}')).toBe(200);
    expect(await listed(listener.home)).toHaveLength(1);
    await stop(listener);
  });

  it('that sends more than 1 MB in chunks without a length gets 413 before the end', async () => {
    const listener = await newListener();
    const head = request(listener.url, ['host: x', 'transfer-encoding: chunked']);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    expect(statusOf(await send(listener.url, head, chunk.repeat(17)))).toBe('413');
    expect(await listed(listener.home)).toEqual([]);
    await stop(listener);
  });

  it('cannot name a payload field that fills a list, or shows personal data in it', async () => {
    const { url, ended, home } = await newListener(['--count', '3']);
    await post(url, JSON.stringify({ event: 'e'.repeat(100_000), data: { id: 'i'.repeat(200), status: 's' } }));
    await post(
      url,
      JSON.stringify({ event: 'for ana@example.com', data: { id: '52998224725', status: 'ana@example.com' } }),
    );
    await post(url, JSON.stringify({ data: { id: 'pay_1', status: { toString: 1 } }, event: ['x'] }));
    const rows = linesOf((await ended).stdout).map(({ event, payment_id, status }) => [event, payment_id, status]);
    expect(rows).toEqual([
      [null, null, 's'],
      ['for ********', '********', '********'],
      [null, 'pay_1', null],
    ]);
    expect(JSON.stringify(await listed(home))).not.toContain('ana@');
  });
});

describe('a forward', () => {
  it('has no credential, and no header of the connection that brought the delivery', async () => {
    const { url: target, received } = await startServer(raw(200, ''));
    const { url, ended } = await newListener(['--count', '1', '--forward-to', target]);
    const secrets = ['x-otp: 1', 'x-session: 2', 'x-credential: 3', 'x-password: 4', 'cookie: a=5', 'x-api-key: 6'];
    const ofConnection = [
      'connection: close, X-Hop',
      'x-hop: 7',
      'proxy-authorization: 8',
      'te: trailers',
      'keep-alive: 9',
    ];
    const head = [
      'host: evil.example',
      ...secrets,
      ...ofConnection,
      'x-signature: sig',
      'content-type: a/b',
      'content-length: 2',
    ];
    expect(statusOf(await send(url, request(url, head, '{}')))).toBe('200');
    expect((await ended).code).toBe(0);
    const { host, connection, ...headers } = received[0]?.headers ?? {};
    expect(host).toBe(new URL(target).host);
    expect(connection).toBe('close');
    expect(headers).toEqual({
      ...{ 'x-signature': 'sig', 'content-type': 'a/b', 'content-length': '2', 'accept-encoding': 'identity' },
    });
  });

  it('whose target accepts it with a long answer is not repeated', async () => {
    const { url: target, received } = await startServer(raw(200, 'x'.repeat(200_000)));
    const { url, ended } = await newListener(['--count', '1', '--forward-to', target]);
    await post(url, '{}');
    expect(linesOf((await ended).stdout)[0].forwards).toMatchObject([{ http: 200 }]);
    expect(received).toHaveLength(1);
  });

  it('to the receiver itself is exit 2: a delivery would come back without end', async () => {
    const { home } = await newHomeInProcess();
    const first = await newListener([], {}, home);
    for (const target of [first.url, `https://me.tunnel.example${new URL(first.url).pathname}`]) {
      const { code, stderr } = await runInProcess(home, ['webhook', 'listen', '--forward-to', target]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('is the address of the receiver itself')]);
    }
    await stop(first);
  });
});

describe('the folder of deliveries', () => {
  it('with a damaged path gets a new one that nobody can guess', async () => {
    const { home } = await newHomeInProcess();
    await mkdir(folderOf(home), { recursive: true, mode: 0o700 });
    for (const text of ['', '/', '/short\n', '/../../../../../../../../x', `/${'a'.repeat(24)}\n/b`]) {
      await writeFile(join(folderOf(home), 'path'), text);
      const listener = await newListener([], {}, home);
      expect(new URL(listener.url).pathname).toMatch(/^\/[\w-]{24}$/);
      expect(new URL(listener.url).pathname).not.toMatch(/^\/a+$/);
      await stop(listener);
    }
  });

  it('may have links, folders and damaged lines under names of its files: none is followed, removed or shown', async () => {
    const { home } = await newHomeInProcess();
    const secret = join(home, 'secret');
    await writeFile(secret, 'not a delivery\n');
    const first = await newListener(['--count', '1'], {}, home);
    await post(first.url, paid('success'));
    await first.ended;
    await symlink(secret, join(folderOf(home), '20200101T000000000Z-0123abcd.ndjson'));
    await mkdir(join(folderOf(home), '20200101T000000000Z-0123abce.ndjson'));
    const lines = [
      '{"v":1,"body":"e30="}',
      '{',
      'null',
      '[]',
      '{"id":"wh_x","received_at":"x","headers":{},"body":""}',
    ];
    await writeFile(join(folderOf(home), '20200101T000000000Z-0123abcf.ndjson'), `${lines.join('\n')}\n`);
    expect(await listed(home)).toHaveLength(1);
    const second = await newListener(['--count', '1'], {}, home);
    await post(second.url, paid('success'));
    expect(linesOf((await second.ended).stdout)).toMatchObject([{ duplicate: true }]);
    expect((await runInProcess(home, ['webhook', 'prune', '--days', '0'])).stdout).toContain('removed_files\t3');
    expect(await readFile(secret, 'utf8')).toBe('not a delivery\n');
    expect((await storeFiles(home)).length).toBe(2);
  });

  it('is private, also where others opened it', async () => {
    const { home } = await newHomeInProcess();
    await mkdir(folderOf(home), { recursive: true, mode: 0o777 });
    await chmod(folderOf(home), 0o777);
    const listener = await newListener([], {}, home);
    await post(listener.url, '{}');
    expect((await stat(folderOf(home))).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folderOf(home)))
      expect([name, (await stat(join(folderOf(home), name))).mode & 0o777]).toEqual([name, 0o600]);
    await stop(listener);
  });

  it('has the exact bytes of a payload, which a pipe gets and a terminal does not obey', async () => {
    const { url, ended, home } = await newListener(['--count', '1']);
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0d, 0x0a]);
    await post(url, body);
    const { id } = linesOf((await ended).stdout)[0];
    const file = join(home, 'body');
    await startBursar(home, ['webhook', 'show', id, '--body'], { stdout: file }).ended;
    expect(await readFile(file)).toEqual(body);
    if (!hasTerminal()) return;
    const terminal = openTerminal(home, { columns: 80, rows: 10 });
    terminal.run(`bursar webhook show ${id} --body; echo "exit=$?"`);
    expect(await terminal.until('exit=0')).toContain('\\u{1b}[2J');
  });
});

describe('two receivers of one home', () => {
  it('find equal bytes of each other, and list all deliveries in the order of receipt', async () => {
    const { home } = await newHomeInProcess();
    const [one, two] = [await newListener(['--count', '3'], {}, home), await newListener(['--count', '2'], {}, home)];
    for (const [{ url }, n] of [
      [one, 1],
      [two, 1],
      [two, 2],
      [one, 3],
      [one, 2],
    ] as const) {
      expect(await post(url, paid('success', n))).toBe(200);
    }
    const [first, second] = [linesOf((await one.ended).stdout), linesOf((await two.ended).stdout)];
    expect(first.map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
    expect(second.map(({ duplicate }) => duplicate)).toEqual([true, false]);
    const [a, b, c] = first.map(({ id }) => id);
    const [d, e] = second.map(({ id }) => id);
    expect((await listed(home)).map(({ id }) => id)).toEqual([a, d, e, b, c].toReversed());
  });

  it('lose nothing to a prune, which leaves the files that they write', async () => {
    const { home } = await newHomeInProcess();
    const [one, two] = [await newListener([], {}, home), await newListener([], {}, home)];
    const answered: string[] = [];
    const send = async (url: string, name: string) => {
      for (let n = 0; n < 40; n += 1) {
        const body = `{"n":"${name}-${n}"}`;
        expect(await post(url, body)).toBe(200);
        answered.push(body);
      }
    };
    const pruning = async () => {
      for (let n = 0; n < 10; n += 1) {
        const { code, stderr } = await runInProcess(home, ['webhook', 'prune', '--days', '0', '--megabytes', '0']);
        expect(code, stderr).toBe(0);
      }
    };
    await Promise.all([send(one.url, 'a'), send(two.url, 'b'), pruning()]);
    const { stderr, stdout } = await runInProcess(home, ['webhook', 'prune', '--days', '0', '--json']);
    expect([stderr, JSON.parse(stdout)]).toEqual([expect.stringContaining('2 more would go'), { removed_files: 0 }]);
    const kept = await listed(home);
    expect([kept.length, answered.length]).toEqual([80, 80]);
    await Promise.all([stop(one), stop(two)]);
    expect((await runInProcess(home, ['webhook', 'prune', '--days', '0'])).stdout).toContain('removed_files\t2');
  });
});

describe('a disk or a clock that fails', () => {
  const PRELOAD = new URL('../../support/webhook-disk.mjs', import.meta.url).href;

  it('full answers 503 without a word for each delivery, and keeps what was answered 200 before and after', async () => {
    const env = { NODE_OPTIONS: `--import ${PRELOAD}`, BURSAR_TEST_FAIL: '3-6' };
    const listener = await newListener([], env);
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1) statuses.push(await post(listener.url, `{"n":${n}}`));
    expect(statuses).toEqual([200, 200, 503, 503, 503, 503, 200, 200, 200]);
    // The service sends it again: it is no duplicate of one that was not kept.
    expect(await post(listener.url, '{"n":3}')).toBe(200);
    const rows = await listed(listener.home);
    expect(rows.map(({ duplicate }) => duplicate)).toEqual([false, false, false, false, false, false]);
    listener.kill('SIGINT');
    const { stderr } = await listener.ended;
    expect(stderr.match(/answered with 503/g)).toHaveLength(1);
  });

  it('moved back keeps the order of receipt, and new deliveries are not the first to go', async () => {
    const { home } = await newHomeInProcess();
    const first = await newListener(['--count', '1'], {}, home);
    await post(first.url, paid('processing'));
    await first.ended;
    // The clock was two years ahead when this file was written.
    const [name = ''] = await storeFiles(home);
    const ahead = `${new Date().getFullYear() + 2}${name.slice(4)}`;
    const { rename } = await import('node:fs/promises');
    await rename(join(folderOf(home), name), join(folderOf(home), ahead));
    const second = await newListener(['--count', '1'], {}, home);
    await post(second.url, paid('success'));
    await second.ended;
    expect((await listed(home)).map(({ status }) => status)).toEqual(['success', 'processing']);
    await utimes(join(folderOf(home), ahead), 0, 0);
    expect((await runInProcess(home, ['webhook', 'prune', '--json'])).stdout).toContain('1');
    expect((await listed(home)).map(({ status }) => status)).toEqual(['success']);
  });
});
