import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBursar } from '../../support/bursar.ts';
import { newHomeInProcess, runInProcess } from '../../support/in-process.ts';
import { startJourney } from '../../support/journey.ts';
import { envelope, type Received, raw, startServer } from '../../support/server.ts';
import { linesOf, listed, newListener, paid, post } from '../../support/webhook.ts';

describe('webhook listen', () => {
  it('answers, keeps and prints each delivery in the order of receipt, and finds equal bytes', async () => {
    const { url, ended, home } = await newListener(['--count', '3']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}$/);
    for (const body of [paid('processing'), paid('success'), paid('processing')])
      expect(await post(url, body)).toBe(200);
    const { code, stdout } = await ended;
    const rows = linesOf(stdout);
    expect([code, rows.map(({ status, duplicate }) => [status, duplicate])]).toEqual([
      ...[
        0,
        [
          ['processing', false],
          ['success', false],
          ['processing', true],
        ],
      ],
    ]);
    expect(rows[0]).toEqual({
      ...{ id: expect.stringMatching(/^wh_/), received_at: expect.stringMatching(/Z$/) },
      ...{ event: 'payment.status_changed', payment_id: 'pay_1', status: 'processing' },
      ...{ duplicate: false, verified: null, forwards: [] },
    });
    expect((await listed(home)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
    const files = (await readdir(join(home, 'state', 'webhooks'))).map((name) => join(home, 'state', 'webhooks', name));
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('refuses other paths, methods and more than 1 MB, and keeps nothing of them', async () => {
    const { url, home, kill, ended } = await newListener();
    expect(await post(url.slice(0, -1), '{}')).toBe(404);
    expect((await fetch(url)).status).toBe(405);
    expect(await post(url, new Uint8Array(1024 * 1024 + 1)).catch(() => 413)).toBe(413);
    expect(await post(url, new Uint8Array(1024 * 1024))).toBe(200);
    kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await listed(home)).toMatchObject([{ event: null, payment_id: null, status: null, bytes: 1024 * 1024 }]);
  });

  it('has the same address after a restart on the same port, and says that a port is taken', async () => {
    const first = await newListener();
    const { port } = new URL(first.url);
    const again = startBursar(first.home, ['webhook', 'listen', '--port', port]);
    const refused = await again.ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`port ${port} is taken`)]);
    first.kill('SIGINT');
    await first.ended;
    const second = await newListener(['--port', port], {}, first.home);
    expect(second.url).toBe(first.url);
    second.kill('SIGINT');
    await second.ended;
  });

  it.each([1, 2, 3, 4, 5, 6])('loses nothing that it answered when it is killed (%i)', async (round) => {
    const { url, home, kill, ended } = await newListener();
    const answered: string[] = [];
    const sender = async (name: number) => {
      for (let n = 0; ; n += 1) {
        const body = `{"n":"${name}-${n}"}`;
        if ((await post(url, body)) !== 200) return;
        answered.push(body);
        // Early rounds kill at the first answers.
        if (answered.length === round ** 3) kill('SIGKILL');
      }
    };
    await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(sender));
    await ended;
    const kept = new Set<string>();
    for (const { id } of await listed(home))
      kept.add((await runInProcess(home, ['webhook', 'show', String(id), '--body'])).stdout);
    expect(answered.length).toBeGreaterThanOrEqual(round ** 3);
    expect(answered.filter((body) => !kept.has(body))).toEqual([]);
  });

  it('forwards the same bytes without a key, repeats a failed forward, and shows status and time', async () => {
    const seen: Received[] = [];
    const { url: target } = await startServer((request, response) => {
      seen.push(request);
      return raw(seen.length === 1 ? 503 : 204, '')(request, response);
    });
    const { url, ended } = await newListener(['--count', '1', '--forward-to', `${target}/hook`]);
    const body = '{"a":  1000000000000000001}';
    await post(url, body, { 'x-api-key': 'k-secret', authorization: 'Bearer s', 'x-signature': 'sig', cookie: 'c=1' });
    const [row] = linesOf((await ended).stdout);
    expect(row.forwards).toEqual([{ url: `${target}/hook`, http: 204, ms: expect.any(Number) }]);
    expect(seen.map((one) => [one.method, one.path, one.body])).toEqual([
      ['POST', '/hook', body],
      ['POST', '/hook', body],
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'x-signature': 'sig' });
    expect(JSON.stringify(seen)).not.toMatch(/secret|Bearer|c=1/);
  });

  it('shows a delivery while its target is down, and names on Ctrl-C the command that sends it again', async () => {
    const target = 'http://127.0.0.1:9/hook';
    const service = await startServer(() => undefined);
    const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'key-of-the-test' };
    const { url, kill, ended, home, printed } = await newListener(['--forward-to', target, '--verify', '--json'], env);
    await post(url, paid('success'));
    const early = await printed(/^\{"received":.*$/m);
    kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    const [received, whole, last] = linesOf(stdout);
    const { verified, forwards, ...summary } = whole;
    expect(JSON.parse(early)).toEqual({ received: summary });
    expect([code, stderr, received]).toEqual([130, '', { received: summary }]);
    expect([verified, forwards]).toEqual([
      null,
      [{ url: target, http: null, ms: expect.any(Number), reason: 'refused' }],
    ]);
    expect(last.error.message).toBe('interrupted; 1 delivery is kept and was not forwarded');
    expect(last.error.next).toBe(`bursar webhook replay ${summary.id} --forward-to ${target}`);
    const { url: up, received: again } = await startServer(raw(200, ''));
    const [, ...args] = last.error.next.replace(target, up).split(' ');
    expect((await runInProcess(home, args)).code).toBe(0);
    expect(again.map(({ body }) => body)).toEqual([paid('success')]);
  });

  it('names at the end of --count the command that sends again what was not forwarded', async () => {
    const target = 'http://127.0.0.1:9/hook';
    const { url, ended } = await newListener(['--count', '1', '--forward-to', target]);
    await post(url, paid('success'));
    const { code, stdout, stderr } = await ended;
    const { id } = linesOf(stdout).at(-1);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `1 delivery is kept and was not forwarded\nnext: bursar webhook replay ${id} --forward-to ${target}\n`,
    );
  });

  it('names on Ctrl-C the time of several deliveries that were not forwarded', async () => {
    const { url, kill, ended, home } = await newListener(['--status', 'success', '--forward-to', 'http://127.0.0.1:9']);
    for (const n of [1, 2]) await post(url, paid('success', n));
    kill('SIGINT');
    const { stderr, stdout } = await ended;
    const [{ received_at: first }, { received_at: last }] = linesOf(stdout);
    expect(stderr).toContain('interrupted; 2 deliveries are kept and were not forwarded');
    const command = `webhook replay --since ${first} --until ${last} --status success --forward-to http://127.0.0.1:9/`;
    expect(stderr).toContain(`next: bursar ${command}\n`);
    const { url: up, received } = await startServer(raw(200, ''));
    expect((await runInProcess(home, [...command.split(' ').slice(0, -1), up])).code).toBe(0);
    expect(received).toHaveLength(2);
  });

  it('with --verify reads the payment back: a delivery alone proves nothing', async () => {
    const service = await startServer(
      envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'processing', tid_hash: null } }),
    );
    const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'key-of-the-test' };
    const { url, ended } = await newListener(['--count', '5', '--verify'], env);
    for (const body of [paid('success'), paid('processing'), 'no json', paid('registered'), paid('own')])
      await post(url, body);
    expect(linesOf((await ended).stdout).map(({ verified, service_status }) => [verified, service_status])).toEqual([
      ...[
        [false, 'processing'],
        [true, 'processing'],
        [null, undefined],
        // The service has a later status.
        [true, 'processing'],
        [false, 'processing'],
      ],
    ]);
  });

  it('with --verify reads payments back also after the time of one command', async () => {
    const service = await startServer(
      envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'success', tid_hash: null } }),
    );
    const preload = new URL('../../support/later.mjs', import.meta.url).href;
    const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k', NODE_OPTIONS: `--import ${preload}` };
    const { url, ended } = await newListener(['--verify', '--idle', '1000', '--count', '1'], env);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await post(url, paid('success'));
    expect(linesOf((await ended).stdout)).toMatchObject([{ verified: true }]);
  });

  it('receives the webhooks of the sandbox', async () => {
    const journey = await startJourney();
    onTestFinished(() => journey.end());
    const args = ['--count', '1', '--status', 'success', '--verify'];
    const { url, ended } = await newListener(args, { BURSAR_PROFILE: 'sandbox' }, journey.home);
    const { payment_id } = (await journey.json(['sandbox', 'trigger', 'success', '--webhook-url', url])).data;
    expect(linesOf((await ended).stdout)).toMatchObject([
      { event: 'payment.status_changed', payment_id, status: 'success', verified: true },
    ]);
  });

  it('closes the connection of a slow sender, and ends on Ctrl-C meanwhile', async () => {
    const { url, kill, ended } = await newListener();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`POST ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nab`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    kill('SIGINT');
    expect((await ended).code).toBe(130);
    socket.destroy();
  });

  it('shows only the wanted statuses, and keeps the others', async () => {
    const { url, ended, home } = await newListener(['--count', '1', '--status', 'success']);
    for (const body of [paid('processing'), paid('success')]) await post(url, body);
    expect(linesOf((await ended).stdout)).toMatchObject([{ status: 'success' }]);
    expect(await listed(home)).toHaveLength(2);
    expect(await listed(home, '--status', 'success')).toHaveLength(1);
  });

  it.each([
    [['--count', '1', '--timeout', '1'], 8, '0 of 1 deliveries'],
    [['--count', '1', '--idle', '1'], 8, '0 of 1 deliveries'],
    [['--idle', '1'], 0, ''],
    [['--timeout', '1'], 0, ''],
  ])('%j ends with %i', async (args, code, message) => {
    const ended = await (await newListener(args)).ended;
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(ended.stderr.includes('next: bursar webhook list\n')).toBe(code === 8);
  });

  it('names where the webhooks of the sandbox are, if too few arrived: in JSON on one line', async () => {
    const args = ['--count', '1', '--timeout', '1', '--json', '--profile', 'sandbox'];
    const { code, stdout } = await (await newListener(args)).ended;
    expect([code, linesOf(stdout)]).toEqual([
      8,
      [{ error: expect.objectContaining({ code: 'not_final', next: 'bursar sandbox events' }) }],
    ]);
  });

  it.each([
    [['--forward-to', 'ftp://x'], '--forward-to: "ftp://x" is not an http(s) address'],
    [['--forward-to', 'http://user:pw@x'], 'is not an http(s) address'],
    [['--port', '70000'], '--port: "70000" is not a whole number from 0 to 65535'],
    [['--count', '0'], '--count: "0"'],
    [['--public-url', 'nowhere'], '--public-url: "nowhere"'],
    [['--profile', 'nope', '--count', '1', '--timeout', '1'], 'nope'],
  ])('%j is exit 2', async (args, message) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['webhook', 'listen', ...args]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('prints the address of a tunnel in place of its own', async () => {
    const { url, kill, ended } = await newListener(['--public-url', 'https://me.example/in/']);
    expect(url).toMatch(/^https:\/\/me\.example\/in\/[\w-]{24}$/);
    kill('SIGINT');
    await ended;
  });
});

describe('kept webhooks', () => {
  /** A home with some deliveries, newest last. */
  const withKept = async (...bodies: readonly string[]) => {
    const { url, home, ended } = await newListener(['--count', String(bodies.length)]);
    for (const body of bodies) await post(url, body, { 'x-signature': 'sig', authorization: 'secret' });
    await ended;
    const bursar = (...args: readonly string[]) => runInProcess(home, ['webhook', ...args]);
    return { home, bursar, ids: (await listed(home)).map(({ id }) => String(id)).toReversed() };
  };

  it('are shown whole, and their lists have no payload', async () => {
    const { bursar, ids, home } = await withKept('{"data":{"payer_email":"ana@example.com","n":1.10}}');
    expect(JSON.stringify(await listed(home))).not.toContain('ana@example.com');
    const { stdout } = await bursar('show', ids[0] ?? '', '--json');
    expect(stdout).toContain('1.10');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ id: ids[0], same_as: null, headers: { 'x-signature': 'sig', authorization: '********' } },
      body: { data: { payer_email: 'ana@example.com' } },
    });
    const none = await bursar('show', 'wh_nope');
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('next: bursar webhook list')]);
  });

  it('are sent again with the same bytes, by id or by time, oldest first', async () => {
    const { bursar, ids } = await withKept(paid('processing'), paid('success'));
    const { url, received } = await startServer(raw(200, ''));
    expect((await bursar('replay', ids[1] ?? '', '--forward-to', url)).code).toBe(0);
    const { stdout } = await bursar('replay', '--since', '1h', '--forward-to', url, '--json');
    expect(JSON.parse(stdout).map(({ id, http }: { id: string; http: number }) => [id, http])).toEqual(
      ids.map((id) => [id, 200]),
    );
    expect(received.map(({ body }) => body)).toEqual([paid('success'), paid('processing'), paid('success')]);
    expect((await bursar('replay', '--until', '2020-01-01', '--forward-to', url)).stdout).toBe('');
  });

  it('are not chosen by a status that neither the document nor a kept delivery has: exit 2', async () => {
    const { bursar } = await withKept(paid('own_status'));
    const { url, received } = await startServer(raw(200, ''));
    for (const [command = '', ...args] of [['replay', '--since', '2h', '--forward-to', url], ['list']]) {
      const of = (status: string) => bursar(command, ...args, '--status', 'success', '--status', status);
      const unknown = await of('sucess');
      expect([unknown.code, unknown.stdout]).toEqual([2, '']);
      expect(unknown.stderr).toMatch(/the status "sucess"\n.*Did you mean success\? .*processing/s);
      expect((await of('own_status')).code).toBe(0);
    }
    expect(received).toHaveLength(1);
  });

  it('need a choice to be sent again', async () => {
    const { bursar, ids } = await withKept(paid('success'));
    for (const args of [[], [ids[0] ?? ''], ['--since', 'yesterday', '--forward-to', 'http://127.0.0.1:9']])
      expect((await bursar('replay', ...args)).code).toBe(2);
    const without = await bursar('replay');
    expect(without.stderr).toContain('ID or --since: required');
    expect(without.stderr).toContain('--forward-to: required');
    const empty = await bursar('replay', '--since', '2h', '--until', '3h', '--forward-to', 'http://127.0.0.1:9');
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--since is later than --until')]);
    expect((await bursar('replay', ids[0] ?? '', '--since', '1h', '--forward-to', 'http://127.0.0.1:9')).code).toBe(2);
  });

  it('are removed by age and by size', async () => {
    const { bursar, home } = await withKept(paid('success'));
    expect((await bursar('prune')).stdout).toContain('removed_files\t0');
    expect((await bursar('prune', '--megabytes', '0')).stdout).toContain('removed_files\t1');
    expect(await listed(home)).toEqual([]);
  });
});
