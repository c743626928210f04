import { Failure, messageOf } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import type { RecordedEvent } from './event.ts';
import { storeOf } from './file-store.ts';
import { eventOf, FIRST_STEP, JOURNAL_VERSION, type WireLine } from './wire.ts';

/** One operation of the journal: at least one event, oldest first. */
export type RecordedOperation = {
  readonly id: string;
  readonly events: readonly RecordedEvent[];
  /** The file ends with a half-written line. bursar did nothing after that line. */
  readonly isTorn: boolean;
};

const damaged = (path: string, line: number, why: string): Failure =>
  new Failure('journal_damaged', `${path}: line ${line} is damaged: ${why}`, {
    hint: 'The journal shows which payments may have been sent, so nothing is sent while it cannot be read. Restore the line, or move the file away if you know how that operation ended.',
  });

const readLine = (path: string, text: string, at: number): WireLine => {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    throw damaged(path, at, messageOf(error));
  }
  if (!isJsonObject(line) || typeof line['step'] !== 'string' || typeof line['at'] !== 'string') {
    throw damaged(path, at, 'it is not an entry');
  }
  if (Number(line['v']) <= JOURNAL_VERSION) return line;
  throw new Failure('journal_damaged', `${path}: line ${at} was written by a newer bursar (version ${line['v']})`, {
    hint: 'Install that version, or a newer one.',
  });
};

/** Reads one operation; `undefined` if there is none or it is empty. Throws `journal_damaged`. */
export const readOperation = async (io: Io, id: string): Promise<RecordedOperation | undefined> => {
  const store = storeOf(io);
  const stored = await store.read(id);
  if (stored === undefined || stored.lines.length === 0) return undefined;
  const where = store.where(id);
  const lines = stored.lines.map((text, at) => readLine(where, text, at + 1));
  const [first] = lines;
  if (first?.['step'] !== FIRST_STEP) throw damaged(where, 1, `an operation starts with "${FIRST_STEP}"`);
  return { id, events: lines.map((line) => eventOf(line, first)), isTorn: stored.isTorn };
};
