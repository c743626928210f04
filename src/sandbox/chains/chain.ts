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
import { damagedFile, type Store, type StoredChain } from './store.ts';
import { inBatches, openGate } from './turns.ts';

/** A chain with a running node. */
export type OpenChain = Readonly<Awaited<ReturnType<typeof openChain>>>;

/** How often a chain is stored. */
export type Limits = {
  /**
   * The minimum of changes between two states. The time to store a state grows with its accounts, not with the history. If
   * a state has more accounts and storage words than this, their number is the minimum until the next state.
   */
  readonly changesPerState: number;
  /** Blocks between two commits of the history. */
  readonly archiveEvery: number;
};

const LIMITS: Limits = { changesPerState: 1_000, archiveEvery: 32 };

/** The maximum of changes in one batch, and so of transactions in one block. */
const MAX_BATCH = 50;

/** The node must keep all blocks that are not yet in the history. A batch makes at most two blocks for each change. */
const keptBlocks = ({ archiveEvery }: Limits): number => archiveEvery + 2 * MAX_BATCH;

const start = async (chain: EvmChain, { state }: StoredChain, store: Store, limits: Limits): Promise<Anvil> => {
  try {
    return await startAnvil({ chainId: sandboxChainId(chain.id), state, keptBlocks: keptBlocks(limits) });
  } catch (error) {
    throw isFailure(error) ? error : damagedFile(store.place, error);
  }
};

type Options = {
  /** Called after each change is stored. */
  readonly onStored?: () => void;
  readonly limits?: Limits;
};

/** Starts the node of a chain with its stored state. Throws `sandbox_unavailable` if anvil cannot run or a file is damaged. */
export const openChain = async (chain: EvmChain, store: Store, { onStored, limits = LIMITS }: Options = {}) => {
  const stored = await store.load();
  const { history } = stored;
  const anvil = await start(chain, stored, store, limits);
  const [ownLink, foreignLink] = anvil.links;
  const rpc = openRpc(ownLink, chain.name);
  const foreignRpc = openRpc(foreignLink, chain.name, 1);
  const gate = openGate();
  const commit = groupCommit<AppliedChange>((changes) => store.append(changes));
  let [height, changesSinceState, changesUntilState] = [0, 0, 0];

  /** After a failure the node may differ from the stored data. So it is stopped; the next start restores the stored data. */
  const orStop = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  };
  /** The changes of a block must be in the log before the history gets the block. */
  const archive = async (): Promise<void> => {
    await commit.settled();
    await archiveUpTo(rpc, history, height);
  };
  /**
   * Stores the state, and loads it into the node again, as at a restart. The node drops its past blocks. Later changes have
   * the same outcome now and in a replay after a restart.
   */
  const storeState = async (): Promise<void> => {
    await archive();
    const state = await dumpState(rpc);
    await store.replace(state.hex);
    await loadState(rpc, state);
    await prepareNode(rpc);
    [changesSinceState, changesUntilState] = [0, Math.max(limits.changesPerState, state.entries)];
  };
  /** Applies changes. Their log lines are queued in the same turn, so the log has the order of the chain. */
  const apply = async (changes: readonly Change[]) => {
    if (changesSinceState >= changesUntilState) await orStop(storeState());
    if (height - history.newest() >= limits.archiveEvery) await orStop(archive());
    // After a failure, the node may have changes that are not in the log.
    const { applied, made, height: newest } = await orStop(applyChanges(rpc, changes, height));
    height = newest;
    changesSinceState += made.length;
    const written = made.map(commit.add).at(-1);
    // Each caller awaits `written` itself and gets the failure there.
    written?.catch(() => undefined);
    return applied.map((each) => ({ applied: each, written }));
  };
  const applyInBatch = inBatches(MAX_BATCH, (changes: readonly Change[]) => gate.alone(() => apply(changes)));
  const prepare = async (): Promise<void> => {
    const restored = await restore(rpc, stored, { chain, store, archiveEvery: limits.archiveEvery });
    height = restored.height;
    changesUntilState = limits.changesPerState;
    if (restored.isDue) await storeState();
  };

  await orStop(prepare());
  return {
    chain,
    /** The newest block when this node started. Each start has an object of its own. */
    start: { height },
    rpc,
    pid: anvil.pid,
    /** The other programs that can connect to the node. */
    reach: anvil.reach,
    /** Applies a change. Resolves after it is stored, so a change that was answered survives a kill. */
    change: async (change: Change): Promise<ChangeResult> => {
      const { applied, written } = await applyInBatch(change);
      if (applied.ok && written) await orStop(written);
      if (applied.ok) onStored?.();
      return applied;
    },
    /**
     * Runs a read of the newest state, between two changes. During the mining of a block, anvil refuses some reads with
     * BlockOutOfRangeError: a read of a nonce once in 100,000 times.
     */
    between: gate.together,
    /** Makes a read call, of any block. Resolves after all changes that it could see are on the disk. */
    read: async (method: string, params: readonly unknown[]): Promise<RpcAnswer> => {
      const finish = await gate.together(() => readWithHistory({ rpc: foreignRpc, history }, method, params));
      await commit.settled();
      return finish();
    },
    /** Resolves when the node's process has ended and all writes for it are complete. */
    ended: anvil.ended.then(() => gate.alone(commit.settled)).catch(() => undefined),
    stop: anvil.stop,
  };
};
