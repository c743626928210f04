/**
 * Writes items in groups: items that arrive during one write share the next. `add` resolves when its item is written. So a
 * hundred concurrent callers cost a few syncs of the disk. After one failed write, all later writes fail. Each write waits
 * for `gather` first; items that are added meanwhile share the write.
 */
export const groupCommit = <T>(
  write: (items: readonly T[]) => Promise<void>,
  gather: () => Promise<unknown> = async () => undefined,
) => {
  let queue: T[] = [];
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = (): Promise<void> => {
    const items = queue;
    queue = [];
    next = undefined;
    return write(items);
  };
  return {
    add: (item: T): Promise<void> => {
      queue.push(item);
      if (!next) {
        next = last.then(gather).then(flush);
        last = next;
      }
      return next;
    },
    /** Resolves when all items added so far are written. */
    settled: () => last,
  };
};
