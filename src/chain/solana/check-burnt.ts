import { type Check, confirm, refuse } from '../verdict.ts';
import type { Context } from './context.ts';
import { type Flow, sumOf, totalOf } from './flows.ts';
import { type Market, type SolanaNetwork, sharesAtFirst, tokenOf } from './network.ts';
import { flowInWords, unitsInWords } from './words.ts';

const isBurn = ({ direction, how }: Flow): boolean => direction === 'out' && how === 'burn';

const checkToken = (network: SolanaNetwork, flow: Flow): readonly Check[] => {
  const { mint } = flow;
  if (mint === undefined || tokenOf(network, mint) === undefined) return [];
  if (network.markets.some(({ share }) => share.mint === mint)) return [];
  return [refuse('burnt', `It burns ${flowInWords(network, flow)}: that is gone, and nobody has it.`)];
};

const checkShares = (flows: readonly Flow[], market: Market): readonly Check[] => {
  const { share, token } = market;
  const burnt = sumOf(flows.filter((flow) => isBurn(flow) && flow.mint === share.mint));
  const comesIn = totalOf(flows, 'in', token.mint);
  if (sharesAtFirst(comesIn, market) >= burnt) return [];
  const comes = comesIn === 0n ? `no ${token.symbol}` : `only ${unitsInWords(token, comesIn)}`;
  const message = `It burns ${unitsInWords(share, burnt)}, and ${comes} come in for them.`;
  return [confirm('burnt', message)];
};

/** What is burnt is gone: shares are, for the token that they are of, and no other known token is ever. */
export const checkBurnt = ({ network, flows, wanted }: Context): readonly Check[] => [
  ...flows.filter(isBurn).flatMap((flow) => checkToken(network, flow)),
  // What was asked for says how much must come in.
  ...(wanted === undefined ? network.markets.flatMap((market) => checkShares(flows, market)) : []),
];
