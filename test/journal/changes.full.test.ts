import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../src/io/files/files.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { liveOf, liveOfPayment } from '../../src/journal/doubt.ts';
import { findEarlier } from '../../src/journal/earlier.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { folderStore, journalFolder, pathOf } from '../../src/journal/file-store.ts';
import { nameKey, walletKey } from '../../src/journal/keys.ts';
import { openStates, statesUnder } from '../../src/journal/look-up.ts';
import { CLAIM_PATIENCE_MS } from '../../src/journal/open-store.ts';
import { beginOperation, claimOperation, cleanUpJournal } from '../../src/journal/operation.ts';
import { useEntry } from '../support/entry.ts';
import { testIo } from '../support/io.ts';

const DEPLOYMENT = { kind: 'live', baseUrl: 'https://pay.example' } as const;
const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0xAA' },
  receivers: [{ wallet: '0x1', percent: '100' }],
};

/** An Io that counts what is read and listed. `wait` sets its clock forward. */
const countingIo = async () => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const processes = systemProcesses(self, process.kill.bind(process));
  const { io, home } = await testIo({ io: { processes } });
  const counts = { reads: 0, lists: 0 };
  const files = {
    ...systemFiles,
    read: (path: string) => {
      if (path.endsWith('.ndjson')) counts.reads += 1;
      return systemFiles.read(path);
    },
    list: (path: string) => {
      counts.lists += 1;
      return systemFiles.list(path);
    },
  };
  let waited = 0;
  const clock = { ...io.clock, monotonic: () => io.clock.monotonic() + waited };
  return {
    io: { ...io, files, clock, random: { ...io.random, fraction: Math.random } } satisfies Io,
    home,
    counts,
    wait: (ms: number) => {
      waited += ms;
    },
    since: async (work: () => Promise<unknown>) => {
      Object.assign(counts, { reads: 0, lists: 0 });
      await work();
      return { ...counts };
    },
  };
};

/** The same home, as another process sees it. */
const anotherProcess = (io: Io): Io => ({ ...io, places: { ...io.places } });

const sent = (n: string): readonly OperationEvent[] => [
  { step: 'registered', payment_id: `pay_${n}` },
  { step: 'signed', part: 1, payment_id: `pay_${n}`, signed_transaction: `0x${n}`, hash: `0xf${n}`, from: '0xAA' },
  { step: 'sending', part: 1, via: 'service', payment_id: `pay_${n}`, hash: `0xf${n}` },
];
const ended = (n: string): readonly OperationEvent[] => [
  ...sent(n),
  { step: 'executed', payment_id: `pay_${n}`, status: 'payment_received', hash: `0xf${n}` },
  { step: 'ended', payment_id: `pay_${n}`, status: 'success', tid_hash: `0xf${n}` },
];

const begin = (io: Io, key: string) =>
  beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: key });

const make = async (io: Io, key: string, events: readonly OperationEvent[] = []): Promise<string> => {
  const operation = await begin(io, key);
  for (const event of events) await operation.record(event);
  await operation.close();
  return operation.id;
};

/** Copies of an operation, each with its own id, name, payment and hash. Nothing else announces them. */
const copies = async (io: Io, id: string, n: string, count: number): Promise<void> => {
  const text = await readFile(pathOf(io, id), 'utf8');
  for (let number = 0; number < count; number += 1) {
    const other = `20260101T000000Z-${n}${String(number).padStart(7, '0')}`;
    const ofOther = text
      .replaceAll(id, other)
      .replaceAll(`_${n}`, `_${n}${number}`)
      .replaceAll(`0xf${n}`, `0xf${n}${number}`);
    await writeFile(pathOf(io, other), ofOther.replaceAll(`"key-${n}"`, `"key-${n}${number}"`));
  }
};

/** What a command does from its first look at the journal until its payment is signed and over. */
const startPayment = async (io: Io, key: string): Promise<void> => {
  await cleanUpJournal(io);
  const claiming = await folderStore(io).claim({ of: 'intent', name: key }, CLAIM_PATIENCE_MS);
  if (!('claim' in claiming)) throw new Error('the name is claimed');
  expect(await findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key })).toBeUndefined();
  const operation = await begin(io, key);
  await operation.record({ step: 'registered', payment_id: `pay_${key}` });
  expect(await liveOfPayment(io, `pay_${key}`)).toEqual([]);
  await liveOf(io, '0xaa', DEPLOYMENT);
  for await (const state of statesUnder(io, [walletKey('0xAA', 'polygon')])) if (state.signed.length > 0) break;
  for (const event of ended(key).slice(1)) await operation.record(event);
  await operation.close();
  await claiming.claim.release();
};

describe('the start of a payment', () => {
  it('reads as many operations and lists as many folders in a journal of any size', async () => {
    const found = [];
    for (const size of [20, 200, 2_000]) {
      const { io, since } = await countingIo();
      await copies(io, await make(io, 'key-a', ended('a')), 'a', size);
      await copies(io, await make(io, 'key-b', sent('b')), 'b', size);
      const own = anotherProcess(io);
      const first = await since(() => openStates(own));
      expect(first).toEqual({ reads: 2 * size + 2, lists: 1 });
      expect(await openStates(own)).toHaveLength(size + 1);
      await startPayment(own, 'warm');
      found.push([await since(() => startPayment(own, 'one')), await since(() => startPayment(own, 'two'))]);
    }
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
    expect(found[0]).toEqual([found[0]?.[1], found[0]?.[1]]);
    expect(found[0]?.[0]).toMatchObject({ lists: 0 });
  });

  it('lists the journal for a clean-up once a minute', async () => {
    const { io, since, wait } = await countingIo();
    await startPayment(io, 'one');
    expect(await since(() => cleanUpJournal(io))).toEqual({ reads: 0, lists: 0 });
    wait(60_000);
    expect((await since(() => cleanUpJournal(io))).lists).toBeGreaterThan(0);
  });
});

describe('a look-up sees what another process wrote', () => {
  const program = useEntry('write-operation');
  /** Runs another process to its end, or until it kills itself. */
  const runOther = (home: string, ...args: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, BURSAR_HOME: home };
      execFile(process.execPath, [program(), ...args], { env }, (error, _, stderr) =>
        error && error.signal !== 'SIGKILL' ? reject(new Error(stderr)) : resolve(),
      );
    });
  const named = (io: Io, key: string) => findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key });

  it.each([
    ['open', false],
    ['record', true],
    ['close', true],
    ['release', true],
    ['none', true],
  ])('that was killed after its step "%s"', async (step, isFound) => {
    const { io, home } = await countingIo();
    await make(io, 'first', ended('a'));
    expect(await named(io, 'other')).toBeUndefined();
    await runOther(home, 'start', 'other', step);
    const state = await named(io, 'other');
    expect(state !== undefined).toBe(isFound);
    expect((await named(anotherProcess(io), 'other'))?.id).toBe(state?.id);
    // Its name is free again, and what a third process does is seen as well.
    const claiming = await folderStore(io).claim({ of: 'intent', name: 'other' }, CLAIM_PATIENCE_MS);
    expect(claiming).toHaveProperty('claim');
    if (state === undefined) return;
    await runOther(home, 'end', state.id, step);
    const stages = async (own: Io) => {
      const found: string[] = [];
      for await (const { stage } of statesUnder(own, [nameKey('other')])) found.push(stage);
      return found;
    };
    expect(await stages(io)).toEqual(['superseded']);
    await runOther(home, 'forget', state.id, step === 'record' ? 'open' : step);
    // Its lines are removed before `close`.
    const isLeft = step === 'record';
    expect(await stages(io)).toEqual(isLeft ? ['superseded'] : []);
    expect(await stages(anotherProcess(io))).toEqual(isLeft ? ['superseded'] : []);
  });

  it.each(['claim', 'open', 'record', 'close'])(
    'that was stopped for more than a minute after its step "%s", in which the log was removed',
    async (step) => {
      const { io, home, wait } = await countingIo();
      const id = await make(io, 'other', sent('a'));
      await openStates(io);
      const env = { ...process.env, BURSAR_HOME: home };
      const child = spawn(process.execPath, [program(), 'end', id, step, 'SIGSTOP'], { env });
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      for (const minute of [1, 2]) {
        expect((await named(io, 'other'))?.stage).toBe(['record', 'close'].includes(step) ? 'superseded' : 'sending');
        // Its claim counts from `open` to `close`, or while a listing shows its file.
        const isFree = ['claim', 'close'].includes(step) && minute === 1;
        if (isFree) await (await claimOperation(io, id)).release();
        else await expect(claimOperation(io, id)).rejects.toMatchObject({ code: 'not_final' });
        wait(60_000);
        await cleanUpJournal(io);
        if (minute === 1) await rm(join(journalFolder(io), '.changes'));
      }
      child.kill('SIGCONT');
      await ended;
      expect((await named(io, 'other'))?.stage).toBe('superseded');
      await (await claimOperation(io, id)).release();
      expect(await readdir(journalFolder(io))).toEqual(['.changes', `${id}.ndjson`]);
    },
  );

  it('after each loss of the log, and without the cache', async () => {
    const { io, home } = await countingIo();
    const log = join(journalFolder(io), '.changes');
    const losses: Readonly<Record<string, () => Promise<unknown>>> = {
      removed: () => rm(log),
      emptied: () => writeFile(log, ''),
      cut: async () => writeFile(log, (await readFile(log)).subarray(0, 30)),
      'half a line': async () => writeFile(log, 'open 2026', { flag: 'a' }),
      zeros: async () => writeFile(log, '\0'.repeat(80), { flag: 'a' }),
      'of another journal': async () => {
        const text = await readFile(log, 'utf8');
        await writeFile(`${log}.new`, text.replaceAll('.claim-', '.claim-0'));
        await rename(`${log}.new`, log);
      },
      cache: () => rm(io.places.cache, { recursive: true }),
    };
    await make(io, 'first', ended('a'));
    await openStates(io);
    for (const [name, lose] of Object.entries(losses)) {
      await lose();
      await runOther(home, 'start', `before ${name}`);
      await runOther(home, 'start', `killed ${name}`, 'record');
      expect(await named(io, `before ${name}`), name).toBeDefined();
      await runOther(home, 'start', `after ${name}`);
      await lose().catch(() => undefined);
      for (const key of ['before', 'killed', 'after'].map((when) => `${when} ${name}`)) {
        expect(await named(io, key), key).toBeDefined();
        expect(await named(anotherProcess(io), key), key).toBeDefined();
      }
    }
    expect(await openStates(io)).toHaveLength(3 * Object.keys(losses).length);
  });
});

describe('a file that no log announces', () => {
  it('is found by a new process at once, and by others within a minute; they list the journal each time from then on', async () => {
    const { io, since, wait } = await countingIo();
    const id = await make(io, 'key-b', sent('b'));
    const running = anotherProcess(io);
    expect(await openStates(running)).toHaveLength(1);
    await copies(io, id, 'b', 1);
    expect(await openStates(anotherProcess(io))).toHaveLength(2);
    wait(60_000);
    expect(await openStates(running)).toHaveLength(2);
    expect((await since(() => openStates(running))).lists).toBe(1);
    expect(await since(() => openStates(anotherProcess(io)))).toMatchObject({ lists: 1 });
  });
});

describe('what other processes do', () => {
  const named = (io: Io, key: string) => findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key });

  it('is seen in a folder that two homes share by a link, from both of them', async () => {
    const { io, home, since } = await countingIo();
    await make(io, 'first', ended('a'));
    const other = { ...io, places: { ...io.places, state: join(home, 'other'), cache: join(home, 'cache-2') } };
    await mkdir(other.places.state, { mode: 0o700 });
    await symlink(journalFolder(io), journalFolder(other));
    for (const each of [io, other]) expect(await openStates(each)).toEqual([]);
    await make(other, 'linked');
    expect(await named(io, 'linked')).toBeDefined();
    await make(io, 'own');
    expect(await named(other, 'own')).toBeDefined();
    for (const each of [io, other]) {
      const claiming = await folderStore(each).claim({ of: 'intent', name: 'x' }, 0);
      for (const rival of [io, other])
        expect(await folderStore(rival).claim({ of: 'intent', name: 'x' }, 0)).toHaveProperty('holder');
      if ('claim' in claiming) await claiming.claim.release();
    }
    expect((await since(() => openStates(io))).lists).toBe(0);
  });

  it('is no reason to list the journal each time, a minute later or after the log was removed', async () => {
    const { io, since, wait } = await countingIo();
    const own = anotherProcess(io);
    await openStates(own);
    for (const [key, happen] of [
      ['later', () => wait(60_000)],
      ['without', () => rm(join(journalFolder(io), '.changes'))],
    ] as const) {
      await make(io, `before ${key}`);
      await happen();
      await make(io, `after ${key}`);
      expect((await since(() => openStates(own))).lists).toBe(1);
      expect((await since(() => openStates(own))).lists).toBe(0);
    }
    expect(await openStates(own)).toHaveLength(4);
  });

  it('is seen by a first look-up beside a claim', async () => {
    const { io } = await countingIo();
    await make(io, 'first');
    const own = anotherProcess(io);
    const claimOf = (name: string) => folderStore(own).claim({ of: 'intent', name }, 0);
    await claimOf('x');
    await make(io, 'second');
    const [open] = await Promise.all([openStates(own), claimOf('y'), claimOf('z')]);
    expect(open).toHaveLength(2);
    const both = await Promise.all([claimOf('v'), openStates(anotherProcess(io))]);
    expect(both[1]).toHaveLength(2);
  });

  it('hides no ended operation from a look-up that is going on', async () => {
    const { io } = await countingIo();
    const ids = [
      await make(io, 'one', ended('a')),
      await make(io, 'two', ended('b')),
      await make(io, 'three', sent('c')),
    ];
    for (const looksUpOften of [false, true]) {
      const own = anotherProcess(io);
      for (let count = 0; looksUpOften && count < 70; count += 1) await liveOfPayment(own, 'pay_a');
      const states = statesUnder(own, [walletKey('0xAA', 'polygon')]);
      const found = [(await states.next()).value?.id];
      const claims = await Promise.all(ids.slice(0, 2).map((id) => claimOperation(anotherProcess(io), id)));
      await openStates(own);
      for await (const { id } of states) found.push(id);
      expect(found).toEqual(ids.toSorted().toReversed());
      for (const claim of claims) await claim.release();
    }
  });

  it.each([
    ['of several machines, where appends may overwrite each other', async () => true],
    ['that the system does not show', () => Promise.reject(new Error('ENOSYS'))],
  ])('is seen on a file system %s', async (_, isRemote) => {
    const { io, since } = await countingIo();
    await make(io, 'first');
    const remote = { ...anotherProcess(io), files: { ...io.files, isRemote } };
    for (const each of [io, remote]) expect(await openStates(each)).toHaveLength(1);
    await make(remote, 'remote');
    expect(await readdir(journalFolder(io))).not.toContain('.changes');
    for (const each of [io, remote]) expect(await openStates(each)).toHaveLength(2);
    await make(io, 'local');
    for (const each of [io, remote]) expect(await openStates(each)).toHaveLength(3);
    expect((await since(() => openStates(remote))).lists).toBe(1);
  });
});

describe('the folder of the journal', () => {
  it('has one new file, which a list of a shell leaves out', async () => {
    const { io } = await countingIo();
    const ids = [await make(io, 'one', ended('a')), await make(io, 'two', sent('b'))];
    await openStates(io);
    expect(await readdir(journalFolder(io))).toEqual(['.changes', ...ids.map((id) => `${id}.ndjson`)].toSorted());
  });
});
