import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder, pathOf } from '../../src/journal/file-store.ts';
import { beginOperation, forgetOperation, reopenOperation } from '../../src/journal/operation.ts';
import { allStates } from '../../src/journal/overview.ts';
import { statusOf } from '../../src/journal/status.ts';
import { testIo } from '../support/io.ts';

const INTENT = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
const BEGINNING = { profile: 'sandbox', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', intent: INTENT } as const;
const ENDED: OperationEvent = { step: 'ended', payment_id: 'pay_1', status: 'success', tid_hash: '0xcd' };
const SIGNED: OperationEvent = {
  step: 'signed',
  part: 1,
  payment_id: 'pay_1',
  signed_transaction: '0xdead',
  hash: '0xcd',
  from: '0x2',
};

/** An Io that tells which movements were read from their files. */
const watched = async () => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { io } = await testIo({ io: { processes: systemProcesses(self, process.kill.bind(process)) } });
  const read: string[] = [];
  const files: Io['files'] = {
    ...io.files,
    read: (path) => {
      if (path.endsWith('.ndjson')) read.push(path);
      return io.files.read(path);
    },
  };
  return { io: { ...io, files, random: { ...io.random, fraction: Math.random } }, read };
};

const move = async (io: Io, ...entries: readonly OperationEvent[]): Promise<string> => {
  const operation = await beginOperation(io, BEGINNING);
  for (const entry of entries) await operation.record(entry);
  await operation.close();
  return operation.id;
};

const standings = async (io: Io) => {
  const all: Record<string, string> = {};
  for await (const state of allStates(io)) all[state.id] = statusOf(state);
  return all;
};

describe('the index of what is over', () => {
  it('spares the reading of every file that cannot change any more, and of no other', async () => {
    const { io, read } = await watched();
    const over = await move(io, SIGNED, ENDED);
    const open = await move(io, SIGNED);
    const expected = { [over]: 'success', [open]: 'unfinished' };
    expect(await standings(io)).toEqual(expected);
    read.length = 0;
    expect(await standings(io)).toEqual(expected);
    expect(read).toEqual([pathOf(io, open)]);
  });

  it('holds no signed bytes, and can be deleted or damaged without harm', async () => {
    const { io } = await watched();
    const over = await move(io, SIGNED, ENDED);
    const path = join(io.places.cache, 'journal-index');
    await standings(io);
    const whole = await readFile(path, 'utf8');
    expect([whole.includes('0xcd'), whole.includes('dead')]).toEqual([true, false]);
    for (const damage of ['', 'x', whole.slice(0, -9), '{"v":1}\n', `{"v":2${whole.trim().slice(6)}\n`]) {
      await writeFile(path, damage);
      expect(await standings(io)).toEqual({ [over]: 'success' });
      expect(await standings(io)).toEqual({ [over]: 'success' });
    }
    await rm(path);
    expect(await standings(io)).toEqual({ [over]: 'success' });
  });

  it('does not take in what a process has at hand: it may fail, and go on', async () => {
    const { io } = await watched();
    const operation = await beginOperation(io, BEGINNING);
    await operation.record({ step: 'failed', code: 'rejected', status: 'blockhash_expired', is_unknown: false });
    expect(await standings(io)).toEqual({ [operation.id]: 'failed' });
    for (const entry of [
      SIGNED,
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0xcd' },
    ] as const) {
      await operation.record(entry);
    }
    await operation.close();
    expect(await standings(io)).toEqual({ [operation.id]: 'in_doubt' });
  });

  it('cannot grow old: what is over is not taken up again, and what was forgotten is not remembered', async () => {
    const { io } = await watched();
    const over = await move(io, SIGNED, ENDED);
    await standings(io);
    await expect(reopenOperation(io, over)).rejects.toMatchObject({ code: 'rejected' });
    await forgetOperation(io, over);
    expect(await standings(io)).toEqual({});
    expect(await readdir(journalFolder(io))).toEqual([]);
  });
});
