import type { NodeFacts } from '../../chain/evm/node-facts.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { findChain, type Network } from '../../chain/registry.ts';
import type { ChainNode } from '../../client/node.ts';
import { readQuantity } from './hex.ts';
import { resultOf } from './result.ts';
import { simulate } from './simulate.ts';

const asked = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<bigint> =>
  readQuantity(await resultOf(node, method, params), method);

/** Asks a node for what it knows of a transaction before that is signed: chain, nonces, and how it would end. */
export const readFacts = async (node: ChainNode, unsigned: UnsignedEvm, network: Network): Promise<NodeFacts> => {
  const { from, chainName, chainId } = unsigned;
  const own = await asked(node, 'eth_chainId', []);
  // Of another chain nothing else is asked: it does not matter, and it is nobody's business there.
  if (own !== BigInt(chainId)) return { chainId: own, minedNonce: 0n, pendingNonce: 0n, simulation: { kind: 'runs' } };
  const tokens = Object.values(findChain(network, chainName)?.tokens ?? {}).map(({ address }) => address);
  const [minedNonce, pendingNonce, simulation] = await Promise.all([
    asked(node, 'eth_getTransactionCount', [from, 'latest']),
    asked(node, 'eth_getTransactionCount', [from, 'pending']),
    simulate(node, unsigned, tokens),
  ]);
  return { chainId: own, minedNonce, pendingNonce, simulation };
};
