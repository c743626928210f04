import { ConnectionLost, type JournalDatabase, type NewEntry } from '../../src/journal/postgres/database.ts';
import { journalKey, keyLine } from '../../src/journal/postgres/journal-key.ts';
import type { Action, Decision } from './decisions.ts';
import { GENESIS_MS } from './evm-chain.ts';
import { type JournalServer, newJournalServer, operationLease, type Statements } from './journal-server.ts';
import { type JournalWatch, newJournalWatch } from './journal-watch.ts';
import type { Kernel, Later, Process } from './kernel.ts';

const TRIP_MS = 0.5;

/** `query_timeout` and `lock_timeout` of `connection.ts`. */
const STATEMENT_MS = 15_000;
const LOCK_MS = 10_000;

/** `idle_in_transaction_session_timeout` of `connection.ts`: the server ends a transaction that nobody continues. */
const IDLE_MS = 10_000;

/** A statement that waits for a lock looks again after this time. */
const LOOK_MS = 20;

/** The longest time after which a statement runs whose connection has broken, and for which the server is away. */
const LATE_MS = 120_000;
const AWAY_MS = 120_000;

const STATEMENT_FAULTS: readonly Action[] = [
  ...(['kill before', 'kill inside', 'stop', 'interrupt', 'delay'] as const),
  ...(['refuse', 'lose request', 'lose answer', 'lose answer', 'late effect', 'late effect', 'away'] as const),
];

const ANSWER_FAULTS: readonly Action[] = ['kill before', 'stop', 'interrupt', 'delay'];

/** Entries and leases are a small part of all calls, and faults at them matter most. */
const WEIGHTS: Readonly<Partial<Record<keyof Statements, number>>> = { append: 8, take: 3, renew: 4, hasEntry: 8 };

/** The server of a journal, with what all of its connections share. */
export type SharedServer = {
  readonly server: JournalServer;
  /** No statement arrives before this time. */
  awayUntil: number;
  /** Subjects whose leases an open transaction has locked, with the time of its end. */
  readonly locked: Map<string, number>;
};

type LinkParts = {
  readonly kernel: Kernel;
  readonly process: Process;
  readonly shared: SharedServer;
  readonly watch: JournalWatch;
  readonly where: string;
};

const stepIn = (line: string): string => /"step":"(\w+)"/.exec(line)?.[1] ?? '';

const kindOf = (subject: string): string => subject.slice(0, subject.indexOf('/'));

/** What an entry writes: another writer of the same waits for an open transaction. */
const writtenBy = ({ operation, name }: Pick<NewEntry, 'operation' | 'name'>): readonly string[] => [
  operationLease(operation),
  ...(name === undefined ? [] : [`name/${name}`]),
];

const subjectsOf = ({ under }: NewEntry): readonly string[] => under.map(({ subject }) => subject);

const lost = (): never => {
  throw new ConnectionLost('the connection is lost');
};

/** The connection of one process to the server of its journal. */
export const journalLink = ({ kernel, process, shared, watch, where }: LinkParts): JournalDatabase => {
  const { server } = shared;
  const { statements } = server;
  const later = (ms: number, result: () => never): Later<() => never> => ({
    later: (settle) => kernel.at(kernel.now() + ms, () => settle(() => result)),
  });
  /** Runs work when no open transaction has locked the subjects. */
  const whenFree = (subjects: () => readonly string[], work: () => void, isAbandoned: () => boolean): void => {
    const until = Math.max(...subjects().map((subject) => shared.locked.get(subject) ?? 0));
    if (isAbandoned()) return;
    if (until <= kernel.now()) work();
    else kernel.at(Math.min(until, kernel.now() + LOOK_MS), () => whenFree(subjects, work, isAbandoned));
  };
  const quietly = (work: () => unknown): void => {
    try {
      work();
    } catch {
      // The statement failed, and nobody reads its answer.
    }
  };
  /** Starts a transaction with entries, which holds its locks until it ends. */
  const openAppend = (entries: readonly NewEntry[], locks: readonly string[]) => {
    const transaction = server.beginAppend(...entries);
    const subjects = [...locks, ...entries.flatMap((entry) => [...writtenBy(entry), ...subjectsOf(entry)])];
    for (const subject of subjects) shared.locked.set(subject, Number.POSITIVE_INFINITY);
    let isOpen = true;
    const ending = (end: () => void) => (): void => {
      if (!isOpen) return;
      isOpen = false;
      for (const subject of subjects) shared.locked.delete(subject);
      end();
    };
    return {
      isOpen: () => isOpen,
      rollBack: ending(transaction.rollBack),
      commit: ending(() => {
        transaction.commit();
        for (const entry of entries) watch.onCommit(process, entry);
      }),
    };
  };
  /** A transaction that has started when its connection breaks, and commits later. */
  const commitLater = (entry: NewEntry, ms: number): void =>
    kernel.at(kernel.now() + ms, openAppend([entry], []).commit);

  /** One statement: it travels, runs when its locks are free, and its answer travels back. */
  const statement = async <T>(
    kind: keyof Statements,
    about: string,
    subjects: () => readonly string[],
    work: () => T,
    entry?: NewEntry,
  ): Promise<T> => {
    const name = `journal ${kind}${about && ` ${about}`}`;
    const lateEffect = ({ size }: Decision): void => {
      const ms = 2 * LATE_MS * (size % 0.5);
      if (entry && size >= 0.5) quietly(() => commitLater(entry, ms));
      else
        kernel.at(kernel.now() + ms, () =>
          whenFree(
            subjects,
            () => quietly(work),
            () => false,
          ),
        );
    };
    /** The result of the statement, as a function that returns or throws it. */
    const arrived = (): (() => T) | Later<() => T> => {
      const end = kernel.now() + LOCK_MS;
      return {
        later: (settle) => {
          let isAbandoned = false;
          const run = (): void => {
            let result: () => T;
            try {
              const value = work();
              result = () => value;
            } catch (error) {
              result = () => {
                throw error;
              };
            }
            isAbandoned = true;
            settle(() => result);
          };
          const giveUp = (): void => {
            if (isAbandoned) return;
            isAbandoned = true;
            settle(() => lost);
          };
          whenFree(subjects, run, () => isAbandoned);
          if (!isAbandoned) kernel.at(end, giveUp);
        },
      };
    };
    const answer = await kernel.call<() => T>(process, {
      name,
      takes: TRIP_MS,
      allowed: STATEMENT_FAULTS,
      weight: WEIGHTS[kind],
      partly: () =>
        whenFree(
          subjects,
          () => quietly(work),
          () => false,
        ),
      perform: (decision) => {
        const action = decision?.action;
        if (action === 'away') shared.awayUntil = kernel.now() + (decision?.size ?? 0) * AWAY_MS;
        if (action === 'refuse' || kernel.now() < shared.awayUntil) return lost;
        if (action === 'lose request') return later(STATEMENT_MS, lost);
        if (decision && action === 'late effect') {
          lateEffect(decision);
          return later(decision.size % 0.1 < 0.05 ? 0 : STATEMENT_MS, lost);
        }
        if (decision && action === 'lose answer') {
          whenFree(
            subjects,
            () => quietly(work),
            () => false,
          );
          // The server may have crashed after its commit.
          if (decision.size % 0.5 > 0.25) shared.awayUntil = kernel.now() + (decision.size % 0.25) * 4 * AWAY_MS;
          return later(decision.size < 0.5 ? 0 : STATEMENT_MS, lost);
        }
        return arrived();
      },
    });
    if (answer === lost) return lost();
    return kernel.call<T>(process, {
      name: `the answer of ${name}`,
      takes: TRIP_MS,
      allowed: ANSWER_FAULTS,
      weight: WEIGHTS[kind],
      perform: (decision) => {
        // A process that was stopped longer than a statement may take finds the answer, or its own timer.
        const isLate = decision?.action === 'stop' && Math.floor(decision.size * 1_000) % 2 === 0;
        return isLate || (decision?.action === 'delay' && decision.size > 0.75) ? lost() : answer();
      },
    });
  };
  const free = (): readonly string[] => [];
  const plain =
    <Values extends readonly unknown[], T>(kind: keyof Statements, run: (...values: Values) => T) =>
    (...values: Values): Promise<T> =>
      statement(kind, '', free, () => run(...values));

  return {
    where,
    facts: plain('facts', statements.facts),
    now: plain('now', statements.now),
    take: async (taking) => {
      const sentAt = kernel.now();
      const { subject } = taking;
      const taken = await statement(
        'take',
        kindOf(subject),
        () => [subject],
        () => statements.take(taking),
      );
      if ('epoch' in taken) watch.onLease(process, { subject, epoch: taken.epoch }, sentAt);
      return taken;
    },
    renew: async (owner, subjects) => {
      const sentAt = kernel.now();
      const own = () => [...server.leases].flatMap(([subject, lease]) => (lease.owner === owner ? [subject] : []));
      const renewed = await statement('renew', '', own, () => statements.renew(owner, subjects));
      watch.onRenewal(process, renewed, sentAt);
      return renewed;
    },
    release: (lease) => {
      watch.onRelease(process, lease);
      return statement(
        'release',
        kindOf(lease.subject),
        () => [lease.subject],
        () => statements.release(lease),
      );
    },
    append: (entry) => {
      const step = stepIn(entry.line);
      process.stage = step;
      process.onJournal?.(step);
      return statement(
        'append',
        step,
        () => writtenBy(entry),
        () => {
          statements.append(entry);
          watch.onCommit(process, entry);
        },
        entry,
      );
    },
    appendChecked: async (entries, lock, check) => {
      const [last] = entries.slice(-1);
      if (last === undefined) return;
      const step = stepIn(last.line);
      process.stage = step;
      process.onJournal?.(step);
      const subjects = () => [`lock/${lock}`, ...writtenBy(last)];
      const transaction = await statement('append', `checked ${step}`, subjects, () => {
        const opened = openAppend(entries, [`lock/${lock}`]);
        kernel.at(kernel.now() + IDLE_MS, opened.rollBack);
        return opened;
      });
      try {
        await check();
      } catch (error) {
        transaction.rollBack();
        throw error;
      }
      await statement('append', `commit ${step}`, free, () => (transaction.isOpen() ? transaction.commit() : lost()));
    },
    hasEntry: (entry) =>
      statement(
        'hasEntry',
        '',
        () => [operationLease(entry.operation)],
        () => statements.hasEntry(entry),
      ),
    missingOf: plain('missingOf', statements.missingOf),
    newest: plain('newest', statements.newest),
    read: async (operations) => {
      const found = await plain('read', statements.read)(operations);
      const last = operations.length === 1 ? found.get(operations[0] ?? '')?.at(-1) : undefined;
      if (last) process.stage = stepIn(last.line);
      return found;
    },
    list: plain('list', statements.list),
    under: plain('under', statements.under),
    open: plain('open', statements.open),
    since: plain('since', statements.since),
    changedSince: plain('changedSince', statements.changedSince),
    isEmpty: plain('isEmpty', statements.isEmpty),
    readInputs: plain('readInputs', statements.readInputs),
    writeInputs: plain('writeInputs', statements.writeInputs),
    removeInputs: plain('removeInputs', statements.removeInputs),
    removeOldInputs: plain('removeOldInputs', statements.removeOldInputs),
    remove: (operation, lease) =>
      statement(
        'remove',
        '',
        () => [lease.subject],
        () => statements.remove(operation, lease),
      ),
  };
};

export const JOURNAL_URL = 'postgres://ops@journal.example/bursar?sslmode=verify-full';

const JOURNAL_ID = 'c0ffee5eed01';
const KEY_BYTES = Uint8Array.from({ length: 32 }, (_, at) => at + 1);

/** The file of the journal's key in the state of each home. */
export const JOURNAL_KEY = {
  path: `journal-keys/${JOURNAL_ID}.key`,
  text: `${keyLine(JOURNAL_ID, KEY_BYTES)}\n`,
};

const noRandom = (): never => {
  throw new Error('the judge seals nothing');
};

/** The journal of several machines: its server, the connection of each process, and its judge. */
export const newSharedJournal = (kernel: Kernel, problem: (text: string) => void, leaseMs: number) => {
  const key = journalKey({ bytes: noRandom, fraction: noRandom }, JOURNAL_ID, KEY_BYTES);
  const facts = { id: JOURNAL_ID, check: key.check, leaseMs, warnings: [] };
  const server = newJournalServer(() => GENESIS_MS + kernel.now(), facts);
  const watch = newJournalWatch({ now: kernel.now, problem, server, key, leaseMs });
  const shared: SharedServer = { server, awayUntil: 0, locked: new Map() };
  const where = 'postgres://ops@journal.example/bursar';
  return {
    watch,
    linkOf: (process: Process): JournalDatabase => journalLink({ kernel, process, shared, watch, where }),
  };
};

export type SharedJournal = ReturnType<typeof newSharedJournal>;
