import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import type { Context } from './context.ts';
import type { Flow } from './flows.ts';
import { tokenOf } from './network.ts';
import { flowInWords, nameOfMint } from './words.ts';

/** A flow whose token, program or decimals contradict what is known of the token. */
const contradiction = ({ network }: Context, flow: Flow): readonly Check[] => {
  if (flow.mint === undefined) {
    return [refuse('token', 'It moves a token by the authority of the wallet and does not say which.')];
  }
  const known = tokenOf(network, flow.mint);
  if (known === undefined || flow.program === undefined) return [];
  if (flow.program !== known.program) {
    return [refuse('token', `It moves ${known.symbol} by a program that is not the one of that token.`)];
  }
  if (flow.decimals !== undefined && flow.decimals !== known.decimals) {
    return [refuse('token', `It counts ${known.symbol} with ${flow.decimals} decimals; it has ${known.decimals}.`)];
  }
  return [];
};

/** Whether a flow out is the shares of what is withdrawn, where the shares are known. */
const isShares = ({ wanted }: Context, { mint, how }: Flow): boolean =>
  wanted?.out !== undefined && how === 'burn' && mint === wanted.out.share.mint;

/** What leaves beside the token that was asked for. */
const checkOther = (context: Context, flow: Flow): readonly Check[] => {
  const { network, wanted } = context;
  if (wanted === undefined || flow.mint === wanted.token.mint || isShares(context, flow)) return [];
  const message = `It also takes ${flowInWords(network, flow)}`;
  const isReturn = wanted.asked.kind !== 'deposit' && flow.mint !== undefined;
  // What a live provider's shares are is not known here; a token that is known is none of them.
  if (isReturn && network.markets.length === 0 && tokenOf(network, flow.mint ?? '') === undefined) {
    return [confirm('token', `${message}. Whether those are the provider's shares is not known.`)];
  }
  return [refuse('token', `${message}, and ${wanted.token.symbol} was asked for.`)];
};

const checkNothingAsked = ({ asked, network, flows }: Context): readonly Check[] => {
  if (asked !== undefined) {
    return [
      confirm(
        'token',
        `The mint of ${inSentence(asked.asset)} on Solana is not known: nothing can be compared with it.`,
      ),
    ];
  }
  return flows.flatMap((flow) => {
    if (flow.direction === 'in' || flow.mint === undefined || tokenOf(network, flow.mint) !== undefined) return [];
    return [confirm('token', `It takes ${flowInWords(network, flow)}, a token that is not known.`)];
  });
};

/** What leaves the wallet is the token that was asked for, by its mint and not by its name. */
export const checkTokens = (context: Context): readonly Check[] => {
  const { flows, wanted, network } = context;
  const wrong = flows.flatMap((flow) => contradiction(context, flow));
  if (wanted === undefined) return [...wrong, ...checkNothingAsked(context)];
  const outs = flows.filter(({ direction }) => direction === 'out');
  const all = [...wrong, ...outs.flatMap((flow) => checkOther(context, flow))];
  if (all.length > 0) return all;
  return [pass('token', `It is about ${nameOfMint(network, wanted.token.mint)}, as asked.`)];
};
