/** Work on something that either one alone may change, or many may read together. */
export type Gate = {
  /** Waits for all that came before, and everything that comes later waits for it. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for work alone that came before; goes on beside its like. */
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
};

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** An open gate, first come first served. */
export const openGate = (): Gate => {
  let last: Promise<unknown> = Promise.resolve();
  const beside = new Set<Promise<unknown>>();
  return {
    alone: (work) => {
      const turn = Promise.all([last, ...beside]).then(work);
      beside.clear();
      last = settled(turn);
      return turn;
    },
    together: (work) => {
      const turn = last.then(work);
      const ended = settled(turn);
      beside.add(ended);
      void ended.then(() => beside.delete(ended));
      return turn;
    },
  };
};
