import { join } from 'node:path';
import { Failure, undefinedOn } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson, textAt } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { EntryName, JournalDatabase, SeenEntry } from './database.ts';

/** The entries that this home knows to be committed: its own, and the newest that it has read. */
export type SeenEntries = {
  readonly note: (entry: EntryName) => Promise<void>;
  /** Notes an entry that was read, if it is newer than all read before. */
  readonly noteRead: (entry: SeenEntry) => Promise<void>;
  /** Notes the newest entry of the journal. */
  readonly noteNewest: () => Promise<void>;
};

/** So many of the last lines are compared with the database. */
const COMPARED = 16;

/** A longer file is replaced by its last lines. */
const LONGEST = 64 * 1024;

/** Longer than a line: a crash may leave no more of the first one. */
const LINE_BYTES = 128;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A crash may have left a part of a line. */
const entryIn = (line: string): readonly EntryName[] => {
  const value = undefinedOn(() => parseJson(line));
  if (!isJsonObject(value)) return [];
  const [operation, id = ''] = [textAt(value, 'operation'), textAt(value, 'id')];
  return operation !== undefined && UUID.test(id) ? [{ operation, id }] : [];
};

const lineOf = ({ operation, id }: EntryName): string => `${printJson({ operation, id })}\n`;

/** Throws `journal_damaged` if the database lacks an entry that this home has seen. */
export const openSeen = async (io: Io, journal: string, database: JournalDatabase): Promise<SeenEntries> => {
  const path = join(io.places.state, 'journal-keys', `${journal}.seen`);
  const bytes = (await io.files.read(path)) ?? new Uint8Array();
  const last = new TextDecoder().decode(bytes).split('\n').flatMap(entryIn).slice(-COMPARED);
  if (bytes.length > LINE_BYTES && last.length === 0)
    throw new Failure('journal_damaged', `${path}: the file is damaged`, {
      hint: 'It has the last entries of the journal that this home has seen. Nothing was sent. Restore it, or remove it after journal verify.',
    });
  const [missing] = last.length === 0 ? [] : await database.missingOf(last);
  if (missing)
    throw new Failure(
      'journal_damaged',
      `the journal ${database.where} has lost entries: one of ${missing.operation} is missing`,
      {
        hint: `It was committed. The database was restored, or a standby without it took over. Find that operation, then remove ${path}. Nothing was sent.`,
      },
    );
  if (bytes.length > LONGEST) await io.files.replacePrivate(path, last.map(lineOf).join(''));
  let [noted, readAt] = [last.at(-1)?.id, 0];
  const note: SeenEntries['note'] = async (entry) => {
    noted = entry.id;
    // The leading line end terminates a half-written line. A file that cannot be written weakens only this check.
    await io.files.append(path, `\n${lineOf(entry)}`).catch(() => undefined);
  };
  const noteRead: SeenEntries['noteRead'] = async (entry) => {
    if (entry.at <= readAt) return;
    readAt = entry.at;
    if (entry.id !== noted) await note(entry);
  };
  const noteNewest = async (): Promise<void> => {
    const newest = await database.newest();
    if (newest) await noteRead(newest);
  };
  await noteNewest();
  return { note, noteRead, noteNewest };
};
