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
