import type { Io } from '../io/io.ts';
import type { Reach } from './chains/anvil.ts';
import type { EvmNode, Nodes } from './chains/nodes.ts';
import type { SandboxClock } from './clock.ts';
import type { Faults } from './faults/faults.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { RequestLog } from './request-log.ts';
import type { Solana } from './solana/solana.ts';

/** Lets pieces of work with the same key happen one after the other, in the order they came. */
type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Queues by key; a key is forgotten when its last work is done. */
export const openTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
};

/** The parts of a running sandbox. A part that takes time to load is a function and is made on first use. */
export type Services = {
  readonly io: Io;
  readonly clock: SandboxClock;
  /** Moves the clock forward and keeps it there over restarts. `false` when that is too far; then it stays. */
  readonly advance: (milliseconds: number) => Promise<boolean>;
  readonly ledger: () => Promise<Ledger>;
  /** The tenant that an API key belongs to: `NO_TENANT` for a valid key of none, `undefined` for no valid key. */
  readonly tenantOf: (key: string) => Promise<string | undefined>;
  /** The node of a chain. Throws when it cannot be started. */
  readonly node: (chain: string) => Promise<EvmNode>;
  /** All nodes; none is started by asking for them. */
  readonly nodes: () => Promise<Nodes>;
  /** The Solana chain. Throws `sandbox_unavailable` where litesvm cannot run. */
  readonly solana: () => Promise<Solana>;
  /** Where the Solana JSON-RPC answers; `undefined` while the chain is not in use. */
  readonly solanaRpc: () => Promise<string | undefined>;
  /** Names of the chains whose node runs. */
  readonly running: () => Promise<readonly string[]>;
  /** Who can connect to the EVM nodes that run; `undefined` while none does. */
  readonly evmAccess: () => Promise<Reach | undefined>;
  /** Work that must not overlap: one payer's executions on one chain. */
  readonly inTurn: Turns;
  /** Injected faults that wait for their calls. */
  readonly faults: Faults;
  /** The log of requests and answers. */
  readonly requests: RequestLog;
  /** Wakes the workers after a payment or the clock has moved: webhooks, payouts and expiries may be due. */
  readonly nudge: () => void;
  /** Number of nudges so far: open pages reload after a change. */
  readonly moves: () => number;
  /** Where this server answers. */
  readonly url: () => string;
};
