import { EVM_CHAINS, type EvmChain } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { type Limits, type OpenChain, openChain } from './chain.ts';
import { type EvmNode, nodeOf } from './node.ts';
import { fileStore, memoryStore, type Store } from './store.ts';

/** The sandbox's EVM chains. Each has an anvil process, which starts on the first use. */
export type Nodes = Readonly<ReturnType<typeof openNodes>>;

type Options = {
  readonly io: Pick<Io, 'files'>;
  /** The folder of the chains; without it, they are in memory and end with the server. */
  readonly stateFolder: string | undefined;
  /** How often a chain is stored; for tests. */
  readonly limits?: Limits;
};

const findChain = (name: string): EvmChain => {
  const chain = EVM_CHAINS.find((each) => each.name === name);
  if (!chain) throw new Failure('invalid_input', `the sandbox has no EVM chain ${name}`);
  return chain;
};

/** Opens the chains without starting a node. */
export const openNodes = ({ io, stateFolder, limits }: Options) => {
  const stores = new Map<string, Store>(
    EVM_CHAINS.map(({ name }) => [name, stateFolder ? fileStore(io.files, stateFolder, name) : memoryStore()]),
  );
  const starting = new Map<string, Promise<OpenChain>>();
  const open = new Map<string, OpenChain>();
  const listeners = new Map<string, Set<() => void>>(EVM_CHAINS.map(({ name }) => [name, new Set()]));
  let lastReset: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const start = async (chain: EvmChain, store: Store): Promise<OpenChain> => {
    await lastReset;
    const onStored = () => {
      for (const listener of listeners.get(chain.name) ?? []) listener();
    };
    const opened = await openChain(chain, store, { onStored, ...(limits && { limits }) });
    open.set(chain.name, opened);
    return opened;
  };
  /** Returns the open chain, or starts its node. After a failed start or the node's end, the next call starts a new node. */
  const openOnce = (chain: EvmChain): Promise<OpenChain> => {
    const existing = starting.get(chain.name);
    if (existing) return existing;
    if (isClosed) throw new Failure('sandbox_unavailable', 'the sandbox is stopping');
    const store = stores.get(chain.name) ?? memoryStore();
    const started = start(chain, store);
    starting.set(chain.name, started);
    const forget = () => {
      starting.delete(chain.name);
      open.delete(chain.name);
    };
    started.then(({ ended }) => ended).then(forget, forget);
    return started;
  };
  const stopAll = async (): Promise<void> => {
    const all = await Promise.allSettled(starting.values());
    const opened = all.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    await Promise.all(opened.map(async ({ stop, ended }) => [await stop(), await ended]));
  };
  /** Stops all nodes, then runs work. A node that is needed meanwhile starts afterwards. */
  const whileStopped = <T>(work: () => Promise<T>): Promise<T> => {
    const working = stopAll().then(work);
    lastReset = working.catch(() => undefined);
    return working;
  };
  const clearAll = async (): Promise<void> => {
    for (const store of stores.values()) await store.clear();
  };

  return {
    /**
     * Returns the node of a chain. Starts the node with the stored state if it does not run. Throws `invalid_input` for an
     * unknown chain, and `sandbox_unavailable` if anvil cannot run here or a stored file is damaged.
     */
    on: async (name: string): Promise<EvmNode> => nodeOf(await openOnce(findChain(name))),
    /** Calls `listener` after each change of a chain, until the caller calls the returned function. Starts no node. */
    watch: (chain: string, listener: () => void) => {
      const all = listeners.get(chain);
      all?.add(listener);
      return () => void all?.delete(listener);
    },
    /** The names of the chains with a running node. */
    running: (): readonly string[] => [...open.keys()],
    /** The process ids of the running nodes, by chain. */
    pids: (): Readonly<Record<string, number>> => Object.fromEntries([...open].map(([name, { pid }]) => [name, pid])),
    /** The widest access to a running node; `undefined` if no node runs. */
    reach: () => {
      const all = [...open.values()];
      return all.find(({ reach }) => reach === 'loopback')?.reach ?? all[0]?.reach;
    },
    /** Stops all nodes and removes all chains. The next use creates new chains. */
    reset: () => whileStopped(clearAll),
    /** Stops all nodes, and runs work on the stores of the chains, by name. The next use of a chain loads its store again. */
    withStores: <T>(work: (all: ReadonlyMap<string, Store>) => Promise<T>): Promise<T> =>
      whileStopped(async () => {
        const done = await work(stores);
        for (const store of stores.values()) if (stateFolder) store.close();
        return done;
      }),
    /** Stops all nodes. No node can be started afterwards. */
    close: async () => {
      isClosed = true;
      await stopAll();
      for (const store of stores.values()) store.close();
    },
  };
};
