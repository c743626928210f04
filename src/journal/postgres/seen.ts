import { join } from 'node:path';
import { Failure, undefinedOn } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { JournalDatabase, NewEntry } from './database.ts';

/** The last entry that this home knows to be committed. A database without it has lost entries. */
export type SeenEntries = { readonly note: (entry: Pick<NewEntry, 'operation' | 'id'>) => Promise<void> };

/** The file is replaced by its last line when it is longer. */
const LONGEST = 64 * 1024;

const lastIn = (bytes: Uint8Array): Pick<NewEntry, 'operation' | 'id'> | undefined => {
  // A crash may have left half a line.
  const [line] = new TextDecoder().decode(bytes).split('\n').slice(0, -1).toReversed();
  const value = line === undefined ? undefined : undefinedOn(() => parseJson(line));
  if (!isJsonObject(value)) return undefined;
  const { operation, id } = value;
  return typeof operation === 'string' && typeof id === 'string' ? { operation, id } : undefined;
};

/** Throws `journal_damaged` if the database lacks the last entry that this home saw committed. */
export const openSeen = async (io: Io, journal: string, database: JournalDatabase): Promise<SeenEntries> => {
  const path = join(io.places.state, 'journal-keys', `${journal}.seen`);
  const bytes = await io.files.read(path);
  const last = bytes && lastIn(bytes);
  if (last && !(await database.hasEntry(last)) && !(await database.isRemoved(last.operation)))
    throw new Failure(
      'journal_damaged',
      `the journal ${database.where} has lost entries: one of ${last.operation} is missing`,
      {
        hint: `It was committed. The database was restored, or a standby without it took over. Find that operation, then remove ${path}. Nothing was sent.`,
      },
    );
  if (bytes && last && bytes.length > LONGEST) await io.files.replacePrivate(path, `${printJson(last)}\n`);
  return {
    // A file that cannot be written weakens only this check.
    note: ({ operation, id }) => io.files.append(path, `${printJson({ operation, id })}\n`).catch(() => undefined),
  };
};
