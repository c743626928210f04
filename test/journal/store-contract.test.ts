import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { recordLater, supersede } from '../../src/journal/amend.ts';
import { findEarlier, findUnsent } from '../../src/journal/earlier.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { forgetOperations } from '../../src/journal/forget.ts';
import { readInputs } from '../../src/journal/inputs.ts';
import { nameKey, paymentKey, reviewedKey, walletKey } from '../../src/journal/keys.ts';
import { candidates, isJournalEmpty, openStates, statesSince, statesUnder } from '../../src/journal/look-up.ts';
import { storeOf } from '../../src/journal/open-store.ts';
import { beginOperation, claimOperation, cleanUpJournal, reopenOperation } from '../../src/journal/operation.ts';
import type { OperationState } from '../../src/journal/operation-state.ts';
import { allStates } from '../../src/journal/overview.ts';
import { payerMark } from '../../src/journal/payer-mark.ts';
import { followReserved } from '../../src/journal/reserved.ts';
import { readState } from '../../src/journal/states.ts';
import { temporaryFolder } from '../support/io.ts';
import { startPgProxy } from '../support/pg-proxy.ts';
import { canRunPostgres, newDatabase } from '../support/postgres.ts';
import { journalIo, type PostgresJournal, postgresJournal } from '../support/test-journal.ts';

/** Two processes that share a journal: of one home, or of two homes with one database. */
type Pair = { readonly one: Io; readonly other: Io; readonly journal?: PostgresJournal };

const canRun = canRunPostgres('the journal in PostgreSQL');

const STORES: Readonly<Record<string, () => Promise<Pair>>> = {
  'a folder': async () => {
    const one = journalIo(await temporaryFolder());
    return { one, other: { ...one, places: { ...one.places } } };
  },
  ...(canRun && {
    PostgreSQL: async () => {
      const homes = [await temporaryFolder(), await temporaryFolder()] as const;
      const journal = await postgresJournal(homes[0]);
      await journal.join(homes[1]);
      return { one: journalIo(homes[0], journal.env), other: journalIo(homes[1], journal.env), journal };
    },
  }),
};

const DEPLOYMENT = { kind: 'live', baseUrl: 'https://pay.example' } as const;
const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0xAA' },
  receivers: [{ wallet: '0x1', percent: '100' }],
};
const COUNTED = { wallet: '0xAA', kind: 'live' } as const;

const reviewed = (n: string): OperationEvent => ({
  ...{ step: 'reviewed', verdict: 'pass', digest: `d${n}`, allowed: [], from: '0xAA', kind: 'live' },
  moves: [{ token: 'USDT', amount: '10' }],
});
const registered = (n: string): OperationEvent => ({ step: 'registered', payment_id: `pay_${n}` });
const signed = (n: string): readonly OperationEvent[] => [
  registered(n),
  reviewed(n),
  { step: 'signed', part: 1, payment_id: `pay_${n}`, signed_transaction: `0x${n}`, hash: `0xf${n}`, from: '0xAA' },
];
const sent = (n: string): readonly OperationEvent[] => [
  ...signed(n),
  { step: 'sending', part: 1, via: 'service', payment_id: `pay_${n}`, hash: `0xf${n}` },
];
const ended = (n: string): readonly OperationEvent[] => [
  ...sent(n),
  { step: 'executed', payment_id: `pay_${n}`, status: 'payment_received', hash: `0xf${n}` },
  { step: 'ended', payment_id: `pay_${n}`, status: 'success', tid_hash: `0xf${n}` },
];

const begin = (io: Io, key: string | undefined, more: object = {}) =>
  beginOperation(io, { profile: 'main', ...DEPLOYMENT, intent: INTENT, intent_key: key, ...more });

const make = async (
  io: Io,
  key: string | undefined,
  events: readonly OperationEvent[] = [],
  more: object = {},
): Promise<string> => {
  const operation = await begin(io, key, more);
  for (const event of events) await operation.record(event);
  await operation.close();
  return operation.id;
};

const namesOf = (states: Iterable<OperationState>) => Array.from(states, ({ started }) => started.intent_key);

const all = async (states: AsyncIterable<OperationState>): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  for await (const state of states) found.push(state);
  return found;
};

/** A state without its times: the journal may date an entry by another clock than its writer. */
const withoutTimes = (state: OperationState | undefined): unknown =>
  JSON.parse(JSON.stringify(state), (name, value) => (/(?:^|_)at$|At$/.test(name) ? undefined : value));

describe.each(Object.entries(STORES))('a journal in %s', (kind, open) => {
  it('shows another process each operation as it was recorded', async () => {
    const { one, other } = await open();
    const operation = await begin(one, 'a');
    for (const event of sent('a')) await operation.record(event);
    const state = await readState(other, operation.id);
    expect(withoutTimes(state)).toEqual(withoutTimes(operation.state()));
    await operation.close();
    expect(state?.signed).toMatchObject([{ signed_transaction: '0xa', sent: 'maybe' }]);
  });

  it('lets one process at a time write an operation, a name and a wallet', async () => {
    const { one, other } = await open();
    const operation = await begin(one, 'a');
    await expect(claimOperation(other, operation.id)).rejects.toMatchObject({
      code: 'not_final',
      message: `process ${process.pid} is working on the operation ${operation.id}`,
    });
    await expect(recordLater(other, operation.id, registered('a'))).rejects.toMatchObject({ code: 'not_final' });
    await operation.close();
    await recordLater(other, operation.id, registered('a'));
    for (const of of ['intent', 'wallet'] as const) {
      const stores = [await storeOf(one), await storeOf(other)] as const;
      const claiming = await stores[0].claim({ of, name: 'x' }, 0);
      if (!('claim' in claiming)) throw new Error('it was free');
      expect(await claiming.claim.isHeld()).toBe(true);
      expect(await stores[1].claim({ of, name: 'x' }, 0)).toMatchObject({
        holder: { process: { pid: process.pid }, isRunningHere: true },
      });
      expect(await stores[1].claim({ of, name: 'y' }, 0)).toHaveProperty('claim');
      await claiming.claim.release();
      expect(await stores[1].claim({ of, name: 'x' }, 0)).toHaveProperty('claim');
    }
  });

  it('waits for a claim that is released in time', async () => {
    const { one, other } = await open();
    const operation = await begin(one, 'a');
    const claiming = (await storeOf(other)).claim({ of: 'operation', name: operation.id }, 10_000);
    await operation.close();
    expect(await claiming).toHaveProperty('claim');
  });

  it('finds the same operations in the same order', async () => {
    const { one, other } = await open();
    expect(await isJournalEmpty(other)).toBe(true);
    await make(one, 'ended', ended('1'));
    await make(other, 'sent', sent('2'));
    await make(one, 'signed', signed('3'));
    await make(other, 'started');
    await make(one, 'again', ended('1'));
    const start = Date.now() - 3_600_000;
    for (const io of [one, other]) {
      const found = {
        named: (await candidates(io, [nameKey('ended')])).map(({ hasEnded }) => hasEnded),
        payment: namesOf(await all(statesUnder(io, [paymentKey('pay_1'), paymentKey('pay_2')]))),
        wallet: namesOf(await all(statesUnder(io, [walletKey('0xAA', 'polygon')]))),
        none: await candidates(io, [nameKey('other')]),
        open: namesOf(await openStates(io)),
        openOfWallet: namesOf(await openStates(io, undefined, walletKey('0xAA'))),
        since: namesOf(await statesSince(io, start)),
        sinceOfWallet: namesOf(await statesSince(io, start, reviewedKey('0xAA'))),
        all: namesOf(await all(allStates(io))),
        isEmpty: await isJournalEmpty(io),
      };
      expect(found).toEqual({
        named: [true],
        payment: ['again', 'sent', 'ended'],
        wallet: ['again', 'sent', 'ended'],
        none: [],
        open: ['started', 'signed', 'sent'],
        openOfWallet: ['sent'],
        since: ['again', 'started', 'signed', 'sent', 'ended'],
        sinceOfWallet: kind === 'a folder' ? expect.any(Array) : ['again', 'signed', 'sent', 'ended'],
        all: ['again', 'started', 'signed', 'sent', 'ended'],
        isEmpty: false,
      });
    }
  });

  it('counts the reservations of a wallet, also of operations that changed or were removed since', async () => {
    const { one, other } = await open();
    await make(one, 'a', sent('1'));
    const since = Date.now() - 3_600_000;
    const feed = await followReserved(other, COUNTED, since);
    const total = new Map<string, number>();
    const take = async () => {
      for (const [id, found] of (await feed.take(other, since)) ?? []) total.set(id, found.length);
      return [...total.values()].reduce((sum, count) => sum + count, 0);
    };
    expect(await take()).toBe(1);
    const id = await make(one, 'b', signed('2'));
    await make(one, 'c');
    expect(await take()).toBe(2);
    await forgetOperations(one, id);
    expect(await take()).toBe(1);
    feed.stop();
  });

  it('finds an earlier operation of the same name or meaning, and those that were not sent', async () => {
    const { one, other } = await open();
    const named = await make(one, 'rent', sent('1'));
    const unnamed = await make(one, undefined, signed('2'));
    const wanted = { deployment: DEPLOYMENT, intent: INTENT };
    for (const io of [one, other]) {
      expect((await findEarlier(io, { ...wanted, key: 'rent' }))?.id).toBe(named);
      expect(await findEarlier(io, { ...wanted, key: 'food' })).toBeUndefined();
      expect((await findEarlier(io, { ...wanted, key: undefined }))?.id).toBe(named);
      expect((await findUnsent(io, { ...wanted, key: undefined })).map(({ id }) => id)).toEqual([unnamed]);
    }
  });

  it('removes an operation for both processes', async () => {
    const { one, other } = await open();
    const id = await make(one, 'rent', signed('1'), { inputs: { body: { payer_email: 'a@b.example' } } });
    await forgetOperations(other, id);
    for (const io of [one, other]) {
      expect(await readState(io, id)).toBeUndefined();
      expect(await readInputs(io, id)).toBeUndefined();
      expect(await openStates(io)).toEqual([]);
      expect(await candidates(io, [nameKey('rent')])).toEqual([]);
    }
    await expect(reopenOperation(one, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps inputs until the operation has ended', async () => {
    const { one, other } = await open();
    const inputs = { body: { payer_email: 'a@b.example', amount_from: '10' } };
    const operation = await begin(one, 'a', { inputs: { body: { ...inputs.body, card_data: 'x' } } });
    expect(await readInputs(other, operation.id)).toEqual(inputs);
    for (const event of ended('1')) await operation.record(event);
    await operation.close();
    expect(await readInputs(other, operation.id)).toBeUndefined();
  });

  it('supersedes an operation only as it was read', async () => {
    const { one, other } = await open();
    const id = await make(one, 'a', signed('1'));
    const read = (await readState(one, id)) as OperationState;
    await recordLater(other, id, ...sent('1').slice(-1));
    await expect(supersede(one, read)).rejects.toMatchObject({ code: 'not_final' });
    await supersede(one, (await readState(one, id)) as OperationState);
    expect((await readState(other, id))?.status).toBe('superseded');
    await expect(recordLater(other, id, registered('2'))).rejects.toMatchObject({ code: 'rejected' });
  });

  it('marks a payer equally in each home', async () => {
    const { one, other } = await open();
    const marks = [await payerMark(one, 'Ana@example.com'), await payerMark(other, 'ana@example.com')];
    expect(marks[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(marks[1]).toBe(marks[0]);
    expect(await payerMark(other, 'bob@example.com')).not.toBe(marks[0]);
  });
});

describe.runIf(canRun)('a journal in PostgreSQL', () => {
  const open = async () => {
    const pair = (await STORES['PostgreSQL']?.()) as Required<Pair>;
    return pair;
  };

  it('never lets a name start another operation, unless the first moved nothing', async () => {
    const { one, other } = await open();
    const taken = { code: 'invalid_input', details: { errors: [expect.objectContaining({ field: 'intent' })] } };
    await make(one, 'sent', sent('1'));
    await expect(begin(other, 'sent')).rejects.toMatchObject(taken);
    const id = await make(one, 'forgotten', signed('2'));
    await forgetOperations(one, id);
    await expect(begin(other, 'forgotten')).rejects.toMatchObject(taken);
    const ended = await make(one, 'ended');
    await supersede(one, (await readState(one, ended)) as OperationState);
    await forgetOperations(other, ended);
    await make(other, 'ended');
    await expect(begin(one, 'ended')).rejects.toMatchObject(taken);
    await make(one, 'superseded');
    await supersede(one, (await all(statesUnder(one, [nameKey('superseded')])))[0] as OperationState);
    await make(other, 'superseded');
    await expect(begin(one, 'superseded')).rejects.toMatchObject(taken);
    await make(other, 'sent', [], { baseUrl: 'https://another.example' });
  });

  it('dates each entry by the clock of the server, with the time of the writer beside it', async () => {
    const { one, other } = await open();
    const late = { ...one, clock: { ...one.clock, now: () => one.clock.now() - 86_400_000 } };
    const operation = await begin(late, 'a');
    await operation.close();
    const state = (await readState(other, operation.id)) as OperationState;
    expect(Math.abs(Date.parse(state.started_at) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(String((state.started as { written_at?: string }).written_at))).toBeLessThan(
      Date.now() - 80_000_000,
    );
  });

  it('removes inputs of an operation that never began after an hour', async () => {
    const { one, other, journal } = await open();
    const store = await storeOf(one);
    await store.inputs.write('20260101T000000Z-00000001', '{}');
    await store.inputs.write('20260101T000000Z-00000002', '{}');
    await journal.sql(`UPDATE bursar.inputs SET at = at - interval '2 hours' WHERE operation LIKE '%1'`);
    await cleanUpJournal(other);
    expect(await journal.sql('SELECT operation FROM bursar.inputs')).toEqual([
      { operation: '20260101T000000Z-00000002' },
    ]);
  });

  it('refuses each entry of an owner whose lease was taken, and of one that skips or repeats a number', async () => {
    const { one, other, journal } = await open();
    const operation = await begin(one, 'a');
    await journal.sql(
      `UPDATE bursar.leases SET until = now() - interval '1 hour', quiet_at = now() - interval '1 hour'`,
    );
    const taken = await reopenOperation(other, operation.id);
    await expect(operation.record(registered('late'))).rejects.toMatchObject({ code: 'not_final' });
    await taken.operation.record(registered('1'));
    await taken.operation.close();
    await operation.close();
    const lines = (await journal.lines()).get(operation.id) ?? [];
    expect(lines.map((line) => JSON.parse(line).payment_id)).toEqual([undefined, 'pay_1']);
    const insert = `INSERT INTO bursar.entries (operation, seq, epoch, id, line, mac)
      SELECT operation, $1, $2, gen_random_uuid(), line, mac FROM bursar.entries WHERE seq = 1`;
    await journal.sql(`UPDATE bursar.leases SET owner = 'x', until = now() + interval '1 hour'`);
    const refused = [
      [2, 2],
      [4, 2],
      [3, 1],
      [3, 3],
    ];
    for (const [seq, epoch] of refused)
      await expect(journal.sql(insert, seq, epoch)).rejects.toMatchObject({ code: 'BU001' });
    await journal.sql(insert, 3, 2);
    await expect(journal.sql(`UPDATE bursar.entries SET line = ''`)).rejects.toThrow('an entry never changes');
  });

  it('frees a lease whose release or whose claim lost its answer, for the same process', async () => {
    const home = await temporaryFolder();
    const { server } = await newDatabase();
    const journal = await postgresJournal(home, 3);
    const proxy = await startPgProxy(server.port);
    const store = await storeOf(journalIo(home, { BURSAR_JOURNAL: proxy.through(journal.url) }));
    const subject = { of: 'wallet', name: 'x' } as const;
    const claimed = async () => {
      const claiming = await store.claim(subject, 0);
      if (!('claim' in claiming)) throw new Error('it is held');
      expect(await store.claim(subject, 0)).toMatchObject({ holder: { isRunningHere: true } });
      return claiming.claim;
    };
    const first = await claimed();
    const kept = await store.claim({ ...subject, name: 'kept' }, 0);
    proxy.cut();
    await first.release();
    proxy.set({});
    await (await claimed()).release();
    let isLost = false;
    proxy.set({
      fateOf: (text) => {
        const isFirst = !isLost && text.includes('wallet/');
        isLost ||= isFirst;
        return isFirst ? 'lose answer' : 'pass';
      },
    });
    await expect(store.claim(subject, 0)).rejects.toMatchObject({ code: 'journal_unreachable' });
    const again = await claimed();
    expect('claim' in kept && (await kept.claim.isHeld())).toBe(true);
    expect(await again.isHeld()).toBe(true);
    await again.release();
  });

  it('makes as many statements for a look-up in a journal of any size', async () => {
    const home = await temporaryFolder();
    const { server } = await newDatabase();
    const journal = await postgresJournal(home);
    const proxy = await startPgProxy(server.port);
    let count = 0;
    proxy.set({
      fateOf: (text) => {
        count += text.split('S\0\0\0\x04').length - 1 + Number(text.startsWith('Q'));
        return 'pass';
      },
    });
    const io = journalIo(home, { BURSAR_JOURNAL: proxy.through(journal.url) });
    const counted = async (work: () => Promise<unknown>) => {
      count = 0;
      await work();
      return count;
    };
    const measure = async () => ({
      earlier: await counted(() => findEarlier(io, { deployment: DEPLOYMENT, intent: INTENT, key: 'one' })),
      unsent: await counted(() => findUnsent(io, { deployment: DEPLOYMENT, intent: INTENT, key: undefined })),
      open: await counted(() => openStates(io, undefined, walletKey('0xBB'))),
      empty: await counted(() => isJournalEmpty(io)),
      start: await counted(async () => (await begin(io, undefined, { intent: { ...INTENT, amount: '7' } })).close()),
    });
    await make(io, 'one', sent('1'));
    await measure();
    const few = await measure();
    await journal.sql(`INSERT INTO bursar.operations SELECT 'a' || n, seq, true, false, false, head, changed_at, changed_by
      FROM generate_series(1, 3000) n, (SELECT * FROM bursar.operations LIMIT 1) o`);
    await journal.sql(`INSERT INTO bursar.keys SELECT 'k' || n, 'a' || n FROM generate_series(1, 3000) n`);
    expect(await measure()).toEqual(few);
    expect(few).toMatchObject({ earlier: 3, empty: 1 });
  });
});
