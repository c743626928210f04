import { newCompactOperations } from './compact-operations.ts';
import { hasKey } from './file-index.ts';
import type { IndexEntry } from './store.ts';

/** The ended operations that a process has seen. */
export type EndedOperations = ReturnType<typeof newCompactOperations>;

/** As their index entries: made without work, and all of them are read at each look-up. */
const newPlainOperations = () => {
  const operations = new Map<string, { readonly keys: string; time: number }>();
  let order: string[] = [];
  let isSorted = true;
  const sorted = (): readonly string[] => {
    if (!isSorted) order = [...operations.keys()].toSorted();
    isSorted = true;
    return order;
  };
  const remove = (id: string): void => {
    if (operations.delete(id)) isSorted = false;
  };
  const newest = function* (keys: readonly string[]): Generator<IndexEntry> {
    const ids = sorted();
    for (let at = ids.length - 1; at >= 0; at -= 1) {
      const id = ids[at] ?? '';
      const found = operations.get(id);
      if (found && keys.some((key) => hasKey(found.keys, key))) yield { id, keys: found.keys };
    }
  };
  return {
    add: ({ id, keys }: IndexEntry, time = Number.NaN): void => {
      if (operations.has(id) || id < (order.at(-1) ?? '')) isSorted = false;
      else if (isSorted) order.push(id);
      operations.set(id, { keys, time });
    },
    remove,
    newest,
    since: (time: number, days: readonly string[], wallet?: string): readonly string[] =>
      sorted()
        .toReversed()
        .filter((id) => {
          const { keys, time: known } = operations.get(id) ?? { keys: '', time: 0 };
          const isSince = Number.isNaN(known) ? days.some((day) => hasKey(keys, day)) : known >= time;
          return isSince && (wallet === undefined || hasKey(keys, wallet));
        }),
    setTime: (id: string, time: number): void => {
      const found = operations.get(id);
      if (found) found.time = time;
    },
    has: (id: string): boolean => operations.has(id),
    size: (): number => operations.size,
    ids: sorted,
    /** All of them in the compact form. */
    compacted: (): EndedOperations => {
      const compact = newCompactOperations();
      for (const id of sorted()) {
        const { keys, time } = operations.get(id) ?? { keys: ' ', time: 0 };
        compact.add({ id, keys }, time);
      }
      return compact;
    },
  };
};

/** As long as this many look-ups take, as long takes the compact form to make. A command makes about ten. */
const PLAIN_LOOK_UPS = 64;

/** The ended operations of a journal with their keys. They become compact when they are looked up often. */
export const newEndedOperations = (plainLookUps = PLAIN_LOOK_UPS): EndedOperations => {
  let plain: ReturnType<typeof newPlainOperations> | undefined = newPlainOperations();
  let all: EndedOperations = plain;
  let lookUps = 0;
  const lookedUp = (): EndedOperations => {
    lookUps += 1;
    if (plain && lookUps > plainLookUps) all = plain.compacted();
    if (lookUps > plainLookUps) plain = undefined;
    return all;
  };
  return {
    add: (entry, time) => all.add(entry, time),
    remove: (id) => all.remove(id),
    newest: (keys) => lookedUp().newest(keys),
    since: (time, days, wallet) => lookedUp().since(time, days, wallet),
    setTime: (id, time) => all.setTime(id, time),
    has: (id) => all.has(id),
    size: () => all.size(),
    ids: () => all.ids(),
  };
};
