import { EVM_CHAINS, type EvmChain } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { FUND_COIN, FUND_TOKEN } from '../assumptions.ts';
import { chainOf, decimalsOf, symbolsOf } from '../payments/token.ts';
import type { Services } from '../services.ts';
import type { Balance, FundInput } from './shapes.ts';

/** The chain that was named, or all of them. */
const chainsOf = (name: string | undefined): readonly EvmChain[] => {
  const chain = name === undefined ? undefined : chainOf(name);
  return chain ? [chain] : EVM_CHAINS;
};

/** The node knows its native coin by no token at all. */
const tokenOn = (chain: EvmChain, symbol: string): string | undefined => (symbol === chain.coin ? undefined : symbol);

/** What an address has on a chain. */
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

/** What an address has on one chain, or on all. */
export const balancesOf = async (services: Services, address: string, chain: string | undefined) => {
  const each = await Promise.all(chainsOf(chain).map((one) => balancesOn(services, one, address)));
  return { address, balances: each.flat() };
};

/** What is given on a chain: the named token and the coin for its fees, or all that the chain has. */
const giftsOn = (chain: EvmChain, { token, amount }: FundInput): readonly (readonly [string, string])[] =>
  symbolsOf(chain)
    .filter((symbol) => token === undefined || symbol === token || symbol === chain.coin)
    .map((symbol) => {
      const usual = symbol === chain.coin ? FUND_COIN : FUND_TOKEN;
      return [symbol, token === undefined || symbol === token ? (amount ?? usual) : usual] as const;
    });

/** Of the chains that are asked for, those that have the named token. */
export const chainsFor = ({ chain, token }: FundInput): readonly EvmChain[] =>
  chainsOf(chain).filter((one) => token === undefined || symbolsOf(one).includes(token));

/** Gives test money out of nothing. Throws `invalid_input` for an amount finer than a token, or too large. */
export const fund = async (services: Services, input: FundInput) => {
  const chains = chainsFor(input);
  for (const chain of chains) {
    const gifts = giftsOn(chain, input).map(
      ([symbol, amount]) => [symbol, toUnits(amount, decimalsOf(chain, symbol))] as const,
    );
    const node = await services.node(chain.name);
    for (const [symbol, units] of gifts) await node.fund(input.address, tokenOn(chain, symbol), units);
  }
  const each = await Promise.all(chains.map((chain) => balancesOn(services, chain, input.address)));
  return { address: input.address, balances: each.flat() };
};
