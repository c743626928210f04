const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** An open gate, first come first served: to something that either one alone may change, or many may read together. */
export const openGate = () => {
  let last: Promise<unknown> = Promise.resolve();
  const beside = new Set<Promise<unknown>>();
  return {
    /** Waits for all that came before, and everything that comes later waits for it. */
    alone: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = Promise.all([last, ...beside]).then(work);
      beside.clear();
      last = settled(turn);
      return turn;
    },
    /** Waits for work alone that came before; goes on beside its like. */
    together: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      const ended = settled(turn);
      beside.add(ended);
      void ended.then(() => beside.delete(ended));
      return turn;
    },
  };
};

/**
 * Does work for items in the order they came, many at a time: whatever comes while one batch is at work shares the
 * next. Each caller gets what came of its own item; a batch that fails fails for its own items only.
 */
export const inBatches = <T, R>(
  most: number,
  work: (items: readonly T[]) => Promise<readonly R[]>,
): ((item: T) => Promise<R>) => {
  type Entry = { readonly item: T; readonly done: (result: R) => void; readonly fail: (error: unknown) => void };
  let waiting: Entry[] = [];
  let isAtWork = false;
  const workOff = async (): Promise<void> => {
    isAtWork = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done(results[index] as R);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    isAtWork = false;
  };
  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail });
      if (!isAtWork) void workOff();
    });
};
