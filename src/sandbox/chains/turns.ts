const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** Opens a lock for one writer or many readers, in the order of the calls. */
export const openGate = () => {
  let last: Promise<unknown> = Promise.resolve();
  const readers = new Set<Promise<unknown>>();
  return {
    /** Runs work after all earlier work. Later work waits for it. */
    alone: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = Promise.all([last, ...readers]).then(work);
      readers.clear();
      last = settled(turn);
      return turn;
    },
    /** Runs work after earlier `alone` work, and at the same time as other `together` work. */
    together: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      const ended = settled(turn);
      readers.add(ended);
      void ended.then(() => readers.delete(ended));
      return turn;
    },
  };
};

/**
 * Processes items in batches, in the order of the calls. Items that arrive during one batch share the next. `limit` is the
 * maximum of items in a batch. Each caller gets the result of its own item. A failed batch fails only for its own items.
 */
export const inBatches = <T, R>(
  limit: number,
  work: (items: readonly T[]) => Promise<readonly R[]>,
): ((item: T) => Promise<R>) => {
  type Entry = { readonly item: T; readonly done: (result: R) => void; readonly fail: (error: unknown) => void };
  let queue: Entry[] = [];
  let isWorking = false;
  const processQueue = async (): Promise<void> => {
    isWorking = true;
    while (queue.length > 0) {
      const batch = queue.slice(0, limit);
      queue = queue.slice(limit);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done(results[index] as R);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    isWorking = false;
  };
  return (item) =>
    new Promise((done, fail) => {
      queue.push({ item, done, fail });
      if (!isWorking) void processQueue();
    });
};
