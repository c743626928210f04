import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, PAYMENT, startJourney } from '../../support/journey.ts';
import { envelope, startServer } from '../../support/server.ts';
import { linesOf, newListener } from '../../support/webhook.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

const { webhook_url: _, ...TENANT } = PAYMENT.tenant_data;
const WITHOUT_URL = JSON.stringify({ ...PAYMENT, tenant_data: TENANT });
const USED = 'webhook_url is the address of the running bursar webhook listen: ';

const register = async (more: readonly string[] = [], stdin = WITHOUT_URL) => {
  const { code, stdout, stderr } = await journey.bursar(['pay', 'register', '--json', '--body', '-', ...more], {
    stdin,
  });
  return { code, stderr, data: code === 0 ? JSON.parse(stdout) : undefined };
};

/** The receivers that this home has a record of. */
const records = async () =>
  (await readdir(join(journey.home, 'state', 'webhooks')).catch(() => [])).filter((name) =>
    name.startsWith('listener-'),
  );

const listen = (args: readonly string[] = []) => newListener(args, {}, journey.home);

const shownUrl = async (dryRun: readonly string[] = []) =>
  (await journey.bursar(['pay', 'register', '--dry-run', '--json', '--body', '-', ...dryRun], { stdin: WITHOUT_URL }))
    .stdout;

describe('while webhook listen runs, a payment of the sandbox', () => {
  it('has its address as webhook_url, stderr prints that, and the deliveries arrive there', async () => {
    const { url, ended } = await listen(['--count', '1']);
    const { code, stderr, data } = await register();
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${USED}${url}\n`)]);
    await journey.bursar(['sandbox', 'trigger', 'error']);
    const { code: ending, stdout } = await ended;
    expect([ending, linesOf(stdout)]).toMatchObject([0, [{ event: 'payment.status_changed' }]]);
    expect(data.payment_id).toMatch(/^pay_/);
    expect(await records()).toEqual([]);
    expect((await register()).code).toBe(2);
  });

  it('made by pay run has it too, and --dry-run shows the address', async () => {
    const { url, kill, ended } = await listen();
    expect(await shownUrl()).toContain(url);
    const args = ['pay', 'run', '--body', '-', '--key', 'payer', '--yes', '--json'];
    const { code, stderr } = await journey.bursar(args, { stdin: WITHOUT_URL });
    expect([code, stderr]).toEqual([0, expect.stringContaining(USED)]);
    kill('SIGINT');
    const statuses = linesOf((await ended).stdout).map(({ status }) => status);
    expect(statuses).toContain('processing');
  });

  it.each([
    ['an option', ['--webhook-url', 'https://shop.example/own'], WITHOUT_URL, {}],
    ['a body', [], JSON.stringify(PAYMENT), {}],
    ['a setting', [], WITHOUT_URL, { webhook_url: 'https://shop.example/hook' }],
  ])('keeps the webhook_url of %s', async (_name, more, stdin, settings) => {
    const { kill, ended } = await listen();
    const file = join(journey.home, 'profiles.json');
    await writeFile(file, JSON.stringify({ version: 1, profiles: { sandbox: settings } }), { mode: 0o600 });
    const { code, stderr } = await register(more, stdin);
    expect([code, stderr.includes(USED)]).toEqual([0, false]);
    await writeFile(file, JSON.stringify({ version: 1, profiles: {} }), { mode: 0o600 });
    kill('SIGINT');
    await ended;
  });

  it('does not get the address of a killed receiver, whose record the next receiver removes', async () => {
    const first = await listen();
    const [record = ''] = await records();
    expect((await stat(join(journey.home, 'state', 'webhooks', record))).mode & 0o777).toBe(0o600);
    first.kill('SIGKILL');
    await first.ended;
    expect(await records()).toEqual([record]);
    const { code, stderr } = await register();
    expect([code, stderr.includes(USED)]).toEqual([2, false]);
    const second = await listen();
    expect(await records()).toHaveLength(1);
    expect((await register()).stderr).toContain(second.url);
    second.kill('SIGINT');
    await second.ended;
  });

  it('gets the address of the newest of two receivers', async () => {
    const [first, second] = [await listen(), await listen()];
    expect((await register()).stderr).toContain(second.url);
    second.kill('SIGINT');
    await second.ended;
    expect((await register()).stderr).toContain(first.url);
    first.kill('SIGINT');
    await first.ended;
  });

  it('does not get an address that no receiver wrote', async () => {
    const { kill, ended } = await listen();
    const file = join(journey.home, 'state', 'webhooks', (await records())[0] ?? '');
    const { process } = JSON.parse(await (await import('node:fs/promises')).readFile(file, 'utf8'));
    for (const text of [JSON.stringify({ url: 'https://other.example/x', process }), '{', 'null', '{"url":1}']) {
      await writeFile(file, text);
      expect((await register()).code).toBe(2);
    }
    kill('SIGINT');
    await ended;
  });
});

it('a payment of a live service never has the address of a receiver', async () => {
  const { kill, ended } = await listen();
  const service = await startServer(envelope(200, 'payment_registered', { data: { payment_id: 'pay_1' } }));
  const { code, stderr } = await journey.bursar(['pay', 'register', '--body', '-', '--json'], {
    stdin: WITHOUT_URL,
    env: { BURSAR_PROFILE: '', BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k' },
  });
  expect([code, stderr.includes(USED), service.received]).toEqual([2, false, []]);
  kill('SIGINT');
  await ended;
});
