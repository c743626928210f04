import {
  EntryRefused,
  type HeldLease,
  type JournalDatabase,
  type JournalFacts,
  type NewEntry,
  type StoredEntry,
} from '../../src/journal/postgres/database.ts';
import { QUIET_MS } from '../../src/journal/postgres/leases.ts';

type Lease = { epoch: number; owner: string | undefined; until: number; quietAt: number };

type OperationRow = {
  seq: number;
  hasEnded: boolean;
  movedNothing: boolean;
  isRemoved: boolean;
  head: string;
  changedAt: number;
  /** The number of the transaction that changed it. */
  changedBy: number;
  readonly keys: Set<string>;
};

/** The statements of a journal's database, each at one moment. They throw what those of PostgreSQL throw. */
export type Statements = {
  readonly [Name in Exclude<keyof JournalDatabase, 'where' | 'appendChecked'>]: (
    ...values: Parameters<JournalDatabase[Name]>
  ) => Awaited<ReturnType<JournalDatabase[Name]>>;
};

/** A transaction that has started, and holds its locks until it commits. */
export type OpenAppend = { readonly commit: () => void; readonly rollBack: () => void };

/** The lease of an operation. */
export const operationLease = (operation: string): string => `operation/${operation}`;

const HOUR_MS = 60 * 60_000;

const newestFirst = (ids: Iterable<string>): readonly string[] => [...ids].toSorted().toReversed();

/** Whether a late writer is refused: its lease is of an older epoch, or it was released. */
export const isHeld = (lease: Lease | undefined, epoch: number): boolean =>
  lease !== undefined && lease.owner !== undefined && lease.epoch === epoch;

/** Whether another operation may take a name: the one that has it moved nothing, and was not removed on purpose. */
export const isNameFree = (owner: OperationRow | undefined): boolean =>
  owner?.movedNothing === true && !owner.isRemoved;

/** A model of the journal's tables and functions in PostgreSQL, as `schema.ts` has them. `now` is the clock of the server. */
export const newJournalServer = (now: () => number, facts: JournalFacts) => {
  const leases = new Map<string, Lease>();
  const operations = new Map<string, OperationRow>();
  const entries = new Map<string, StoredEntry[]>();
  const names = new Map<string, string>();
  const inputs = new Map<string, { readonly sealed: string; readonly at: number }>();
  let transactions = 0;
  const open = new Set<number>();

  const begin = (): number => {
    transactions += 1;
    open.add(transactions);
    return transactions;
  };
  const assertLease = ({ subject, epoch }: HeldLease): void => {
    if (!isHeld(leases.get(subject), epoch)) throw new EntryRefused('stale');
  };
  const assertWritable = ({ operation, seq, epoch, under, name }: NewEntry, before: number): void => {
    for (const lease of under) assertLease(lease);
    const taker = name === undefined ? undefined : names.get(name);
    if (taker !== undefined && !isNameFree(operations.get(taker))) throw new EntryRefused('name_taken');
    assertLease({ subject: operationLease(operation), epoch });
    if (seq !== before + 1) throw new EntryRefused('stale');
  };
  const write = (entry: NewEntry, at: number, number: number): void => {
    const { operation, seq, id, line, mac, name, hasEnded, movedNothing, head } = entry;
    entries.set(operation, [...(entries.get(operation) ?? []), { seq, line, mac, at, id }]);
    if (name !== undefined) names.set(name, operation);
    const { isRemoved = false, keys = new Set<string>() } = operations.get(operation) ?? {};
    for (const key of entry.keys) keys.add(key);
    const row = { seq, hasEnded, movedNothing, head, isRemoved, keys, changedAt: at, changedBy: number };
    operations.set(operation, row);
  };
  /** Checks entries of one operation, which follow each other. Nobody sees them before their commit. */
  const beginAppend = (...added: readonly NewEntry[]): OpenAppend => {
    const before = entries.get(added[0]?.operation ?? '')?.length ?? 0;
    for (const [at, entry] of added.entries()) assertWritable(entry, before + at);
    const [number, at] = [begin(), now()];
    return {
      commit: () => {
        open.delete(number);
        for (const entry of added) write(entry, at, number);
      },
      rollBack: () => void open.delete(number),
    };
  };
  const found = (isFound: (row: OperationRow) => boolean, key?: string | null): readonly string[] =>
    newestFirst(
      [...operations].flatMap(([id, row]) => (isFound(row) && (key == null || row.keys.has(key)) ? [id] : [])),
    );

  const isThere = (id: string): boolean => operations.get(id)?.isRemoved === false;
  /** The entries of an operation. The last one brings its head. */
  const storedOf = (id: string): readonly StoredEntry[] => {
    const { seq: last, head } = operations.get(id) ?? {};
    return (entries.get(id) ?? []).map(({ seq, id: entry, line, mac, at }) => {
      return { seq, id: entry, line, mac, at: Math.round(at), head: seq === last ? head : undefined };
    });
  };

  const statements: Statements = {
    facts: () => facts,
    now,
    take: ({ subject, owner, dead, mayBeOver = false }) => {
      const lease = leases.get(subject);
      const until = now() + facts.leaseMs;
      if (lease === undefined) {
        leases.set(subject, { epoch: 1, owner, until, quietAt: now() });
        return { epoch: 1, waitMs: 0 };
      }
      const isFree = lease.owner === undefined || lease.owner === dead;
      if (!isFree && (!mayBeOver || lease.until >= now()))
        return { owner: lease.owner ?? '', leftMs: lease.until - now() };
      const quietAt = isFree ? lease.quietAt : Math.max(lease.quietAt, lease.until + QUIET_MS);
      const epoch = lease.epoch + 1;
      leases.set(subject, { epoch, owner, until, quietAt });
      return { epoch, waitMs: quietAt - now() };
    },
    renew: (owner, subjects) => {
      const own = [...leases].filter(([subject, lease]) => lease.owner === owner && subjects.includes(subject));
      for (const [, lease] of own) lease.until = now() + facts.leaseMs;
      return own.map(([subject, { epoch }]) => ({ subject, epoch }));
    },
    release: ({ subject, epoch }) => {
      const lease = leases.get(subject);
      if (lease?.epoch === epoch) lease.owner = undefined;
    },
    append: (entry) => beginAppend(entry).commit(),
    hasEntry: ({ operation, id }) => entries.get(operation)?.some((entry) => entry.id === id) === true,
    missingOf: (all) =>
      all
        .filter(({ operation }) => operations.get(operation)?.isRemoved !== true)
        .filter(({ operation, id }) => entries.get(operation)?.some((entry) => entry.id === id) !== true)
        .map(({ operation, id }) => ({ operation, id })),
    newest: () => {
      const [newest] = [...operations]
        .filter(([id]) => isThere(id))
        .toSorted(([, one], [, other]) => other.changedBy - one.changedBy);
      const last = newest && storedOf(newest[0]).at(-1);
      return newest && last && { operation: newest[0], id: last.id, at: last.at };
    },
    read: (ids) =>
      new Map([...new Set(ids)].toSorted().flatMap((id) => (isThere(id) ? [[id, storedOf(id)] as const] : []))),
    list: () => found(({ isRemoved }) => !isRemoved),
    under: (keys, { before, most }) =>
      found(({ isRemoved, keys: own }) => !isRemoved && keys.some((key) => own.has(key)))
        .filter((id) => before === undefined || id < before)
        .slice(0, most)
        .map((id) => {
          const { head = '', hasEnded = false } = operations.get(id) ?? {};
          return { id, keys: head, hasEnded };
        }),
    open: (key) => found(({ hasEnded, isRemoved }) => !hasEnded && !isRemoved, key),
    since: (time, key) =>
      found(({ hasEnded, isRemoved, changedAt }) => !isRemoved && (!hasEnded || changedAt >= time), key),
    // A transaction that is open has a number at or above the mark.
    changedSince: (mark, key) => ({
      mark: String(Math.min(transactions + 1, ...open)),
      // A removed operation has no keys any more.
      ids:
        mark === undefined
          ? []
          : found(
              ({ changedBy, isRemoved, keys }) =>
                changedBy >= Number(mark) && (isRemoved || key === undefined || keys.has(key)),
            ),
    }),
    isEmpty: () => operations.size === 0,
    readInputs: (operation) => inputs.get(operation)?.sealed,
    writeInputs: (operation, sealed) => void inputs.set(operation, { sealed, at: inputs.get(operation)?.at ?? now() }),
    removeInputs: (operation) => void inputs.delete(operation),
    removeOldInputs: () => {
      for (const [operation, { at }] of inputs) {
        const row = operations.get(operation);
        if (row ? row.hasEnded : at < now() - HOUR_MS) inputs.delete(operation);
      }
    },
    remove: (operation, lease) => {
      assertLease(lease);
      const number = begin();
      open.delete(number);
      entries.delete(operation);
      inputs.delete(operation);
      const row = operations.get(operation);
      if (row === undefined) return;
      if (row.movedNothing) for (const [name, owner] of names) if (owner === operation) names.delete(name);
      row.keys.clear();
      Object.assign(row, { isRemoved: true, hasEnded: true, head: '', changedAt: now(), changedBy: number });
    },
  };
  return {
    ...{ statements, beginAppend, leases },
    /** Ends a lease before its time. */
    expire: (subject: string): void => {
      const lease = leases.get(subject);
      if (lease) lease.until = now() - 1_000;
    },
    /** Makes all inputs older. */
    ageInputs: (ms: number): void => {
      for (const [operation, { sealed, at }] of inputs) inputs.set(operation, { sealed, at: at - ms });
    },
    /** The stored lines of each operation. */
    lines: () => [...entries.keys()].map((id) => [id, storedOf(id)] as const),
    /** All texts that are stored. */
    texts: (): readonly string[] => [
      ...[...entries.values()].flat().flatMap(({ line, mac }) => [line, mac]),
      ...[...operations.values()].flatMap(({ head, keys }) => [head, ...keys]),
      ...[...inputs.values()].map(({ sealed }) => sealed),
      ...names.keys(),
    ],
  };
};

export type JournalServer = ReturnType<typeof newJournalServer>;
