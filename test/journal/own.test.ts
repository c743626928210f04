import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import type { Io } from '../../src/io/io.ts';
import { pathOf } from '../../src/journal/file-store.ts';
import type { Intent } from '../../src/journal/intents.ts';
import { openStates } from '../../src/journal/look-up.ts';
import { beginOperation } from '../../src/journal/operation.ts';
import { ANNA, PAYER } from '../chain/evm/given.ts';
import { testIo } from '../support/io.ts';

const INTENT: Intent = {
  ...{ amount: '7', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: PAYER },
  receivers: [{ wallet: ANNA, percent: '100' }],
};
const START = { profile: 'acme', baseUrl: 'https://acme.example', kind: 'live', intent: INTENT } as const;
const REGISTERED = { step: 'registered', payment_id: 'pay_1' } as const;

/** The same journal, whose reads of operations are counted. */
const counting = (io: Io) => {
  const reads: string[] = [];
  const read: Io['files']['read'] = (path) => {
    if (path.endsWith('.ndjson')) reads.push(path);
    return io.files.read(path);
  };
  return { io: { ...io, files: { ...io.files, read } }, reads };
};

const stagesIn = async (io: Io) => (await openStates(io)).map(({ stage }) => stage);

describe('an operation that its own process looks up', () => {
  it('is read from memory while the process has its claim, and from the disk afterwards', async () => {
    const { io, reads } = counting((await testIo()).io);
    const operation = await beginOperation(io, START);
    expect(await stagesIn(io)).toEqual(['started']);
    await operation.record(REGISTERED);
    expect(await stagesIn(io)).toEqual(['registered']);
    expect(reads).toEqual([]);
    await operation.close();
    expect(await stagesIn(io)).toEqual(['registered']);
    expect(reads).toHaveLength(1);
  });

  it('is read from the disk after a write that failed, because the disk may have the line', async () => {
    const { io } = await testIo();
    let [isFull, lines] = [false, ''];
    const appendDurably: Io['files']['appendDurably'] = async (path, text) => {
      await io.files.appendDurably(path, text);
      lines += text;
      if (isFull) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    const failing = { ...io, files: { ...io.files, appendDurably } };
    const operation = await beginOperation(failing, START);
    isFull = true;
    await expect(operation.record(REGISTERED)).rejects.toSatisfy((error) => isFailure(error, 'journal_unwritable'));
    expect(operation.state().stage).toBe('started');
    expect(lines).toContain('"registered"');
    expect(await stagesIn(failing)).toEqual(['registered']);
  });

  it('is read from the disk when another process claims it too', async () => {
    const { io } = await testIo();
    const operation = await beginOperation(io, START);
    expect(await stagesIn(io)).toEqual(['started']);
    const path = pathOf(io, operation.id);
    const claim = `${path}.claim-00000000000000aa`;
    await writeFile(claim, '{}', { mode: 0o600 });
    await io.files.append(`${dirname(path)}/.changes`, `open ${claim.slice(dirname(path).length + 1)}\n`);
    const line = { v: 2, at: new Date().toISOString(), movement: operation.id, ...REGISTERED };
    await io.files.appendDurably(path, `${JSON.stringify(line)}\n`);
    expect(await stagesIn(io)).toEqual(['registered']);
  });
});
