import {
  EVM_CHAINS,
  type EvmChain,
  SANDBOX_CONTRACTS,
  SANDBOX_SOLANA,
  SOL_DECIMALS,
  SOLANA,
  sandboxChainId,
  sandboxChainPath,
} from '../../contract/chains.ts';
import { fund, listChains, readBalances, startSolana, switchChain } from '../../contract/control/chains.ts';
import type { InputOf } from '../../contract/define.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { isFailure } from '../../core/failure.ts';
import { FUND_COIN, FUND_TOKEN, TEST_TOKENS } from '../assumptions.ts';
import { succeed } from '../handlers/handler.ts';
import { readDisabledChains, writeChainEnabled } from '../ledger/settings.ts';
import { decimalsOf, symbolsOf } from '../payments/amount.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from '../payments/receivers.ts';
import type { Services } from '../services.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../solana/address.ts';
import { handleControl, invalid } from './handler.ts';

type FundInput = InputOf<typeof fund>;

/** An amount of one asset on one chain, as decimal text. */
export type Balance = { readonly chain: string; readonly symbol: string; readonly amount: string };

/** The balances of an address on EVM chains. */
const balancesOf = async (services: Services, chains: readonly EvmChain[], address: string) =>
  (await Promise.all(chains.map((chain) => balancesOn(services, chain, address)))).flat();

/** The assets of an EVM chain, its coin first. */
const assetsOf = (chain: EvmChain) =>
  symbolsOf(chain).map((symbol) => ({ symbol, decimals: decimalsOf(chain, symbol) }));

/** The balances of an address on one EVM chain. */
export const balancesOn = async (services: Services, chain: EvmChain, address: string): Promise<readonly Balance[]> => {
  const node = await services.node(chain.name);
  return Promise.all(
    assetsOf(chain).map(async ({ symbol, decimals }) => ({
      chain: chain.name,
      symbol,
      amount: fromUnits(await node.balance(address, symbol), decimals),
    })),
  );
};

/** The named EVM chain or all EVM chains, without the chains that lack the named token. */
const chainsFor = ({ chain, token }: FundInput): readonly EvmChain[] =>
  chainsOf(chain).filter((one) => token === undefined || symbolsOf(one).includes(token));

/** Creates test money on EVM chains. Throws `invalid_input` for an amount with too many decimals or digits. */
const fundOnEvm = async (services: Services, input: FundInput) => {
  const chains = chainsFor(input);
  for (const chain of chains) {
    const gifts = giftsOf(input, assetsOf(chain));
    const node = await services.node(chain.name);
    for (const { symbol, units } of gifts) await node.fund(input.address, symbol, units);
  }
  return balancesOf(services, chains, input.address);
};

/** The balances of an address on the Solana chain. */
export const balancesOnSolana = async (services: Services, address: string) => {
  const { lamportsOf, tokensOf } = await import('../solana/tokens.ts');
  const { chain } = await services.solana();
  return (await solanaAssets()).map(({ symbol, decimals, token }): Balance => {
    const units = token ? tokensOf(chain, address, token.mint) : lamportsOf(chain, address);
    return { chain: SOLANA, symbol, amount: fromUnits(units, decimals) };
  });
};

/** Whether the Solana chain has the named token. Without a name the result is `true`. */
const isOnSolana = async (token: string | undefined): Promise<boolean> =>
  token === undefined || (await solanaAssets()).some(({ symbol }) => symbol === token);

/** Creates test money on the Solana chain. Throws `invalid_input` for an amount with too many decimals or digits. */
const fundOnSolana = async (services: Services, input: FundInput) => {
  const gifts = giftsOf(input, await solanaAssets());
  await (await services.solana()).give(input.address, gifts);
  return balancesOnSolana(services, input.address);
};

/** The EVM chain with this name, or all EVM chains. */
const chainsOf = (name: string | undefined): readonly EvmChain[] =>
  EVM_CHAINS.filter((chain) => name === undefined || chain.name === name);

/** The test money for one chain: the named token and coin for its fees, or all assets. `assets` begins with the coin. */
const giftsOf = <T extends { readonly symbol: string; readonly decimals: number }>(
  { token, amount }: FundInput,
  assets: readonly T[],
) =>
  assets.flatMap((asset, at) => {
    const isCoin = at === 0;
    const isNamed = token === undefined || asset.symbol === token;
    if (!isNamed && !isCoin) return [];
    const defaultAmount = isCoin ? FUND_COIN : FUND_TOKEN;
    return [{ ...asset, units: toUnits(isNamed ? (amount ?? defaultAmount) : defaultAmount, asset.decimals) }];
  });

const SOL = 'SOL';

/**
 * The assets of the Solana chain, its coin first. Their module loads on first use, because it loads the chain's
 * libraries.
 */
const solanaAssets = async () => {
  const { SOLANA_TOKENS } = await import('../solana/tokens.ts');
  return [
    { symbol: SOL, decimals: SOL_DECIMALS, token: undefined },
    ...SOLANA_TOKENS.map((token) => ({ symbol: token.symbol, decimals: token.decimals, token })),
  ] as const;
};

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

/** The WebSocket address for a JSON-RPC address of Solana: the next port. */
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

/** Whether a call is about the Solana chain: it has a Solana address, and names Solana or no chain. */
const isForSolana = ({ address, chain }: { readonly address: string; readonly chain?: string | undefined }): boolean =>
  (chain === undefined || chain === SOLANA) && isSolanaAddress(address);

const wrongAddress = (chain: string | undefined) =>
  invalid('address', chain === SOLANA ? NOT_A_SOLANA_ADDRESS : NOT_AN_ADDRESS);

/** The handlers of the chains: their addresses, their switches, test money and balances. */
export const CHAIN_HANDLERS = {
  [listChains.id]: handleControl(listChains, async ({ services }) =>
    succeed('chains_found', 'The chains.', { chains: await allChains(services) }),
  ),
  [switchChain.id]: handleControl(switchChain, async ({ services, control }, { name, enabled }) => {
    await writeChainEnabled(await services.ledger(), name, enabled);
    await control.publish();
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
      const balances = await (isSolana ? fundOnSolana(services, input) : fundOnEvm(services, input));
      services.nudge();
      return succeed('funded', 'The address was funded.', { address: input.address, balances });
    } catch (error) {
      if (isFailure(error, 'invalid_input')) return invalid('amount', error.message);
      throw error;
    }
  }),
  [readBalances.id]: handleControl(readBalances, async ({ services }, { address, chain }) => {
    if (isForSolana({ address, chain })) {
      const balances = await balancesOnSolana(services, address);
      return succeed('balances_found', 'Balances on the chain.', { address, balances });
    }
    if (chain === SOLANA || !(await isEvmAddress(address))) return wrongAddress(chain);
    const balances = await balancesOf(services, chainsOf(chain), address);
    return succeed('balances_found', 'Balances on the chains.', { address, balances });
  }),
};
