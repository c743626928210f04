import { type Check, needsWord, refused } from '../verdict.ts';
import type { Context } from './context.ts';
import type { Flow } from './flows.ts';
import { tokenOf } from './network.ts';
import { flowInWords } from './words.ts';

const checkFlow = ({ network, flows, wanted }: Context, flow: Flow): readonly Check[] => {
  const market = network.markets.find(({ share }) => share.mint === flow.mint);
  const says = `It burns ${flowInWords(network, flow)}`;
  if (market === undefined) {
    if (flow.mint === undefined || tokenOf(network, flow.mint) === undefined) return [];
    return [refused('burnt', `${says}: that is gone, and nobody has it.`)];
  }
  const comesIn = flows.some(({ direction, mint }) => direction === 'in' && mint === market.token.mint);
  // What was asked for says how much must come in.
  if (wanted !== undefined || comesIn) return [];
  return [needsWord('burnt', `${says}, and no ${market.token.symbol} come in for them.`)];
};

/** What is burnt is gone: shares are, for the token that they are of, and no other known token is ever. */
export const checkBurnt = (context: Context): readonly Check[] =>
  context.flows
    .filter(({ direction, how }) => direction === 'out' && how === 'burn')
    .flatMap((flow) => checkFlow(context, flow));
