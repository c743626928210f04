import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemFiles } from '../../../src/io/files/files.ts';
import { checkJournalAddress } from '../../../src/journal/postgres/address.ts';
import { connect, type Sql } from '../../../src/journal/postgres/connection.ts';
import {
  EntryRefused,
  type HeldLease,
  type JournalDatabase,
  type NewEntry,
} from '../../../src/journal/postgres/database.ts';
import { SCHEMA, SCHEMA_VERSION } from '../../../src/journal/postgres/schema.ts';
import { readFacts, sqlDatabase } from '../../../src/journal/postgres/sql-database.ts';
import { hashOf, numbersFrom } from '../../simulation/decisions.ts';
import { type JournalServer, newJournalServer, operationLease } from '../../simulation/journal-server.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';

/*
 * The simulation runs on a model of the journal in PostgreSQL. Here the same operations run on both, and every result must be
 * the same, so that PostgreSQL judges the model.
 */

const LEASE_MS = 30_000;
const HOUR_MS = 60 * 60_000;
const STEPS = 300;

const OPERATIONS = ['20260101T000001Z-00aaaaaa', '20260101T000002Z-00bbbbbb', '20260101T000003Z-00cccccc'] as const;
/** An operation that never begins. */
const NEVER = '20260101T000004Z-00dddddd';
const SUBJECTS = [...OPERATIONS.map(operationLease), 'intent/one', 'wallet/one'];
const OWNERS = ['alpha', 'beta', 'gamma'];
const KEYS = ['k1', 'k2', 'k3'];
const NAMES = ['n1', 'n2'];

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random };

type Both = { readonly sql: Sql; readonly url: string; readonly real: JournalDatabase; readonly model: JournalServer };

const openBoth = async (): Promise<Both> => {
  const { url } = await newDatabase();
  const { sql } = await connect({ random, files: systemFiles }, checkJournalAddress(url, 'test'));
  const insert = 'INSERT INTO bursar.journal (version, id, key_check, lease_ms) VALUES ($1, $2, $3, $4)';
  await sql.transaction([[SCHEMA], [insert, [SCHEMA_VERSION, 'c0ffee5eed01', 'check', LEASE_MS]]]);
  const facts = await readFacts(sql, 'test', []);
  if (facts === undefined) throw new Error('the database has no journal');
  return { sql, url, real: sqlDatabase(sql, 'test', facts), model: newJournalServer(Date.now, facts) };
};

/** Times of two clocks that were read one after the other are equal within some seconds. */
const CLOSE_MS = 5_000;

const isTime = (name: string): boolean => ['waitMs', 'leftMs', 'at'].includes(name);

/** The result, or the reason of a refusal. */
const outcomeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntryRefused) return { refused: error.reason };
    throw error;
  }
};

/** A result without its times, which follow it in order. */
const comparable = (result: unknown): { readonly text: string; readonly times: readonly number[] } => {
  const times: number[] = [];
  const text = JSON.stringify(result instanceof Map ? [...result] : (result ?? null), (name, value: unknown) => {
    if (!isTime(name)) return value;
    times.push(Number(value));
    return 'time';
  });
  return { text, times };
};

const expectSame = (step: string, real: unknown, model: unknown): void => {
  const [one, other] = [comparable(real), comparable(model)];
  expect(one.text, step).toBe(other.text);
  for (const [at, time] of one.times.entries()) {
    const difference = Math.abs(time - (other.times[at] ?? Number.NaN));
    expect(difference, `${step}: ${one.times} ${other.times}`).toBeLessThan(CLOSE_MS);
  }
};

/** Draws operations and runs each on both. */
const runSteps = async ({ sql, real, model }: Both, seed: number, count: number): Promise<Set<string>> => {
  const next = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const leases: HeldLease[] = [];
  const entries: Pick<NewEntry, 'operation' | 'id'>[] = [];
  const marks: (readonly [string, string])[] = [];
  const seen = new Set<string>();
  const { statements } = model;
  const idFor = (step: number): string => `00000000-0000-4000-8000-${String(seed * 10_000 + step).padStart(12, '0')}`;
  const leaseOf = (subject: string): HeldLease =>
    leases.findLast((each) => each.subject === subject && next() < 0.8) ?? { subject, epoch: 1 };
  const newEntry = (step: number): NewEntry => {
    const operation = pick(OPERATIONS);
    const lines = model.lines().find(([id]) => id === operation)?.[1].length ?? 0;
    const keys = KEYS.filter(() => next() < 0.4);
    const entry = { operation, seq: lines + (next() < 0.85 ? 1 : pick([0, 2])), id: idFor(step) };
    entries.push(entry);
    return {
      ...entry,
      ...{
        epoch: leaseOf(operationLease(operation)).epoch,
        line: `{"v":2,"step":"${step}"}`,
        mac: `mac ${step}`,
        keys,
      },
      ...{ head: keys.join(' '), hasEnded: next() < 0.3, movedNothing: next() < 0.4 },
      name: lines === 0 && next() < 0.6 ? pick(NAMES) : undefined,
      under: next() < 0.3 ? [leaseOf('intent/one')] : [],
    };
  };
  const key = (): string | undefined => (next() < 0.5 ? pick(KEYS) : undefined);
  const both = async <T>(step: string, work: (on: Pick<JournalDatabase, keyof typeof statements>) => T) => {
    const inModel = { ...statements } as unknown as JournalDatabase;
    const results = [await outcomeOf(() => work(real)), await outcomeOf(() => work(inModel))] as const;
    expectSame(step, ...results);
    return results;
  };
  const kinds: Readonly<Record<string, (step: number, name: string) => Promise<unknown>>> = {
    take: async (_, name) => {
      const subject = pick(SUBJECTS);
      const dead = next() < 0.3 ? pick(OWNERS) : undefined;
      const taking = { subject, owner: pick(OWNERS), dead };
      const [taken] = await both(name, (on) => on.take(taking));
      const { epoch } = taken as { readonly epoch?: number };
      if (epoch !== undefined) leases.push({ subject, epoch });
    },
    expire: async () => {
      const subject = pick(SUBJECTS);
      await sql.query("UPDATE bursar.leases SET until = clock_timestamp() - interval '1 s' WHERE subject = $1", [
        subject,
      ]);
      model.expire(subject);
    },
    renew: (_, name) => {
      const owner = pick(OWNERS);
      const sorted = (held: readonly HeldLease[]) => held.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
      const subjects = SUBJECTS.filter(() => next() < 0.7);
      return both(name, async (on) => sorted(await on.renew(owner, subjects)));
    },
    release: (_, name) => {
      const lease = leaseOf(pick(SUBJECTS));
      return both(name, (on) => on.release(lease));
    },
    append: (step, name) => {
      const entry = newEntry(step);
      return both(`${name} ${JSON.stringify(entry)}`, (on) => on.append(entry));
    },
    appendChecked: async (step, name) => {
      const [first, isRefused] = [newEntry(step), next() < 0.3];
      const added = [first, { ...first, seq: first.seq + 1, id: idFor(step + STEPS), name: undefined }];
      const check = (): void => {
        if (isRefused) throw new EntryRefused('name_taken');
      };
      const one = await outcomeOf(() => real.appendChecked(added, 'a lock', async () => check()));
      const other = await outcomeOf(() => {
        const open = model.beginAppend(...added);
        try {
          check();
        } catch (error) {
          open.rollBack();
          throw error;
        }
        open.commit();
      });
      expectSame(name, one, other);
    },
    hasEntry: (_, name) => {
      const entry = entries.length > 0 ? pick(entries) : { operation: OPERATIONS[0], id: idFor(0) };
      return both(name, (on) => on.hasEntry(entry));
    },
    missingOf: (_, name) => {
      const some = [...entries.slice(-3), { operation: pick(OPERATIONS), id: idFor(0) }];
      return both(name, (on) => on.missingOf(some));
    },
    newest: (_, name) => both(name, async (on) => (await on.newest())?.id),
    read: (_, name) => {
      const some = OPERATIONS.filter(() => next() < 0.6);
      return both(name, (on) => on.read(some));
    },
    list: (_, name) => both(name, (on) => on.list()),
    under: (_, name) => {
      const some = KEYS.filter(() => next() < 0.5);
      const before = next() < 0.5 ? undefined : pick(OPERATIONS);
      const most = 1 + Math.floor(next() * 3);
      return both(name, (on) => on.under(some, { before, most }));
    },
    open: (_, name) => {
      const of = key();
      return both(name, (on) => on.open(of));
    },
    since: (_, name) => {
      const [time, of] = [Date.now() + pick([-HOUR_MS, HOUR_MS]), key()];
      return both(name, (on) => on.since(time, of));
    },
    changedSince: async (_, name) => {
      const [mark, of] = [next() < 0.8 && marks.length > 0 ? pick(marks) : undefined, key()];
      const [one, other] = [await real.changedSince(mark?.[0], of), statements.changedSince(mark?.[1], of)];
      marks.push([one.mark, other.mark]);
      expectSame(name, one.ids.toSorted(), other.ids.toSorted());
    },
    isEmpty: (_, name) => both(name, (on) => on.isEmpty()),
    readInputs: (_, name) => {
      const operation = pick([...OPERATIONS, NEVER, NEVER]);
      return both(name, (on) => on.readInputs(operation));
    },
    writeInputs: (step, name) => {
      const operation = pick([...OPERATIONS, NEVER]);
      return both(name, (on) => on.writeInputs(operation, `sealed ${step}`));
    },
    removeInputs: (_, name) => {
      const operation = pick(OPERATIONS);
      return both(name, (on) => on.removeInputs(operation));
    },
    ageInputs: async () => {
      await sql.query("UPDATE bursar.inputs SET at = at - interval '2 hours'");
      model.ageInputs(2 * HOUR_MS);
    },
    removeOldInputs: (_, name) => both(name, (on) => on.removeOldInputs()),
    remove: (_, name) => {
      const operation = pick(OPERATIONS);
      const lease = leaseOf(operationLease(operation));
      return both(name, (on) => on.remove(operation, lease));
    },
  };
  const often = ['take', 'take', 'append', 'append', 'append', 'append', 'append', 'append', 'expire', 'release'];
  const rare = ['remove', 'remove', 'ageInputs'];
  const names = Object.keys(kinds).filter((name) => !rare.includes(name));
  for (let step = 1; step <= count; step += 1) {
    const kind = next() < 0.04 ? pick(rare) : next() < 0.5 ? pick(often) : pick(names);
    seen.add(kind);
    const outcome = await kinds[kind]?.(step, `seed ${seed}, step ${step}: ${kind}`);
    const { refused } = ((outcome as readonly unknown[] | undefined)?.[0] ?? {}) as { readonly refused?: string };
    if (kind === 'append') seen.add(refused ?? 'written');
  }
  return seen;
};

describe.runIf(canRunPostgres('the model of the shared journal'))('the model of the journal in PostgreSQL', () => {
  let both: Both;
  beforeAll(async () => {
    both = await openBoth();
  }, 60_000);
  afterAll(() => both.sql.end());

  it.each([1, 2, 3])(
    'returns what PostgreSQL returns, over random operations of seed %i',
    async (seed) => {
      const own = await openBoth();
      try {
        const seen = await runSteps(own, hashOf(`model ${seed}`) % 1_000, STEPS);
        expect([...seen]).toEqual(expect.arrayContaining(['written', 'stale', 'remove', 'changedSince']));
      } finally {
        await own.sql.end();
      }
    },
    60_000,
  );

  it('gives a mark below a transaction that is still open, and waits for it before it denies its entry', async () => {
    const { url, real, model } = both;
    const [operation] = OPERATIONS;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const query: Sql['query'] = async (text, values = []) => (await client.query(text, [...values])).rows;
    const none = async (): Promise<void> => undefined;
    const transaction = sqlDatabase({ query, transaction: none, locked: none, end: none }, 'test', await real.facts());
    try {
      const taking = { subject: operationLease(operation), owner: 'alpha' };
      expectSame('take', await real.take(taking), model.statements.take(taking));
      const entry: NewEntry = {
        ...{ operation, seq: 1, epoch: 1, id: '00000000-0000-4000-8000-00000000000f', line: '{}', mac: '', keys: [] },
        ...{ head: '', hasEnded: false, movedNothing: false, under: [] },
      };
      await client.query('BEGIN');
      await transaction.append(entry);
      const open = model.beginAppend(entry);
      const [one, other] = [await real.changedSince(), model.statements.changedSince()];
      expectSame('nobody sees it', await real.list(), model.statements.list());
      const answered: boolean[] = [];
      const looking = real.hasEntry(entry).then((isThere) => answered.push(isThere));
      await real.now();
      expect(answered).toEqual([]);
      await client.query('COMMIT');
      open.commit();
      await looking;
      expectSame('hasEntry', answered[0], model.statements.hasEntry(entry));
      const changes = [(await real.changedSince(one.mark)).ids, model.statements.changedSince(other.mark).ids];
      expect(changes).toEqual([[operation], [operation]]);
    } finally {
      await client.end();
    }
  }, 60_000);
});
