import { SOLANA } from '../contract/solana.ts';
import type { Io } from '../io/io.ts';
import type { Nodes } from './chains/nodes.ts';
import type { SandboxClock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';
import { onFirstUse } from './on-first-use.ts';
import type { Services } from './services.ts';
import type { Solana } from './solana/solana.ts';

/** The chains of the sandbox, and how they are put back and put away. */
export type OpenChains = Pick<Services, 'node' | 'nodes' | 'solana' | 'solanaRpc' | 'running' | 'evmAccess'> & {
  /** As on the first day; resolves with the port that Solana's JSON-RPC had, where it ran. */
  readonly reset: () => Promise<number | undefined>;
  readonly closeSolana: () => Promise<void>;
  readonly closeNodes: () => Promise<void>;
};

type Options = {
  readonly io: Io;
  /** Where the state of the nodes is kept; `undefined` keeps nothing. */
  readonly stateFolder: string | undefined;
  readonly ledger: () => Promise<Ledger>;
  readonly clock: SandboxClock;
  /** Called for every request that Solana's JSON-RPC gets. */
  readonly onRequest: () => void;
};

/** Loads and starts each chain on its first use. */
export const openChains = ({ io, stateFolder, ledger, clock, onRequest }: Options): OpenChains => {
  const nodes = onFirstUse<Nodes>(async () => (await import('./chains/nodes.ts')).openNodes({ io, stateFolder }));
  const solana = onFirstUse<Solana>(async () => {
    const { openSolana } = await import('./solana/solana.ts');
    return openSolana(await ledger(), clock, onRequest);
  });
  const closeSolana = async () => (await solana.made())?.close();
  return {
    nodes: nodes.get,
    node: async (chain) => (await nodes.get()).on(chain),
    solana: solana.get,
    solanaRpc: async () => (await solana.made())?.rpc.url,
    running: async () => [...((await nodes.made())?.running() ?? []), ...(solana.made() ? [SOLANA] : [])],
    evmAccess: async () => (await nodes.made())?.reach(),
    reset: async () => {
      await (await nodes.made())?.reset();
      const port = (await solana.made())?.rpc.port;
      await closeSolana();
      solana.forget();
      return port;
    },
    closeSolana,
    closeNodes: async () => (await nodes.made())?.close(),
  };
};
