import { expect, test } from 'vitest';
import { groupCommit } from '../../../src/sandbox/chains/commit.ts';

/** A group commit whose writes the test ends or fails. */
const heldWrites = () => {
  const writes: { items: readonly number[]; end: () => void; fail: () => void }[] = [];
  const write = (items: readonly number[]) =>
    new Promise<void>((resolve, reject) => {
      writes.push({ items, end: resolve, fail: () => reject(new Error('disk full')) });
    });
  return { writes, commit: groupCommit(write) };
};

const tick = () => new Promise((resolve) => setImmediate(resolve));

test('resolves a call after a write that started after the call, and concurrent calls share a write', async () => {
  const { writes, commit } = heldWrites();
  const done: number[] = [];
  const add = (item: number) => void commit.add(item).then(() => done.push(item));
  add(1);
  await tick();
  add(2);
  add(3);
  writes[0]?.end();
  await tick();
  expect(done).toEqual([1]);
  expect(writes.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  writes[1]?.end();
  await commit.settled();
  expect(done).toEqual([1, 2, 3]);
});

test('rejects all calls after a failed write', async () => {
  const { writes, commit } = heldWrites();
  const [first, second] = [commit.add(1), commit.add(2)];
  await tick();
  const third = commit.add(3);
  writes[0]?.fail();
  for (const added of [first, second, third, commit.add(4)]) await expect(added).rejects.toThrow('disk full');
  expect(writes).toHaveLength(1);
});
