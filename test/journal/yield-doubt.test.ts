import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSameText } from '../../src/core/text.ts';
import { openYields } from '../../src/journal/doubt.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder } from '../../src/journal/file-store.ts';
import type { YieldIntent } from '../../src/journal/intents.ts';
import { isSameIntent } from '../../src/journal/keys.ts';
import { readState } from '../../src/journal/look-up.ts';
import { beginOperation, recordLater, reopenOperation, supersede } from '../../src/journal/operation.ts';
import type { OperationState } from '../../src/journal/operation-state.ts';
import { testIo } from '../support/io.ts';

const BASE_URL = 'https://service.example';
const SERVICE = { kind: 'live', baseUrl: BASE_URL } as const;

const INTENT: YieldIntent = {
  operation: 'rebalance',
  amount: '5',
  asset: 'USDC',
  chain: 'solana',
  wallet: 'W',
  provider_out: 'a',
  provider_in: 'b',
};

const BUILT: OperationEvent = {
  step: 'created',
  built: { transactions: ['t'], positions: [{ provider: 'a', position: '10' }] },
};
const signed = (part: number, hash = `h${part}`): OperationEvent => ({
  step: 'signed',
  part,
  signed_transaction: `bytes of ${hash}`,
  hash,
  from: 'W',
});
const sending = (part: number, hash = `h${part}`): OperationEvent => ({
  step: 'sending',
  part,
  hash,
  via: 'service',
});
const landed = (part: number): OperationEvent => ({ step: 'landed', part, hash: `h${part}` });
const failed = (is_unknown: boolean, status?: string): OperationEvent => ({
  step: 'failed',
  code: 'c',
  status,
  is_unknown,
});
const unsent = (part: number): OperationEvent => ({
  ...{ step: 'failed', code: 'interrupted', status: undefined, is_unknown: false, hash: `h${part}`, unsent: true },
});
const SETTLED: OperationEvent = { step: 'settled', positions: [] };

const ONE = [BUILT, signed(1)];
const TWO = [BUILT, signed(1), signed(2)];

const begin = async (entries: readonly OperationEvent[], intent = INTENT, baseUrl = BASE_URL) => {
  const { io } = await testIo();
  const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl, intent });
  for (const entry of entries) await operation.record(entry);
  await operation.close();
  return { io, movement: operation };
};

const openOf = async (entries: readonly OperationEvent[]) => {
  const { io } = await begin(entries);
  const [open] = await openYields(io, SERVICE, isSameText);
  return open && { kind: open.kind, hash: open.hash, bytes: open.signedTransaction };
};

describe('a journal leaves nothing open', () => {
  it.each<readonly [string, readonly OperationEvent[]]>([
    ['before anything was sent', ONE],
    ['when it never left this machine', [...ONE, sending(1), unsent(1)]],
    [
      'when by version 0.1 it never left',
      [...ONE, sending(1), { ...failed(false), code: 'unavailable' } as OperationEvent],
    ],
    [
      'when by version 0.1 a node showed that it failed',
      [...ONE, sending(1), { ...failed(false), code: 'payment_failed' } as OperationEvent],
    ],
    ['when it was shown to be dead', [...ONE, sending(1), failed(true), { step: 'dead', hash: 'h1' }]],
    ['when the end was told', [...TWO, sending(1), landed(1), sending(2), landed(2), SETTLED]],
    ['when a person has looked', [...ONE, sending(1), { step: 'superseded', hash: 'h1' }]],
  ])('%s', async (_, entries) => {
    expect(await openOf(entries)).toBeUndefined();
  });

  it('for another service, which has other money', async () => {
    const { io } = await begin([...ONE, sending(1)], INTENT, 'https://other.example');
    expect(await openYields(io, SERVICE, isSameText)).toEqual([]);
  });
});

describe('a journal leaves open', () => {
  it.each<readonly [string, readonly OperationEvent[], string, string]>([
    ['what was being sent', [...ONE, sending(1)], 'sent', 'h1'],
    ['what nobody knows', [...ONE, sending(1), failed(true)], 'sent', 'h1'],
    ['what the service refused', [...ONE, sending(1), failed(false)], 'sent', 'h1'],
    [
      'the second of two, also where it was refused',
      [...TWO, sending(1), landed(1), sending(2), failed(false)],
      'sent',
      'h2',
    ],
    [
      'what is said to have expired and was not shown to be dead',
      [...ONE, sending(1), failed(false, 'solana_blockhash_expired')],
      'sent',
      'h1',
    ],
    ['what has landed and was not told', [...ONE, sending(1), landed(1)], 'untold', 'h1'],
    ['half of two', [...TWO, sending(1), landed(1)], 'half', 'h1'],
    ['half of two whose second never left', [...TWO, sending(1), landed(1), sending(2), unsent(2)], 'half', 'h1'],
    ['the second of two', [...TWO, sending(1), landed(1), sending(2)], 'sent', 'h2'],
    [
      'what was sent again, also where the second call was certainly refused',
      [...ONE, sending(1), failed(true), sending(1), failed(false)],
      'sent',
      'h1',
    ],
    [
      'half of two whose second is dead',
      [...TWO, sending(1), landed(1), sending(2), failed(true), { step: 'dead', hash: 'h2' }],
      'half',
      'h1',
    ],
    [
      'what was built anew, also where that could not be noted',
      [...ONE, sending(1), failed(false), { step: 'dead', hash: 'h1' }, signed(1, 'new'), sending(1, 'new')],
      'sent',
      'new',
    ],
  ])('%s', async (_, entries, kind, hash) => {
    expect(await openOf(entries)).toEqual({ kind, hash, bytes: `bytes of ${hash}` });
  });
});

it('an intent is the same when it comes from the disk, where what is undefined is left out', () => {
  const deposit: YieldIntent = { ...INTENT, operation: 'deposit', provider_out: undefined };
  expect(isSameIntent(JSON.parse(JSON.stringify(deposit)), deposit)).toBe(true);
  expect(isSameIntent(JSON.parse(JSON.stringify(deposit)), { ...deposit, amount: '6' })).toBe(false);
});

it('an entry that comes later does not run into the half line that a crash left', async () => {
  const { io, movement: operation } = await begin([...ONE, sending(1)]);
  await appendFile(join(journalFolder(io), `${operation.id}.ndjson`), '{"v":1,"step":"lan');
  expect(await openYields(io, SERVICE, isSameText)).toHaveLength(1);
  const again = await reopenOperation(io, operation.id);
  await again.operation.record({ step: 'superseded', hash: 'h1' });
  await again.operation.close();
  expect(await openYields(io, SERVICE, isSameText)).toEqual([]);
});

describe('an operation that was read before a question', () => {
  const read = async () => {
    const { io, movement: operation } = await begin(ONE);
    return { io, state: (await readState(io, operation.id)) as OperationState };
  };

  it('is superseded where nothing was added to it', async () => {
    const { io, state } = await read();
    await supersede(io, state, 'h1');
    expect((await readState(io, state.id))?.status).toBe('superseded');
  });

  it.each<readonly [string, OperationEvent]>([
    ['sent', sending(1)],
    ['ended', SETTLED],
  ])(
    'is not superseded where another process has %s it meanwhile: not_final, and it stays as it is',
    async (_, event) => {
      const { io, state } = await read();
      await recordLater(io, state.id, event);
      const changed = await readState(io, state.id);
      await expect(supersede(io, state)).rejects.toMatchObject({
        code: 'not_final',
        message: `the operation ${state.id} has changed since it was read`,
        details: { next: { argv: ['bursar', 'yield', 'show', state.id] } },
      });
      expect(await readState(io, state.id)).toEqual(changed);
    },
  );
});
