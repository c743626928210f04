import type { SandboxClock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readSolanaPort, writeSolanaPort } from '../ledger/settings.ts';
import { openSolanaChain, type SolanaChain } from './chain.ts';
import { type Gift, giveOnSolana } from './fund.ts';
import { type SolanaRpc, startSolanaRpc } from './rpc/server.ts';
import { solanaStore } from './store.ts';
import { makeVaults, type Provider, type SolanaToken, type Vault } from './tokens.ts';

/** The sandbox's Solana chain and what lives on it. */
export type Solana = {
  readonly chain: SolanaChain;
  /** What each provider keeps of each token. */
  readonly vaults: readonly Vault[];
  readonly vaultOf: (provider: Provider, token: SolanaToken) => Vault;
  /** Gives coin or tokens out of nothing; kept when it resolves. Throws `invalid_input` for what cannot be given. */
  readonly give: (address: string, gifts: readonly Gift[]) => Promise<void>;
  /** Another price of a compute unit at each call: two transactions that are alike are still two. */
  readonly nextUnitPrice: () => number;
  /** The chain's own JSON-RPC, for those who broadcast on their own node. */
  readonly rpc: SolanaRpc;
  /** Ends the JSON-RPC; resolves when everything that was executed is on the disk. */
  readonly close: () => Promise<void>;
};

/** Prices repeat after so many: by then the blockhash is another. */
const PRICES = 1000;

const startRpc = async (ledger: Ledger, chain: SolanaChain, onRequest: () => void): Promise<SolanaRpc> => {
  const last = await readSolanaPort(ledger);
  const rpc = await startSolanaRpc(chain, last, onRequest);
  if (rpc.port !== last) await writeSolanaPort(ledger, rpc.port);
  return rpc;
};

/**
 * Opens the chain as it was left, or begins one, with its JSON-RPC; `onRequest` is called for every request of that.
 * Throws `sandbox_unavailable` where litesvm cannot run.
 */
export const openSolana = async (ledger: Ledger, clock: SandboxClock, onRequest: () => void): Promise<Solana> => {
  const chain = await openSolanaChain(solanaStore(ledger), clock);
  const rpc = await startRpc(ledger, chain, onRequest);
  const vaults = makeVaults();
  let built = 0;
  const nextUnitPrice = () => {
    built += 1;
    return 1 + (built % PRICES);
  };
  return {
    chain,
    vaults,
    vaultOf: (provider, token) => {
      const found = vaults.find((vault) => vault.provider === provider && vault.token === token);
      if (!found) throw new Error(`no vault of ${provider} for ${token.symbol}`);
      return found;
    },
    give: (address, gifts) => giveOnSolana(chain, address, gifts, nextUnitPrice()),
    nextUnitPrice,
    rpc,
    close: async () => {
      await rpc.close();
      await chain.settled();
    },
  };
};
