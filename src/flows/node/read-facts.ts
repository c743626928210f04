import { type NodeFacts, tokensSpent } from '../../chain/evm/context.ts';
import { decodeCall } from '../../chain/evm/decode.ts';
import { findChain, type Network } from '../../chain/evm/network.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { type ChainNode, readQuantity, resultOf } from '../../client/node.ts';
import { balanceCall, simulate, wordIn } from './simulate.ts';

const asked = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<bigint> =>
  readQuantity(await resultOf(node, method, params), method);

/** The balance of an address in a token, in its smallest units; `undefined` if the contract returns no number. */
export const tokenBalance = async (node: ChainNode, token: string, owner: string): Promise<bigint | undefined> => {
  const answer = await node.ask('eth_call', [{ to: token, data: balanceCall(owner) }, 'latest']);
  return answer.ok ? wordIn(answer.result) : undefined;
};

const heldOfAll = async (node: ChainNode, tokens: readonly string[], owner: string) => {
  const held = await Promise.all(
    tokens.map(async (token): Promise<readonly (readonly [string, bigint])[]> => {
      const units = await tokenBalance(node, token, owner);
      return units === undefined ? [] : [[token, units]];
    }),
  );
  return new Map(held.flat());
};

/**
 * Reads the facts about an unsigned transaction from a node: chain, nonces, balances, and simulation. After the chain,
 * all are requested in parallel.
 */
export const readFacts = async (node: ChainNode, unsigned: UnsignedEvm, network: Network): Promise<NodeFacts> => {
  const { from, chainName, chainId } = unsigned;
  const own = await asked(node, 'eth_chainId', []);
  // A node of another chain is asked nothing else: its data is irrelevant.
  if (own !== BigInt(chainId)) {
    const simulation = { kind: 'runs' } as const;
    return { chainId: own, minedNonce: 0n, pendingNonce: 0n, coin: 0n, tokens: new Map(), simulation };
  }
  const chain = findChain(network, chainName);
  const looked = Object.values(chain?.tokens ?? {}).map(({ address }) => address);
  const spent = tokensSpent(unsigned, decodeCall(unsigned, chain), chain);
  const [minedNonce, pendingNonce, coin, tokens, simulation] = await Promise.all([
    asked(node, 'eth_getTransactionCount', [from, 'latest']),
    asked(node, 'eth_getTransactionCount', [from, 'pending']),
    asked(node, 'eth_getBalance', [from, 'latest']),
    heldOfAll(node, spent, from),
    simulate(node, unsigned, looked),
  ]);
  return { chainId: own, minedNonce, pendingNonce, coin, tokens, simulation };
};
