/**
 * Writes items in groups: items that arrive during one write share the next. `add` resolves when a write that started
 * after the call has ended, so each caller waits for its own item only. A hundred concurrent callers cost a few syncs of
 * the disk. After one failed write all later ones fail. `gather` is awaited before each write: changes that are added
 * meanwhile share the write.
 */
export const groupCommit = <T>(
  write: (items: readonly T[]) => Promise<void>,
  gather: () => Promise<unknown> = async () => undefined,
) => {
  let waiting: T[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = (): Promise<void> => {
    const items = waiting;
    waiting = [];
    next = undefined;
    return write(items);
  };
  return {
    add: (item: T): Promise<void> => {
      waiting.push(item);
      if (!next) {
        next = last.then(gather).then(flush);
        last = next;
      }
      return next;
    },
    /** Resolves when everything given so far is written. */
    settled: () => last,
  };
};
