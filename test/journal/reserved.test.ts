import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder } from '../../src/journal/file-store.ts';
import type { Intent } from '../../src/journal/intents.ts';
import { beginOperation } from '../../src/journal/operation.ts';
import { ANNA, PAYER } from '../chain/evm/given.ts';
import { testIo } from '../support/io.ts';
import { reservedSince } from '../support/reserved.ts';

const INTENT: Intent = {
  amount: '7',
  currency: 'USDT',
  chain: 'polygon',
  token: 'USDT',
  receivers: [{ wallet: ANNA, percent: '100' }],
  payer: PAYER,
};
const OWNER = { profile: 'acme', baseUrl: 'https://acme.example' };
const COUNTED = { services: [OWNER] };
const DAY_MS = 24 * 60 * 60 * 1000;

const reviewed = (digest: string, amount = '5'): OperationEvent => ({
  step: 'reviewed',
  verdict: 'pass',
  digest,
  allowed: [],
  moves: [{ token: 'USDT', amount }],
});
const signed = (hash: string): OperationEvent => ({
  step: 'signed',
  part: 1,
  payment_id: 'p',
  signed_transaction: '0x',
  hash,
  from: PAYER,
});
const part = (n: number, hash: string): OperationEvent => ({
  step: 'signed',
  part: n,
  signed_transaction: 'x',
  hash,
  from: 'w',
});
const executing = (hash: string): OperationEvent => ({
  step: 'sending',
  part: 1,
  via: 'service',
  payment_id: 'p',
  hash,
});
const broadcasting = (n: number, hash: string): OperationEvent => ({
  step: 'sending',
  part: n,
  hash,
  via: 'service',
});
const failed = (is_unknown: boolean): OperationEvent => ({
  step: 'failed',
  code: 'rejected',
  status: undefined,
  is_unknown,
});
const unsent = (hash: string): OperationEvent => ({
  ...{ step: 'failed', code: 'unavailable', status: undefined, is_unknown: false, hash, unsent: true },
});
const refused: OperationEvent = { step: 'refused', payment_id: 'p', message: 'no', checks: [] };

const journal = async (io: Io, events: readonly OperationEvent[], intent: Intent = INTENT, owner = OWNER) => {
  const operation = await beginOperation(io, { ...owner, kind: 'live', intent });
  for (const event of events) await operation.record(event);
  return operation.id;
};
/** Another process with the same journal: it reads from the disk what this one has claimed. */
const otherProcess = (io: Io): Io => ({ ...io, places: { ...io.places } });
const counted = async (io: Io, since = Date.now() - DAY_MS) =>
  (await reservedSince(io, COUNTED, since)).map(({ digest, state }) => `${digest} ${state}`);

describe('the amounts that count towards a daily limit', () => {
  const CASES: readonly (readonly [string, readonly OperationEvent[], readonly string[]])[] = [
    ['a passed review without a signature', [reviewed('a')], ['a reviewed']],
    ['a refused review', [reviewed('a'), refused], []],
    ['a signed transaction that was not sent', [reviewed('a'), signed('h')], ['a signed']],
    ['a transaction in flight', [reviewed('a'), signed('h'), executing('h')], ['a sending']],
    ['a transaction that never left this machine', [reviewed('a'), signed('h'), executing('h'), unsent('h')], []],
    ['a transaction that the service refused', [reviewed('a'), signed('h'), executing('h'), failed(false)], ['a gone']],
    ['a transaction whose answer was lost', [reviewed('a'), signed('h'), executing('h'), failed(true)], ['a gone']],
    [
      'a transaction that was in flight when its process died, and is refused the second time',
      [reviewed('a'), signed('h'), executing('h'), executing('h'), failed(false)],
      ['a gone'],
    ],
    [
      'a transaction that was not sent the first time, and is in flight now',
      [reviewed('a'), signed('h'), executing('h'), unsent('h'), executing('h')],
      ['a sending'],
    ],
    [
      'a transaction that was not sent the first time, and was accepted the second time',
      [
        ...[reviewed('a'), signed('h'), executing('h'), unsent('h'), executing('h')],
        { step: 'executed', payment_id: 'p', status: 's', hash: 'h' },
      ],
      ['a taken'],
    ],
    [
      'an accepted transaction',
      [reviewed('a'), signed('h'), executing('h'), { step: 'executed', payment_id: 'p', status: 's', hash: 'h' }],
      ['a taken'],
    ],
    [
      'a transaction whose first answer was lost, and that is refused the second time',
      [reviewed('a'), signed('h'), executing('h'), failed(true), executing('h'), failed(false)],
      ['a gone'],
    ],
    [
      'a review after an earlier failure',
      [{ step: 'creating', payment_id: 'p' }, failed(false), reviewed('a')],
      ['a reviewed'],
    ],
    [
      'two parts, the second in flight after the first landed',
      [
        reviewed('a'),
        reviewed('b'),
        part(1, 'g'),
        part(2, 'h'),
        broadcasting(1, 'g'),
        { step: 'landed', part: 1, hash: 'g' },
        broadcasting(2, 'h'),
      ],
      ['a taken', 'b sending'],
    ],
    [
      'two parts, the second refused',
      [
        reviewed('a'),
        reviewed('b'),
        part(1, 'g'),
        part(2, 'h'),
        broadcasting(1, 'g'),
        { step: 'landed', part: 1, hash: 'g' },
        broadcasting(2, 'h'),
        failed(false),
      ],
      ['a taken', 'b gone'],
    ],
    [
      'a transaction that replaces a dead one',
      [
        reviewed('a'),
        part(1, 'g'),
        broadcasting(1, 'g'),
        failed(true),
        { step: 'dead', hash: 'g' },
        reviewed('b'),
        part(1, 'h'),
      ],
      ['b signed'],
    ],
  ];

  it.each(CASES.map(([subject, events, digests]) => [subject, digests, events] as const))(
    'of %s are %j',
    async (_, digests, events) => {
      const { io } = await testIo();
      await journal(io, events);
      expect(await counted(io)).toEqual(digests);
    },
  );

  it('count the same bytes once, and only those of this profile at this service address', async () => {
    const { io } = await testIo();
    await journal(io, [reviewed('a'), signed('h'), executing('h')]);
    await journal(io, [reviewed('a')]);
    await journal(io, [reviewed('b')], INTENT, { ...OWNER, profile: 'other' });
    await journal(io, [reviewed('c')], INTENT, { ...OWNER, baseUrl: 'https://other.example' });
    expect(await counted(io)).toEqual(['a sending']);
  });

  it('of a wallet include all profiles, apart for real chains and those of the sandbox', async () => {
    const { io } = await testIo();
    const by = (digest: string, kind: 'live' | 'sandbox', from = PAYER) => ({ ...reviewed(digest), from, kind });
    await journal(io, [by('a', 'live')]);
    await journal(io, [by('b', 'live', PAYER.toLowerCase())], INTENT, { ...OWNER, profile: 'other' });
    await journal(io, [by('c', 'sandbox'), by('d', 'live', ANNA)]);
    const digestsOf = async (kind: 'live' | 'sandbox') =>
      (await reservedSince(io, { wallet: PAYER, kind }, Date.now() - DAY_MS)).map(({ digest }) => digest).toSorted();
    expect([await digestsOf('live'), await digestsOf('sandbox')]).toEqual([['a', 'b'], ['c']]);
  });

  it('are those of the request when an older version recorded a review without amounts', async () => {
    const { io } = await testIo();
    const old = (digest: string) =>
      ({ step: 'reviewed', verdict: 'pass', digest, allowed: [] }) as unknown as OperationEvent;
    const yielding = { asset: 'USDC', amount: '9', chain: 'solana', wallet: 'w', provider_in: 'a', provider_out: 'b' };
    await journal(io, [old('a')]);
    await journal(io, [old('b')], { operation: 'deposit', ...yielding });
    await journal(io, [old('c')], { operation: 'withdraw', ...yielding });
    const found = await reservedSince(otherProcess(io), COUNTED, Date.now() - DAY_MS);
    expect(
      found.map(({ digest, moves }) => [digest, ...moves.map(({ token, amount }) => `${amount} ${token}`)]).toSorted(),
    ).toEqual([['a', '7 USDT'], ['b', '9 USDC'], ['c']]);
  });

  it('exclude a review of exactly the start of the window, and include one a millisecond later', async () => {
    const start = Date.now() - DAY_MS;
    for (const [age, found] of [
      [0, []],
      [1, ['a reviewed']],
    ] as const) {
      const { io } = await testIo();
      await journal({ ...io, clock: { ...io.clock, now: () => start + age } }, [reviewed('a')]);
      expect(await counted(io, start)).toEqual(found);
    }
  });

  it('include an operation that started long ago when its review is recent', async () => {
    const { io } = await testIo();
    const old = { ...io, clock: { ...io.clock, now: () => Date.now() - 9 * DAY_MS } };
    const operation = await beginOperation(old, { ...OWNER, kind: 'live', intent: INTENT });
    const path = join(journalFolder(io), `${operation.id}.ndjson`);
    const line = { v: 1, at: new Date().toISOString(), movement: operation.id, ...reviewed('a') };
    await io.files.appendDurably(path, `${JSON.stringify(line)}\n`);
    expect(await counted(otherProcess(io))).toEqual(['a reviewed']);
  });

  it('fail for a damaged journal file, unless nothing was written to the file for days', async () => {
    const { io } = await testIo();
    await journal(io, [reviewed('a')]);
    const damaged = join(journalFolder(io), '20200101T000000Z-00000000.ndjson');
    await writeFile(damaged, 'no journal\n{}\n');
    await expect(counted(io)).rejects.toMatchObject({ code: 'journal_damaged' });
    const old = new Date(Date.now() - 3 * DAY_MS);
    await utimes(damaged, old, old);
    expect(await counted(io)).toEqual(['a reviewed']);
  });

  it('count from the last sending, when a resume sends bytes days after their review', async () => {
    const { io } = await testIo();
    const events = [reviewed('a'), signed('h'), executing('h'), failed(true), executing('h')];
    const path = join(journalFolder(io), `${await journal(io, events)}.ndjson`);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const old = new Date(Date.now() - 3 * DAY_MS).toISOString();
    const sentAgain = lines.map((line, at) =>
      at < lines.length - 1 ? JSON.stringify({ ...JSON.parse(line), at: old }) : line,
    );
    await writeFile(path, `${sentAgain.join('\n')}\n`);
    expect(await counted(otherProcess(io))).toEqual(['a gone']);
    await writeFile(path, `${sentAgain.slice(0, -1).join('\n')}\n`);
    expect(await counted(otherProcess(io))).toEqual([]);
  });

  it('count whatever their age while their call has no result, and a day from the result', async () => {
    const calling = [reviewed('a'), signed('h'), executing('h')];
    const countedWith = async (events: readonly OperationEvent[], daysOfLast: number) => {
      const { io } = await testIo();
      const path = join(journalFolder(io), `${await journal(io, events)}.ndjson`);
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
      const aged = lines.map((line, at) => {
        const days = at < lines.length - 1 ? 9 : daysOfLast;
        return JSON.stringify({ ...JSON.parse(line), at: daysAgo(days).toISOString() });
      });
      await writeFile(path, `${aged.join('\n')}\n`);
      await utimes(path, daysAgo(daysOfLast), daysAgo(daysOfLast));
      return counted(otherProcess(io));
    };
    const landed: OperationEvent = { step: 'landed', part: 1, hash: 'h' };
    const again = [...calling, failed(true), executing('h')];
    expect(await countedWith(calling, 9)).toEqual(['a sending']);
    expect(await countedWith(again, 9)).toEqual(['a gone']);
    for (const [event, state] of [[failed(true), 'a gone'] as const, [landed, 'a taken'] as const]) {
      expect(await countedWith([...calling, event], 0.5)).toEqual([state]);
      expect(await countedWith([...calling, event], 2)).toEqual([]);
    }
    expect(await countedWith([...again, unsent('h')], 0.5), 'a repeat that sent nothing adds no day').toEqual([]);
  });

  it('count on when the repeat of another part of the same call sent nothing', async () => {
    const { io } = await testIo();
    const both = [reviewed('a'), reviewed('b'), part(1, 'h'), part(2, 'i'), broadcasting(1, 'h'), broadcasting(2, 'i')];
    await journal(io, [...both, broadcasting(1, 'h'), unsent('h')]);
    expect((await counted(io)).toSorted()).toEqual(['a gone', 'b sending']);
  });
});
