import { join } from 'node:path';
import { Failure, undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';

/** The variable that names a journal in a database. */
export const BURSAR_JOURNAL = 'BURSAR_JOURNAL';

/** Where the operations of a folder went. `isDone`: all of them are there. */
export type Move = { readonly journal: string; readonly where: string; readonly isDone: boolean };

/** In the folder of the journal: no command may overlook it. */
const markPath = (io: Io): string => join(io.places.state, 'journal', '.moved-to');

/** The mark of a move, if the journal of this home moves or has moved. Throws `journal_damaged`. */
export const readMove = async (io: Io): Promise<Move | undefined> => {
  const path = markPath(io);
  const bytes = await io.files.read(path);
  if (bytes === undefined) return undefined;
  const mark = undefinedOn(() => parseJson(new TextDecoder().decode(bytes)));
  if (isJsonObject(mark) && typeof mark['journal'] === 'string' && typeof mark['database'] === 'string')
    return { journal: mark['journal'], where: mark['database'], isDone: mark['moved'] === true };
  throw new Failure('journal_damaged', `${path}: the file is damaged`, {
    hint: `It says that the journal of this home moved to a database. Nothing was sent. Set ${BURSAR_JOURNAL} to that database.`,
  });
};

/** Marks the folder, durably. */
export const writeMove = (io: Io, { journal, where, isDone }: Move): Promise<void> =>
  io.files.replacePrivate(markPath(io), `${printJson({ journal, database: where, moved: isDone })}\n`);

/** Removes the mark of a move that has copied nothing. */
export const dropMove = (io: Io): Promise<void> => io.files.remove(markPath(io));

// Completion reads the journal too, and loads nothing for failures.
const loadNext = () => import('../core/next.ts');

const isMoving = async ({ where, journal }: Move): Promise<Failure> =>
  new Failure('bad_settings', `the journal of this home is moving to ${where} (journal ${journal})`, {
    hint: `Nothing was sent. If no move runs, repeat it, without ${BURSAR_JOURNAL}.`,
    next: (await loadNext()).nextStep('journal.migrate', where),
  });

/** An operation of the folder may be missing in a database while they move there. Throws `bad_settings`. */
export const assertNotMoving = async (io: Io): Promise<void> => {
  const move = await readMove(io);
  if (move && !move.isDone) throw await isMoving(move);
};

/** A journal that moved is used no more: its operations continue elsewhere. Throws `bad_settings`. */
export const assertNotMoved = async (io: Io): Promise<void> => {
  const move = await readMove(io);
  if (move === undefined) return;
  const { journal, where, isDone } = move;
  if (!isDone) throw await isMoving(move);
  const { nextStep, shellWord } = await loadNext();
  throw new Failure('bad_settings', `the journal of this home has moved to ${where} (journal ${journal})`, {
    hint: `Nothing was sent. In every shell and job of this home: export ${BURSAR_JOURNAL}=${shellWord(where)}. A profile may name it too.`,
    next: nextStep('help', 'environment'),
  });
};
