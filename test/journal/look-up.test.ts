import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isClaimOn } from '../../src/io/files/claim.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { liveOf, liveOfPayment, paidByThese, reviewOfBytes } from '../../src/journal/doubt.ts';
import { findEarlier, findUnsent } from '../../src/journal/earlier.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { folderStore, pathOf } from '../../src/journal/file-store.ts';
import { forgetOperations } from '../../src/journal/forget.ts';
import { paymentKey, walletKey } from '../../src/journal/keys.ts';
import { openStates, statesSince, statesUnder } from '../../src/journal/look-up.ts';
import { beginOperation, cleanUpJournal } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { filesThatCount, testIo } from '../support/io.ts';
import { reservedSince } from '../support/reserved.ts';

const DEPLOYMENT = { kind: 'live', baseUrl: 'https://pay.example' } as const;
const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0xAA' },
  ...{ receivers: [{ wallet: '0x1', percent: '100' }], to_currency: 'USDT', to_chain: 'polygon' },
};

/** An Io whose disk records which operations are read. */
const countingIo = async () => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { files, read } = filesThatCount();
  const { io } = await testIo({ io: { files, processes: systemProcesses(self, process.kill.bind(process)) } });
  return { io: { ...io, random: { ...io.random, fraction: Math.random } }, read };
};

const paid = (number: number): readonly OperationEvent[] => {
  const [payment_id, hash] = [`pay_${number}`, `0x${number}`];
  return [
    { step: 'registered', payment_id },
    ...[{ step: 'reviewed', verdict: 'pass', digest: `d${number}`, allowed: [], moves: [], from: '0xAA' } as const],
    { step: 'signed', part: 1, payment_id, signed_transaction: `0xbeef${number}`, hash, from: '0xAA' },
    { step: 'sending', part: 1, via: 'service', payment_id, hash },
    { step: 'executed', payment_id, status: 'payment_received', hash },
    { step: 'ended', payment_id, status: 'success', tid_hash: hash },
  ];
};
const refused = (number: number): readonly OperationEvent[] => [
  { step: 'registered', payment_id: `pay_r${number}` },
  { step: 'refused', payment_id: `pay_r${number}`, message: 'no', checks: [] },
];

const make = async (io: Io, events: readonly OperationEvent[], more: { intent_key?: string } = {}): Promise<string> => {
  const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, ...more });
  for (const event of events) await operation.record(event);
  await operation.close();
  return operation.id;
};

/** Ended operations of one user: the same payment, made and refused, with and without an idempotency key. */
const fill = async (io: Io, from: number, count: number): Promise<void> => {
  for (let number = from; number < from + count; number += 1) {
    await make(
      io,
      number % 2 === 0 ? paid(number) : refused(number),
      number % 3 === 0 ? { intent_key: `n${number}` } : {},
    );
  }
};

const collect = async <T>(source: AsyncIterable<T>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
};

const REQUEST = { deployment: DEPLOYMENT, intent: INTENT, key: undefined };

/** Every look-up that a payment makes. */
const LOOK_UPS: Readonly<Record<string, (io: Io) => Promise<unknown>>> = {
  'by a new key': (io) => findEarlier(io, { ...REQUEST, key: 'new' }),
  'by a used key': (io) => findEarlier(io, { ...REQUEST, key: 'n0' }),
  'by intent': (io) => findEarlier(io, REQUEST),
  'by another intent': (io) => findEarlier(io, { ...REQUEST, intent: { ...INTENT, amount: '11' } }),
  'unsent operations': (io) => findUnsent(io, REQUEST),
  'by payment': (io) => liveOfPayment(io, 'pay_2'),
  'by a new payment': (io) => liveOfPayment(io, 'pay_x'),
  'the operations of a wallet in doubt': (io) => liveOf(io, '0xaa', DEPLOYMENT),
  'the newest of a wallet on a chain': async (io) => {
    for await (const state of statesUnder(io, [walletKey('0xaa', 'Polygon')])) return state.id;
    return undefined;
  },
  'by hash': async (io) => {
    const [state] = await collect(statesUnder(io, [paymentKey('pay_4')]));
    return state && paidByThese(io, { ...state, payment_id: 'other', id: 'other' }, '0x4');
  },
  'by bytes': (io) => reviewOfBytes(io, DEPLOYMENT, { hash: '0x2', digest: 'd2' }),
  'open operations': (io) => openStates(io),
};

describe('a look-up', () => {
  it('opens fewer than three files, even when ten times as many operations have ended', async () => {
    const { io, read } = await countingIo();
    const counts: Record<string, number>[] = [];
    for (const [from, count] of [
      [0, 6],
      [6, 60],
    ] as const) {
      await fill(io, from, count);
      await openStates(io);
      const opened: Record<string, number> = {};
      for (const [name, lookUp] of Object.entries(LOOK_UPS)) {
        read.length = 0;
        await lookUp(io);
        opened[name] = read.length;
      }
      counts.push(opened);
    }
    expect(counts[1]).toEqual(counts[0]);
    expect(Math.max(...Object.values(counts[1] ?? {}))).toBeLessThan(3);
  });

  it('finds the same with the index, without the index and when repeated', async () => {
    const { io } = await countingIo();
    await fill(io, 0, 6);
    const before: Record<string, unknown> = {};
    for (const [name, lookUp] of Object.entries(LOOK_UPS)) {
      before[name] = await lookUp(io);
      expect(await lookUp(io), name).toEqual(before[name]);
    }
    expect(before['by a used key']).toMatchObject({ payment_id: 'pay_0' });
    expect(before['by intent']).toMatchObject({ payment_id: 'pay_4' });
    expect(before['by another intent']).toBeUndefined();
    expect(before['by payment']).toMatchObject([{ part: { hash: '0x2', signed_transaction: '0xbeef2' } }]);
    expect(before['by hash']).toMatchObject({ payment_id: 'pay_4' });
    expect(before['by bytes']).toMatchObject({ review: { digest: 'd2' }, stated: { facts: {} } });
    await io.files.remove(join(io.places.cache, 'journal-keys'));
    for (const [name, lookUp] of Object.entries(LOOK_UPS)) expect(await lookUp(io), name).toEqual(before[name]);
  });

  it('of the last day reads no operation that ended before', async () => {
    const { io, read } = await countingIo();
    const day = 24 * 60 * 60 * 1000;
    const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
    const today = Date.UTC(2026, 5, 15, 12);
    for (const age of [40, 30, 20, 10]) await make(at(today - age * day), paid(age));
    const young = await make(at(today - day / 2), paid(1));
    await openStates(at(today));
    read.length = 0;
    const since = today - day;
    expect((await statesSince(at(today), since)).map(({ id }) => id)).toEqual([young]);
    const reserved = await reservedSince(at(today), { wallet: '0xaa', kind: 'live' }, since);
    expect(reserved.map(({ digest }) => digest)).toEqual(['d1']);
    expect(new Set(read)).toEqual(new Set([pathOf(io, young)]));
  });
});

describe('a clock that is set back by three days', () => {
  const DAY = 24 * 60 * 60 * 1000;
  const TODAY = Date.UTC(2026, 5, 15, 12);
  it.each([true, false])(
    'hides no transaction from the daily limit of a policy; the index has the operation: %s',
    async (hasEnded) => {
      const { io } = await countingIo();
      const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
      let now = TODAY;
      const clock = { ...io.clock, now: () => now };
      const operation = await beginOperation({ ...io, clock }, { profile: 'main', ...DEPLOYMENT, intent: INTENT });
      const [before, after] = [paid(1).slice(0, -1), paid(1).slice(-1)];
      for (const event of before) await operation.record(event);
      now = TODAY - 3 * DAY;
      for (const event of hasEnded ? after : []) await operation.record(event);
      await operation.close();
      await utimes(pathOf(io, operation.id), now / 1000, now / 1000);
      if (hasEnded) await openStates(at(TODAY));
      const reserved = await reservedSince(at(TODAY + 60_000), { wallet: '0xaa', kind: 'live' }, TODAY - DAY / 2);
      expect(reserved.map(({ digest }) => digest)).toEqual(['d1']);
    },
  );
});

describe('a clean-up of the journal', () => {
  it.each([true, false])(
    'removes no line of a payment that another process writes meanwhile (ends: %s)',
    async (ends) => {
      const { io } = await countingIo();
      const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, inputs: {} });
      const path = pathOf(io, operation.id);
      const claimFile = (await io.files.list(dirname(path))).find((name) => isClaimOn(path, name)) ?? '';
      const [claimPath, text] = [join(dirname(path), claimFile), await readFile(path)];
      // As the disk is while the other process makes its claim: a temporary file, and nothing else.
      await rename(claimPath, `${claimPath}.tmp`);
      await rm(path);
      let isStarted = false;
      const start = async () => {
        if (isStarted) return;
        isStarted = true;
        await rename(`${claimPath}.tmp`, claimPath);
        await writeFile(path, text);
        if (ends) await operation.close();
      };
      const read = async (wanted: string) => {
        const bytes = await io.files.read(wanted);
        // The other process starts once the clean-up has seen that there is nothing.
        if (wanted === path) await start();
        return bytes;
      };
      await cleanUpJournal({ ...io, files: { ...io.files, read } });
      expect(isStarted).toBe(true);
      expect((await readOperation(io, operation.id))?.events.map(({ step }) => step)).toEqual(['started']);
    },
  );

  it('fails as journal_unwritable when the stored inputs cannot be removed, and the operation stays', async () => {
    const { io } = await countingIo();
    const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, inputs: {} });
    await operation.close();
    const remove = (path: string) =>
      path.endsWith('.inputs')
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
        : io.files.remove(path);
    const forgetting = forgetOperations({ ...io, files: { ...io.files, remove } }, operation.id);
    await expect(forgetting).rejects.toMatchObject({ code: 'journal_unwritable' });
    expect(await readOperation(io, operation.id)).toBeDefined();
  });
});

describe('the index of the journal', () => {
  const keysPath = (io: Io) => join(io.places.cache, 'journal-keys');

  it('is rebuilt when it is missing, cut, changed or of another version, and each look-up still succeeds', async () => {
    const { io, read } = await countingIo();
    const ids = [await make(io, paid(1), { intent_key: 'one' }), await make(io, paid(2), { intent_key: 'two' })];
    await openStates(io);
    const whole = await readFile(keysPath(io), 'utf8');
    expect(whole).not.toContain('beef');
    const cuts = [0, 1, 9, 40, whole.length - 1, whole.length - 3].map((size) => whole.slice(0, size));
    const changed = [30, 80, 200].map(
      (at) => `${whole.slice(0, at)}${whole[at] === '0' ? '1' : '0'}${whole.slice(at + 1)}`,
    );
    const others = ['x', '\0'.repeat(whole.length), whole.replaceAll('\n1 ', '\n0 '), whole.split(' ').join('\n')];
    for (const damage of [undefined, ...cuts, ...changed, ...others]) {
      if (damage === undefined) await rm(keysPath(io));
      else await writeFile(keysPath(io), damage);
      for (const [at, key] of ['one', 'two'].entries()) {
        expect((await findEarlier(io, { ...REQUEST, key }))?.id, JSON.stringify(damage)).toBe(ids[at]);
      }
      read.length = 0;
      await openStates(io);
      expect(read, 'the rebuilt index is complete').toEqual([]);
    }
  });

  it('is not used for an operation that is open in the journal and ended in the index', async () => {
    const { io } = await countingIo();
    const id = await make(io, paid(1), { intent_key: 'one' });
    await openStates(io);
    const lines = (await readFile(pathOf(io, id), 'utf8')).split('\n');
    await writeFile(pathOf(io, id), `${lines.slice(0, 5).join('\n')}\n`);
    expect(await findEarlier(io, { ...REQUEST, key: 'one' })).toMatchObject({ id, status: undefined });
    expect((await openStates(io)).map((state) => state.id)).toEqual([id]);
  });

  it('omits a forgotten operation and an operation that a process has claimed', async () => {
    const { io } = await countingIo();
    const id = await make(io, paid(1), { intent_key: 'one' });
    await openStates(io);
    await forgetOperations(io, id);
    expect(await findEarlier(io, { ...REQUEST, key: 'one' })).toBeUndefined();
    const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await operation.record({ step: 'failed', code: 'rejected', status: 'x', is_unknown: false });
    expect(await findEarlier(io, { ...REQUEST, key: 'two' })).toBeUndefined();
    for (const event of paid(2).slice(0, 4)) await operation.record(event);
    await operation.close();
    expect((await findEarlier(io, { ...REQUEST, key: 'two' }))?.id).toBe(operation.id);
  });

  it('stays correct while six processes write, look up and damage it at once', async () => {
    const { io } = await countingIo();
    // Each process has its own Io, and therefore its own copy of the index in memory.
    const processes = Array.from({ length: 6 }, () => ({ ...io, places: { ...io.places } }));
    const work = async (own: Io, number: number): Promise<void> => {
      for (let round = 0; round < 8; round += 1) {
        const key = `p${number}-${round}`;
        const id = await make(own, paid(number * 100 + round), { intent_key: key });
        for (const other of processes) expect((await findEarlier(other, { ...REQUEST, key }))?.id).toBe(id);
      }
    };
    await Promise.all([
      ...processes.map(work),
      (async () => {
        for (let round = 0; round < 10; round += 1) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          if (round % 3 === 0) await io.files.remove(keysPath(io));
          else await io.files.appendDurably(keysPath(io), '\n1 20260101T000000Z-0000');
        }
      })(),
    ]);
    await openStates(io);
    const { ids } = await folderStore(io).list();
    expect(ids).toHaveLength(48);
    const { search } = folderStore(io);
    const index = search.by === 'view' ? await search.index.read() : new Map();
    expect(ids.filter((id) => !index.has(id))).toEqual([]);
    for (const id of ids) {
      const recorded = await readOperation(io, id);
      const state = recorded && stateOf(recorded);
      expect(
        (await collect(statesUnder(io, [paymentKey(state?.payment_id ?? '')]))).map(({ id: found }) => found),
      ).toEqual([id]);
    }
  });
});
