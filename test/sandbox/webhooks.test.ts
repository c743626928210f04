import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listDeliveries, listEvents, resendEvent, setTargets } from '../../src/contract/control/events.ts';
import { reset } from '../../src/contract/control/process.ts';
import { PAYMENT_EVENT_EXAMPLE, paymentEvent } from '../../src/contract/openapi/service.ts';
import { status as statusEndpoint } from '../../src/contract/pay/status.ts';
import { parseJson } from '../../src/core/json.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { closeLedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect } from '../../src/sandbox/ledger/ledger.ts';
import { historyOf } from '../../src/sandbox/ledger/payments.ts';
import type { Services } from '../../src/sandbox/services.ts';
import { startCourier } from '../../src/sandbox/webhooks/courier.ts';
import { envelope, type Received, raw, startServer } from '../support/server.ts';
import { ioWithMovableClock, until, withLedger } from './money.ts';
import { execute, fund, newPayer, prepare, statusOf } from './payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const tenantOf = (webhook_url: string) => ({
  tenant_data: { public_client_id: `client_${'0a'.repeat(16)}`, webhook_url },
});

/** Executes a payment of a tenant whose webhook URL is `url`; returns the payment id. */
const executePayment = async (sandbox: TestSandbox, url: string): Promise<string> => {
  const payer = newPayer();
  await fund(sandbox, payer);
  const { id, raw } = await prepare(sandbox, { payer, order: tenantOf(url) });
  expect((await execute(sandbox, id, raw)).http).toBe(200);
  return id;
};

// biome-ignore lint/suspicious/noExplicitAny: the body of a webhook, not checked here
const bodyOf = ({ body }: Received): any => parseJson(body);

const clientOf = ({ io, address }: TestSandbox) => controlClient(io, address);

/** The events of a payment, oldest first. */
const events = async (sandbox: TestSandbox, id: string) =>
  [...(await clientOf(sandbox)(listEvents, { payment_id: id })).events].reverse();

test('posts every status change of a payment in order, with the payment at that time', async () => {
  const { url, received } = await startServer(raw(204, ''));
  const sandbox = await startEphemeral();
  const id = await executePayment(sandbox, `${url}/hook?tenant=1`);
  await until(() => (received.length === 2 ? true : undefined));
  const [first, second] = received.map(bodyOf);
  expect([first.event, first.data.id, first.data.status, second.data.status]).toEqual([
    'payment.status_changed',
    id,
    'processing',
    'success',
  ]);
  expect(second.data).toEqual(await statusOf(sandbox, id));
  expect(first.created_at).toBe(first.data.updated_at);
  expect(statusEndpoint.success.payment_found.data.safeParse(first.data).success).toBe(true);
  expect(received[0]).toMatchObject({ method: 'POST', path: '/hook?tenant=1' });
  expect(paymentEvent.required().safeParse(first).success).toBe(true);
  expect([Object.keys(first), first.event]).toEqual([Object.keys(PAYMENT_EVENT_EXAMPLE), PAYMENT_EVENT_EXAMPLE.event]);
  expect(received[0]?.headers['content-type']).toBe('application/json');
  const sent = await until(async () => {
    const all = await events(sandbox, id);
    return all.every(({ state }) => state === 'delivered') ? all : undefined;
  });
  expect(sent).toMatchObject([
    { payment_status: 'processing', attempts: 1, last_http: 204 },
    { payment_status: 'success', attempts: 1, last_http: 204 },
  ]);
});

test('posts a failed event again after a pause that doubles, and later events wait for it', async () => {
  let answers = 0;
  const { url, received } = await startServer((one, response) => {
    answers += 1;
    return answers <= 2 ? raw(500, 'not now')(one, response) : envelope(200, 'ok')(one, response);
  });
  const { io, move } = await ioWithMovableClock();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const id = await executePayment(sandbox, url);
  const first = await until(async () => (await events(sandbox, id)).find(({ attempts }) => attempts === 1));
  expect(first).toMatchObject({ state: 'pending', last_http: 500, last_answer: 'not now' });
  expect(received.length).toBe(1);
  move(5_000);
  await until(async () => (await events(sandbox, id)).find(({ attempts }) => attempts === 2));
  move(5_000);
  await io.clock.sleep(700);
  expect(received.length).toBe(2);
  move(5_000);
  await until(() => (received.length === 4 ? true : undefined));
  expect(received.map((one) => bodyOf(one).data.status)).toEqual(['processing', 'processing', 'processing', 'success']);
});

test('marks an event as failed after 24 hours, and then posts the next one', async () => {
  const { url, received } = await startServer((one, response) =>
    bodyOf(one).data.status === 'processing' ? raw(503, '')(one, response) : raw(200, '')(one, response),
  );
  const { io, move } = await ioWithMovableClock();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const id = await executePayment(sandbox, url);
  await until(async () => (await events(sandbox, id)).find(({ attempts }) => attempts === 1));
  move(DAY_MS);
  await until(async () => ((await events(sandbox, id))[1]?.state === 'delivered' ? true : undefined));
  expect((await events(sandbox, id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['failed', 2],
    ['delivered', 1],
  ]);
  const failed = (await events(sandbox, id))[0];
  expect((await clientOf(sandbox)(resendEvent, { id: failed?.id ?? 0 })).state).toBe('pending');
  await until(() => (received.length === 4 ? true : undefined));
});

test('delays no request and no other payment while a receiver does not answer', async () => {
  let abandoned = 0;
  const { url: silent } = await startServer((_, response) => {
    response.once('close', () => {
      abandoned += 1;
    });
  });
  const { url, received } = await startServer(raw(200, ''));
  const sandbox = await startEphemeral();
  await executePayment(sandbox, silent);
  const id = await executePayment(sandbox, url);
  await until(() => (received.length === 2 ? true : undefined));
  expect((await statusOf(sandbox, id)).status).toBe('success');
  expect(abandoned, 'calls to the silent receiver that the sandbox closed').toBe(0);
});

test('counts an answer that is too large as a failed delivery', async () => {
  const { url } = await startServer(raw(200, 'x'.repeat(5_000_000)));
  const sandbox = await startEphemeral();
  const id = await executePayment(sandbox, url);
  const first = await until(async () => (await events(sandbox, id)).find(({ attempts }) => attempts === 1));
  expect(first).toMatchObject({ state: 'pending', last_http: null, last_answer: expect.stringContaining('larger') });
});

test.each([
  'https://shop.example/hook',
  'http://10.0.0.1/hook',
  'http://127.0.0.1.shop.example/',
  'http://127.0.0.1@shop.example/',
  'http://0.0.0.0:9/',
  'https://[bad',
])('records an event for %s, which is not loopback, as not_sent', async (url) => {
  const sandbox = await startEphemeral();
  const id = await executePayment(sandbox, url);
  const unsent = [
    'not_sent',
    0,
    null,
    expect.stringMatching(/^not sent: the address is not (?:on this machine|an http)/),
  ];
  const all = await events(sandbox, id);
  expect(all.map((each) => [each.state, each.attempts, each.last_http, each.last_answer])).toEqual([unsent, unsent]);
});

test('sends to any host after targets any, and only to loopback after targets loopback', async () => {
  const sandbox = await startEphemeral();
  const client = clientOf(sandbox);
  await client(setTargets, { targets: 'any' });
  const id = await executePayment(sandbox, 'http://shop.invalid/hook');
  const tried = await until(async () => (await events(sandbox, id)).find(({ attempts }) => attempts === 1));
  expect(tried).toMatchObject({ state: 'pending', last_http: null, last_answer: expect.any(String) });
  await client(setTargets, { targets: 'loopback' });
  await client(resendEvent, { id: tried.id });
  expect((await events(sandbox, id))[0]).toMatchObject({
    state: 'not_sent',
    last_answer: expect.stringMatching(/^not sent: /),
  });
});

test('delivers pending events after a restart', async () => {
  const { url, received } = await startServer((one, response) =>
    received.length === 1 ? response.destroy() && undefined : raw(200, '')(one, response),
  );
  const { io, move } = await ioWithMovableClock();
  const before = await startTestSandbox(io);
  const id = await executePayment(before, url);
  await until(async () => (await events(before, id)).find(({ attempts }) => attempts === 1));
  await before.stop();
  move(5_000);
  await startTestSandbox(io);
  await until(() => (received.length === 3 ? true : undefined));
  expect(received.map((one) => bodyOf(one).data.status)).toEqual(['processing', 'processing', 'success']);
});

test('stores an event for each status change in the history of a payment', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const payer = newPayer();
  await fund(before, payer);
  const first = await prepare(before, { payer });
  const second = await prepare(before, { payer });
  await execute(before, first.id, first.raw);
  await execute(before, second.id, second.raw);
  await before.stop();
  await withLedger(io, async (ledger) => {
    for (const { id } of [first, second]) {
      const [, ...changes] = (await historyOf(ledger, id)).map(({ status }) => status);
      const rows = await ledger.selectFrom('webhook_events').selectAll().where('payment_id', '=', id).execute();
      expect(rows.map(({ payment_status }) => payment_status)).toEqual(changes);
    }
    expect((await historyOf(ledger, second.id)).at(-1)?.status).toBe('retry');
  });
});

test('posts a delivered event again on resend, and returns event_not_found for an unknown event', async () => {
  const { url, received } = await startServer(raw(200, ''));
  const sandbox = await startEphemeral();
  const id = await executePayment(sandbox, url);
  await until(() => received[1]);
  const [first] = await events(sandbox, id);
  await clientOf(sandbox)(resendEvent, { id: first?.id ?? 0 });
  await until(() => received[2]);
  expect(bodyOf(received[2] as Received)).toEqual(bodyOf(received[0] as Received));
  const unknown = await sandbox.control('POST', 'events/resend', { id: 9_999 });
  expect([unknown.http, unknown.body.status]).toEqual([404, 'event_not_found']);
  expect((await sandbox.control('POST', 'events/resend', { id: 'x' })).http).toBe(400);
});

test('lists each delivery with its answer, also the delivery of a resend', async () => {
  let http = 503;
  const { url } = await startServer((_, response) => void response.writeHead(http).end(`it was ${http}`));
  const { io, move } = await ioWithMovableClock();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const id = await executePayment(sandbox, url);
  const [first] = await events(sandbox, id);
  const list = async () => (await clientOf(sandbox)(listDeliveries, { id: first?.id ?? 0 })).deliveries;
  await until(async () => ((await list()).length === 1 ? true : undefined));
  http = 200;
  move(6_000);
  await until(async () => ((await list()).length === 2 ? true : undefined));
  await clientOf(sandbox)(resendEvent, { id: first?.id ?? 0 });
  const all = await until(async () => ((await list()).length === 3 ? await list() : undefined));
  expect(all.map(({ http: status, answer }) => [status, answer])).toEqual([
    [503, 'it was 503'],
    [200, 'it was 200'],
    [200, 'it was 200'],
  ]);
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
  await expect(clientOf(sandbox)(listDeliveries, { id: 999 })).rejects.toMatchObject({ code: 'not_found' });
  await clientOf(sandbox)(reset);
  await expect(list()).rejects.toMatchObject({ code: 'not_found' });
});

test('lists a delivery without an HTTP status, with the reason, when nothing listens at the URL', async () => {
  const sandbox = await startEphemeral();
  const id = await executePayment(sandbox, 'http://127.0.0.1:9/hook');
  const [first] = await events(sandbox, id);
  const [one] = await until(async () => {
    const { deliveries: all } = await clientOf(sandbox)(listDeliveries, { id: first?.id ?? 0 });
    return all.length > 0 ? all : undefined;
  });
  expect([one?.http, one?.answer]).toEqual([null, expect.stringMatching(/refused|connect/i)]);
});

test('sends no webhook after its worker has stopped: a restore may have deleted the event', async () => {
  const io = await sandboxIo();
  const file = await openLedgerFile(io, undefined);
  file.exec('PRAGMA foreign_keys = OFF');
  const ledger = await connect(file);
  const times = { created_at: '2026-01-01T00:00:00.000Z', next_ms: 0, until_ms: 1 };
  const event = { payment_id: 'pay_1', payment_status: 'success', url: 'http://127.0.0.1:9/', payload: '{}' };
  await ledger
    .insertInto('webhook_events')
    .values({ ...event, ...times, state: 'pending' })
    .execute();
  const [sent, reads]: [string[], (() => void)[]] = [[], []];
  const send = async ({ url }: { readonly url: string }) => {
    sent.push(url);
    return { kind: 'fault', reason: 'refused', sent: false, message: 'nothing listens' };
  };
  let isFirst = true;
  /** The worker reads the events at once. Its delivery waits for the ledger. */
  const slowLedger = async () => {
    if (!isFirst) await new Promise<void>((resolve) => reads.push(resolve));
    isFirst = false;
    return ledger;
  };
  const services = { io: { ...io, http: { send } }, clock: { now: () => 1_000 }, ledger: slowLedger };
  const courier = startCourier(services as unknown as Services);
  await until(() => (reads.length > 0 ? true : undefined));
  const stopped = courier.stop();
  for (const read of reads) read();
  await stopped;
  await setTimeout(50);
  expect(sent).toEqual([]);
  closeLedgerFile(file);
});
