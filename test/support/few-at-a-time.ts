/** Does the work for all items, at most `few` at a time. Returns the results in the order of the items. */
export const fewAtATime = async <T, R>(all: readonly T[], work: (item: T) => Promise<R>, few = 3): Promise<R[]> => {
  const waiting = [...all.entries()];
  const results: R[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: few }, worker));
  return results;
};

/** Splits a list into groups of at most `size` items. */
export const inGroups = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
