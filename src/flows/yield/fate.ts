import { parseSolana } from '../../chain/solana/parse.ts';
import type { Client } from '../../client/call.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Doubt } from '../../journal/yield-doubt.ts';
import { isNoAnswer, isOver, type Landing, readFinalTime, readLanding } from './landing.ts';
import { isUnchanged, SURELY_OVER_MS } from './lifetime.ts';
import { partOf } from './operation.ts';
import { readPositions } from './positions.ts';

/** What became of a transaction of an earlier operation: `dead` is one that never landed and can no more. */
export type Fate =
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

const fateByNode = async (node: SolanaNode, open: Doubt): Promise<Fate> => {
  const { blockhash } = parseSolana(open.signedTransaction).message;
  try {
    // In this order: what had landed before its end is seen after it.
    const isPast = (await isOver(node, blockhash)) && (await hasSeenAll(node, open));
    const landing = await readLanding(node, open.hash);
    if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
    return { kind: isPast && landing.kind === 'unseen' ? 'dead' : 'open' };
  } catch (error) {
    if (isNoAnswer(error)) return { kind: 'open' };
    throw error;
  }
};

/** Time, and positions that stayed as they were: all those that this one transaction would have changed. */
const fateByPositions = async (client: Client, { intent, part, count, at, before }: Doubt): Promise<Fate> => {
  if (intent === undefined || client.io.clock.now() - at < SURELY_OVER_MS) return { kind: 'open' };
  const now = await readPositions(client, partOf(intent, part, count));
  const then = now.flatMap(({ provider }) => before.filter((each) => each.provider === provider));
  return { kind: then.length === now.length && isUnchanged(then, now) ? 'dead' : 'open' };
};

/** Finds out what became of a transaction: from the user's node, or else from time and positions. */
export const fateOf = (client: Client, node: SolanaNode | undefined, open: Doubt): Promise<Fate> =>
  node ? fateByNode(node, open) : fateByPositions(client, open);
