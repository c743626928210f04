import { type EvmChain, sandboxChainId } from '../../contract/chains.ts';
import { isFailure } from '../../core/failure.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { archiveUpTo } from './archive.ts';
import { groupCommit } from './commit.ts';
import { type AppliedChange, applyChanges, type Change, type ChangeResult } from './mine.ts';
import { readWithHistory } from './old-blocks.ts';
import { prepareNode, restore } from './restore.ts';
import { openRpc, type RpcAnswer } from './rpc.ts';
import { dumpState, loadState } from './state.ts';
import { damagedFile, type Kept, type Store } from './store.ts';
import { inBatches, openGate } from './turns.ts';

/** A chain whose node runs. */
export type OpenChain = Readonly<Awaited<ReturnType<typeof openChain>>>;

/** How often a chain is stored. */
export type Limits = {
  /**
   * Changes between two states. A state takes time in proportion to its accounts, not to the chain's history. So there are
   * also at least as many changes between two states as the earlier one has accounts and storage words.
   */
  readonly changesPerState: number;
  /** Blocks between two commits of the history. */
  readonly archiveEvery: number;
};

const LIMITS: Limits = { changesPerState: 1_000, archiveEvery: 32 };

/** Changes of one go, and so transactions of one block. */
const MAX_TOGETHER = 50;

/** The node keeps all blocks that are not in the history: one go makes at most two blocks a change. */
const keptBlocks = ({ archiveEvery }: Limits): number => archiveEvery + 2 * MAX_TOGETHER;

const start = async (chain: EvmChain, { state }: Kept, store: Store, limits: Limits): Promise<Anvil> => {
  try {
    return await startAnvil({ chainId: sandboxChainId(chain.id), state, keptBlocks: keptBlocks(limits) });
  } catch (error) {
    throw isFailure(error) ? error : damagedFile(store.place, error);
  }
};

type Options = {
  /** Called after each change, when it is kept. */
  readonly onKept?: () => void;
  readonly limits?: Limits;
};

/** Starts the node of a chain with what its store has. Throws `sandbox_unavailable` when that cannot be. */
export const openChain = async (chain: EvmChain, store: Store, { onKept, limits = LIMITS }: Options = {}) => {
  const kept = await store.load();
  const { history } = kept;
  const anvil = await start(chain, kept, store, limits);
  const [own, others] = anvil.links;
  const rpc = openRpc(own, chain.name);
  const foreign = openRpc(others, chain.name, 1);
  const gate = openGate();
  const commit = groupCommit<AppliedChange>((made) => store.append(made));
  let [height, sinceState, untilState] = [0, 0, 0];

  /** What is not as the store has it must not be seen on the chain: the node goes, and returns with what is kept. */
  const orStop = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  };
  /** The history never has a block whose changes are not in the log. */
  const archive = async (): Promise<void> => {
    await commit.settled();
    await archiveUpTo(rpc, history, height);
  };
  /**
   * The node begins again with the stored state, as after a restart. It forgets its past. Later changes have the outcome
   * that they have when a restart makes them again.
   */
  const storeState = async (): Promise<void> => {
    await archive();
    const state = await dumpState(rpc);
    await store.replace(state.hex);
    await loadState(rpc, state);
    await prepareNode(rpc);
    [sinceState, untilState] = [0, Math.max(limits.changesPerState, state.entries)];
  };
  /** The lines are handed over within the turn, so that the log has the order of the chain; they are awaited outside. */
  const make = async (changes: readonly Change[]) => {
    if (sinceState >= untilState) await orStop(storeState());
    if (height - history.newest() >= limits.archiveEvery) await orStop(archive());
    // What it did before it failed is on the chain, and in no log.
    const { applied, made, height: newest } = await orStop(applyChanges(rpc, changes, height));
    height = newest;
    sinceState += made.length;
    const written = made.map(commit.add).at(-1);
    // Every caller that waits for a change gets the failure.
    written?.catch(() => undefined);
    return applied.map((each) => ({ applied: each, written }));
  };
  const takeIn = inBatches(MAX_TOGETHER, (changes: readonly Change[]) => gate.alone(() => make(changes)));
  const begin = async (): Promise<void> => {
    const restored = await restore(rpc, kept, { chain, store, archiveEvery: limits.archiveEvery });
    height = restored.height;
    untilState = limits.changesPerState;
    if (restored.isDue) await storeState();
  };

  await orStop(begin());
  return {
    chain,
    rpc,
    pid: anvil.pid,
    /** Who can connect to the node beside this process. */
    reach: anvil.reach,
    /** Makes a change and resolves when it is kept: what was answered for survives a kill. */
    change: async (change: Change): Promise<ChangeResult> => {
      const { applied, written } = await takeIn(change);
      if (applied.ok && written) await orStop(written);
      if (applied.ok) onKept?.();
      return applied;
    },
    /**
     * A read of the newest state between two changes. anvil keeps no other state. It refuses a read during the mining of
     * a block (BlockOutOfRangeError), a nonce once in a hundred thousand times.
     */
    between: gate.together,
    /** A call that changes nothing, of any block. It reads only state that is on the disk. */
    read: async (method: string, params: readonly unknown[]): Promise<RpcAnswer> => {
      const finish = await gate.together(() => readWithHistory({ rpc: foreign, history }, method, params));
      await commit.settled();
      return finish();
    },
    /** Resolves when the node's process has ended, for whatever reason, and nothing more is written for it. */
    ended: anvil.ended.then(() => gate.alone(commit.settled)).catch(() => undefined),
    stop: anvil.stop,
  };
};
