import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newEndedOperations } from '../../src/journal/ended.ts';
import { hasKey } from '../../src/journal/file-index.ts';

const hex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** An operation in the form of the index. Several share an intent, a payment, a wallet or a day. */
const entryOf = (number: number) => {
  const shared = [`service:${hex('s')}`, ...(number % 5 === 0 ? ['moved-nothing'] : [])];
  const keys = [
    ...[...shared, `intent:${hex(`i${number % 50}`)}`, `partial:${hex(`p${number % 7}`)}`],
    ...(number % 3 === 0 ? [`name:${hex(`n${number}`)}`] : []),
    ...[`payment:${hex(`y${Math.floor(number / 2)}`)}`, `hash:${hex(`h${number}`)}`, `hash:${hex(`g${number}`)}`],
    ...[`wallet:${hex(`w${number % 4}`)}`, `day:${20_700 + (number % 9)}`, `day:${20_700 + (number % 11)}`],
  ];
  return { id: `20260101T${String(number * 7_919).padStart(9, '0')}Z-é`, keys: ` ${[...new Set(keys)].join(' ')} ` };
};

const sorted = (keys: string): readonly string[] => keys.split(' ').filter(Boolean).toSorted();

describe.each([
  ['as they are in the index', Number.POSITIVE_INFINITY],
  ['in the compact form', 0],
  ['that become compact meanwhile', 20],
])('the ended operations in memory, %s', (_, plainLookUps) => {
  const all = Array.from({ length: 3_000 }, (_, number) => entryOf(number));
  const ended = newEndedOperations(plainLookUps);
  // Added in another order than that of their ids, and some of them twice or removed.
  for (const [at, entry] of all.toSorted((one, other) => (hex(one.id) < hex(other.id) ? -1 : 1)).entries()) {
    ended.add(entry, at % 2 === 0 ? at : undefined);
    if (at % 6 === 0) ended.add(entry);
  }
  for (const { id } of all.filter((_, at) => at % 10 === 0)) ended.remove(id);
  const left = all.filter((_, at) => at % 10 > 0).toReversed();

  it('are found by each of their keys, newest first, with all keys', () => {
    expect(ended.ids()).toEqual(left.map(({ id }) => id).toReversed());
    expect(ended.size()).toBe(left.length);
    const keys = new Set([...left.slice(0, 40), ...left.slice(-40)].flatMap(({ keys: own }) => sorted(own)));
    for (const key of [...keys, 'name:0123456789abcdef', 'wallet:none', 'day:1', 'other']) {
      const found = [...ended.newest([key])];
      const expected = left.filter((entry) => hasKey(entry.keys, key));
      expect(
        found.map(({ id }) => id),
        key,
      ).toEqual(expected.map(({ id }) => id));
      expect(found.map((each) => sorted(each.keys))).toEqual(expected.map((each) => sorted(each.keys)));
    }
    const several = [`wallet:${hex('w1')}`, `name:${hex('n3')}`, `hash:${hex('g11')}`];
    expect([...ended.newest(several)].map(({ id }) => id)).toEqual(
      left.filter((entry) => several.some((key) => hasKey(entry.keys, key))).map(({ id }) => id),
    );
  });

  it('are found by their time; by their days if it is not known', () => {
    const one = newEndedOperations(plainLookUps);
    one.add({ id: 'a', keys: ` wallet:${hex('w')} day:5 day:9 ` }, 1_000);
    one.add({ id: 'b', keys: ` wallet:${hex('w')} day:5 day:9 ` });
    one.add({ id: 'c', keys: ` wallet:${hex('v')} day:5 day:9 ` }, 2_000);
    expect(one.since(1_001, ['day:9'])).toEqual(['c', 'b']);
    expect(one.since(1_000, ['day:8'])).toEqual(['c', 'a']);
    expect(one.since(1_000, ['day:9'], `wallet:${hex('w')}`)).toEqual(['b', 'a']);
    expect(one.since(0, ['day:9'], `wallet:${hex('u')}`)).toEqual([]);
    one.setTime('b', 10);
    expect(one.since(1_001, ['day:9'])).toEqual(['c']);
  });

  it('may have more keys and days than fit into a byte', () => {
    const one = newEndedOperations(plainLookUps);
    const keys = Array.from({ length: 300 }, (_, at) => `hash:${hex(`h${at}`)}`);
    const days = Array.from({ length: 300 }, (_, at) => `day:${20_000 + at}`);
    one.add({ id: 'a', keys: ` ${[...keys, ...days].join(' ')} ` });
    one.add({ id: 'b', keys: ` hash:${hex('other')} ` });
    expect([...one.newest([`hash:${hex('h299')}`])].map(({ id }) => id)).toEqual(['a']);
    expect([...one.newest(['day:20299'])].map((each) => sorted(each.keys))).toEqual([[...keys, ...days].toSorted()]);
  });

  it('may be added while others are read', () => {
    const one = newEndedOperations(plainLookUps);
    for (const id of ['a', 'c', 'e']) one.add({ id, keys: ' wallet:x ' });
    const found: string[] = [];
    for (const { id } of one.newest(['wallet:x'])) {
      found.push(id);
      one.add({ id: `${id}1`, keys: ' wallet:x ' });
      if (id === 'e') one.remove('c');
    }
    expect(found).toEqual(['e', 'a']);
  });
});
