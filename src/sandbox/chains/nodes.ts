import { EVM_CHAINS, type EvmChain } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { type Limits, type OpenChain, openChain } from './chain.ts';
import { type EvmNode, nodeOf } from './node.ts';
import { fileStore, memoryStore, type Store } from './store.ts';

/** The sandbox's EVM chains, one anvil process each, started on first use. */
export type Nodes = Readonly<ReturnType<typeof openNodes>>;

type Options = {
  readonly io: Pick<Io, 'files'>;
  /** Where the chains are kept; without it they are forgotten when the server ends. */
  readonly stateFolder: string | undefined;
  /** How often a chain is stored; tests choose small numbers. */
  readonly limits?: Limits;
};

const chainNamed = (name: string): EvmChain => {
  const chain = EVM_CHAINS.find((each) => each.name === name);
  if (!chain) throw new Failure('invalid_input', `the sandbox has no EVM chain ${name}`);
  return chain;
};

/** Opens the chains; starts nothing. */
export const openNodes = ({ io, stateFolder, limits }: Options) => {
  const stores = new Map<string, Store>(
    EVM_CHAINS.map(({ name }) => [name, stateFolder ? fileStore(io.files, stateFolder, name) : memoryStore()]),
  );
  const starting = new Map<string, Promise<OpenChain>>();
  const open = new Map<string, OpenChain>();
  const listeners = new Map<string, Set<() => void>>(EVM_CHAINS.map(({ name }) => [name, new Set()]));
  let before: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const start = async (chain: EvmChain, store: Store): Promise<OpenChain> => {
    await before;
    const onKept = () => {
      for (const listener of listeners.get(chain.name) ?? []) listener();
    };
    const opened = await openChain(chain, store, { onKept, ...(limits && { limits }) });
    open.set(chain.name, opened);
    return opened;
  };
  /** One start at a time for a chain; a node that failed to start, or has ended, makes room for the next. */
  const take = (chain: EvmChain): Promise<OpenChain> => {
    const known = starting.get(chain.name);
    if (known) return known;
    if (isClosed) throw new Failure('sandbox_unavailable', 'the sandbox is ending');
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
  const clearAll = async (): Promise<void> => {
    await stopAll();
    for (const store of stores.values()) await store.clear();
  };

  return {
    /**
     * The node of a chain, started with the chain's state when it does not run. Throws `invalid_input` for an
     * unknown chain, `sandbox_unavailable` when anvil cannot run here or a file of the state is damaged.
     */
    on: async (name: string): Promise<EvmNode> => nodeOf(await take(chainNamed(name))),
    /** Calls back after each change of a chain, until the function that it gives is called. Starts nothing. */
    watch: (chain: string, listener: () => void) => {
      const all = listeners.get(chain);
      all?.add(listener);
      return () => void all?.delete(listener);
    },
    /** Names of the chains whose node runs. */
    running: (): readonly string[] => [...open.keys()],
    /** Process ids of the nodes that run, by chain. */
    pids: (): Readonly<Record<string, number>> => Object.fromEntries([...open].map(([name, { pid }]) => [name, pid])),
    /** Who can connect to the nodes that run; `undefined` while none does. */
    reach: () => {
      const all = [...open.values()];
      return all.find(({ reach }) => reach === 'loopback')?.reach ?? all[0]?.reach;
    },
    /** Ends all nodes and forgets all chains; the next use makes new ones. */
    reset: () => {
      const clearing = clearAll();
      before = clearing.catch(() => undefined);
      return clearing;
    },
    /** Ends all nodes. Nothing can be started afterwards. */
    close: async () => {
      isClosed = true;
      await stopAll();
      for (const store of stores.values()) store.close();
    },
  };
};
