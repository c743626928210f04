import type { Job } from '../../../bulk/queue/jobs.ts';
import type { TakenRow } from '../../../bulk/queue/names.ts';
import type { Queue, RowNote, RowQueue } from '../../../bulk/queue/queue.ts';
import { documentOf, type RowChange } from '../../../bulk/results.ts';
import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import type { Failure } from '../../../core/failure.ts';
import { batched, grouped } from '../../../core/once.ts';
import { stateNamed } from '../../../journal/earlier.ts';
import { isTerminal, mayHaveMoved } from '../../../journal/status.ts';
import type { CommandContext } from '../../command/command.ts';
import type { AmountLimits } from '../../operations/amount-limits.ts';
import type { PlannedRow, RowSettings } from '../pay/bulk/plan-row.ts';
import { serviceOfQueue } from '../pay/bulk/put.ts';
import type { ResultLog } from '../pay/bulk/report.ts';
import { pendingChange } from '../pay/bulk/row-change.ts';
import type { BulkRun } from '../pay/bulk/row-context.ts';
import type { RowSource } from '../pay/bulk/run-rows.ts';
import { newBudget } from './budget.ts';
import { damagedRows } from './damaged-rows.ts';
import type { OwnWallets } from './own-wallets.ts';
import { keyOf, type OwnRow, takenPlanner } from './plan-taken.ts';

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
): {
  readonly source: RowSource;
  readonly results: ResultLog;
  readonly damage: () => Failure | undefined;
  readonly end: () => Promise<void>;
} => {
  const { queue, client, settings, wallets, limits, concurrency, untilEmpty } = taking;
  const { clock, interrupted } = client.io;
  const service = serviceOfQueue(client.service);
  /** By their batches and rows. The job of a row that takes long may become visible meanwhile. */
  const own = new Map<string, OwnRow>();
  const budget = newBudget(limits);
  let total = 0;
  /** Rows that were given back: they were counted. */
  const returned = new Set<string>();
  /** The jobs of rows that wait for the payers of their Pix codes. */
  const shown = new Map<string, string>();
  /** The jobs of rows that were given back because a doubt holds their wallet. */
  const held = new Map<string, string>();
  /** Those of them that came back, and stay here. */
  const kept = new Map<string, Job>();
  const damaged = damagedRows();

  const ownOf = ({ row }: PlannedRow): OwnRow | undefined => [...own.values()].find((each) => each.row === row);
  const note = grouped((notes: readonly RowNote[]) => queue.note(notes));
  const leave = grouped((jobs: readonly { readonly job: Job; readonly hasEnded: boolean }[]) => queue.leave(jobs));

  /** Whether no worker looks at a row again: it is paid, or failed for a reason of its own. */
  const hasEnded = ({ status, isOfAll = false }: RowChange): boolean =>
    status === 'paid' || status === 'skipped' || (status === 'failed' && !isOfAll);
  const record = async (row: OwnRow, change: RowChange): Promise<void> => {
    // The worker that started the row has paid it: it was killed before its record, or has not made it yet.
    const status = change.status === 'skipped' && row.wasStarted ? 'paid' : change.status;
    // The queue keeps what the worker with the other wallet recorded.
    if (!change.isOfAnother)
      await note.add({ job: row.taken.job, change: documentOf({ ...change, status }), hasEnded: hasEnded(change) });
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
    if (!isFinal && change?.more?.['pix_code'] !== undefined) shown.set(key, row.taken.job.id);
    if (!isFinal && (change?.status === 'held' || change?.status === 'in_doubt')) held.set(key, row.taken.job.id);
    await leave.add({ job: row.taken.job, hasEnded: isFinal });
  };
  /** Gives a row back without an attempt. */
  const refuse = async (run: BulkRun, row: OwnRow, message: string, isOfAnother = false): Promise<undefined> => {
    await run.report(pendingChange(row.row, message, isOfAnother));
    await end(row);
  };
  const plan = takenPlanner(cli, { client, settings, wallets, budget, refuse });
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
    row.wasStarted = wasStarted;
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
  const roomFor = ({ name, own: { length: count } }: RowQueue): { readonly most: number; readonly room: number } => {
    const most = Math.min(BATCH_SIZE, count === 0 ? concurrency : ROWS_OF_WALLET * count);
    return { most, room: most - waiting(name) };
  };
  /** Whether a row was given back before, and its wallet still waits. Its job stays here, and becomes visible by itself. */
  const isHeldStill = (run: BulkRun, { job, wallets: of }: TakenRow): boolean => {
    const isHere = held.has(keyOf(job)) && of.some((address) => wallets.isOwn(address) && wallets.isHeld(run, address));
    if (isHere) kept.set(job.id, job);
    return isHere;
  };
  /** Whether all wallets of a queue wait for a doubt: its rows would be given back again and again. */
  const isHeld = (run: BulkRun, { own: addresses }: RowQueue): boolean =>
    addresses.length > 0 && addresses.every((address) => wallets.isHeld(run, address));
  /**
   * Whether no row is left that one of the keys may pay, also those of wallets that another worker has. Rows of held
   * wallets, rows that wait for their payers, and those that cannot be read do not count.
   */
  const isEmpty = async (run: BulkRun): Promise<boolean> => {
    const addresses = settings.pool.flatMap(({ address }) => address ?? []);
    const left = (await queue.queuesFor(service, addresses)).filter((each) => !isHeld(run, each));
    const names = left.map(({ name }) => name);
    return queue.areEmpty(names, [...shown.values(), ...held.values(), ...damaged.jobs().map(({ id }) => id)]);
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
        if (next === undefined || isFull || isHeld(run, next)) continue;
        const taken = await queue.take(next.name, room);
        await damaged.add(run, taken.damaged);
        const fresh = taken.rows.filter((each) => !own.has(keyOf(each.job)) && !isHeldStill(run, each));
        // All of them are in hand before the first one waits.
        for (const each of fresh) {
          const [key, row] = [keyOf(each.job), { ...each.row, batch: each.batch }];
          own.set(key, { taken: each, row, wasStarted: false, isSent: false, change: undefined });
          shown.delete(key);
          held.delete(key);
          if (!returned.delete(key)) total += 1;
        }
        // Jobs without a row, as after a withdrawal, are followed by others.
        found += fresh.length + taken.over;
        for (const { job } of fresh) {
          const row = own.get(keyOf(job));
          const planned = row && (await plan(run, row));
          if (planned) yield planned;
        }
      }
      const isIdle = found === 0 && own.size === 0;
      if (isIdle && untilEmpty && (await isEmpty(run))) {
        if (shown.size > 0) await run.note(`Pix rows that wait for their payers: ${shown.size}.`);
        return;
      }
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
    /** The failure of a run whose other rows ended well; `undefined` if all rows could be read. */
    damage: damaged.failure,
    /** Gives back what was taken and not started. */
    end: async () => {
      const others = [...kept.values(), ...damaged.jobs()].map((job) => leave.add({ job, hasEnded: false }));
      await Promise.all([...[...own.values()].map((row) => end(row)), ...others]);
      await Promise.all([note.idle(), leave.idle()]);
    },
  };
};
