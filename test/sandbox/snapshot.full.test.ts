import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Wallet } from 'ethers/wallet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSnapshots } from '../../src/sandbox/snapshots/open.ts';
import { startServer } from '../support/server.ts';
import { until } from './money.ts';
import { balancesOf, createOrder, execute, fund, newPayer, prepare, RECEIVERS, statusOf } from './payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';
import { broadcast, deposit, newWallet, positionOf, sign } from './yield/wallet.ts';

const snapshot = async ({ control }: Client, name = 'before') => {
  const { http, body } = await control('POST', 'snapshot', { name });
  expect([http, body.status, body.message]).toEqual([200, 'snapshot_taken', expect.any(String)]);
  return body.data as { name: string; taken_at: string; bytes: number };
};

const restore = async ({ control }: Client, name = 'before') => {
  const { http, body } = await control('POST', 'restore', { name });
  expect([http, body.status, body.message]).toEqual([200, 'snapshot_restored', expect.any(String)]);
};

/** Pays with a payer, and returns all that must repeat. */
const pay = async (client: Client, payer: Wallet) => {
  const { id, crypto_tx, raw } = await prepare(client, { payer });
  const sent = await execute(client, id, raw);
  const { nonce, maxFeePerGas, gasLimit } = crypto_tx.transactionRequest;
  return {
    id,
    nonce,
    maxFeePerGas,
    gasLimit,
    raw,
    hash: sent.body.data.tid_hash,
    payer: await balancesOf(client, payer.address),
    receiver: await balancesOf(client, RECEIVERS[0]),
  };
};

const stores = [
  { kind: 'in memory', start: startEphemeral },
  { kind: 'on the disk', start: async () => startTestSandbox(await sandboxIo()) },
];

describe.each(stores)('a snapshot of a sandbox $kind', ({ start }) => {
  it('repeats a payment with the same id, nonce, hash and balances, also twice', async () => {
    const sandbox = await start();
    const payer = newPayer();
    await fund(sandbox, payer);
    await pay(sandbox, payer);
    await snapshot(sandbox);
    const first = await pay(sandbox, payer);
    await pay(sandbox, payer);
    await restore(sandbox);
    expect(await balancesOf(sandbox, payer.address)).not.toEqual(first.payer);
    expect((await sandbox.get(`/payment/${first.id}/status`)).http).toBe(404);
    expect(await pay(sandbox, payer)).toEqual(first);
    await restore(sandbox);
    expect(await pay(sandbox, payer)).toEqual(first);
  });

  it('repeats ids of orders, one-time codes, and the numbers of webhooks', async () => {
    const sandbox = await start();
    await sandbox.post('/kyc/prepare', { email: 'payer@example.com' });
    await snapshot(sandbox);
    const work = async () => {
      const { order_id } = (await createOrder(sandbox)).body.data;
      await sandbox.post('/security/email/send-otp', { email: 'payer@example.com' });
      const { emails } = (await sandbox.control('GET', 'inbox')).body.data;
      const { payment_id, tid_hash } = (await sandbox.control('POST', 'trigger', { state: 'success' })).body.data;
      const { events } = (await sandbox.control('GET', 'events')).body.data;
      return {
        order_id,
        code: emails[0].code,
        payment_id,
        tid_hash,
        numbers: events.map(({ id }: { id: number }) => id),
      };
    };
    const first = await work();
    await restore(sandbox);
    expect(await work()).toEqual(first);
    expect(first.order_id).toMatch(/^c[a-z0-9]{24}$/);
  });

  it('restores clock, inbox, faults and switched-off chains', async () => {
    const sandbox = await start();
    await sandbox.control('POST', 'clock', { advance: '+1d' });
    await sandbox.control('POST', 'fault', { endpoint: 'quote.market', kind: 'pair_not_found', count: 2 });
    await sandbox.control('POST', 'chain', { name: 'base', enabled: false });
    const { taken_at } = await snapshot(sandbox);
    await sandbox.control('POST', 'clock', { advance: '+3d' });
    await sandbox.post('/kyc/prepare', { email: 'payer@example.com' });
    await sandbox.post('/security/email/send-otp', { email: 'payer@example.com' });
    await sandbox.get('/quote/market?from=ETH&to=USDT');
    await sandbox.control('POST', 'chain', { name: 'base', enabled: true });
    await restore(sandbox);
    const { now } = (await sandbox.control('GET', 'clock')).body.data;
    const since = Date.parse(now) - Date.parse(taken_at);
    expect([since >= 0, since < 60_000]).toEqual([true, true]);
    expect((await sandbox.control('GET', 'inbox')).body.data.emails).toEqual([]);
    expect((await sandbox.control('GET', 'fault')).body.data.faults).toMatchObject([
      { kind: 'pair_not_found', count: 2 },
    ]);
    const { chains } = (await sandbox.control('GET', 'chain')).body.data;
    expect(chains.find(({ name }: { name: string }) => name === 'base').enabled).toBe(false);
  });

  it('restores Solana: the same signed bytes land again, with the same hash and position', async () => {
    const sandbox = await start();
    const key = await newWallet(sandbox);
    const signed = sign(key, (await deposit(sandbox, key)).body.data.transaction);
    const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
    await snapshot(sandbox);
    const first = (await broadcast(sandbox, signed)).body.data;
    await sandbox.control('POST', 'clock', { advance: '+1h' });
    await restore(sandbox);
    expect(await positionOf(sandbox, key)).toBe('0');
    expect((await broadcast(sandbox, signed)).body.data).toEqual(first);
    expect(await positionOf(sandbox, key)).toBe('99.9');
    expect((await sandbox.control('GET', 'solana')).body.data.rpc_url).toBe(rpc_url);
  });

  it('delivers a webhook of the snapshot again, and forgets later ones', async () => {
    const sandbox = await start();
    let isUp = false;
    const { url, received } = await startServer((_, response) => void response.writeHead(isUp ? 200 : 503).end());
    const trigger = () => sandbox.control('POST', 'trigger', { state: 'success', webhook_url: url });
    const waiting = (await trigger()).body.data.payment_id;
    await until(() => (received.length > 0 ? true : undefined));
    await snapshot(sandbox);
    const later = (await trigger()).body.data.payment_id;
    await restore(sandbox);
    isUp = true;
    received.length = 0;
    await sandbox.control('POST', 'clock', { advance: '+1h' });
    await until(() => (received.length > 0 ? true : undefined));
    const ids = received.map(({ body }) => JSON.parse(body).data.id);
    expect([ids.includes(waiting), ids.includes(later)]).toEqual([true, false]);
  });
});

it('a snapshot that does not exist is 404 with the names of others, and a bad name is 400', async () => {
  const sandbox = await startEphemeral();
  await snapshot(sandbox, 'one');
  const missing = await sandbox.control('POST', 'restore', { name: 'two' });
  expect([missing.http, missing.body.status]).toEqual([404, 'snapshot_not_found']);
  expect(missing.body.message).toContain('one');
  expect((await sandbox.control('POST', 'snapshot', { name: '../x' })).http).toBe(400);
  const { snapshots } = (await sandbox.control('GET', 'snapshot')).body.data;
  expect(snapshots).toMatchObject([{ name: 'one' }]);
});

it('a snapshot stays over restarts, and a damaged one is 409 and changes nothing', async () => {
  const io = await sandboxIo();
  const payer = newPayer();
  const first = await startTestSandbox(io);
  await fund(first, payer);
  await snapshot(first);
  const paid = await pay(first, payer);
  await first.stop();
  const second = await startTestSandbox(io);
  await restore(second);
  expect(await pay(second, payer)).toEqual(paid);
  const path = join(io.places.sandbox, 'snapshots', 'before.snapshot');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"version":2', '"version":3'));
  const refused = await second.control('POST', 'restore', { name: 'before' });
  expect([refused.http, refused.body.status]).toEqual([409, 'snapshot_unusable']);
  expect(await statusOf(second, paid.id)).toMatchObject({ status: 'success' });
});

it('a snapshot that fails before it is taken starts the background work again', async () => {
  let resumed = 0;
  const fail = () => Promise.reject(new Error('the disk is full'));
  const resume = async () => {
    resumed += 1;
  };
  const { take } = openSnapshots(fail, { alone: (work) => work(), pause: fail, resume });
  await expect(take('x')).rejects.toThrow('the disk is full');
  expect(resumed).toBe(1);
});

it('a restore does not wait for a request whose body is not complete', async () => {
  const sandbox = await startEphemeral();
  await snapshot(sandbox);
  const { host, port } = new URL(sandbox.address.url);
  const head = ['POST /payment/execute/on-chain HTTP/1.1', `host: ${host}`, `x-api-key: ${sandbox.address.api_key}`];
  const upload = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void upload.destroy());
  upload.write(`${[...head, 'content-type: application/json', 'content-length: 2'].join('\r\n')}\r\n\r\n{`);
  await setTimeout(200);
  await restore(sandbox);
  expect((await sandbox.get('/config/products')).http).toBe(200);
  upload.write('}');
  const [answer] = await once(upload.setEncoding('utf8'), 'data');
  expect(answer).toContain('HTTP/1.1 400');
});

type Json = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, { readonly columns: readonly string[]; readonly rows: readonly unknown[] }>>;

it('a snapshot with a right checksum that does not fit is 409, changes nothing, and is not in the list', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const paid = (await sandbox.control('POST', 'trigger', { state: 'success' })).body.data.payment_id;
  await snapshot(sandbox, 'good');
  const path = (name: string) => join(io.places.sandbox, 'snapshots', `${name}.snapshot`);
  const good = JSON.parse((await readFile(path('good'), 'utf8')).replace(/^.*\n/, '')) as Json;
  const [tables, chains] = [good['tables'] as Tables, good['chains'] as Json];
  const payments = tables['payments'] as Tables[string];
  const changes: readonly (readonly [Json, string])[] = [
    [{ version: 1 }, 'another version of bursar took it'],
    [{ chains: { ...chains, moon: chains['polygon'] } }, 'another version of bursar took it'],
    [{ tables: { ...tables, steps: { columns: ['number'], rows: [[9_999]] } } }, 'another version of bursar took it'],
    [{ tables: { ...tables, payments: { ...payments, rows: [['x']] } } }, 'it is damaged'],
    [{ tables: { ...tables, payments: { ...payments, rows: [] } } }, 'refers to a missing row'],
    [{ chains: { ...chains, polygon: { ...(chains['polygon'] as Json), state: 'x' } } }, 'chains.polygon.state'],
    [{ at: 1e20 }, 'it is damaged: at: '],
    [{ machine_at: -1 }, 'it is damaged: machine_at: '],
  ];
  await mkdir(path('folder'));
  const refused = async (name: string) => {
    const { http, body } = await sandbox.control('POST', 'restore', { name });
    return [http, body.status, body.message];
  };
  expect(await refused('folder')).toEqual([409, 'snapshot_unusable', expect.stringContaining('it is damaged')]);
  for (const [change, reason] of changes) {
    const json = JSON.stringify({ ...good, ...change });
    await writeFile(path('bad'), `${createHash('sha256').update(json).digest('hex')}\n${json}`);
    expect(await refused('bad')).toEqual([409, 'snapshot_unusable', expect.stringContaining(reason)]);
    expect(await statusOf(sandbox, paid)).toMatchObject({ status: 'success' });
  }
  const { snapshots } = (await sandbox.control('GET', 'snapshot')).body.data;
  expect(snapshots).toMatchObject([{ name: 'good' }]);
  await restore(sandbox, 'good');
});

it('a restore that a kill cut off is completed by the next start', async () => {
  const io = await sandboxIo();
  const payer = newPayer();
  const first = await startTestSandbox(io);
  await fund(first, payer);
  await snapshot(first);
  const paid = await pay(first, payer);
  await first.stop();
  await writeFile(join(io.places.sandbox, 'chains', 'restoring'), 'before');
  const second = await startTestSandbox(io);
  expect((await second.get(`/payment/${paid.id}/status`)).http).toBe(404);
  expect(await pay(second, payer)).toEqual(paid);
});

it('a restore that cannot be written ends the sandbox, and the next start completes it', async () => {
  const real = await sandboxIo();
  let isFull = false;
  const appendDurably: typeof real.files.appendDurably = (path, text) => real.files.appendDurably(path, text);
  const replacePrivate: typeof real.files.replacePrivate = async (path, bytes) => {
    if (isFull && path.endsWith('polygon.json')) throw new Error('no space left on the disk');
    return real.files.replacePrivate(path, bytes);
  };
  const io = { ...real, files: { ...real.files, appendDurably, replacePrivate } };
  const payer = newPayer();
  const first = await startTestSandbox(io);
  await fund(first, payer);
  await snapshot(first);
  const paid = await pay(first, payer);
  isFull = true;
  const failed = await first.control('POST', 'restore', { name: 'before' });
  expect([failed.http, failed.body.message]).toEqual([500, expect.stringContaining('no space left')]);
  await first.stop();
  await expect(startTestSandbox(io)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  isFull = false;
  const second = await startTestSandbox(io);
  expect(await pay(second, payer)).toEqual(paid);
});

it('ids of two sandboxes, and of two snapshots, are different', async () => {
  const sandbox = await startEphemeral();
  const idAfter = async (name: string) => {
    await snapshot(sandbox, name);
    return (await sandbox.control('POST', 'trigger', { state: 'registered' })).body.data.payment_id;
  };
  const [one, two] = [await idAfter('one'), await idAfter('two')];
  expect(one).not.toBe(two);
});

it('a snapshot between many payments at once has each of them whole or not at all', async () => {
  const sandbox = await startEphemeral();
  const trigger = () => sandbox.control('POST', 'trigger', { state: 'success' });
  const work = Promise.all(Array.from({ length: 12 }, trigger));
  await Promise.all([snapshot(sandbox), snapshot(sandbox, 'other')]);
  await work;
  await restore(sandbox);
  const { events } = (await sandbox.control('GET', 'events?limit=500')).body.data;
  for (const { payment_id } of events as { payment_id: string }[]) {
    expect(await statusOf(sandbox, payment_id)).toMatchObject({
      status: expect.stringMatching(/^(?:registered|success)$/),
    });
  }
});
