import { parseSolana } from '../../chain/solana/parse.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { SigningContext } from './context.ts';
import { hasExpired, isAlive, isNoAnswer, readLanding } from './landing.ts';

/** The blockhash of a transaction, since when it is known, and whether a node has seen it alive. */
export type Lifetime = { readonly blockhash: string; readonly since: number; readonly wasAlive: boolean };

/**
 * A blockhash lives for 150 slots of 0.4 seconds (Solana: transaction confirmation and expiration). Three times that,
 * and more than slow slots have ever taken for long.
 */
export const SURELY_OVER_MS = 200_000;

/** Notes the blockhash of what was just built. A node that does not answer has seen nothing. */
export const lifetimeOf = async (
  { witness, client }: Pick<SigningContext, 'witness' | 'client'>,
  transaction: string,
): Promise<Lifetime> => {
  const { blockhash } = parseSolana(transaction).message;
  const since = client.io.clock.monotonic();
  try {
    return { blockhash, since, wasAlive: witness !== undefined && (await isAlive(witness, blockhash)) };
  } catch (error) {
    if (isNoAnswer(error)) return { blockhash, since, wasAlive: false };
    throw error;
  }
};

/** A hash that a node has seen alive, and that neither its newest nor its final blocks take any more, is over. */
const isDeadForNode = async (node: SolanaNode, { blockhash }: Lifetime, hash: string): Promise<boolean> =>
  (await hasExpired(node, blockhash)) && (await readLanding(node, hash)).kind === 'unseen';

/**
 * Whether a signed transaction can never land any more and never did: another may then be signed in its place. Only a
 * node shows it: neither an answer of the service nor the time does.
 */
export const isSurelyDead = async ({ witness }: SigningContext, lifetime: Lifetime, hash: string): Promise<boolean> => {
  if (witness === undefined || !lifetime.wasAlive) return false;
  try {
    return await isDeadForNode(witness, lifetime, hash);
  } catch (error) {
    if (isNoAnswer(error)) return false;
    throw error;
  }
};
