import { parseSolana } from '../../chain/solana/parse.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Doubt } from '../../journal/yield-doubt.ts';
import { hasExpired, isNoAnswer, type Landing, readFinalTime, readLanding } from './landing.ts';
import { SURELY_OVER_MS } from './lifetime.ts';

/** What became of a transaction of an earlier operation: `dead` is one that never landed and can no more. */
export type Finality =
  | Exclude<Landing, { kind: 'pending' | 'unseen' }>
  | { readonly kind: 'dead' }
  | { readonly kind: 'open' };

/** Nodes forget: after some days a transaction that landed is as one that did not. This is well before. */
const REMEMBERED_MS = 6 * 60 * 60 * 1000;

/**
 * Whether a node's final blocks hold every block that could have had the transaction, and it still remembers them: it
 * may lag behind, or have started yesterday.
 */
const hasSeenAll = async (node: SolanaNode, { at }: Doubt): Promise<boolean> => {
  const passed = (await readFinalTime(node)) - at;
  return passed >= SURELY_OVER_MS && passed <= REMEMBERED_MS;
};

const finalityByNode = async (node: SolanaNode, open: Doubt): Promise<Finality> => {
  const { blockhash } = parseSolana(open.signedTransaction).message;
  try {
    // In this order: what had landed before its end is seen after it.
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
 * Finds out what became of a transaction from the user's node. Without one it stays open: the service may show a position
 * of an hour ago, and on the strength of that nothing is done a second time.
 */
export const finalityOf = (node: SolanaNode | undefined, open: Doubt): Promise<Finality> =>
  node ? finalityByNode(node, open) : Promise.resolve({ kind: 'open' });
