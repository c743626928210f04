import { setMaxListeners } from 'node:events';
import { openLanes } from '../../../../bulk/lanes.ts';
import { newLimiter } from '../../../../bulk/rate.ts';
import { startSchedule } from '../../../../bulk/schedule.ts';
import type { Client } from '../../../../client/call.ts';
import { Failure, interrupted, isFailure, messageOf } from '../../../../core/failure.ts';
import { printJson } from '../../../../core/json.ts';
import { walletOf } from '../../../../flows/pay/nonce.ts';
import { laneOf, type SigningKey } from '../../../../flows/turn.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import type { CommandContext } from '../../../command/command.ts';
import type { ParsedArgs } from '../../../command/options.ts';
import { wholeArg } from '../../../command/whole-arg.ts';
import { silent } from '../../../context/silent.ts';
import { withSigningKey } from '../../../operations/signing-key.ts';
import { networkOf } from '../../../profiles/gate.ts';
import { openPool } from './funds.ts';
import { payRow } from './pay-row.ts';
import { addressIn, isPaid, movedBefore, type PlannedRow, type RowSettings } from './plan-row.ts';
import { openReport, type ResultLog } from './report.ts';
import { heldChange } from './row-change.ts';
import { type BulkRun, MAX_PAUSE_MS } from './row-context.ts';
import { countsInWords, failureOfRun } from './run-failure.ts';

/** The usual --doubt-wait, in seconds, and the usual --concurrency. */
export const USUAL_DOUBT_WAIT_S = 120;
export const USUAL_CONCURRENCY = 16;

/** After an interrupt, a row whose bytes are being sent waits no longer than this. */
const MAX_PAUSE_AFTER_INTERRUPT_MS = 5_000;

/** How many rows of a wallet are prepared while one has its turn. */
const LANE_DEPTH = 3;

/** The lane of payments by Pix and card, and of those that an earlier run made: they wait for no wallet. */
const NO_WALLET = 'no wallet';

/** Unlocks the keys for some work. The password of each is asked for now, because the run asks nothing. */
export const withKeys = async <T>(
  cli: CommandContext,
  given: ParsedArgs,
  [name, ...others]: readonly string[],
  work: (keys: ReadonlyMap<string, SigningKey>) => Promise<T>,
  opened: ReadonlyMap<string, SigningKey> = new Map(),
): Promise<T> => {
  if (name === undefined) return work(opened);
  return withSigningKey(cli, given, { name, chain: 'evm' }, async (key) => {
    await key.open();
    return withKeys(cli, given, others, work, new Map([...opened, [name, key]]));
  });
};

/** The limits of a run, as its options state them. */
export type RunLimits = {
  readonly concurrency: number;
  readonly rate: number | undefined;
  readonly doubtWaitMs: number;
};

/** Reads the limits of a run. Throws `invalid_input` for a value that is no whole number in its range. */
export const runLimits = (given: ParsedArgs): RunLimits => ({
  concurrency: wholeArg(given, 'concurrency', [1, 1_000]) ?? USUAL_CONCURRENCY,
  rate: wholeArg(given, 'rate', [1, 100_000]),
  doubtWaitMs: (wholeArg(given, 'doubt-wait', [0, 86_400]) ?? USUAL_DOUBT_WAIT_S) * 1000,
});

/** Where the rows of a run come from: a file that was checked and confirmed, or a queue. */
export type RowSource = {
  readonly total: () => number;
  /** How failed rows are tried again, if not by the same command. */
  readonly retryHint?: string;
  /** Starts to settle what earlier runs left in doubt. Their wallets are kept from now on. */
  readonly settle: (run: BulkRun) => Promise<{ readonly end: Promise<void> }>;
  /** The rows in their order. `goesOn`: whether further rows may start. */
  readonly rows: (run: BulkRun, goesOn: () => boolean) => AsyncGenerator<PlannedRow>;
  /** Called before a row is paid. False: it is not to be paid any more. */
  readonly begin?: (run: BulkRun, planned: PlannedRow) => Promise<boolean>;
  /** A row only waits for its end from now on. */
  readonly onSent?: (planned: PlannedRow) => void;
  /** A row is not worked on any more. */
  readonly onEnd?: (planned: PlannedRow) => Promise<void>;
};

/** What is paid, with what, and where the changes are written. */
type Confirmed = {
  readonly client: Client;
  readonly settings: RowSettings;
  readonly limits: RunLimits;
  readonly results: ResultLog | undefined;
  readonly source: RowSource;
};

/** The lane of a row with each of some keys. */
const lanesOf = (
  run: BulkRun,
  { intent, earlier }: PlannedRow,
  keys: readonly string[],
): ReadonlyMap<string, string | undefined> => {
  if (!isPaymentIntent(intent) || isPaid({ earlier })) return new Map([[NO_WALLET, undefined]]);
  const addressOf = (key: string): string => addressIn(run.settings, key) ?? '';
  return new Map(keys.map((key) => [laneOf(walletOf(run, { chain: intent.chain, payer: addressOf(key) })), key]));
};

/** An error of one row ends the run: without an end of its doubt, the rows behind it would wait for ever. */
const failingAll = async <T>(run: BulkRun, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    run.fail(error);
    throw error;
  }
};

/** Settles what is in doubt, and pays the other rows. Rejects with the first error after all rows ended. */
const runRows = async (
  run: BulkRun,
  { source, limits }: Confirmed,
  goesOn: () => boolean,
  onWake: (wake: () => void) => void,
) => {
  const { lanes } = run;
  const pool = await openPool(silent(run.cli, run.client).cli, run.given, run.client, run.settings);
  const settling = await source.settle(run);
  settling.end.catch(run.fail);
  const schedule = startSchedule<PlannedRow>({
    rows: { [Symbol.asyncIterator]: () => source.rows(run, goesOn) },
    lanesOf: async (planned) => [...lanesOf(run, planned, await pool.keysFor(planned)).keys()],
    stateOf: (lane) => (lane === NO_WALLET ? 'open' : lanes.stateOf(lane)),
    depthOf: (lane) => (lane === NO_WALLET ? limits.concurrency : LANE_DEPTH),
    pay: async (planned, lane, onSent) => {
      if (source.begin && !(await failingAll(run, source.begin(run, planned)))) return;
      const key = lanesOf(run, planned, planned.keys).get(lane);
      if (key !== undefined && !movedBefore(planned)) pool.take(key, planned.pays);
      const sent = (): void => {
        source.onSent?.(planned);
        onSent();
      };
      await failingAll(run, payRow(run, planned, key, sent));
      await failingAll(run, source.onEnd?.(planned) ?? Promise.resolve());
    },
    hold: (planned) =>
      failingAll(
        run,
        run.report(heldChange(planned)).then(() => source.onEnd?.(planned)),
      ),
    mayStart: goesOn,
  });
  onWake(schedule.wake);
  const ended = await Promise.allSettled([settling.end, schedule.end]);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
};

/** So many rows in a row without success are no accident of single rows. */
const MAX_BAD_ROWS = 20;

/** The same report. After many rows that failed or are in doubt, with none paid between, the run stops. */
const stoppingAfterMany = (on: BulkRun['report'], stop: BulkRun['stop']): BulkRun['report'] => {
  let bad = 0;
  return async (change) => {
    if (change.status === 'paid') bad = 0;
    const isBad = change.status === 'in_doubt' || (change.status === 'failed' && change.isOfEarlierRun !== true);
    if (isBad) bad += 1;
    if (isBad && bad === MAX_BAD_ROWS)
      stop(new Failure('rows_failed', `${MAX_BAD_ROWS} rows failed or are in doubt, one after another`));
    await on(change);
  };
};

/** The failure that an error of a run is for its user. */
const failureIn = (error: unknown): Failure =>
  isFailure(error) ? error : new Failure('internal', messageOf(error), { cause: error });

/** Pays the rows of a source. Throws the failure of its most serious row. */
export const payAll = async (
  cli: CommandContext,
  given: ParsedArgs,
  confirmed: Confirmed,
  keys: ReadonlyMap<string, SigningKey>,
): Promise<void> => {
  const { io } = cli;
  const { client, settings, source, results, limits } = confirmed;
  // A call that has been started waits for its place even after an interrupt: it may be that of signed bytes.
  const maxPauseMs = () => (io.interrupted.aborted ? MAX_PAUSE_AFTER_INTERRUPT_MS : MAX_PAUSE_MS);
  const limiter = newLimiter({ clock: io.clock, interrupted: io.forceQuit }, { ...limits, maxPauseMs });
  const report = openReport(cli, { results, total: source.total, limiter });
  let [stopped, wake]: [Failure | undefined, () => void] = [undefined, () => undefined];
  const lanes = openLanes(() => wake());
  const stop = (failure: Failure): void => {
    stopped ??= failure;
    wake();
  };
  const fail = (error: unknown): void => {
    stop(failureIn(error));
    lanes.close(new Failure('interrupted', 'the run ended before the turn of this row'));
  };
  const running: BulkRun['running'] = new Set();
  const onInterrupt = (): void => {
    const count = [...running].filter(({ isSending }) => isSending()).length;
    const rows = count === 1 ? '1 row that is' : `${count} rows that are`;
    if (count > 0) void report.note(`Waiting for ${rows} being sent. Ctrl-C again ends at once.`);
    lanes.close(interrupted());
    wake();
  };
  // Each row waits for both.
  setMaxListeners(0, io.interrupted, io.forceQuit);
  io.interrupted.addEventListener('abort', onInterrupt, { once: true });
  const network = await networkOf(cli, client.service.kind);
  const { warn, note } = report;
  const on = stoppingAfterMany(report.on, stop);
  const run: BulkRun = {
    cli,
    given,
    client,
    network,
    settings,
    keys,
    lanes,
    limiter,
    doubtWaitMs: limits.doubtWaitMs,
    running,
    settled: new Set(),
    report: on,
    warn,
    note,
    stop,
    fail,
  };
  cli.interruptSummaries.add(() => {
    for (const { row, ifEndedNow } of run.running)
      for (const failure of ifEndedNow()) if (failure.code === 'outcome_unknown') report.addDoubt(row, failure);
    return failureOfRun(cli, report, stopped, source.retryHint) ?? interrupted();
  });
  const goesOn = () => stopped === undefined && !io.interrupted.aborted;
  try {
    await runRows(run, confirmed, goesOn, (toWake) => {
      wake = toWake;
    });
  } catch (error) {
    // A row in doubt is more serious than what ended the run.
    stop(failureIn(error));
  } finally {
    io.interrupted.removeEventListener('abort', onInterrupt);
    await report.end();
  }
  const failure = failureOfRun(cli, report, stopped, source.retryHint);
  if (failure) throw failure;
  const summary = report.summary();
  if (io.stdout.isTerminal && !cli.globals.json) await cli.printNote(`All rows are done: ${countsInWords(summary)}.`);
  else await io.stdout.write(`${printJson({ summary })}\n`);
};
