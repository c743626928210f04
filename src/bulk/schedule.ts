import type { LaneState } from './lanes.ts';

/** How many rows are read ahead while their lanes are busy. */
const MAX_PARKED = 1_000;

/** How many sent rows may wait for their end. */
const MAX_SENT = 500;

/** The parts of a run that the schedule needs. `Row` is opaque to it. */
export type Schedule<Row> = {
  readonly rows: AsyncIterable<Row>;
  /** The lanes that a row may take, the preferred one first. */
  readonly lanesOf: (row: Row) => Promise<readonly string[]>;
  readonly stateOf: (lane: string) => LaneState;
  /** How many rows of a lane may be started and not sent yet. */
  readonly depthOf: (lane: string) => number;
  /** Pays a row. `onSent`: from now on it only waits for its end. It rejects only if the run must stop. */
  readonly pay: (row: Row, lane: string, onSent: () => void) => Promise<void>;
  /** Reports a row that no lane can take in this run. */
  readonly hold: (row: Row) => Promise<void>;
  /** Whether further rows may start: `false` after an interrupt. */
  readonly mayStart: () => boolean;
};

/** A row that waits. `key` is equal for the same lanes. */
type Parked<Row> = { readonly row: Row; readonly lanes: readonly string[]; readonly key: string };

/** A schedule that runs. `wake`: a lane may be open again. */
export type RunningSchedule = { readonly end: Promise<void>; readonly wake: () => void };

/**
 * Starts the rows of a file in their order, as far as their lanes have room, and waits for all. A row whose lanes are
 * busy lets later rows of other lanes pass. Rejects with the first error of `pay`, after all started rows ended.
 */
export const startSchedule = <Row>(schedule: Schedule<Row>): RunningSchedule => {
  const { stateOf, depthOf, mayStart } = schedule;
  const preparing = new Map<string, number>();
  const jobs = new Set<Promise<void>>();
  let parked: Parked<Row>[] = [];
  let sent = 0;
  let errors: unknown[] = [];
  let wake = (): void => undefined;
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const goesOn = (): boolean => errors.length === 0 && mayStart();
  const count = (lane: string, by: 1 | -1): void => void preparing.set(lane, (preparing.get(lane) ?? 0) + by);
  const track = (work: Promise<void>): void => {
    const job: Promise<void> = work
      .catch((error: unknown) => {
        errors = [...errors, error];
      })
      .finally(() => {
        jobs.delete(job);
        wake();
      });
    jobs.add(job);
  };
  const start = (row: Row, lane: string): void => {
    count(lane, 1);
    let isSent = false;
    const onSent = (): void => {
      if (isSent) return;
      isSent = true;
      sent += 1;
      count(lane, -1);
      wake();
    };
    const ended = (): void => {
      if (isSent) sent -= 1;
      else count(lane, -1);
    };
    track(schedule.pay(row, lane, onSent).finally(ended));
  };
  /** The lane with the most room; `undefined` if none has any. */
  const roomFor = (lanes: readonly string[]): string | undefined => {
    const open = lanes.filter((lane) => stateOf(lane) === 'open' && (preparing.get(lane) ?? 0) < depthOf(lane));
    return open.toSorted((one, other) => (preparing.get(one) ?? 0) - (preparing.get(other) ?? 0))[0];
  };
  const startParked = (): void => {
    const full = new Set<string>();
    const left: Parked<Row>[] = [];
    for (const each of parked) {
      // Rows of the same lanes keep their order.
      if (full.has(each.key)) {
        left.push(each);
        continue;
      }
      const lane = sent >= MAX_SENT || !goesOn() ? undefined : roomFor(each.lanes);
      if (lane !== undefined) start(each.row, lane);
      else if (each.lanes.every((one) => stateOf(one) === 'held')) track(schedule.hold(each.row));
      else {
        full.add(each.key);
        left.push(each);
      }
    }
    parked = left;
  };
  /** Waits for the next row of the source. Meanwhile rows that wait start as soon as their lanes have room. */
  const readNext = async (source: AsyncIterator<Row>): Promise<IteratorResult<Row>> => {
    let isRead = false;
    const next = source.next().finally(() => {
      isRead = true;
      wake();
    });
    while (!isRead) {
      startParked();
      await change();
    }
    return next;
  };
  const park = async (row: Row): Promise<void> => {
    const lanes = await schedule.lanesOf(row);
    parked.push({ row, lanes, key: lanes.join(' ') });
    for (startParked(); parked.length >= MAX_PARKED && goesOn(); startParked()) await change();
    // Results of held rows are written before more of them are read.
    while (jobs.size >= MAX_PARKED + MAX_SENT) await change();
  };
  const readAll = async (source: AsyncIterator<Row>): Promise<void> => {
    try {
      for (let next = await readNext(source); !next.done && goesOn(); next = await readNext(source))
        await park(next.value);
    } finally {
      await source.return?.();
    }
  };
  const run = async (): Promise<void> => {
    try {
      await readAll(schedule.rows[Symbol.asyncIterator]());
    } catch (error) {
      errors = [...errors, error];
    }
    for (startParked(); goesOn() && parked.length > 0; startParked()) await change();
    while (jobs.size > 0) await Promise.all(jobs);
    if (errors.length > 0) throw errors[0];
  };
  return { end: run(), wake: () => wake() };
};
