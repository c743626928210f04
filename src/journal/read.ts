import { Failure, messageOf } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { type Entry, JOURNAL_VERSION } from './entry.ts';
import { storeOf } from './file-store.ts';
import { type Intent, isPaymentIntent } from './intents.ts';
import { factsOf, NOTHING_STATED, type Statement, statementOf } from './statement.ts';

/** An entry as it lies on the disk: with the time it was made, in ISO 8601. */
export type Line = Entry & { readonly v: number; readonly at: string; readonly movement: string };

/** One operation of the journal: its entries, the oldest first, of which there is at least one. */
export type Recorded = {
  readonly id: string;
  readonly lines: readonly Line[];
  /** A crash left half a line after them: nothing was done on the strength of it. */
  readonly isTorn: boolean;
};

const damaged = (path: string, line: number, why: string): Failure =>
  new Failure('journal_damaged', `${path}: line ${line} is damaged: ${why}`, {
    hint: 'The journal shows which payments may have been sent, so nothing is sent while it cannot be read. Restore the line, or move the file away if you know how that operation ended.',
  });

const readLine = (path: string, text: string, at: number): Line => {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    throw damaged(path, at, messageOf(error));
  }
  if (!isJsonObject(line) || typeof line['step'] !== 'string' || typeof line['at'] !== 'string') {
    throw damaged(path, at, 'it is no entry');
  }
  if (Number(line['v']) <= JOURNAL_VERSION) return upcast(line) as Line;
  throw new Failure('journal_damaged', `${path}: line ${at} was written by a newer bursar (version ${line['v']})`, {
    hint: 'Install that version, or a newer one.',
  });
};

/** Reads one operation; `undefined` when there is none, or nothing was written yet. Throws `journal_damaged`. */
export const readOperation = async (io: Io, id: string): Promise<Recorded | undefined> => {
  const store = storeOf(io);
  const stored = await store.read(id);
  if (stored === undefined || stored.lines.length === 0) return undefined;
  const where = store.where(id);
  const lines = stored.lines.map((text, at) => readLine(where, text, at + 1));
  if (lines[0]?.step !== 'begun') throw damaged(where, 1, 'a movement starts with "begun"');
  return { id, lines, isTorn: stored.isTorn };
};

type RawLine = Readonly<Record<string, unknown>>;

/** Verdicts by the names that version 1 gave them. */
const VERDICTS: Readonly<Record<string, string>> = { fine: 'pass', needs_word: 'confirm', refused: 'refuse' };

/**
 * What the user had stated when a line of version 1 was written. An operation for a payment that was there before it has
 * the facts that the service showed; every other one has those of its command line.
 */
const statedIn = ({ intent, payment_id: paymentId }: RawLine): Statement => {
  if (!isJsonObject(intent)) return NOTHING_STATED;
  const isShown = paymentId !== undefined && isPaymentIntent(intent as Intent);
  return isShown ? NOTHING_STATED : statementOf(factsOf(intent as Intent), 'options');
};

/** A line of an older version of the journal in the shape of the present one. */
const upcast = (line: RawLine): RawLine => {
  if (Number(line['v']) >= 2) return line;
  if (line['step'] === 'begun') return { ...line, stated: statedIn(line) };
  const verdict = VERDICTS[String(line['verdict'])];
  return line['step'] === 'reviewed' && verdict !== undefined ? { ...line, verdict } : line;
};
