import { type EvmChain, sandboxChainId } from '../../contract/chains.ts';
import { openTurns } from '../turns.ts';
import { startAnvil } from './anvil.ts';
import { type Applied, applyChange, type Change, type Made } from './changes.ts';
import { groupCommit } from './commit.ts';
import { dumpState, restore } from './restore.ts';
import { openRpc, type Rpc } from './rpc.ts';
import type { Store } from './store.ts';

/** A chain whose node runs. */
export type OpenChain = {
  readonly chain: EvmChain;
  readonly rpc: Rpc;
  readonly pid: number;
  /** Makes a change, one at a time, and resolves when it is kept: what was answered for survives a kill. */
  readonly change: (change: Change) => Promise<Applied>;
  /**
   * A call of a contract between two changes: anvil refuses one that meets a block being mined
   * (BlockOutOfRangeError).
   */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when all changes that the node knows are kept. */
  readonly kept: () => Promise<void>;
  /** Resolves when the node's process has ended, for whatever reason, and nothing more is written for it. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Changes between two whole states. A dump takes time in proportion to the chain's history (7 ms after 100
 * transactions, 180 after 1,000), a line of the log half a millisecond: so every change is a line, and the dump
 * only keeps the log, and with it the next start, short.
 */
const CHANGES_PER_STATE = 500;

/** Starts the node of a chain with what its store has. Throws `sandbox_unavailable` when that cannot be. */
export const openChain = async (chain: EvmChain, store: Store): Promise<OpenChain> => {
  const anvil = await startAnvil(sandboxChainId(chain.id));
  const rpc = openRpc(anvil.port, chain.name);
  const inTurn = openTurns();
  const commit = groupCommit<Made>((made) => store.append(made));
  let sinceState = 0;

  /** What could not be kept must not be seen on the chain: the node goes, and returns without it. */
  const orStop = async <T>(writing: Promise<T>): Promise<T> => {
    try {
      return await writing;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  };
  const keepState = async (): Promise<void> => {
    await commit.settled();
    await store.replace(await dumpState(rpc));
    sinceState = 0;
  };
  /** The line is handed over within the turn, so that the log has the order of the chain; it is awaited outside. */
  const make = async (change: Change) => {
    if (sinceState >= CHANGES_PER_STATE) await orStop(keepState());
    const applied = await applyChange(rpc, change);
    if (!applied.ok) return { applied, written: undefined };
    sinceState += 1;
    const written = commit.add({ change, hash: applied.hash });
    return { applied, written };
  };

  try {
    await restore(rpc, chain, store);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  return {
    chain,
    rpc,
    pid: anvil.pid,
    change: async (change) => {
      const { applied, written } = await inTurn('', () => make(change));
      if (written) await orStop(written);
      return applied;
    },
    between: (work) => inTurn('', work),
    kept: commit.settled,
    ended: anvil.ended.then(() => inTurn('', commit.settled)).catch(() => undefined),
    stop: anvil.stop,
  };
};
