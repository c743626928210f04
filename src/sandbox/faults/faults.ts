import type { Endpoint } from '../../contract/define.ts';
import { EARNINGS_LOOKUP_FAILED } from '../assumptions.ts';

/** Faults of a connection or an answer, beside errors. */
export const TRICKS = ['hang', 'drop_before', 'drop_after', 'truncate', 'html'] as const;
export type Trick = (typeof TRICKS)[number];

/** Faults that the handler of one endpoint plays itself, in an answer that succeeds. */
export const OWN_KINDS: Readonly<Partial<Record<Endpoint['id'], readonly string[]>>> = {
  'yield.earnings': [EARNINGS_LOOKUP_FAILED],
};

/** A fault for the next calls of an endpoint. `kind`: a trick, one of `OWN_KINDS`, an error of it, or an HTTP status. */
export type Fault = {
  readonly endpoint: Endpoint['id'];
  readonly kind: string;
  /** Calls that still meet it. */
  readonly count: number;
  readonly retry_after?: number | undefined;
};

/** The faults that wait for their calls; forgotten when the server ends. */
export type Faults = Readonly<ReturnType<typeof openFaults>>;

/** Of several faults of an endpoint the oldest is met first. */
export const openFaults = () => {
  let faults: readonly Fault[] = [];
  let changes = 0;
  return {
    /** The number of changes so far. */
    changes: () => changes,
    add: (fault: Fault) => {
      changes += 1;
      faults = [...faults, fault];
    },
    /** The fault that a call of this endpoint meets, once. */
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
    /** All of them, or those of an endpoint. */
    clear: (endpoint?: string) => {
      changes += 1;
      faults = endpoint === undefined ? [] : faults.filter((fault) => fault.endpoint !== endpoint);
    },
  };
};
