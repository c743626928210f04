import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../support/in-process.ts';
import { type Received, raw, startServer } from '../../support/server.ts';
import { linesOf, listed, newListener, paid, post, request, send, statusOf, stop } from '../../support/webhook.ts';

describe('webhook listen', () => {
  it('that never ends its request, or sends nothing, is cut off, and others are answered meanwhile', async () => {
    const listener = await newListener();
    const { url } = listener;
    const slow = [
      send(url),
      send(url, 'POST / HTTP/1.1\r\nx-a: '),
      send(url, request(url, ['host: x', 'content-length: 9'], 'ab')),
      ...Array.from({ length: 200 }, () => send(url, 'POST ')),
    ];
    expect(await post(url, '{}')).toBe(200);
    for (const answer of await Promise.all(slow)) expect(['closed', '408']).toContain(statusOf(answer));
    expect(await listed(listener.home)).toHaveLength(1);
    await stop(listener);
  }, 30_000);

  it('follows no redirect, and counts a redirect as not accepted', async () => {
    const inside = await startServer(raw(200, ''));
    const seen: Received[] = [];
    const { url: target } = await startServer((one, response) => {
      seen.push(one);
      response.writeHead(307, { location: inside.url }).end();
    });
    const { url, ended } = await newListener(['--count', '1', '--forward-to', target]);
    await post(url, '{}');
    expect(linesOf((await ended).stdout).at(-1).forwards).toMatchObject([{ http: 307 }]);
    expect([seen.length, inside.received.length]).toEqual([4, 0]);
  }, 30_000);

  it('prints once after 30 seconds without a delivery how to test the address', async () => {
    const silent = await newListener(['--timeout', '33']);
    const busy = await newListener(['--timeout', '33']);
    await post(busy.url, '{}');
    const [{ stderr }, other] = await Promise.all([silent.ended, busy.ended]);
    expect(stderr.match(/Nothing has arrived yet/g)).toHaveLength(1);
    expect(stderr).toContain(`curl --data '{}' ${silent.url}\n  bursar sandbox trigger success\n`);
    expect(other.stderr).toBe('');
  }, 60_000);
});

describe('replayed webhooks', () => {
  it('that the target does not accept are exit 5, with all results', async () => {
    const kept = await newListener(['--count', '1']);
    await post(kept.url, paid('success'));
    const [{ id }] = linesOf((await kept.ended).stdout);
    const { url, received } = await startServer(raw(500, ''));
    const { code, stdout } = await runInProcess(kept.home, ['webhook', 'replay', id, '--forward-to', url, '--json']);
    expect([code, JSON.parse(stdout).error]).toMatchObject([5, { data: [{ id, http: 500 }] }]);
    expect(received).toHaveLength(4);
  }, 30_000);

  it('print the rows and the reason also on a failure, and name those that were not accepted', async () => {
    const kept = await newListener(['--count', '1']);
    await post(kept.url, paid('success'));
    const [{ id }] = linesOf((await kept.ended).stdout);
    const [up, down] = [(await startServer(raw(200, ''))).url, 'http://127.0.0.1:9/'];
    const args = ['webhook', 'replay', '--since', '1h', '--forward-to', up, '--forward-to', down];
    const { code, stdout, stderr } = await runInProcess(kept.home, args);
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      5,
      [
        expect.stringMatching(new RegExp(`^${id}\t${up}/\t200\t\\d+\t$`)),
        expect.stringMatching(new RegExp(`^${id}\t${down}\t\t\\d+\trefused$`)),
      ],
    ]);
    expect(stderr).toContain(`error: 1 of 2 forwards were not accepted (${down}: refused)\n`);
    expect(stderr).toContain(`next: bursar webhook replay ${id} --forward-to ${down}\n`);
  }, 30_000);
});
