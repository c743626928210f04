import { expect, test } from 'vitest';
import { inBatches, openGate } from '../../../src/sandbox/chains/turns.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Work that records its start and ends when the test ends it. */
const heldWork = () => {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      started.push(name);
      ends.set(name, resolve);
    });
  return { started, work, end: (name: string) => ends.get(name)?.() };
};

test('runs reads concurrently, and never during mining', async () => {
  const { started, work, end } = heldWork();
  const gate = openGate();
  void gate.together(work('read 1'));
  void gate.together(work('read 2'));
  void gate.alone(work('mine'));
  void gate.together(work('read 3'));
  await tick();
  expect(started).toEqual(['read 1', 'read 2']);
  end('read 1');
  await tick();
  expect(started).toHaveLength(2);
  end('read 2');
  await tick();
  expect(started).toEqual(['read 1', 'read 2', 'mine']);
  end('mine');
  await tick();
  expect(started).toEqual(['read 1', 'read 2', 'mine', 'read 3']);
});

test('runs the next work after failing work', async () => {
  const gate = openGate();
  const fail = () => Promise.reject(new Error('no'));
  await expect(gate.alone(fail)).rejects.toThrow('no');
  await expect(gate.together(fail)).rejects.toThrow('no');
  expect(await gate.alone(async () => 'in')).toBe('in');
});

test('puts calls during a running batch into the next batch, in order, and returns each its own outcome', async () => {
  const batches: (readonly number[])[] = [];
  const double = inBatches(3, async (items: readonly number[]) => {
    batches.push(items);
    await tick();
    if (items.includes(13)) throw new Error('unlucky');
    return items.map((item) => 2 * item);
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  await expect(double(13)).rejects.toThrow('unlucky');
  expect(await double(6)).toBe(12);
});
