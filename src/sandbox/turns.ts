/** Lets pieces of work with the same key happen one after the other, in the order they came. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Queues by key; a key is forgotten when its last work is done. */
export const openTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
};
