/** Caches the result of a function by its argument, an object. The cache entry is freed with the object. */
export const memoize = <K extends object, V>(work: (key: K) => V): ((key: K) => V) => {
  const results = new WeakMap<K, V>();
  return (key) => {
    const result = results.get(key) ?? work(key);
    results.set(key, result);
    return result;
  };
};

/** Runs the work on the first call only. Every later call returns the same promise. */
export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    return started;
  };
};

/** A function that reads one item, from one that reads several: reads of the same moment are one call. */
export const batched = <T>(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) => {
  let next: { readonly ids: string[]; readonly result: Promise<ReadonlyMap<string, T>> } | undefined;
  return async (id: string): Promise<T | undefined> => {
    if (next === undefined) {
      const ids: string[] = [];
      const result = Promise.resolve().then(() => {
        next = undefined;
        return read(ids);
      });
      next = { ids, result };
    }
    next.ids.push(id);
    return (await next.result).get(id);
  };
};

type Waiting<T> = { readonly item: T; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/**
 * Writes items in groups, one group at a time: those that are added during a write are the next group. `add` resolves when
 * its group is written, and rejects as its write does. `idle` resolves after the last write.
 */
export const grouped = <T>(write: (items: readonly T[]) => Promise<void>) => {
  let waiting: Waiting<T>[] = [];
  let writing: Promise<void> | undefined;
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        await write(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = undefined;
  };
  return {
    add: (item: T): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        writing ??= writeWaiting();
      }),
    idle: async (): Promise<void> => writing,
  };
};
