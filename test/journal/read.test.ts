import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder, pathOf, storeOf } from '../../src/journal/file-store.ts';
import { beginOperation, forgetOperation, reopenOperation } from '../../src/journal/operation.ts';
import { allStates } from '../../src/journal/overview.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { testIo } from '../support/io.ts';

const INTENT = {
  amount: '10',
  currency: 'USDT',
  chain: 'polygon',
  token: 'USDT',
  receivers: [{ wallet: '0x1', percent: '100' }],
  payer: '0x2',
};

const BEGINNING = { profile: 'sandbox', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', intent: INTENT } as const;

const SIGNED = {
  step: 'signed',
  part: 1,
  payment_id: 'pay_1',
  signed_transaction: '0xab',
  hash: '0xcd',
  from: '0x2',
} as const satisfies OperationEvent;

const realIo = async (): Promise<Io> => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const { io } = await testIo({ io: { processes: systemProcesses(self, process.kill.bind(process)) } });
  return { ...io, random: { ...io.random, fraction: Math.random } };
};

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isFailure(error)) return error;
  throw new Error('it did not fail as bursar fails');
};

/** The half line that a crash leaves, for every place where it may have come. */
const torn = (line: string) => [1, Math.floor(line.length / 2), line.length].map((size) => line.slice(0, size));

describe('a movement that a crash cut off', () => {
  it.each(torn('{"v":1,"at":"2026-01-01T00:00:00Z","step":"signed","payment_id":"pay_1"}'))(
    'reads as what was whole, and goes on after it: %s',
    async (half) => {
      const io = await realIo();
      const first = await beginOperation(io, BEGINNING);
      await first.close();
      await appendFile(pathOf(io, first.id), half);
      expect((await readOperation(io, first.id))?.events.map(({ step }) => step)).toEqual(['started']);
      const { operation } = await reopenOperation(io, first.id);
      await operation.record({ step: 'registering' });
      await operation.close();
      const steps = (await readOperation(io, first.id))?.events.map(({ step }) => step);
      expect(steps).toEqual(['started', 'registering']);
    },
  );

  it('before its first line was whole is no movement, and nobody trips over it', async () => {
    const io = await realIo();
    await mkdir(journalFolder(io), { recursive: true });
    await writeFile(pathOf(io, '20260101T000000Z-00000000'), '{"v":1,');
    const found = [];
    for await (const state of allStates(io)) found.push(state);
    expect(found).toEqual([]);
  });
});

describe('a journal that is damaged', () => {
  const damaged = [
    ['no JSON', 'x{'],
    ['an empty line', ''],
    ['a list', '[]'],
    ['an entry without its step', '{"v":1,"at":"2026-01-01T00:00:00Z"}'],
    ['zeros', '\0\0\0\0'],
  ] as const;

  it.each(damaged)('in the middle by %s is refused with its line, and left as it is', async (_, line) => {
    const io = await realIo();
    const first = await beginOperation(io, BEGINNING);
    await first.close();
    const path = pathOf(io, first.id);
    await appendFile(path, `${line}\n{"v":1,"at":"2026-01-01T00:00:00Z","step":"registering"}\n`);
    const before = await readFile(path, 'utf8');
    for (const work of [readOperation, reopenOperation]) {
      const failure = await failureOf(work(io, first.id));
      expect(failure).toMatchObject({ code: 'journal_damaged', message: expect.stringContaining(`${path}: line 2`) });
    }
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(journalFolder(io))).toEqual([`${first.id}.ndjson`]);
  });

  it('or written by a later version is not guessed at', async () => {
    const io = await realIo();
    const first = await beginOperation(io, BEGINNING);
    await appendFile(pathOf(io, first.id), '{"v":3,"at":"2026-01-01T00:00:00Z","step":"levitated"}\n');
    expect(await failureOf(readOperation(io, first.id))).toMatchObject({
      code: 'journal_damaged',
      message: expect.stringContaining('newer bursar'),
    });
  });
});

describe('one movement', () => {
  it('is in the hands of one process: a second is told which', async () => {
    const io = await realIo();
    const first = await beginOperation(io, BEGINNING);
    expect(await failureOf(reopenOperation(io, first.id))).toMatchObject({
      code: 'not_final',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await first.close();
    const { operation } = await reopenOperation(io, first.id);
    await operation.close();
    expect(await readdir(journalFolder(io))).toEqual([`${first.id}.ndjson`]);
  });

  it('whose claim was removed records nothing more: nothing can be sent on the strength of it', async () => {
    const io = await realIo();
    const operation = await beginOperation(io, BEGINNING);
    for (const name of await readdir(journalFolder(io))) {
      if (name.includes('claim-')) await io.files.remove(join(journalFolder(io), name));
    }
    expect(await failureOf(operation.record({ step: 'registering' }))).toMatchObject({ code: 'not_final' });
    expect((await readOperation(io, operation.id))?.events).toHaveLength(1);
  });

  it('that does not exist is not found', async () => {
    const io = await realIo();
    expect(await failureOf(reopenOperation(io, '20260101T000000Z-00000000'))).toMatchObject({ code: 'not_found' });
    expect((await storeOf(io).list()).ids).toEqual([]);
  });
});

describe('the state of a movement', () => {
  const stateAfter = async (entries: readonly OperationEvent[]) => {
    const io = await realIo();
    const operation = await beginOperation(io, BEGINNING);
    for (const entry of entries) await operation.record(entry);
    await operation.close();
    const recorded = await readOperation(io, operation.id);
    if (!recorded) throw new Error('nothing was recorded');
    return stateOf(recorded);
  };
  const failed = (is_unknown: boolean): OperationEvent => ({
    step: 'failed',
    code: 'x',
    status: undefined,
    is_unknown,
  });
  const executing: OperationEvent = { step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: '0xcd' };
  const refused: OperationEvent = { step: 'failed', code: 'rejected', status: 'x', is_unknown: false, hash: '0xcd' };
  const unsent: OperationEvent = { ...refused, code: 'unavailable', status: undefined, unsent: true };
  const unavailable: OperationEvent = { step: 'failed', code: 'unavailable', status: undefined, is_unknown: false };
  const EXECUTED: OperationEvent = { step: 'executed', payment_id: 'pay_1', status: 's', hash: '0xcd' };
  const GIVEN_UP: OperationEvent = { step: 'ended', payment_id: 'pay_1', status: 'error', tid_hash: '0xcd' };

  it.each([
    ['signed, and never handed on', [], 'no'],
    ['on its way when all ended', [executing], 'maybe'],
    ['on its way when the answer was lost', [executing, failed(true)], 'maybe'],
    ['refused', [executing, failed(false)], 'maybe'],
    ['refused, by a line that names them', [executing, refused], 'maybe'],
    ['kept by a fault before they left', [executing, unsent], 'no'],
    ['kept by such a fault, as version 0.1 wrote it', [executing, { ...failed(false), code: 'unavailable' }], 'no'],
    ['refused, as unavailable', [executing, { ...failed(false), code: 'unavailable', status: 'x' }], 'maybe'],
    ['lost once, and kept by a fault the second time', [executing, failed(true), executing, unsent], 'maybe'],
    [
      'on their way when another call never left',
      [executing, { step: 'creating', payment_id: 'pay_1' }, unavailable],
      'maybe',
    ],
    ['on their way when a question was broken off', [executing, { ...failed(false), code: 'interrupted' }], 'maybe'],
    ['taken, and refused the second time', [executing, EXECUTED, executing, refused], 'yes'],
    ['refused, and given up by the service', [executing, refused, GIVEN_UP], 'maybe'],
    ['taken', [executing, EXECUTED], 'yes'],
    ['kept by a fault, and on their way once more', [executing, unsent, executing], 'maybe'],
    ['lost once, and refused the second time', [executing, failed(true), executing, failed(false)], 'maybe'],
    ['shown to be dead', [executing, failed(true), { step: 'dead', hash: '0xcd' }], 'no'],
  ] as const)('says of bytes that were %s whether they may have been sent', async (_, entries, sent) => {
    const { signed, payment_id } = await stateAfter([SIGNED, ...entries]);
    expect([payment_id, signed.map((part) => part.sent)]).toEqual(['pay_1', [sent]]);
  });

  it('keeps every transaction that was signed: an earlier one may have been sent too', async () => {
    const second = { ...SIGNED, hash: '0xef' };
    const { signed } = await stateAfter([SIGNED, executing, failed(true), second]);
    expect(signed.map(({ hash, sent }) => [hash, sent])).toEqual([
      ['0xcd', 'maybe'],
      ['0xef', 'no'],
    ]);
  });
});

it('a disk that fails while a half-written line or an operation is removed is journal_unwritable, and all stays', async () => {
  const io = await realIo();
  const { id, close } = await beginOperation(io, BEGINNING);
  await close();
  await appendFile(pathOf(io, id), '{"v":2,');
  const before = await readFile(pathOf(io, id), 'utf8');
  const fails = () => Promise.reject(Object.assign(new Error('EIO: on the disk'), { code: 'EIO' }));
  const broken = { ...io, files: { ...io.files, truncate: fails, remove: fails } };
  for (const work of [reopenOperation, forgetOperation]) {
    expect(await failureOf(work(broken, id))).toMatchObject({ code: 'journal_unwritable' });
    for (const name of await readdir(journalFolder(io)))
      if (name.includes('.claim-')) await io.files.remove(join(journalFolder(io), name));
  }
  expect(await readFile(pathOf(io, id), 'utf8')).toBe(before);
});
