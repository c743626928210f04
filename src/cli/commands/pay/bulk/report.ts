import type { Limiter } from '../../../../bulk/rate.ts';
import { documentOf, type Results, type RowChange, type RowState } from '../../../../bulk/results.ts';
import type { Row } from '../../../../bulk/rows.ts';
import type { Failure } from '../../../../core/failure.ts';
import { isJsonObject, listAt, textAt } from '../../../../core/json.ts';
import { canRedraw } from '../../../../core/screen.ts';
import { escapeText, prefixThatFits } from '../../../../core/text.ts';
import type { CommandContext } from '../../../command/command.ts';
import { documentLine } from '../../../print/watch.ts';
import { failureOf } from './row-change.ts';
import { type Attention, inWords, ORDER, type Summary } from './run-failure.ts';

/** How many rows of one state a terminal lists. The results file has all. */
const MAX_LISTED = 20;

/** How many held rows the failure of a run names. */
const MAX_HELD = 1_000;

const BAR_EVERY_MS = 200;
const BAR_WIDTH = 20;

/** A row of the file with its id. An operation of another file has no row. */
const rowInWords = ({ row, id = '', batch }: Pick<RowChange, 'row' | 'id' | 'batch'>): string =>
  row > 0 ? `${batch === undefined ? '' : `batch ${batch}, `}row ${row}, ${id}` : id;

/** Rows of two batches may have the same id. */
const keyOf = ({ id = '', batch = '' }: Pick<RowChange, 'id' | 'batch'>): string => JSON.stringify([batch, id]);

const UNFINISHED: readonly RowState[] = ['in_doubt', 'held', 'pending'];

/** Why a row failed: the message of its error, and those of its fields. */
const reasonIn = (error: unknown): string => {
  const message = textAt(error, 'message') ?? '';
  const fields = listAt(error, 'errors').flatMap((each) => {
    const text = textAt(each, 'message') ?? '';
    return message.includes(text) ? [] : `${textAt(each, 'field')}: ${text}`;
  });
  return [message, ...fields].map((text) => (text === '' ? '' : `: ${text}`)).join('');
};

const secondsInWords = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
};

/** Where changes are written. */
export type ResultLog = Pick<Results, 'write'>;

/** Counts the changes of rows, writes them, and shows the progress on a terminal. `total`: how many rows there are. */
export const openReport = (
  cli: CommandContext,
  {
    results,
    total,
    limiter,
  }: { readonly results: ResultLog | undefined; readonly total: () => number; readonly limiter: Limiter },
) => {
  const { io, globals } = cli;
  const { clock, stdout, stderr } = io;
  const counts = new Map<RowState, number>();
  /** The states of rows that a worker may look at again. */
  const unfinished = new Map<string, RowState>();
  const attention: Attention = { doubts: new Map(), held: new Map(), failed: [], ended: new Map(), hasStarted: false };
  const start = clock.monotonic();
  const isTable = stdout.isTerminal && !globals.json;
  const draws = stderr.isTerminal && canRedraw(io.env) && !globals.quiet;
  let [warned, interruptedRows, isDrawn] = [0, 0, false];
  let [noted, firstNote]: [number, string | undefined] = [0, undefined];
  const listed = new Map<RowState, number>();
  const ended = new AbortController();

  const count = (state: RowState, by = 1): void => void counts.set(state, (counts.get(state) ?? 0) + by);
  const of = (state: RowState): number => counts.get(state) ?? 0;
  const summary = (): Summary => {
    const known = Object.fromEntries(ORDER.map((state) => [state, of(state)])) as Omit<Summary, 'rows'>;
    const others = ORDER.filter((state) => state !== 'pending').reduce((sum, state) => sum + of(state), 0);
    return { rows: total(), ...known, in_doubt: attention.doubts.size, pending: total() - others };
  };
  /** The rows that an interrupt kept from their end: those that it ended, and those without a change. */
  const cut = (): number => interruptedRows + total() - ORDER.reduce((sum, state) => sum + of(state), 0);
  const erase = async (): Promise<void> => {
    if (isDrawn) await stderr.write('\r\u001b[K');
    isDrawn = false;
  };
  const printLine = async (line: string): Promise<void> => {
    await erase();
    await stderr.write(`${escapeText(line)}\n`);
  };
  const draw = async (): Promise<void> => {
    const { paid, skipped, failed, in_doubt, held } = summary();
    const done = paid + skipped + failed + held;
    const seconds = (clock.monotonic() - start) / 1000;
    const rate = (paid + failed) / Math.max(seconds, 0.001);
    const left = rate > 0 ? `, ${secondsInWords((total() - done) / rate)} left` : '';
    const filled = Math.round((done / Math.max(total(), 1)) * BAR_WIDTH);
    const [full, empty] = cli.talkStyle.unicode ? ['█', '░'] : ['#', '-'];
    const bad = [failed > 0 && `${failed} failed`, in_doubt > 0 && `${in_doubt} in doubt`].filter(Boolean).join(', ');
    const { limit, pausedMs } = limiter.numbers();
    const pause = pausedMs > 0 ? `, paused ${secondsInWords(pausedMs / 1000)}` : '';
    const text = `${full.repeat(filled)}${empty.repeat(BAR_WIDTH - filled)} ${done} of ${total()} rows, ${rate.toFixed(1)} a second${left}${bad && `, ${bad}`}, ${limit} calls at a time${pause}`;
    isDrawn = true;
    await stderr.write(`\r\u001b[K${prefixThatFits(text, stderr.columns - 1)}`);
  };
  const drawing = async (): Promise<void> => {
    while (draws && !ended.signal.aborted) {
      await draw();
      await clock.sleep(BAR_EVERY_MS, ended.signal).catch(() => undefined);
    }
  };
  const drawn = drawing();

  const listOnTerminal = async ({ status, payment_id, error, ...place }: RowChange): Promise<void> => {
    const before = listed.get(status) ?? 0;
    if (!['failed', 'in_doubt', 'held'].includes(status) || before >= MAX_LISTED) return;
    listed.set(status, before + 1);
    const which = payment_id === undefined ? '' : ` (${payment_id})`;
    await printLine(`${rowInWords(place)}${which}: ${inWords(status)}${reasonIn(error)}`);
  };

  return {
    /** Writes a change to the results file first, then to stdout. */
    on: async (change: RowChange): Promise<void> => {
      const key = keyOf(change);
      attention.doubts.delete(key);
      attention.held.delete(key);
      const before = unfinished.get(key);
      unfinished.delete(key);
      if (before) count(before, -1);
      if (change.row > 0 && UNFINISHED.includes(change.status)) unfinished.set(key, change.status);
      if (change.status === 'in_doubt') attention.doubts.set(key, change);
      if (change.status === 'held' && attention.held.size < MAX_HELD) attention.held.set(key, change);
      if (change.isOver) attention.ended.set(key, change.payment_id);
      if (change.status !== 'skipped' && change.payment_id !== undefined) attention.hasStarted = true;
      if (change.status === 'failed' && attention.failed.length < MAX_LISTED) attention.failed.push(change);
      // An operation of another file is no row of this one.
      if (change.row > 0) count(change.status);
      if (isJsonObject(change.error) && change.error['code'] === 'interrupted') interruptedRows += 1;
      const note = textAt(change.more, 'note');
      if (note !== undefined) {
        firstNote ??= `${rowInWords(change)}: ${note}`;
        noted += 1;
      }
      await results?.write(change);
      if (isTable) await listOnTerminal(change);
      else if (!stdout.isClosed()) await stdout.write(await documentLine(cli, documentOf(change), globals.fields));
    },
    /** Prints a line of progress or advice above the bar, except with --quiet. */
    note: async (line: string): Promise<void> => {
      await erase();
      await cli.printNote(line);
    },
    warn: async (row: Row, text: string): Promise<void> => {
      warned += 1;
      if (warned <= MAX_LISTED) await printLine(`warning: ${rowInWords(row)}: ${text}`);
    },
    summary,
    attention,
    cut,
    /** Adds a row that an interrupt leaves in doubt. Its change is not written any more. */
    addDoubt: (row: Row, failure: Failure): void =>
      void attention.doubts.set(keyOf(row), failureOf(row, failure, undefined, 'in_doubt')),
    /** Ends the progress line. */
    end: async (): Promise<void> => {
      ended.abort();
      await drawn;
      await erase();
      if (isTable && noted > 0)
        await printLine(`${noted} skipped ${noted === 1 ? 'row has' : 'rows have'} other values: ${firstNote}`);
      if (warned > MAX_LISTED) await printLine(`${warned - MAX_LISTED} more warnings are not shown`);
    },
  };
};
