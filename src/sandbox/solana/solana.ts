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
  /** Gives coin or tokens out of nothing; kept when it resolves, with the transaction's signature. Throws `invalid_input` for what cannot be given. */
  readonly give: (address: string, gifts: readonly Gift[]) => Promise<string>;
  /** Another price of a compute unit at each call: two transactions that are alike are still two. */
  readonly nextUnitPrice: () => number;
  /** The chain's own JSON-RPC, for those who broadcast on their own node. */
  readonly rpc: SolanaRpc;
  /** Ends the JSON-RPC; resolves when everything that was executed is on the disk. */
  readonly close: () => Promise<void>;
};

/** Prices repeat after so many: by then the blockhash is another. */
const PRICES = 1000;

type Rpc = Parameters<typeof startSolanaRpc>[0];

const startRpc = async (ledger: Ledger, options: Omit<Rpc, 'last'>): Promise<SolanaRpc> => {
  const last = await readSolanaPort(ledger);
  const rpc = await startSolanaRpc({ ...options, last });
  if (rpc.port !== last) await writeSolanaPort(ledger, rpc.port);
  return rpc;
};

/**
 * Opens the chain as it was left, or begins one, with its JSON-RPC; `onRequest` is called for every request of that.
 * Throws `sandbox_unavailable` where litesvm cannot run.
 */
export const openSolana = async (ledger: Ledger, clock: SandboxClock, onRequest: () => void): Promise<Solana> => {
  const chain = await openSolanaChain(solanaStore(ledger), clock);
  const vaults = makeVaults();
  let built = 0;
  const nextUnitPrice = () => {
    built += 1;
    return 1 + (built % PRICES);
  };
  const give: Solana['give'] = (address, gifts) => giveOnSolana(chain, address, gifts, nextUnitPrice());
  const airdrop = (address: string, units: bigint) => give(address, [{ token: undefined, units }]);
  const rpc = await startRpc(ledger, { chain, airdrop, onRequest });
  return {
    chain,
    vaults,
    vaultOf: (provider, token) => {
      const found = vaults.find((vault) => vault.provider === provider && vault.token === token);
      if (!found) throw new Error(`no vault of ${provider} for ${token.symbol}`);
      return found;
    },
    give,
    nextUnitPrice,
    rpc,
    close: async () => {
      await rpc.close();
      await chain.settled();
    },
  };
};
