import { dirname } from 'node:path';
import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io, JournalName } from '../../io/io.ts';
import type { JournalFacts } from './database.ts';
import { isSameMac, journalKey, keyLine, keyPath, readJournalKey, readKeyLine } from './journal-key.ts';
import { noJournal, type OpenConnection, onConnection } from './open.ts';
import { LOCK, SCHEMA, SCHEMA_VERSION, UPGRADES } from './schema.ts';
import { readFacts, readVersion } from './sql-database.ts';

const KEY_BYTES = 32;
const ID_BYTES = 6;

/** A journal that this home has the key of. */
export type JoinedJournal = {
  readonly journal: string;
  readonly where: string;
  /** The file of the key. It is enough to read the journal, and to start operations in it. */
  readonly keyFile: string;
  readonly leaseMs: number;
};

/** Works on a connection, and closes it. Throws as `onConnection`. */
const withConnection = <T>(io: Io, name: JournalName, work: (open: OpenConnection) => Promise<T>): Promise<T> =>
  onConnection(io, name, async (open, end) => {
    const result = await work(open);
    await end();
    return result;
  });

const factsOf = ({ sql, where, warnings }: OpenConnection): Promise<JournalFacts | undefined> =>
  readFacts(sql, where, warnings);

const hasJournal = async (io: Io, { id }: JournalFacts, where: string): Promise<Failure> => {
  const isJoined = (await readJournalKey(io, id).catch(() => undefined)) !== undefined;
  return new Failure('file_exists', `the database ${where} has a journal already`, {
    hint: `${isJoined ? 'This home has its key too.' : 'Bring its key to this home.'} Nothing was changed.`,
    next: isJoined ? nextStep('operation.list', 'pay') : nextStep('journal.join'),
  });
};

const storeKey = async (io: Io, id: string, bytes: Uint8Array): Promise<string> => {
  const path = keyPath(io, id);
  await io.files.makePrivateFolder(dirname(path));
  await io.files.createPrivate(path, `${keyLine(id, bytes)}\n`);
  return path;
};

/** Makes a journal in a database, and its key in this home. Throws `file_exists`, and as `openConnection`. */
export const initJournal = (io: Io, name: JournalName, leaseMs: number): Promise<JoinedJournal> =>
  withConnection(io, name, async (open) => {
    const { sql, where } = open;
    const known = await factsOf(open);
    if (known) throw await hasJournal(io, known, where);
    const id = Buffer.from(io.random.bytes(ID_BYTES)).toString('hex');
    const bytes = io.random.bytes(KEY_BYTES);
    // The key is on the disk first: a journal whose key is lost could never be resumed.
    const keyFile = await storeKey(io, id, bytes);
    const insert = 'INSERT INTO bursar.journal (version, id, key_check, lease_ms) VALUES ($1, $2, $3, $4)';
    const { check } = journalKey(io.random, id, bytes);
    try {
      await sql.transaction([[SCHEMA], [insert, [SCHEMA_VERSION, id, check, leaseMs]]]);
    } catch (error) {
      // Without an answer the journal may be there, and its key is kept.
      const made = await factsOf(open).catch((): never => {
        throw error;
      });
      if (made?.id === id) return { journal: id, where, keyFile, leaseMs };
      await io.files.remove(keyFile);
      throw made ? await hasJournal(io, made, where) : error;
    }
    return { journal: id, where, keyFile, leaseMs };
  });

/** Stores the key of a journal in this home. `line` comes from another home. Throws `invalid_input`, and as `openConnection`. */
export const joinJournal = (io: Io, name: JournalName, line: string): Promise<JoinedJournal> => {
  const { id, bytes } = readKeyLine(line);
  return withConnection(io, name, async (open) => {
    const { where } = open;
    const facts = await factsOf(open);
    if (facts === undefined) throw noJournal(where);
    const isKey = facts.id === id && isSameMac(journalKey(io.random, id, bytes).check, facts.check);
    if (!isKey)
      throw new Failure('invalid_input', `this is not the key of the journal ${where}`, {
        errors: [
          {
            field: 'key',
            message:
              facts.id === id
                ? `is another key than that of the journal ${id}`
                : `is of the journal ${id}, and the database has ${facts.id}`,
            option: '--key-stdin',
          },
        ],
        hint: 'Nothing was changed.',
      });
    const known = await readJournalKey(io, id).catch((error: unknown) => {
      if (!isFailure(error, 'journal_damaged')) throw error;
      return undefined;
    });
    // Another key under the same id is a damaged file too.
    if (known === undefined || !isSameMac(known.check, facts.check)) await io.files.remove(keyPath(io, id));
    return { journal: id, where, keyFile: await storeKey(io, id, bytes), leaseMs: facts.leaseMs };
  });
};

/** The versions of the tables before and after an upgrade. */
export type UpgradedJournal = { readonly where: string; readonly from: number; readonly to: number };

/**
 * Brings the tables of a journal to the version of this program. Programs of the older version stop before their next
 * effect. Throws `bad_settings` for a version that it does not know, and as `openConnection`.
 */
export const upgradeJournal = (io: Io, name: JournalName): Promise<UpgradedJournal> =>
  withConnection(io, name, async ({ sql, where }) => {
    const from = await readVersion(sql);
    if (from === undefined) throw noJournal(where);
    const steps = Array.from({ length: Math.max(SCHEMA_VERSION - from, 0) }, (_, at) => UPGRADES[from + at]);
    if (from > SCHEMA_VERSION || steps.includes(undefined))
      throw new Failure('bad_settings', `the journal ${where} has version ${from} of its tables`, {
        hint: `This bursar knows version ${SCHEMA_VERSION}. Install a newer bursar. Nothing was changed.`,
      });
    const write = 'UPDATE bursar.journal SET version = $1 WHERE version = $2';
    if (steps.length > 0)
      await sql.transaction([
        [LOCK],
        ...steps.flatMap((step): [string][] => (step ? [[step]] : [])),
        [write, [SCHEMA_VERSION, from]],
      ]);
    return { where, from, to: SCHEMA_VERSION };
  });
