import { SOL_DECIMALS, SOLANA } from '../../contract/solana.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { FUND_COIN, FUND_TOKEN } from '../assumptions.ts';
import type { Services } from '../services.ts';
import type { Balance, FundInput } from './shapes.ts';

const COIN = 'SOL';

/** What the Solana chain has: its coin first. The tokens are loaded on use, with the chain. */
const assets = async () => {
  const { SOLANA_TOKENS } = await import('../solana/tokens.ts');
  return [
    { symbol: COIN, decimals: SOL_DECIMALS, token: undefined },
    ...SOLANA_TOKENS.map((token) => ({ symbol: token.symbol, decimals: token.decimals, token })),
  ];
};

/** What an address has on the Solana chain. */
export const balancesOnSolana = async (services: Services, address: string) => {
  const { lamportsOf, tokensOf } = await import('../solana/balances.ts');
  const { chain } = await services.solana();
  const balances: readonly Balance[] = (await assets()).map(({ symbol, decimals, token }) => {
    const units = token ? tokensOf(chain, address, token.mint) : lamportsOf(chain, address);
    return { chain: SOLANA, symbol, amount: fromUnits(units, decimals) };
  });
  return { address, balances };
};

/** Whether the Solana chain has the named token; it has all when none is named. */
export const isOnSolana = async (token: string | undefined): Promise<boolean> =>
  token === undefined || (await assets()).some(({ symbol }) => symbol === token);

/** Gives test money: the named token and coin for its fees, or all. Throws `invalid_input` for an amount that cannot be. */
export const fundOnSolana = async (services: Services, { address, token, amount }: FundInput) => {
  const gifts = (await assets())
    .filter(({ symbol }) => token === undefined || symbol === token || symbol === COIN)
    .map((asset) => {
      const usual = asset.symbol === COIN ? FUND_COIN : FUND_TOKEN;
      const given = token === undefined || asset.symbol === token ? (amount ?? usual) : usual;
      return { token: asset.token, units: toUnits(given, asset.decimals) };
    });
  await (await services.solana()).give(address, gifts);
  return balancesOnSolana(services, address);
};
