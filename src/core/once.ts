/** A function of an object that works its answer out once for each. The answer goes when the object does. */
export const memoize = <K extends object, V>(work: (key: K) => V): ((key: K) => V) => {
  const results = new WeakMap<K, V>();
  return (key) => {
    const answer = results.get(key) ?? work(key);
    results.set(key, answer);
    return answer;
  };
};
/** The same work, begun on its first use and never again; whoever asks later gets what the first got. */
export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    return started;
  };
};
