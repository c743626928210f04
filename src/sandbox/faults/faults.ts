import type { TRICKS } from '../../contract/control/faults.ts';
import type { Endpoint } from '../../contract/define.ts';

export type Trick = (typeof TRICKS)[number];

/**
 * A fault for the next calls of an endpoint. `kind` is a trick, one of `OWN_KINDS`, a documented error, or an HTTP
 * code.
 */
export type Fault = {
  readonly endpoint: Endpoint['id'];
  readonly kind: string;
  /** The number of further calls that fail with this fault. */
  readonly count: number;
  readonly retry_after?: number | undefined;
};

/** The faults that wait for their calls. They are in memory and end with the server. */
export type Faults = Readonly<ReturnType<typeof openFaults>>;

/** Opens an empty list of faults. The oldest fault of an endpoint comes first. */
export const openFaults = () => {
  let faults: readonly Fault[] = [];
  let changes = 0;
  return {
    /** The number of changes so far. Open pages reload when it changes. */
    changes: () => changes,
    add: (fault: Fault) => {
      changes += 1;
      faults = [...faults, fault];
    },
    /** Takes the fault for one call of an endpoint, and lowers its count; `undefined` without a fault. */
    take: (endpoint: string): Fault | undefined => {
      const found = faults.find((fault) => fault.endpoint === endpoint);
      if (!found) return undefined;
      changes += 1;
      faults = faults
        .map((fault) => (fault === found ? { ...fault, count: fault.count - 1 } : fault))
        .filter(({ count }) => count > 0);
      return found;
    },
    list: () => faults,
    /** Removes all faults, or the faults of one endpoint. */
    clear: (endpoint?: string) => {
      changes += 1;
      faults = endpoint === undefined ? [] : faults.filter((fault) => fault.endpoint !== endpoint);
    },
  };
};
