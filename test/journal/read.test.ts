import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { folderStore, journalFolder, pathOf } from '../../src/journal/file-store.ts';
import { forgetOperations } from '../../src/journal/forget.ts';
import { beginOperation, reopenOperation } from '../../src/journal/operation.ts';
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
  throw new Error('the error is no failure of bursar');
};

/** Parts of a line that a crash can leave. */
const torn = (line: string) => [1, Math.floor(line.length / 2), line.length].map((size) => line.slice(0, size));

describe('an operation whose last line a crash cut off', () => {
  it.each(torn('{"v":1,"at":"2026-01-01T00:00:00Z","step":"signed","payment_id":"pay_1"}'))(
    'is read without the half line, and continues in its place: %s',
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

  it('does not exist when the half line is its first', async () => {
    const io = await realIo();
    await mkdir(journalFolder(io), { recursive: true });
    await writeFile(pathOf(io, '20260101T000000Z-00000000'), '{"v":1,');
    const found = [];
    for await (const state of allStates(io)) found.push(state);
    expect(found).toEqual([]);
  });
});

describe('a damaged journal', () => {
  const damaged = [
    ['no JSON', 'x{'],
    ['an empty line', ''],
    ['a list', '[]'],
    ['a line without its step', '{"v":1,"at":"2026-01-01T00:00:00Z"}'],
    ['zeros', '\0\0\0\0'],
  ] as const;

  it.each(damaged)('with %s in the middle is refused with the line number, and is not changed', async (_, line) => {
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
    expect(await readdir(journalFolder(io))).toEqual(['.changes', `${first.id}.ndjson`]);
  });

  it('is refused when a newer version wrote it', async () => {
    const io = await realIo();
    const first = await beginOperation(io, BEGINNING);
    await appendFile(pathOf(io, first.id), '{"v":3,"at":"2026-01-01T00:00:00Z","step":"levitated"}\n');
    expect(await failureOf(readOperation(io, first.id))).toMatchObject({
      code: 'journal_damaged',
      message: expect.stringContaining('newer bursar'),
    });
  });
});

describe('an operation', () => {
  it('belongs to one process: a second one fails with the number of the first', async () => {
    const io = await realIo();
    const first = await beginOperation(io, BEGINNING);
    expect(await failureOf(reopenOperation(io, first.id))).toMatchObject({
      code: 'not_final',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await first.close();
    const { operation } = await reopenOperation(io, first.id);
    await operation.close();
    expect(await readdir(journalFolder(io))).toEqual(['.changes', `${first.id}.ndjson`]);
  });

  it('records nothing after its claim was removed', async () => {
    const io = await realIo();
    const operation = await beginOperation(io, BEGINNING);
    for (const name of await readdir(journalFolder(io))) {
      if (name.includes('claim-')) await io.files.remove(join(journalFolder(io), name));
    }
    expect(await failureOf(operation.record({ step: 'registering' }))).toMatchObject({ code: 'not_final' });
    expect((await readOperation(io, operation.id))?.events).toHaveLength(1);
  });

  it('is not found when it does not exist, and a reopen creates no file', async () => {
    const io = await realIo();
    expect(await failureOf(reopenOperation(io, '20260101T000000Z-00000000'))).toMatchObject({ code: 'not_found' });
    expect((await folderStore(io).list()).ids).toEqual([]);
  });
});

describe('the state of an operation', () => {
  const stateAfter = async (events: readonly OperationEvent[]) => {
    const io = await realIo();
    const operation = await beginOperation(io, BEGINNING);
    for (const event of events) await operation.record(event);
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
  const ENDED: OperationEvent = { step: 'ended', payment_id: 'pay_1', status: 'error', tid_hash: '0xcd' };

  const SENT_STATES = [
    ['signed and never sent', [], 'no'],
    ['in flight when the process died', [executing], 'maybe'],
    ['sent, and the answer was lost', [executing, failed(true)], 'maybe'],
    ['refused by the service', [executing, failed(false)], 'maybe'],
    ['refused by the service, with their hash in the line', [executing, refused], 'maybe'],
    ['not sent because of a fault before the first byte', [executing, unsent], 'no'],
    [
      'not sent because of such a fault, as version 0.1 recorded it',
      [executing, { ...failed(false), code: 'unavailable' }],
      'no',
    ],
    [
      'refused by the service as unavailable',
      [executing, { ...failed(false), code: 'unavailable', status: 'x' }],
      'maybe',
    ],
    ['sent with a lost answer, and not sent the second time', [executing, failed(true), executing, unsent], 'maybe'],
    [
      'in flight when another call failed before its first byte',
      [executing, { step: 'creating', payment_id: 'pay_1' }, unavailable],
      'maybe',
    ],
    ['in flight when a question was interrupted', [executing, { ...failed(false), code: 'interrupted' }], 'maybe'],
    ['accepted, and refused the second time', [executing, EXECUTED, executing, refused], 'yes'],
    ['refused, and the payment ended with an error', [executing, refused, ENDED], 'maybe'],
    ['accepted', [executing, EXECUTED], 'yes'],
    ['not sent the first time, and in flight the second time', [executing, unsent, executing], 'maybe'],
    [
      'sent with a lost answer, and refused the second time',
      [executing, failed(true), executing, failed(false)],
      'maybe',
    ],
    ['recorded as dead', [executing, failed(true), { step: 'dead', hash: '0xcd' }], 'no'],
  ] as const;

  it.each(SENT_STATES.map(([bytes, events, sent]) => [sent, bytes, events] as const))(
    'shows sent "%s" for bytes that were %s',
    async (sent, _, events) => {
      const { signed, payment_id } = await stateAfter([SIGNED, ...events]);
      expect([payment_id, signed.map((part) => part.sent)]).toEqual(['pay_1', [sent]]);
    },
  );

  it('lists each signed transaction, because an earlier one may have been sent too', async () => {
    const second = { ...SIGNED, hash: '0xef' };
    const { signed } = await stateAfter([SIGNED, executing, failed(true), second]);
    expect(signed.map(({ hash, sent }) => [hash, sent])).toEqual([
      ['0xcd', 'maybe'],
      ['0xef', 'no'],
    ]);
  });
});

it('a disk error during the removal of a half line or an operation is journal_unwritable and changes nothing', async () => {
  const io = await realIo();
  const { id, close } = await beginOperation(io, BEGINNING);
  await close();
  await appendFile(pathOf(io, id), '{"v":2,');
  const before = await readFile(pathOf(io, id), 'utf8');
  const fails = () => Promise.reject(Object.assign(new Error('EIO: on the disk'), { code: 'EIO' }));
  const broken = { ...io, files: { ...io.files, truncate: fails, remove: fails } };
  for (const work of [reopenOperation, forgetOperations]) {
    expect(await failureOf(work(broken, id))).toMatchObject({ code: 'journal_unwritable' });
    for (const name of await readdir(journalFolder(io)))
      if (name.includes('.claim-')) await io.files.remove(join(journalFolder(io), name));
  }
  expect(await readFile(pathOf(io, id), 'utf8')).toBe(before);
});
