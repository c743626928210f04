/** Compares the latency of recent calls with that of the first ones. */
export type Latencies = {
  /** Adds a call. `slow`: the 95th percentile of the last 100 calls is above twice that of the first 100, and above 50 ms. */
  readonly add: (ms: number) => 'slow' | 'in time';
  /** Forgets the last calls, because the limit that they had is no longer the same. */
  readonly startAgain: () => void;
};

const CALLS = 100;
const PART = 0.95;

/** Below this the latency shows the noise of the machine, not the load of the service. */
const FLOOR_MS = 50;

const percentileOf = (values: Float64Array): number => values.toSorted()[Math.ceil(CALLS * PART) - 1] ?? 0;

/** Latencies of no call yet. */
export const newLatencies = (): Latencies => {
  const last = new Float64Array(CALLS);
  let count = 0;
  let usual: number | undefined;
  return {
    add: (ms) => {
      last[count % CALLS] = ms;
      count += 1;
      if (count < CALLS) return 'in time';
      if (usual === undefined) {
        usual = percentileOf(last);
        count = 0;
        return 'in time';
      }
      return percentileOf(last) > Math.max(2 * usual, FLOOR_MS) ? 'slow' : 'in time';
    },
    startAgain: () => {
      // The first 100 calls are complete before they are compared with later ones.
      if (usual !== undefined) count = 0;
    },
  };
};
