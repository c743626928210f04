/** Does all of some work, a few at a time. */
export const fewAtATime = async <T, R>(all: readonly T[], work: (each: T) => Promise<R>, few = 3): Promise<R[]> => {
  const waiting = [...all.entries()];
  const done: R[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: few }, worker));
  return done;
};

/** Parts of a list, each of so many at most. */
export const inGroups = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
