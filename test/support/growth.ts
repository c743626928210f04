/** The processor time of some work in microseconds. Other programs on the machine do not count. */
const timeOf = (work: () => void): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
};

/** The least of several measurements: the garbage collector and the compiler only add to it. */
const leastOf = (work: () => void): number => Math.min(...Array.from({ length: 3 }, () => timeOf(work)));

/**
 * How much more processor time the work needs for four times the size: about 4 if it grows with the size, and about 16 if it
 * grows with its square.
 */
export const growth = (size: number, work: (size: number) => void): number => {
  work(size);
  const small = leastOf(() => work(size));
  return leastOf(() => work(size * 4)) / Math.max(small, 1_000);
};
