import { EVM_CHAINS, type EvmChain } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import type { Reach } from './anvil.ts';
import { type OpenChain, openChain } from './chain.ts';
import { type EvmNode, nodeOf } from './node.ts';
import { fileStore, memoryStore, type Store } from './store.ts';

export type { BuiltTransfer, EvmNode } from './node.ts';

/** The sandbox's EVM chains, one anvil process each, started on first use. */
export type Nodes = {
  /**
   * The node of a chain, started with the chain's state when it does not run. Throws `invalid_input` for an
   * unknown chain, `sandbox_unavailable` when anvil cannot run here or a file of the state is damaged.
   */
  readonly on: (chain: string) => Promise<EvmNode>;
  /** Calls back after each change of a chain, until the function that it gives is called. Starts nothing. */
  readonly watch: (chain: string, listener: () => void) => () => void;
  /** Names of the chains whose node runs. */
  readonly running: () => readonly string[];
  /** Process ids of the nodes that run, by chain. */
  readonly pids: () => Readonly<Record<string, number>>;
  /** Who can connect to the nodes that run; `undefined` while none does. */
  readonly reach: () => Reach | undefined;
  /** Ends all nodes and forgets all chains; the next use makes new ones. */
  readonly reset: () => Promise<void>;
  /** Ends all nodes. Nothing can be started afterwards. */
  readonly close: () => Promise<void>;
};

type Options = {
  readonly io: Pick<Io, 'files'>;
  /** Where the chains are kept; without it they are forgotten when the server ends. */
  readonly stateFolder: string | undefined;
};

const chainNamed = (name: string): EvmChain => {
  const chain = EVM_CHAINS.find((each) => each.name === name);
  if (!chain) throw new Failure('invalid_input', `the sandbox has no EVM chain ${name}`);
  return chain;
};

/** Opens the chains; starts nothing. */
export const openNodes = ({ io, stateFolder }: Options): Nodes => {
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
    const opened = await openChain(chain, store, onKept);
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
    on: async (name) => nodeOf(await take(chainNamed(name))),
    watch: (chain, listener) => {
      const all = listeners.get(chain);
      all?.add(listener);
      return () => void all?.delete(listener);
    },
    running: () => [...open.keys()],
    pids: () => Object.fromEntries([...open].map(([name, { pid }]) => [name, pid])),
    reach: () => {
      const all = [...open.values()];
      return all.find(({ reach }) => reach === 'loopback')?.reach ?? all[0]?.reach;
    },
    reset: () => {
      const clearing = clearAll();
      before = clearing.catch(() => undefined);
      return clearing;
    },
    close: async () => {
      isClosed = true;
      await stopAll();
    },
  };
};
