import { type EvmChain, sandboxChainId } from '../../contract/chains.ts';
import { isFailure } from '../../core/failure.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { groupCommit } from './commit.ts';
import { type Applied, applyChanges, type Change, type Made } from './mine.ts';
import { openRpc } from './rpc.ts';
import { damagedFile, dumpState, type Kept, restore, type Store } from './store.ts';

/** A chain whose node runs. */
export type OpenChain = Readonly<Awaited<ReturnType<typeof openChain>>>;

/**
 * Changes between two whole states. A dump takes time in proportion to the chain's history: 7 ms after 100 transactions,
 * 180 after 1,000. A line of the log takes half a millisecond. So every change is a line, and a dump only keeps the log
 * and the next start short.
 */
const CHANGES_PER_STATE = 500;

/** Changes of one go, and so transactions of one block. */
const MAX_TOGETHER = 50;

const start = async (chain: EvmChain, { state }: Kept, store: Store): Promise<Anvil> => {
  try {
    return await startAnvil({ chainId: sandboxChainId(chain.id), state });
  } catch (error) {
    throw isFailure(error) ? error : damagedFile(store.place, error);
  }
};

/**
 * Starts the node of a chain with what its store has. `onKept` is called after each change, when it is kept. Throws
 * `sandbox_unavailable` when that cannot be.
 */
export const openChain = async (chain: EvmChain, store: Store, onKept: () => void = () => undefined) => {
  const kept = await store.load();
  const anvil = await start(chain, kept, store);
  const [own, others] = anvil.links;
  const rpc = openRpc(own, chain.name);
  const foreign = openRpc(others, chain.name, 1);
  const gate = openGate();
  const commit = groupCommit<Made>((made) => store.append(made));
  let sinceState = 0;

  /** What is not as the store has it must not be seen on the chain: the node goes, and returns with what is kept. */
  const orStop = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
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
  /** The lines are handed over within the turn, so that the log has the order of the chain; they are awaited outside. */
  const make = async (changes: readonly Change[]) => {
    if (sinceState >= CHANGES_PER_STATE) await orStop(keepState());
    // What it did before it failed is on the chain, and in no log.
    const { applied, made } = await orStop(applyChanges(rpc, changes));
    sinceState += made.length;
    const written = made.map(commit.add).at(-1);
    // Every caller that waits for a change gets the failure.
    written?.catch(() => undefined);
    return applied.map((each) => ({ applied: each, written }));
  };
  const takeIn = inBatches(MAX_TOGETHER, (changes: readonly Change[]) => gate.alone(() => make(changes)));

  await orStop(restore(rpc, chain, kept, store));
  return {
    chain,
    rpc,
    pid: anvil.pid,
    /** Who can connect to the node beside this process. */
    reach: anvil.reach,
    /** Makes a change and resolves when it is kept: what was answered for survives a kill. */
    change: async (change: Change): Promise<Applied> => {
      const { applied, written } = await takeIn(change);
      if (applied.ok && written) await orStop(written);
      if (applied.ok) onKept();
      return applied;
    },
    /**
     * A read of the newest state between two changes. anvil keeps no other state. It refuses a read during the mining of
     * a block (BlockOutOfRangeError), a nonce once in a hundred thousand times.
     */
    between: gate.together,
    /** A foreign call that changes nothing. It reads only state that is on the disk. */
    read: async (method: string, params: readonly unknown[]) => {
      const answer = await gate.together(() => foreign(method, params));
      await commit.settled();
      return answer;
    },
    /** Resolves when all changes that the node knows are kept. */
    kept: commit.settled,
    /** Resolves when the node's process has ended, for whatever reason, and nothing more is written for it. */
    ended: anvil.ended.then(() => gate.alone(commit.settled)).catch(() => undefined),
    stop: anvil.stop,
  };
};

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** An open gate, first come first served: to something that either one alone may change, or many may read together. */
export const openGate = () => {
  let last: Promise<unknown> = Promise.resolve();
  const beside = new Set<Promise<unknown>>();
  return {
    /** Waits for all that came before, and everything that comes later waits for it. */
    alone: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = Promise.all([last, ...beside]).then(work);
      beside.clear();
      last = settled(turn);
      return turn;
    },
    /** Waits for work alone that came before; goes on beside its like. */
    together: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(work);
      const ended = settled(turn);
      beside.add(ended);
      void ended.then(() => beside.delete(ended));
      return turn;
    },
  };
};

/**
 * Does work for items in the order they came, many at a time: whatever comes while one batch is at work shares the
 * next. Each caller gets what came of its own item; a batch that fails fails for its own items only.
 */
export const inBatches = <T, R>(
  most: number,
  work: (items: readonly T[]) => Promise<readonly R[]>,
): ((item: T) => Promise<R>) => {
  type Entry = { readonly item: T; readonly done: (result: R) => void; readonly fail: (error: unknown) => void };
  let waiting: Entry[] = [];
  let isAtWork = false;
  const workOff = async (): Promise<void> => {
    isAtWork = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done(results[index] as R);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    isAtWork = false;
  };
  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail });
      if (!isAtWork) void workOff();
    });
};
