import { describe, expect, it } from 'vitest';
import type { LaneState } from '../../src/bulk/lanes.ts';
import { type Schedule, startSchedule } from '../../src/bulk/schedule.ts';

type TestRow = { readonly id: number; readonly lanes: readonly string[] };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const later = async (): Promise<void> => {
  for (let count = 0; count < 20; count += 1) await turn();
};

/** Rows whose payments end when the test says so. */
const world = (rows: readonly TestRow[], more: Partial<Schedule<TestRow>> = {}) => {
  const states = new Map<string, LaneState>();
  const started: string[] = [];
  const held: number[] = [];
  const open = new Map<number, { sent: () => void; end: () => void; fail: (error: Error) => void }>();
  const flags = { mayStart: true, read: 0 };
  const read = async function* (): AsyncGenerator<TestRow> {
    for (const row of rows) {
      flags.read += 1;
      yield row;
    }
  };
  const schedule = startSchedule<TestRow>({
    rows: { [Symbol.asyncIterator]: read },
    lanesOf: async ({ lanes }) => lanes,
    stateOf: (lane) => states.get(lane) ?? 'open',
    depthOf: () => 2,
    pay: ({ id }, lane, onSent) => {
      started.push(`${id} ${lane}`);
      return new Promise((resolve, reject) => open.set(id, { sent: onSent, end: resolve, fail: reject }));
    },
    hold: async ({ id }) => void held.push(id),
    mayStart: () => flags.mayStart,
    ...more,
  });
  const row = (id: number) => {
    const found = open.get(id);
    if (found === undefined) throw new Error(`row ${id} has not started`);
    return found;
  };
  return { schedule, states, started, held, row, flags };
};

const rowsOf = (count: number, ...lanes: readonly string[]): readonly TestRow[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, lanes }));

describe('the schedule of rows', () => {
  it('starts as many rows of a lane as it has room for, and the next ones when they are sent', async () => {
    const { schedule, started, row } = world(rowsOf(4, 'a'));
    await later();
    expect(started).toEqual(['1 a', '2 a']);
    row(1).sent();
    await later();
    expect(started).toEqual(['1 a', '2 a', '3 a']);
    row(2).end();
    await later();
    expect(started).toEqual(['1 a', '2 a', '3 a', '4 a']);
    for (const id of [1, 3, 4]) row(id).end();
    await schedule.end;
  });

  it('starts rows that wait while the source has no further row yet', async () => {
    let endSource = (): void => undefined;
    const rows = async function* (): AsyncGenerator<TestRow> {
      yield* rowsOf(3, 'a');
      await new Promise<void>((resolve) => {
        endSource = resolve;
      });
    };
    const { schedule, started, row } = world([], { rows: { [Symbol.asyncIterator]: rows } });
    await later();
    expect(started).toEqual(['1 a', '2 a']);
    row(1).end();
    await later();
    expect(started).toEqual(['1 a', '2 a', '3 a']);
    for (const id of [2, 3]) row(id).end();
    endSource();
    await schedule.end;
  });

  it('lets rows of other lanes pass', async () => {
    const rows = [...rowsOf(4, 'a'), { id: 5, lanes: ['b'] }];
    const { schedule, started, row, flags } = world(rows);
    await later();
    expect(started).toEqual(['1 a', '2 a', '5 b']);
    flags.mayStart = false;
    for (const id of [1, 2, 5]) row(id).end();
    await schedule.end;
  });

  it('shares rows among the lanes that they may take', async () => {
    const { schedule, started, row, flags } = world(rowsOf(4, 'a', 'b'));
    await later();
    expect(started).toEqual(['1 a', '2 b', '3 a', '4 b']);
    flags.mayStart = false;
    for (const id of [1, 2, 3, 4]) row(id).end();
    await schedule.end;
  });

  it('starts nothing in a lane in doubt, and goes on when it is open again', async () => {
    const { schedule, started, states, row } = world(rowsOf(3, 'a'));
    await later();
    states.set('a', 'in_doubt');
    row(2).end();
    await later();
    expect(started).toEqual(['1 a', '2 a']);
    states.set('a', 'open');
    schedule.wake();
    await later();
    expect(started).toEqual(['1 a', '2 a', '3 a']);
    for (const id of [1, 3]) row(id).end();
    await schedule.end;
  });

  it('reports rows as held if all their lanes are, and moves the others', async () => {
    const rows = [...rowsOf(4, 'a'), { id: 5, lanes: ['a', 'b'] }];
    const { schedule, started, held, states, row } = world(rows);
    await later();
    states.set('a', 'held');
    for (const id of [1, 2]) row(id).end();
    await later();
    expect(held).toEqual([3, 4]);
    expect(started).toEqual(['1 a', '2 a', '5 b']);
    row(5).end();
    await schedule.end;
  });

  it('reads a bounded number of rows ahead', async () => {
    const { schedule, flags, row } = world(rowsOf(5_000, 'a'));
    await later();
    await later();
    expect(flags.read).toBeLessThan(1_100);
    flags.mayStart = false;
    for (const id of [1, 2]) row(id).end();
    await schedule.end;
  });

  it('starts nothing after an interrupt, and waits for what it started', async () => {
    const { schedule, flags, started, row } = world(rowsOf(3, 'a'));
    await later();
    flags.mayStart = false;
    row(1).end();
    await later();
    expect(started).toEqual(['1 a', '2 a']);
    row(2).end();
    await schedule.end;
  });

  it('stops after an error, waits for the others, and rejects with the first', async () => {
    const { schedule, started, row } = world(rowsOf(4, 'a'));
    await later();
    row(1).fail(new Error('the disk is full'));
    const failed = expect(schedule.end).rejects.toThrow('the disk is full');
    await later();
    expect(started).toEqual(['1 a', '2 a']);
    row(2).end();
    await failed;
  });

  it('rejects if a row cannot be read', async () => {
    const broken = async function* (): AsyncGenerator<TestRow> {
      yield { id: 1, lanes: ['a'] };
      throw new Error('line 3 has changed');
    };
    const { schedule, row } = world([], { rows: { [Symbol.asyncIterator]: broken } });
    await later();
    row(1).end();
    await expect(schedule.end).rejects.toThrow('line 3 has changed');
  });
});
