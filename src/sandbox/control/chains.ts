import { EVM_CHAINS, SANDBOX_CONTRACTS, sandboxChainId, sandboxChainPath } from '../../contract/chains.ts';
import { SANDBOX_SOLANA, SOLANA } from '../../contract/solana.ts';
import { TEST_TOKENS } from '../assumptions.ts';
import { readDisabledChains, writeChainEnabled } from '../ledger/settings.ts';
import { decimalsOf } from '../payments/token.ts';
import type { Services } from '../services.ts';
import { ok, type Route, withInput } from './route.ts';
import { INPUTS, type ShownChain } from './shapes.ts';

type Facts = Omit<ShownChain, 'enabled' | 'running'>;

const evmChains = (url: string): readonly Facts[] =>
  EVM_CHAINS.map((chain) => ({
    name: chain.name,
    chain_id: sandboxChainId(chain.id),
    coin: chain.coin,
    rpc_url: url + sandboxChainPath(chain.name),
    websocket_url: (url + sandboxChainPath(chain.name)).replace(/^http/, 'ws'),
    tokens: TEST_TOKENS.map((symbol) => ({
      symbol,
      address: SANDBOX_CONTRACTS[symbol],
      decimals: decimalsOf(chain, symbol),
    })),
  }));

/** Solana's WebSocket is on the port after its JSON-RPC. */
const websocketOf = (rpc: string): string => {
  const { hostname, port } = new URL(rpc);
  return `ws://${hostname}:${Number(port) + 1}`;
};

const solanaChain = async (services: Services): Promise<Facts> => {
  const rpc_url = (await services.solanaRpc()) ?? null;
  return {
    name: SOLANA,
    chain_id: null,
    coin: 'SOL',
    rpc_url,
    websocket_url: rpc_url && websocketOf(rpc_url),
    tokens: Object.entries(SANDBOX_SOLANA.mints).map(([symbol, address]) => ({ symbol, address, decimals: 6 })),
  };
};

const listChains = async (services: Services): Promise<readonly ShownChain[]> => {
  const [running, disabled] = [await services.running(), await readDisabledChains(await services.ledger())];
  return [...evmChains(services.url()), await solanaChain(services)].map((chain) => ({
    ...chain,
    enabled: !disabled.includes(chain.name),
    running: running.includes(chain.name),
  }));
};

/** The chains: what they are and where they answer, and whether the service takes them. */
export const chainRoutes = (services: Services): readonly Route[] => [
  ['GET', 'chain', async () => ok('chains_found', 'The chains.', { chains: await listChains(services) })],
  [
    'POST',
    'chain',
    (context) =>
      withInput(context, INPUTS.chain, async ({ name, enabled }) => {
        await writeChainEnabled(await services.ledger(), name, enabled);
        return ok(enabled ? 'chain_enabled' : 'chain_disabled', `The chain ${name} was changed.`, { name, enabled });
      }),
  ],
  [
    'GET',
    'solana',
    async () => {
      const { url: rpc_url } = (await services.solana()).rpc;
      return ok('solana_found', 'The Solana chain answers.', { rpc_url, websocket_url: websocketOf(rpc_url) });
    },
  ],
];
