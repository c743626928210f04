import { createHash } from 'node:crypto';
import { isFailure, messageOf } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './open-store.ts';
import { stateOf } from './reduce.ts';
import { AT_ONCE } from './states.ts';
import type { StoredLines } from './store.ts';
import { operationFrom } from './wire.ts';

/** The lines of one operation, oldest first. */
export type OperationLines = { readonly id: string; readonly where: string; readonly stored: StoredLines };

/** All operations of the journal, oldest first. One that cannot be read has the message in place of its lines. */
export const allLines = async function* (
  io: Io,
): AsyncGenerator<OperationLines | { readonly id: string; readonly problem: string }> {
  const store = await storeOf(io);
  const ids = (await store.list()).ids.toReversed();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const group = ids.slice(at, at + AT_ONCE).map(async (id) => {
      try {
        return { id, where: store.where(id), stored: (await store.read(id)) ?? { lines: [], isTorn: false } };
      } catch (error) {
        if (!isFailure(error, 'journal_damaged')) throw error;
        return { id, problem: messageOf(error) };
      }
    });
    yield* await Promise.all(group);
  }
};

/** A line without the time of its writer, which a database stores beside its own. */
const withoutWriterTime = (line: string): string => line.replace(/,"written_at":"[^"]*"/, '');

/** How much a journal has. `digest`: SHA-256 of all lines, oldest operation first. */
export type JournalSummary = { readonly operations: number; readonly entries: number; readonly digest: string };

/** Sums up operations, oldest first. A folder and a database with the same entries have equal summaries. */
export const newSummary = () => {
  const hash = createHash('sha256');
  let [operations, entries] = [0, 0];
  return {
    add: (id: string, lines: readonly string[]): void => {
      operations += 1;
      entries += lines.length;
      for (const line of [id, ...lines]) hash.update(`${withoutWriterTime(line)}\n`);
    },
    result: (): JournalSummary => ({ operations, entries, digest: hash.digest('hex') }),
  };
};

/** The result of a check of the whole journal. */
export type JournalCheck = JournalSummary & {
  readonly journal: string;
  readonly damaged: readonly { readonly id: string; readonly message: string }[];
};

/** Reads every operation, as a resume would. `keep` gets the lines of each that is whole. */
export const checkJournal = async (
  io: Io,
  keep: (lines: readonly string[]) => Promise<void> = async () => undefined,
): Promise<JournalCheck> => {
  const { id: journal } = await storeOf(io);
  const summary = newSummary();
  const damaged: { readonly id: string; readonly message: string }[] = [];
  for await (const each of allLines(io)) {
    const problem = 'problem' in each ? each.problem : problemIn(each);
    if (problem !== undefined) damaged.push({ id: each.id, message: problem });
    if (problem !== undefined || 'problem' in each || each.stored.lines.length === 0) continue;
    summary.add(each.id, each.stored.lines);
    await keep(each.stored.lines);
  }
  return { journal, ...summary.result(), damaged };
};

const problemIn = ({ id, where, stored }: OperationLines): string | undefined => {
  if (stored.lines.length === 0) return undefined;
  try {
    stateOf(operationFrom(id, where, stored));
    return undefined;
  } catch (error) {
    if (isFailure(error, 'journal_damaged')) return messageOf(error);
    throw error;
  }
};
