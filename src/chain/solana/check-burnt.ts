import { fromUnits } from '../../core/decimal.ts';
import { type Check, needsWord, refused } from '../verdict.ts';
import type { Context } from './context.ts';
import { type Flow, sumOf } from './flows.ts';
import { tokenOf } from './network.ts';
import { flowInWords } from './words.ts';

const checkFlow = ({ network, flows, wanted }: Context, flow: Flow): readonly Check[] => {
  const market = network.markets.find(({ share }) => share.mint === flow.mint);
  const says = `It burns ${flowInWords(network, flow)}`;
  if (market === undefined) {
    if (flow.mint === undefined || tokenOf(network, flow.mint) === undefined) return [];
    return [refused('burnt', `${says}: that is gone, and nobody has it.`)];
  }
  // What was asked for says how much must come in.
  if (wanted !== undefined) return [];
  const { token, share } = market;
  const comesIn = sumOf(flows.filter(({ direction, mint }) => direction === 'in' && mint === token.mint));
  // A share was worth a whole unit at the beginning, and never less.
  if (comesIn * 10n ** BigInt(share.decimals - token.decimals) >= flow.units) return [];
  const comes = comesIn === 0n ? `no ${token.symbol}` : `only ${fromUnits(comesIn, token.decimals)} ${token.symbol}`;
  return [needsWord('burnt', `${says}, and ${comes} come in for them.`)];
};

/** What is burnt is gone: shares are, for the token that they are of, and no other known token is ever. */
export const checkBurnt = (context: Context): readonly Check[] =>
  context.flows
    .filter(({ direction, how }) => direction === 'out' && how === 'burn')
    .flatMap((flow) => checkFlow(context, flow));
