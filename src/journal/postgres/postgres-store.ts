import { Failure } from '../../core/failure.ts';
import { batched } from '../../core/once.ts';
import type { Io } from '../../io/io.ts';
import { hasKey, keysIn } from '../file-index.ts';
import { MOVED_NOTHING } from '../keys.ts';
import type { CheckedLine, FoundOperation, Store, StoredLines, Subject } from '../store.ts';
import { journalUnreachable } from './connection.ts';
import { ConnectionLost, EntryRefused, type JournalDatabase, type JournalFacts, type NewEntry } from './database.ts';
import { type JournalKey, noKeyOf } from './journal-key.ts';
import type { Leases } from './leases.ts';
import { changedInDatabase, hashKeys, openHead, openLines, PAYER_SECRET, sealHead, sealLine } from './sealed.ts';
import type { SeenEntries } from './seen.ts';

/** What a store in PostgreSQL consists of. */
export type PostgresParts = {
  readonly database: JournalDatabase;
  readonly facts: JournalFacts;
  /** `undefined`: this home may list, and neither starts nor resumes. */
  readonly key: JournalKey | undefined;
  readonly leases: Leases;
  readonly seen: SeenEntries;
};

const operationLease = (id: string): string => `operation/${id}`;

/** The name of a lease. That of an intent is the hash of a text that could be guessed. */
const leaseOf = (key: JournalKey, { of, name }: Subject): string =>
  of === 'operation' ? operationLease(name) : `${of}/${key.mac('subject', name)}`;

/** Keys that an operation never loses. A new registration changes its payment. */
const LASTING = /^(?:name|intent|partial|hash):/;

/** The progress of an operation that this process writes: its last entry, and the keys that the database has. */
type Written = { seq: number; readonly keys: ReadonlySet<string> };

/** 32 hex digits in the form of a UUID. */
export const asUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The id of an entry: random, in the form of a UUID. */
export const newEntryId = (random: Io['random']): string => asUuid(Buffer.from(random.bytes(16)).toString('hex'));

/** A process cleans up once in this time. */
const MOMENT_MS = 60_000;

/** The store of a journal in PostgreSQL. Each of its functions throws `journal_unreachable` without an answer. */
export const postgresStore = (io: Io, { database, facts, key, leases, seen }: PostgresParts): Store => {
  const where = (id: string): string => `${database.where}, operation ${id}`;
  const written = new Map<string, Written>();

  const reached = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (error instanceof ConnectionLost) throw journalUnreachable(database.where, error);
      throw error;
    });
  const ownKey = (): JournalKey => {
    if (key) return key;
    throw noKeyOf(
      facts.id,
      'Without it the journal can be listed, and nothing can be started or resumed. Nothing was sent.',
    );
  };
  const entriesOf = batched((ids) => database.read(ids));
  const read = async (id: string): Promise<StoredLines | undefined> => {
    const entries = await reached(entriesOf(id));
    if (entries === undefined) return undefined;
    // The next entry of an operation that this process has claimed follows those that it has read.
    const [known, last] = [written.get(id), entries.at(-1)];
    if (last) await seen.noteRead({ operation: id, id: last.id, at: last.at });
    if (known && known.seq < entries.length) known.seq = entries.length;
    return { lines: openLines(key, { operation: id, where: where(id), entries }), isTorn: false };
  };
  const refusal = (id: string, { reason }: EntryRefused): Failure => {
    if (reason === 'name_taken')
      return new Failure(
        'invalid_input',
        'nothing was sent: another machine has started an operation of the same --intent',
        {
          errors: [{ field: 'intent', message: 'is in use, or was forgotten', option: '--intent' }],
          hint: 'Run the command again: it finds that operation, unless pay forget removed it. Then use another name: this one is never free again.',
        },
      );
    if (reason === 'other_version')
      return new Failure('bad_settings', 'the tables of the journal were upgraded while this process ran', {
        hint: 'Nothing was sent now. Install the bursar that upgraded them, then resume the operation.',
      });
    leases.noteLost(operationLease(id));
    return new Failure('not_final', `this process stopped: another one has taken over the operation ${id}`, {
      hint: 'Nothing was sent now. Its lease ended while this process or its connection was stopped.',
    });
  };
  /**
   * Writes entries of one transaction, whose last one is `last`. Without an answer, a new connection shows whether it was
   * committed. If not, the same entries are sent once more.
   */
  const commit = async (last: NewEntry, write: () => Promise<void>): Promise<void> => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof EntryRefused) throw refusal(last.operation, error);
      if (!(error instanceof ConnectionLost)) throw error;
    }
    if (await database.hasEntry(last)) return;
    try {
      await write();
    } catch (error) {
      if (!(error instanceof EntryRefused)) throw error;
      // The first attempt may have arrived after the look.
      if (await database.hasEntry(last)) return;
      throw refusal(last.operation, error);
    }
  };
  /** The entries of lines that follow each other, and the progress after them. */
  const entriesFrom = (id: string, lines: readonly CheckedLine[]) => {
    const journal = ownKey();
    const epoch = leases.epochOf(operationLease(id));
    const { seq: before, keys: known } = written.get(id) ?? { seq: 0, keys: new Set<string>() };
    const added = new Set(known);
    const entries = lines.map(({ line, indexed }, at): NewEntry => {
      const seq = before + at + 1;
      const { keys, hasEnded, name, subject } = indexed();
      const fresh = keysIn(keys).filter((each) => !added.has(each));
      for (const each of fresh) added.add(each);
      return {
        ...{ operation: id, seq, epoch, id: newEntryId(io.random) },
        ...sealLine(journal, { operation: id, seq, line }),
        ...{ keys: hashKeys(journal, fresh), head: sealHead(journal, id, { seq, hasEnded, keys }) },
        ...{ hasEnded, movedNothing: hasKey(keys, MOVED_NOTHING) },
        name: seq === 1 && name !== undefined ? journal.mac('name', name) : undefined,
        under: subject === undefined ? [] : leases.heldFor(leaseOf(journal, subject), seq === 1),
      };
    });
    return { entries, after: { seq: before + lines.length, keys: added } };
  };
  const appendAll = async (
    id: string,
    lines: readonly CheckedLine[],
    write: (entries: readonly NewEntry[]) => Promise<void>,
  ): Promise<void> => {
    const { entries, after } = entriesFrom(id, lines);
    const last = entries.at(-1);
    if (last === undefined) return;
    await reached(commit(last, () => write(entries)));
    if (written.has(id)) written.set(id, after);
    await seen.note(last);
  };
  const append: Store['append'] = (id, line, indexed) =>
    appendAll(id, [{ line, indexed }], async (entries) => {
      for (const entry of entries) await database.append(entry);
    });
  // A check reads through other connections, so that a process makes one at a time.
  let checking: Promise<unknown> = Promise.resolve();
  const appendChecked: Store['appendChecked'] = (id, lines, { lock, check }) => {
    const work = () =>
      appendAll(id, lines, (entries) => database.appendChecked(entries, ownKey().mac('lock', lock), () => check(true)));
    const done = checking.then(work, work);
    checking = done.catch(() => undefined);
    return done;
  };
  let cleanedAt: number | undefined;
  /** Each start and each resume begins with it, so that a home without the key stops here. */
  const cleanUp = async (): Promise<void> => {
    ownKey();
    const now = io.clock.monotonic();
    if (cleanedAt !== undefined && now - cleanedAt < MOMENT_MS) return;
    cleanedAt = now;
    await database.removeOldInputs().catch(() => undefined);
  };
  /** Throws `journal_damaged` for an operation that the database changed, or names for keys that it never had. */
  const opened = (found: FoundOperation, wanted: readonly string[]): FoundOperation => {
    const { keys, hasEnded } = openHead(ownKey(), found.id, found.keys);
    const isFound = wanted.some((each) => hasKey(keys, each));
    if (hasEnded === found.hasEnded && (isFound || !wanted.every((each) => LASTING.test(each))))
      return { ...found, keys };
    throw changedInDatabase(where(found.id), 'its keys or its end were changed');
  };
  return {
    id: facts.id,
    isReadOnly: key === undefined,
    where,
    search: {
      by: 'keys',
      under: async (keys, page) => {
        const journal = ownKey();
        const stored = await reached(
          database.under(
            keys.map((each) => journal.mac('key', each)),
            page,
          ),
        );
        const found = stored
          .map((each) => opened(each, keys))
          .filter((each) => keys.some((wanted) => hasKey(each.keys, wanted)));
        return { found, next: stored.length < page.most ? undefined : stored.at(-1)?.id };
      },
      open: (of) => reached(database.open(of && ownKey().mac('key', of))),
      since: (time, of) => reached(database.since(time, of && ownKey().mac('key', of))),
      changedSince: (mark, of) => reached(database.changedSince(mark, of && ownKey().mac('key', of))),
      isEmpty: () => reached(database.isEmpty()),
    },
    // The id of an operation has whole milliseconds.
    now: async () => Math.floor(await reached(database.now())),
    list: async () => ({ ids: await reached(database.list()), claimed: new Set() }),
    read,
    append,
    appendChecked,
    removeTornLine: async () => undefined,
    remove: async (id) => {
      ownKey();
      const lease = { subject: operationLease(id), epoch: leases.epochOf(operationLease(id)) };
      await reached(database.remove(id, lease)).catch((error: unknown) => {
        throw error instanceof EntryRefused ? refusal(id, error) : error;
      });
    },
    changedAt: async (id) => (await reached(entriesOf(id)))?.at(-1)?.at ?? 0,
    claim: async (subject, patienceMs) => {
      const journal = ownKey();
      const claiming = await reached(leases.claim(leaseOf(journal, subject), patienceMs));
      if (subject.of !== 'operation' || !('claim' in claiming)) return claiming;
      const { claim } = claiming;
      written.set(subject.name, { seq: 0, keys: new Set() });
      const release = (): Promise<void> => {
        written.delete(subject.name);
        return claim.release();
      };
      return { claim: { ...claim, release } };
    },
    inputs: {
      read: async (id) => {
        const sealed = await reached(database.readInputs(id));
        return sealed === undefined ? undefined : new TextEncoder().encode(ownKey().open(`inputs ${id}`, sealed));
      },
      write: (id, text) => reached(database.writeInputs(id, ownKey().seal(`inputs ${id}`, text))),
      remove: (id) => reached(database.removeInputs(id)),
    },
    secret: {
      where: database.where,
      read: async () => {
        const { payerSecret } = facts;
        const secret = payerSecret ? ownKey().open(PAYER_SECRET, payerSecret) : ownKey().mac('payers', facts.id);
        return new TextEncoder().encode(secret);
      },
      create: async () => undefined,
    },
    // Summaries are a cache of files. The database reads operations in groups.
    summaries: { read: async () => '', add: async () => undefined },
    cleanUp,
  };
};
