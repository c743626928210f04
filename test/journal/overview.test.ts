import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder, pathOf } from '../../src/journal/file-store.ts';
import { forgetOperations } from '../../src/journal/forget.ts';
import { beginOperation, reopenOperation } from '../../src/journal/operation.ts';
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

/** An Io that records which operation files are read. */
const recordingIo = async () => {
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

const make = async (io: Io, ...events: readonly OperationEvent[]): Promise<string> => {
  const operation = await beginOperation(io, BEGINNING);
  for (const event of events) await operation.record(event);
  await operation.close();
  return operation.id;
};

const statuses = async (io: Io) => {
  const all: Record<string, string> = {};
  for await (const state of allStates(io)) all[state.id] = statusOf(state);
  return all;
};

describe('the index of ended operations', () => {
  it('replaces the read of each ended operation, and of no open one', async () => {
    const { io, read } = await recordingIo();
    const ended = await make(io, SIGNED, ENDED);
    const open = await make(io, SIGNED);
    const expected = { [ended]: 'success', [open]: 'unfinished' };
    expect(await statuses(io)).toEqual(expected);
    read.length = 0;
    expect(await statuses(io)).toEqual(expected);
    expect(read).toEqual([pathOf(io, open)]);
  });

  it('holds no signed bytes, and can be deleted or damaged without harm', async () => {
    const { io } = await recordingIo();
    const ended = await make(io, SIGNED, ENDED);
    const path = join(io.places.cache, 'journal-index');
    await statuses(io);
    const whole = await readFile(path, 'utf8');
    expect([whole.includes('0xcd'), whole.includes('dead')]).toEqual([true, false]);
    for (const damage of ['', 'x', whole.slice(0, -9), '{"v":1}\n', `{"v":2${whole.trim().slice(6)}\n`]) {
      await writeFile(path, damage);
      expect(await statuses(io)).toEqual({ [ended]: 'success' });
      expect(await statuses(io)).toEqual({ [ended]: 'success' });
    }
    await rm(path);
    expect(await statuses(io)).toEqual({ [ended]: 'success' });
  });

  it('omits an operation that a process has claimed, because a failed one can continue', async () => {
    const { io } = await recordingIo();
    const operation = await beginOperation(io, BEGINNING);
    await operation.record({ step: 'failed', code: 'rejected', status: 'blockhash_expired', is_unknown: false });
    expect(await statuses(io)).toEqual({ [operation.id]: 'failed' });
    for (const event of [
      SIGNED,
      { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0xcd' },
    ] as const) {
      await operation.record(event);
    }
    await operation.close();
    expect(await statuses(io)).toEqual({ [operation.id]: 'in_doubt' });
  });

  it('cannot become stale: an ended operation cannot be reopened, and a forgotten one is omitted', async () => {
    const { io } = await recordingIo();
    const ended = await make(io, SIGNED, ENDED);
    await statuses(io);
    await expect(reopenOperation(io, ended)).rejects.toMatchObject({ code: 'rejected' });
    await forgetOperations(io, ended);
    expect(await statuses(io)).toEqual({});
    expect(await readdir(journalFolder(io))).toEqual(['.changes']);
  });
});
