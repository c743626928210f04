import {
  EVM_CHAINS,
  SANDBOX_CONTRACTS,
  SANDBOX_SOLANA,
  SOLANA,
  sandboxChainId,
  sandboxChainPath,
} from '../../contract/chains.ts';
import { fund, listChains, readBalances, startSolana, switchChain } from '../../contract/control/chains.ts';
import { isFailure } from '../../core/failure.ts';
import { TEST_TOKENS } from '../assumptions.ts';
import { succeed } from '../handlers/handler.ts';
import { readDisabledChains, writeChainEnabled } from '../ledger/settings.ts';
import { decimalsOf } from '../payments/amount.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from '../payments/receivers.ts';
import type { Services } from '../services.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../solana/address.ts';
import { balancesOf, balancesOnSolana, chainsFor, fundOnEvm, fundOnSolana, isOnSolana } from './fund.ts';
import { handleControl, invalid } from './handler.ts';

const evmChains = (url: string) =>
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

const solanaChain = async (services: Services) => {
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

const allChains = async (services: Services) => {
  const [running, disabled] = [await services.running(), await readDisabledChains(await services.ledger())];
  return [...evmChains(services.url()), await solanaChain(services)].map((chain) => ({
    ...chain,
    enabled: !disabled.includes(chain.name),
    running: running.includes(chain.name),
  }));
};

/** A Solana address is for the Solana chain, and for no other. */
const isForSolana = ({ address, chain }: { readonly address: string; readonly chain?: string | undefined }): boolean =>
  (chain === undefined || chain === SOLANA) && isSolanaAddress(address);

const wrongAddress = (chain: string | undefined) =>
  invalid('address', chain === SOLANA ? NOT_A_SOLANA_ADDRESS : NOT_AN_ADDRESS);

/** The chains with their addresses, their switch, and test money. */
export const CHAIN_HANDLERS = {
  [listChains.id]: handleControl(listChains, async ({ services }) =>
    succeed('chains_found', 'The chains.', { chains: await allChains(services) }),
  ),
  [switchChain.id]: handleControl(switchChain, async ({ services }, { name, enabled }) => {
    await writeChainEnabled(await services.ledger(), name, enabled);
    return succeed(enabled ? 'chain_enabled' : 'chain_disabled', `The chain ${name} was changed.`, { name, enabled });
  }),
  [startSolana.id]: handleControl(startSolana, async ({ services }) => {
    const { url: rpc_url } = (await services.solana()).rpc;
    return succeed('solana_found', 'The Solana chain answers.', { rpc_url, websocket_url: websocketOf(rpc_url) });
  }),
  [fund.id]: handleControl(fund, async ({ services }, input) => {
    const isSolana = isForSolana(input);
    if (!isSolana && (input.chain === SOLANA || !(await isEvmAddress(input.address)))) return wrongAddress(input.chain);
    if (isSolana ? !(await isOnSolana(input.token)) : chainsFor(input).length === 0) {
      return invalid('token', `there is no ${input.token} on ${input.chain ?? 'any chain'}`);
    }
    try {
      const funded = await (isSolana ? fundOnSolana(services, input) : fundOnEvm(services, input));
      services.nudge();
      return succeed('funded', 'The address was funded.', funded);
    } catch (error) {
      if (isFailure(error, 'invalid_input')) return invalid('amount', error.message);
      throw error;
    }
  }),
  [readBalances.id]: handleControl(readBalances, async ({ services }, { address, chain }) => {
    if (isForSolana({ address, chain })) {
      return succeed('balances_found', 'Balances on the chain.', await balancesOnSolana(services, address));
    }
    if (chain === SOLANA || !(await isEvmAddress(address))) return wrongAddress(chain);
    return succeed('balances_found', 'Balances on the chains.', await balancesOf(services, address, chain));
  }),
};
