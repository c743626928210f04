import { EVM_CHAINS, type EvmChain, SOL_DECIMALS, SOLANA } from '../../contract/chains.ts';
import type { fund } from '../../contract/control/chains.ts';
import type { InputOf } from '../../contract/define.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { FUND_COIN, FUND_TOKEN } from '../assumptions.ts';
import { chainOf, decimalsOf, symbolsOf } from '../payments/amount.ts';
import type { Services } from '../services.ts';

type FundInput = InputOf<typeof fund>;

/** An amount of one asset on one chain, as decimal text. */
export type Balance = { readonly chain: string; readonly symbol: string; readonly amount: string };

/** The balances of an address, on one EVM chain or on all. */
export const balancesOf = async (services: Services, address: string, chain: string | undefined) => {
  const each = await Promise.all(chainsOf(chain).map((one) => balancesOn(services, one, address)));
  return { address, balances: each.flat() };
};

/** The balances of an address on one EVM chain. */
export const balancesOn = async (services: Services, chain: EvmChain, address: string): Promise<readonly Balance[]> => {
  const node = await services.node(chain.name);
  return Promise.all(
    symbolsOf(chain).map(async (symbol) => ({
      chain: chain.name,
      symbol,
      amount: fromUnits(await node.balance(address, tokenOn(chain, symbol)), decimalsOf(chain, symbol)),
    })),
  );
};

/** Of the EVM chains that a call names, those that have the named token. */
export const chainsFor = ({ chain, token }: FundInput): readonly EvmChain[] =>
  chainsOf(chain).filter((one) => token === undefined || symbolsOf(one).includes(token));

/** Creates test money on EVM chains. Throws `invalid_input` for an amount finer than a token, or too large. */
export const fundOnEvm = async (services: Services, input: FundInput) => {
  const chains = chainsFor(input);
  for (const chain of chains) {
    const gifts = giftsOf(input, chain.coin, symbolsOf(chain)).map(
      ([symbol, amount]) => [symbol, toUnits(amount, decimalsOf(chain, symbol))] as const,
    );
    const node = await services.node(chain.name);
    for (const [symbol, units] of gifts) await node.fund(input.address, tokenOn(chain, symbol), units);
  }
  const each = await Promise.all(chains.map((chain) => balancesOn(services, chain, input.address)));
  return { address: input.address, balances: each.flat() };
};

/** The balances of an address on the Solana chain. */
export const balancesOnSolana = async (services: Services, address: string) => {
  const { lamportsOf, tokensOf } = await import('../solana/balances.ts');
  const { chain } = await services.solana();
  const balances = (await solanaAssets()).map(({ symbol, decimals, token }): Balance => {
    const units = token ? tokensOf(chain, address, token.mint) : lamportsOf(chain, address);
    return { chain: SOLANA, symbol, amount: fromUnits(units, decimals) };
  });
  return { address, balances };
};

/** Whether the Solana chain has the named token; without a name it has all. */
export const isOnSolana = async (token: string | undefined): Promise<boolean> =>
  token === undefined || (await solanaAssets()).some(({ symbol }) => symbol === token);

/** Creates test money on the Solana chain. Throws `invalid_input` for an amount finer than a token, or too large. */
export const fundOnSolana = async (services: Services, input: FundInput) => {
  const assets = await solanaAssets();
  const symbols = assets.map(({ symbol }) => symbol);
  const gifts = giftsOf(input, SOL, symbols).map(([symbol, amount]) => {
    const { token, decimals } = assets.find((each) => each.symbol === symbol) ?? assets[0];
    return { token, units: toUnits(amount, decimals) };
  });
  await (await services.solana()).give(input.address, gifts);
  return balancesOnSolana(services, input.address);
};

/** The EVM chain with this name, or all of them. */
const chainsOf = (name: string | undefined): readonly EvmChain[] => {
  const chain = name === undefined ? undefined : chainOf(name);
  return chain ? [chain] : EVM_CHAINS;
};

/** A node takes its native coin as no token at all. */
const tokenOn = (chain: EvmChain, symbol: string): string | undefined => (symbol === chain.coin ? undefined : symbol);

/** The symbols and amounts of a gift: the named token and the coin for its fees, or all that the chain has. */
const giftsOf = (
  { token, amount }: FundInput,
  coin: string,
  symbols: readonly string[],
): readonly (readonly [string, string])[] =>
  symbols
    .filter((symbol) => token === undefined || symbol === token || symbol === coin)
    .map((symbol) => {
      const usual = symbol === coin ? FUND_COIN : FUND_TOKEN;
      return [symbol, token === undefined || symbol === token ? (amount ?? usual) : usual] as const;
    });

const SOL = 'SOL';

/** The assets of the Solana chain, its coin first. The tokens are loaded on use, with the chain. */
const solanaAssets = async () => {
  const { SOLANA_TOKENS } = await import('../solana/tokens.ts');
  return [
    { symbol: SOL, decimals: SOL_DECIMALS, token: undefined },
    ...SOLANA_TOKENS.map((token) => ({ symbol: token.symbol, decimals: token.decimals, token })),
  ] as const;
};
