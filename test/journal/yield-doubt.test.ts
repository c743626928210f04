import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSameText } from '../../src/core/text.ts';
import { recordLater, supersede } from '../../src/journal/amend.ts';
import { openYields } from '../../src/journal/doubt.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder } from '../../src/journal/file-store.ts';
import type { YieldIntent } from '../../src/journal/intents.ts';
import { isSameIntent } from '../../src/journal/keys.ts';
import { beginOperation, reopenOperation } from '../../src/journal/operation.ts';
import type { OperationState } from '../../src/journal/operation-state.ts';
import { readState } from '../../src/journal/states.ts';
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

const begin = async (events: readonly OperationEvent[], intent = INTENT, baseUrl = BASE_URL) => {
  const { io } = await testIo();
  const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl, intent });
  for (const event of events) await operation.record(event);
  await operation.close();
  return { io, operation };
};

const openOf = async (events: readonly OperationEvent[]) => {
  const { io } = await begin(events);
  const [open] = await openYields(io, SERVICE, isSameText);
  return open && { kind: open.kind, hash: open.hash, bytes: open.signedTransaction };
};

describe('a yield operation is not open', () => {
  it.each<readonly [string, readonly OperationEvent[]]>([
    ['before it is sent', ONE],
    ['when it never left this machine', [...ONE, sending(1), unsent(1)]],
    [
      'when version 0.1 recorded that it never left this machine',
      [...ONE, sending(1), { ...failed(false), code: 'unavailable' } as OperationEvent],
    ],
    [
      'when version 0.1 recorded that a node showed its failure',
      [...ONE, sending(1), { ...failed(false), code: 'payment_failed' } as OperationEvent],
    ],
    ['when its transaction is dead', [...ONE, sending(1), failed(true), { step: 'dead', hash: 'h1' }]],
    ['when both parts landed and its end is recorded', [...TWO, sending(1), landed(1), sending(2), landed(2), SETTLED]],
    ['when the user superseded it', [...ONE, sending(1), { step: 'superseded', hash: 'h1' }]],
  ])('%s', async (_, events) => {
    expect(await openOf(events)).toBeUndefined();
  });

  it('for another service', async () => {
    const { io } = await begin([...ONE, sending(1)], INTENT, 'https://other.example');
    expect(await openYields(io, SERVICE, isSameText)).toEqual([]);
  });
});

describe('a yield operation is open', () => {
  it.each<readonly [string, readonly OperationEvent[], string, string]>([
    ['while its transaction is in flight', [...ONE, sending(1)], 'sent', 'h1'],
    ['when the answer was lost', [...ONE, sending(1), failed(true)], 'sent', 'h1'],
    ['when the service refused its transaction', [...ONE, sending(1), failed(false)], 'sent', 'h1'],
    [
      'when the service refused the second of two transactions',
      [...TWO, sending(1), landed(1), sending(2), failed(false)],
      'sent',
      'h2',
    ],
    [
      'when the service answered "expired" and no node showed that the transaction is dead',
      [...ONE, sending(1), failed(false, 'solana_blockhash_expired')],
      'sent',
      'h1',
    ],
    ['when its transaction landed and its end is not recorded', [...ONE, sending(1), landed(1)], 'untold', 'h1'],
    ['when only the first of two transactions landed', [...TWO, sending(1), landed(1)], 'half', 'h1'],
    [
      'when the second of two transactions never left this machine',
      [...TWO, sending(1), landed(1), sending(2), unsent(2)],
      'half',
      'h1',
    ],
    ['while the second of two transactions is in flight', [...TWO, sending(1), landed(1), sending(2)], 'sent', 'h2'],
    [
      'when the answer was lost and the second sending was refused',
      [...ONE, sending(1), failed(true), sending(1), failed(false)],
      'sent',
      'h1',
    ],
    [
      'when the second of two transactions is dead',
      [...TWO, sending(1), landed(1), sending(2), failed(true), { step: 'dead', hash: 'h2' }],
      'half',
      'h1',
    ],
    [
      'while a transaction that replaces a dead one is in flight',
      [...ONE, sending(1), failed(false), { step: 'dead', hash: 'h1' }, signed(1, 'new'), sending(1, 'new')],
      'sent',
      'new',
    ],
  ])('%s', async (_, events, kind, hash) => {
    expect(await openOf(events)).toEqual({ kind, hash, bytes: `bytes of ${hash}` });
  });
});

it('an intent equals its copy from the disk, which omits undefined fields', () => {
  const deposit: YieldIntent = { ...INTENT, operation: 'deposit', provider_out: undefined };
  expect(isSameIntent(JSON.parse(JSON.stringify(deposit)), deposit)).toBe(true);
  expect(isSameIntent(JSON.parse(JSON.stringify(deposit)), { ...deposit, amount: '6' })).toBe(false);
});

it('an event recorded after a crash is not joined to the half line before it', async () => {
  const { io, operation } = await begin([...ONE, sending(1)]);
  await appendFile(join(journalFolder(io), `${operation.id}.ndjson`), '{"v":1,"step":"lan');
  expect(await openYields(io, SERVICE, isSameText)).toHaveLength(1);
  const again = await reopenOperation(io, operation.id);
  await again.operation.record({ step: 'superseded', hash: 'h1' });
  await again.operation.close();
  expect(await openYields(io, SERVICE, isSameText)).toEqual([]);
});

describe('the supersession of an operation', () => {
  const read = async () => {
    const { io, operation } = await begin(ONE);
    return { io, state: (await readState(io, operation.id)) as OperationState };
  };

  it('succeeds when nothing was added since the operation was read', async () => {
    const { io, state } = await read();
    await supersede(io, state, 'h1');
    expect((await readState(io, state.id))?.status).toBe('superseded');
  });

  it.each<readonly [string, OperationEvent]>([
    ['sent', sending(1)],
    ['ended', SETTLED],
  ])('fails as not_final and changes nothing when another process has %s the operation meanwhile', async (_, event) => {
    const { io, state } = await read();
    await recordLater(io, state.id, event);
    const changed = await readState(io, state.id);
    await expect(supersede(io, state)).rejects.toMatchObject({
      code: 'not_final',
      message: `the operation ${state.id} has changed since it was read`,
      details: { next: { argv: ['bursar', 'yield', 'show', state.id] } },
    });
    expect(await readState(io, state.id)).toEqual(changed);
  });
});
