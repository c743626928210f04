import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { liveOf, liveOfPayment, paidByThese, reviewOfBytes } from '../../src/journal/doubt.ts';
import { findEarlier, findUnsent } from '../../src/journal/earlier.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { pathOf, storeOf } from '../../src/journal/file-store.ts';
import { paymentKey, walletKey } from '../../src/journal/keys.ts';
import { openStates, recordedSince, statesUnder } from '../../src/journal/look-up.ts';
import { beginOperation, cleanUpJournal, forgetOperation } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { reservedSince } from '../../src/journal/reserved.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { filesThatCount, testIo } from '../support/io.ts';

const DEPLOYMENT = { kind: 'live', baseUrl: 'https://pay.example' } as const;
const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0xAA' },
  ...{ receivers: [{ wallet: '0x1', percent: '100' }], to_currency: 'USDT', to_chain: 'polygon' },
};

/** An Io over a disk that counts the operations which are read. */
const counting = async () => {
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
const REFUSED = (number: number): readonly OperationEvent[] => [
  { step: 'registered', payment_id: `pay_r${number}` },
  { step: 'refused', payment_id: `pay_r${number}`, message: 'no', checks: [] },
];

const make = async (
  io: Io,
  entries: readonly OperationEvent[],
  more: { intent_key?: string } = {},
): Promise<string> => {
  const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, ...more });
  for (const entry of entries) await operation.record(entry);
  await operation.close();
  return operation.id;
};

/** Ended operations as the same user makes them: the same payment, made and refused, under names and without. */
const fill = async (io: Io, from: number, count: number): Promise<void> => {
  for (let number = from; number < from + count; number += 1) {
    await make(
      io,
      number % 2 === 0 ? paid(number) : REFUSED(number),
      number % 3 === 0 ? { intent_key: `n${number}` } : {},
    );
  }
};

const gathered = async <T>(all: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const each of all) found.push(each);
  return found;
};

const REQUEST = { deployment: DEPLOYMENT, intent: INTENT, key: undefined };

/** Every look-up that a payment makes, with what it is to find. */
const LOOK_UPS: Readonly<Record<string, (io: Io) => Promise<unknown>>> = {
  'by a name that is new': (io) => findEarlier(io, { ...REQUEST, key: 'new' }),
  'by a name that is taken': (io) => findEarlier(io, { ...REQUEST, key: 'n0' }),
  'by intent': (io) => findEarlier(io, REQUEST),
  'by another intent': (io) => findEarlier(io, { ...REQUEST, intent: { ...INTENT, amount: '11' } }),
  'what is unsent': (io) => findUnsent(io, REQUEST),
  'by payment': (io) => liveOfPayment(io, 'pay_2'),
  'by a payment that is new': (io) => liveOfPayment(io, 'pay_x'),
  'what a wallet has in doubt': (io) => liveOf(io, '0xaa', DEPLOYMENT),
  'the newest of chain and address': async (io) => {
    for await (const state of statesUnder(io, [walletKey('0xaa', 'Polygon')])) return state.id;
    return undefined;
  },
  'by hash': async (io) => {
    const [state] = await gathered(statesUnder(io, [paymentKey('pay_4')]));
    return state && paidByThese(io, { ...state, payment_id: 'other', id: 'other' }, '0x4');
  },
  'by bytes': (io) => reviewOfBytes(io, DEPLOYMENT, { hash: '0x2', digest: 'd2' }),
  'what is open': (io) => openStates(io),
};

describe('a look-up', () => {
  it('opens no more files when ten times as many operations have ended', async () => {
    const { io, read } = await counting();
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

  it('finds what reading every operation would find', async () => {
    const { io } = await counting();
    await fill(io, 0, 6);
    const before: Record<string, unknown> = {};
    for (const [name, lookUp] of Object.entries(LOOK_UPS)) {
      before[name] = await lookUp(io);
      expect(await lookUp(io), name).toEqual(before[name]);
    }
    expect(before['by a name that is taken']).toMatchObject({ payment_id: 'pay_0' });
    expect(before['by intent']).toMatchObject({ payment_id: 'pay_4' });
    expect(before['by another intent']).toBeUndefined();
    expect(before['by payment']).toMatchObject([{ part: { hash: '0x2', signed_transaction: '0xbeef2' } }]);
    expect(before['by hash']).toMatchObject({ payment_id: 'pay_4' });
    expect(before['by bytes']).toMatchObject({ review: { digest: 'd2' }, stated: { facts: {} } });
    await io.files.remove(join(io.places.cache, 'journal-keys'));
    for (const [name, lookUp] of Object.entries(LOOK_UPS)) expect(await lookUp(io), name).toEqual(before[name]);
  });

  it('of a day reads what ended in it, and nothing that ended before', async () => {
    const { io, read } = await counting();
    const day = 24 * 60 * 60 * 1000;
    const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
    const today = Date.UTC(2026, 5, 15, 12);
    for (const age of [40, 30, 20, 10]) await make(at(today - age * day), paid(age));
    const young = await make(at(today - day / 2), paid(1));
    await openStates(at(today));
    read.length = 0;
    const since = today - day;
    expect((await recordedSince(at(today), since)).map(({ id }) => id)).toEqual([young]);
    const reserved = await reservedSince(at(today), { wallet: '0xaa', kind: 'live' }, since);
    expect(reserved.map(({ digest }) => digest)).toEqual(['d1']);
    expect(new Set(read)).toEqual(new Set([pathOf(io, young)]));
  });
});

describe('a clock that was set back by three days', () => {
  const DAY = 24 * 60 * 60 * 1000;
  const TODAY = Date.UTC(2026, 5, 15, 12);
  it.each([true, false])('hides no transaction from the day of a policy; in the index: %s', async (hasEnded) => {
    const { io } = await counting();
    const at = (now: number): Io => ({ ...io, clock: { ...io.clock, now: () => now } });
    let now = TODAY;
    const clock = { ...io.clock, now: () => now };
    const operation = await beginOperation({ ...io, clock }, { profile: 'main', ...DEPLOYMENT, intent: INTENT });
    const [before, after] = [paid(1).slice(0, -1), paid(1).slice(-1)];
    for (const entry of before) await operation.record(entry);
    now = TODAY - 3 * DAY;
    for (const entry of hasEnded ? after : []) await operation.record(entry);
    await operation.close();
    await utimes(pathOf(io, operation.id), now / 1000, now / 1000);
    if (hasEnded) await openStates(at(TODAY));
    const reserved = await reservedSince(at(TODAY + 60_000), { wallet: '0xaa', kind: 'live' }, TODAY - DAY / 2);
    expect(reserved.map(({ digest }) => digest)).toEqual(['d1']);
  });
});

describe('a clean-up', () => {
  it('that is stopped while another process makes a payment removes no line of it', async () => {
    const { io } = await counting();
    const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, inputs: {} });
    const text = await readFile(pathOf(io, operation.id));
    await rm(pathOf(io, operation.id));
    const folder = dirname(pathOf(io, operation.id));
    let looks = 0;
    const list = async (path: string) => {
      looks += path === folder ? 1 : 0;
      // After the names were read and before the claims are, the other process writes its lines and ends.
      if (path === folder && looks === 3) {
        await writeFile(pathOf(io, operation.id), text);
        await operation.close();
      }
      return io.files.list(path);
    };
    await cleanUpJournal({ ...io, files: { ...io.files, list } });
    expect(looks).toBe(3);
    expect((await readOperation(io, operation.id))?.events.map(({ step }) => step)).toEqual(['started']);
  });

  it('of an operation whose inputs cannot be removed leaves its lines, and is no fault of bursar', async () => {
    const { io } = await counting();
    const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, inputs: {} });
    await operation.close();
    const remove = (path: string) =>
      path.endsWith('.inputs')
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
        : io.files.remove(path);
    const forgetting = forgetOperation({ ...io, files: { ...io.files, remove } }, operation.id);
    await expect(forgetting).rejects.toMatchObject({ code: 'journal_unwritable' });
    expect(await readOperation(io, operation.id)).toBeDefined();
  });
});

describe('the index', () => {
  const keysPath = (io: Io) => join(io.places.cache, 'journal-keys');

  it('that is missing, cut anywhere, changed or of another version is rebuilt, and nothing is overlooked', async () => {
    const { io, read } = await counting();
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
      expect(read, 'it is whole again').toEqual([]);
    }
  });

  it('that calls an operation ended which is not, as after a restored backup, is dropped', async () => {
    const { io } = await counting();
    const id = await make(io, paid(1), { intent_key: 'one' });
    await openStates(io);
    const lines = (await readFile(pathOf(io, id), 'utf8')).split('\n');
    await writeFile(pathOf(io, id), `${lines.slice(0, 5).join('\n')}\n`);
    expect(await findEarlier(io, { ...REQUEST, key: 'one' })).toMatchObject({ id, status: undefined });
    expect((await openStates(io)).map((state) => state.id)).toEqual([id]);
  });

  it('has no operation that was forgotten, and none that a process has claimed', async () => {
    const { io } = await counting();
    const id = await make(io, paid(1), { intent_key: 'one' });
    await openStates(io);
    await forgetOperation(io, id);
    expect(await findEarlier(io, { ...REQUEST, key: 'one' })).toBeUndefined();
    const operation = await beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: 'two' });
    await operation.record({ step: 'failed', code: 'rejected', status: 'x', is_unknown: false });
    expect(await findEarlier(io, { ...REQUEST, key: 'two' })).toBeUndefined();
    for (const entry of paid(2).slice(0, 4)) await operation.record(entry);
    await operation.close();
    expect((await findEarlier(io, { ...REQUEST, key: 'two' }))?.id).toBe(operation.id);
  });

  it('is right while several write and look up at once', async () => {
    const { io } = await counting();
    // Each process has its own Io, and so its own memory of the index.
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
    const { ids } = await storeOf(io).list();
    expect(ids).toHaveLength(48);
    expect((await storeOf(io).index.find([])).others).toEqual([]);
    for (const id of ids) {
      const recorded = await readOperation(io, id);
      const state = recorded && stateOf(recorded);
      expect((await gathered(statesUnder(io, [paymentKey(state?.payment_id ?? '')]))).map((each) => each.id)).toEqual([
        id,
      ]);
    }
  });
});
