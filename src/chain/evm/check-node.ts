import { type Check, confirm, pass, refuse } from '../verdict.ts';
import type { Context } from './context.ts';
import type { NodeFacts } from './node-facts.ts';

/** The node is one of the transaction's chain: facts of another would mean nothing. */
const checkNodeChain = ({ unsigned, chain }: Context, { chainId }: NodeFacts): Check =>
  chainId === BigInt(unsigned.chainId)
    ? pass('chain', `The node is one of ${chain.name}.`)
    : refuse('chain', `The node is one of chain ${chainId}, and the transaction is for chain ${unsigned.chainId}.`);

/** The nonce against the payer's next one, those that wait counted (eth_getTransactionCount, pending). */
const checkNodeNonce = ({ unsigned }: Context, { minedNonce, pendingNonce }: NodeFacts): Check => {
  const nonce = BigInt(unsigned.nonce);
  const next = `and the node's next one of the payer is ${pendingNonce}`;
  if (nonce < minedNonce) return refuse('nonce', `Its nonce is ${nonce}, ${next}: it is stale and can never be mined.`);
  if (nonce < pendingNonce) {
    return refuse('nonce', `Its nonce is ${nonce}, ${next}: another transaction with that nonce waits to be mined.`);
  }
  if (nonce > pendingNonce) {
    return confirm('nonce', `Its nonce is ${nonce}, ${next}: it waits until all between are mined.`);
  }
  return pass('nonce', `The node has its nonce ${nonce} as the next one of the payer.`);
};

/** What a node says of chain and nonce, where one was asked. */
export const checkNode = (context: Context): readonly Check[] => {
  const { node } = context;
  if (node === undefined) return [];
  const chain = checkNodeChain(context, node);
  return chain.verdict === 'refuse' ? [chain] : [chain, checkNodeNonce(context, node)];
};
