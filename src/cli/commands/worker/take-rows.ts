import type { Job } from '../../../bulk/queue/jobs.ts';
import type { TakenRow } from '../../../bulk/queue/names.ts';
import type { Queue, RowNote, RowQueue } from '../../../bulk/queue/queue.ts';
import { documentOf, type RowChange } from '../../../bulk/results.ts';
import type { Row } from '../../../bulk/rows.ts';
import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { batched, grouped } from '../../../core/once.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import { stateNamed } from '../../../journal/earlier.ts';
import { isTerminal, mayHaveMoved } from '../../../journal/status.ts';
import type { CommandContext } from '../../command/command.ts';
import { silent } from '../../context/silent.ts';
import type { AmountLimits } from '../../operations/amount-limits.ts';
import { isPaid, type PlannedRow, type PoolKey, planRow, type RowSettings } from '../pay/bulk/plan-row.ts';
import { differencesIn, planText, serviceOfQueue } from '../pay/bulk/put.ts';
import type { ResultLog } from '../pay/bulk/report.ts';
import { pendingChange } from '../pay/bulk/row-change.ts';
import type { BulkRun } from '../pay/bulk/row-context.ts';
import type { RowSource } from '../pay/bulk/run-rows.ts';
import { newBudget } from './budget.ts';
import type { OwnWallets } from './own-wallets.ts';

/** The most rows that are taken at a time. */
const BATCH_SIZE = 64;
/** Rows are taken when so many parts of the room for them are free. */
const PARTS_OF_ROOM = 4;
/** How many rows wait for each wallet, so that its turn never waits for the queue. */
const ROWS_OF_WALLET = 4;
/** The pause while the queue is empty, or while enough rows wait in this process. */
const IDLE_MS = 250;
const FULL_MS = 25;
/** How often a worker looks for new queues, and for wallets that other workers gave up. */
const LOOK_MS = 2_000;

/** A row that this process works on. `change` is its last one. */
type OwnRow = { readonly taken: TakenRow; readonly row: Row; isSent: boolean; change: RowChange | undefined };

const keyOf = ({ batch, row }: Job): string => `${batch} ${row}`;

/** What a worker needs. */
export type Taking = {
  readonly queue: Queue;
  readonly client: Client;
  readonly settings: RowSettings;
  readonly wallets: OwnWallets;
  readonly limits: AmountLimits;
  readonly concurrency: number;
  readonly untilEmpty: boolean;
};

/** The rows of a queue as the source of a run, and where their changes are recorded. */
export const takeRows = (
  cli: CommandContext,
  taking: Taking,
): { readonly source: RowSource; readonly results: ResultLog; readonly end: () => Promise<void> } => {
  const { queue, client, settings, wallets, limits, concurrency, untilEmpty } = taking;
  const { clock, interrupted } = client.io;
  const service = serviceOfQueue(client.service);
  const inner = silent(cli, client).cli;
  /** By their batches and rows. The job of a row that takes long may become visible meanwhile. */
  const own = new Map<string, OwnRow>();
  const budget = newBudget(limits);
  let total = 0;
  /** Rows that were given back: they were counted. */
  const returned = new Set<string>();

  const ownOf = ({ row }: PlannedRow): OwnRow | undefined => [...own.values()].find((each) => each.row === row);
  const note = grouped((notes: readonly RowNote[]) => queue.note(notes));
  const leave = grouped((jobs: readonly { readonly job: Job; readonly hasEnded: boolean }[]) => queue.leave(jobs));

  /** Whether no worker looks at a row again: it is paid, or failed for a reason of its own. */
  const hasEnded = ({ status, isOfAll = false }: RowChange): boolean =>
    status === 'paid' || status === 'skipped' || (status === 'failed' && !isOfAll);
  const record = async (row: OwnRow, change: RowChange): Promise<void> => {
    // The queue keeps what the worker with the other wallet recorded.
    if (!change.isOfAnother)
      await note.add({ job: row.taken.job, change: documentOf(change), hasEnded: hasEnded(change) });
    row.change = change;
  };
  /** A row is not worked on any more. `isGone`: it is in the queue no longer, or under another job. */
  const end = async (row: OwnRow, isGone = false): Promise<void> => {
    const [key, { change }] = [keyOf(row.taken.job), row];
    own.delete(key);
    const isFinal = isGone || (change !== undefined && hasEnded(change));
    budget.leave(key, row.taken, change, isFinal);
    if (isGone) total -= 1;
    else if (!isFinal) returned.add(key);
    await leave.add({ job: row.taken.job, hasEnded: isFinal });
  };
  /** Gives a row back without an attempt. */
  const refuse = async (run: BulkRun, row: OwnRow, message: string, isOfAnother = false): Promise<undefined> => {
    await run.report(pendingChange(row.row, message, isOfAnother));
    await end(row);
  };
  /** The same, and this worker stops: another one may be set up as the command that filled the queue was. */
  const stopAt = (run: BulkRun, row: OwnRow, message: string): Promise<undefined> => {
    const { batch = '', id } = row.row;
    run.stop(
      new Failure('invalid_input', `the row ${inSentence(id)} of ${inSentence(batch)} cannot be paid here: ${message}`),
    );
    return refuse(run, row, message);
  };
  /** Plans a taken row with the wallets of this worker. `undefined` for one that it does not pay. */
  const plan = async (run: BulkRun, ownRow: OwnRow): Promise<PlannedRow | undefined> => {
    const { taken, row } = ownRow;
    const isAllowed = ({ address = '' }: PoolKey): boolean =>
      taken.wallets.some((wallet) => isSameText(wallet, address)) && wallets.isOwn(address);
    const [hasWallet, pool] = [taken.wallets.length > 0, settings.pool.filter(isAllowed)];
    if (hasWallet && pool.length === 0) return refuse(run, ownRow, 'this worker has none of its wallets');
    const rowSettings = { ...settings, batch: taken.batch, pool: hasWallet ? pool : settings.pool };
    const planned = await planRow(inner, rowSettings, row);
    if (!('pays' in planned)) {
      const message = [planned[0]?.column, planned[0]?.message].filter(Boolean).join(': ');
      const isOfAnother = planned[0]?.isOfAnother === true && pool.length < taken.wallets.length;
      return isOfAnother ? refuse(run, ownRow, message, true) : stopAt(run, ownRow, message);
    }
    if (isPaid(planned)) return planned;
    const differences = differencesIn(planText(planned), taken.plan);
    if (differences.length > 0 || planned.keys.length > 0 !== hasWallet) {
      const what = inSentence(differences.join(', ') || 'transaction_type');
      const message = `it would ask for another ${what} than the command that filled the queue. State it in the file, or set it in both profiles`;
      return stopAt(run, ownRow, message);
    }
    const { pays } = planned;
    if (pays.method === 'pix' || budget.take(keyOf(taken.job), pays)) return planned;
    const bound = `--max-total of ${inSentence(pays.token)}`;
    const over = budget.hasLimit(pays.token)
      ? `the next row pays ${pays.amount} ${inSentence(pays.token)}, which is above ${bound}`
      : `the next row pays ${inSentence(pays.token)}, and there is no ${bound}`;
    run.stop(new Failure('refused_by_review', over));
    return refuse(run, ownRow, `it is not within ${bound} of this worker`);
  };
  const started = batched(async (ids) => {
    const jobs = [...own.values()].flatMap(({ taken: { job } }) => (ids.includes(job.id) ? [job] : []));
    return queue.begin(jobs);
  });
  /** Whether a row may be paid: it was neither replaced nor taken back, and no other worker has started it meanwhile. */
  const begin = async (run: BulkRun, planned: PlannedRow): Promise<boolean> => {
    const row = ownOf(planned);
    if (row === undefined) return false;
    const wasStarted = await started(row.taken.job.id);
    if (wasStarted === undefined) {
      await end(row, true);
      return false;
    }
    if (!wasStarted || planned.earlier !== undefined) return true;
    // An earlier worker was killed before its first entry, or another one is about to write it: the name in the journal decides.
    const { name } = planned;
    const found = await stateNamed(client.io, deploymentOfService(client.service), name);
    // One that moved nothing frees its name.
    if (found === undefined || (isTerminal(found) && !mayHaveMoved(found))) return true;
    await refuse(run, row, 'another worker has started it', true);
    return false;
  };
  /** How many rows of a queue wait in this process. */
  const waiting = (name: string): number =>
    [...own.values()].filter(({ isSent, taken }) => !isSent && taken.job.queue === name).length;
  /** How many rows of a queue may be taken: as many as keep its wallets busy, because another worker may take the others. */
  const roomFor = ({ name, wallets: count }: RowQueue): { readonly most: number; readonly room: number } => {
    const most = Math.min(BATCH_SIZE, count === 0 ? concurrency : ROWS_OF_WALLET * count);
    return { most, room: most - waiting(name) };
  };
  /** Whether no row is left that one of the keys may pay, also those of wallets that another worker has. */
  const isEmpty = async (): Promise<boolean> => {
    const addresses = settings.pool.flatMap(({ address }) => address ?? []);
    const names = (await queue.queuesFor(service, addresses)).map(({ name }) => name);
    return queue.areEmpty(names);
  };
  const takeAll = async function* (run: BulkRun, goesOn: () => boolean): AsyncGenerator<PlannedRow> {
    let [lookAt, queues]: [number, readonly RowQueue[]] = [Number.NEGATIVE_INFINITY, []];
    for (let turn = 0; goesOn(); turn += 1) {
      if (clock.monotonic() >= lookAt) {
        await wallets.takeMore(run);
        queues = await queue.queuesFor(service, wallets.own());
        lookAt = clock.monotonic() + LOOK_MS;
        if (await wallets.mustStop(run)) return;
      }
      let [found, isFull] = [0, false];
      for (let at = 0; at < queues.length && goesOn(); at += 1) {
        const next = queues[(turn + at) % queues.length];
        const { most, room } = next ? roomFor(next) : { most: 0, room: 0 };
        // A few rows at a time cost as much as many.
        isFull = room < most / PARTS_OF_ROOM;
        if (next === undefined || isFull) continue;
        const fresh = (await queue.take(next.name, room)).filter(({ job }) => !own.has(keyOf(job)));
        // All of them are in hand before the first one waits.
        for (const taken of fresh) {
          const row: Row = { ...taken.row, batch: taken.batch };
          own.set(keyOf(taken.job), { taken, row, isSent: false, change: undefined });
          if (!returned.delete(keyOf(taken.job))) total += 1;
        }
        found += fresh.length;
        for (const { job } of fresh) {
          const row = own.get(keyOf(job));
          const planned = row && (await plan(run, row));
          if (planned) yield planned;
        }
      }
      const isIdle = found === 0 && own.size === 0;
      if (isIdle && untilEmpty && (await isEmpty())) return;
      if (found === 0) await clock.sleep(isFull ? FULL_MS : IDLE_MS, interrupted).catch(() => undefined);
    }
  };
  const rows = async function* (run: BulkRun, goesOn: () => boolean): AsyncGenerator<PlannedRow> {
    try {
      yield* takeAll(run, goesOn);
    } finally {
      await wallets.settled();
    }
  };
  return {
    source: {
      total: () => total,
      retryHint: 'bursar pay bulk puts the others into the queue again.',
      settle: async () => ({ end: Promise.resolve() }),
      rows,
      begin,
      onSent: (planned) => {
        const row = ownOf(planned);
        if (row) row.isSent = true;
      },
      onEnd: async (planned) => {
        const row = ownOf(planned);
        if (row) await end(row);
      },
    },
    results: {
      write: async (change) => {
        const row = [...own.values()].find(({ row: { id, batch } }) => id === change.id && batch === change.batch);
        if (row) await record(row, change);
      },
    },
    /** Gives back what was taken and not started. */
    end: async () => {
      await Promise.all([...own.values()].map((row) => end(row)));
      await Promise.all([note.idle(), leave.idle()]);
    },
  };
};
