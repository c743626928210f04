import { parseSolana } from '../../chain/solana/parse.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Doubt } from '../../journal/doubt.ts';
import { hasExpired, isNoAnswer, type Landing, readFinalTime, readLanding } from './landing.ts';
import { SURELY_OVER_MS } from './lifetime.ts';

/** The outcome of an earlier transaction: `dead` means that it never landed and never can. */
export type Finality =
  | Exclude<Landing, { kind: 'pending' | 'unseen' }>
  | { readonly kind: 'dead' }
  | { readonly kind: 'open' };

/** Nodes delete old transactions after some days. This limit is well before. */
const REMEMBERED_MS = 6 * 60 * 60 * 1000;

/**
 * Whether a node's final blocks include every block that could contain the transaction, and it still has them. A node
 * may lag behind, or have started recently.
 */
const hasSeenAll = async (node: SolanaNode, { at }: Doubt): Promise<boolean> => {
  const passed = (await readFinalTime(node)) - at;
  return passed >= SURELY_OVER_MS && passed <= REMEMBERED_MS;
};

const finalityByNode = async (node: SolanaNode, open: Doubt): Promise<Finality> => {
  const { blockhash } = parseSolana(open.signedTransaction).message;
  try {
    // This order matters: a transaction that landed before its end is seen after it.
    const isPast = (await hasExpired(node, blockhash)) && (await hasSeenAll(node, open));
    const landing = await readLanding(node, open.hash);
    if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
    return { kind: isPast && landing.kind === 'unseen' ? 'dead' : 'open' };
  } catch (error) {
    if (isNoAnswer(error)) return { kind: 'open' };
    throw error;
  }
};

/**
 * Reads the outcome of a transaction from the user's node. Without one it stays open: the service may show an old
 * position, which is no basis for a repeat.
 */
export const finalityOf = (node: SolanaNode | undefined, open: Doubt): Promise<Finality> =>
  node ? finalityByNode(node, open) : Promise.resolve({ kind: 'open' });
