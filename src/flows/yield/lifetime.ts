import { parseSolana } from '../../chain/solana/parse.ts';
import type { Position } from '../../journal/yield-entry.ts';
import type { SigningContext } from './context.ts';
import { isAlive, isNoAnswer, isOver, readLanding } from './landing.ts';

/** The blockhash of a transaction, since when it is known, and whether the user's node has seen it alive. */
export type Lifetime = { readonly blockhash: string; readonly since: number; readonly wasAlive: boolean };

/**
 * A blockhash lives for 150 slots of 0.4 seconds (Solana: transaction confirmation and expiration). Three times that,
 * and more than slow slots have ever taken for long.
 */
export const SURELY_OVER_MS = 200_000;

/** Notes the blockhash of what was just built. A node that does not answer has seen nothing. */
export const lifetimeOf = async (
  { node, client }: Pick<SigningContext, 'node' | 'client'>,
  transaction: string,
): Promise<Lifetime> => {
  const { blockhash } = parseSolana(transaction).message;
  const since = client.io.clock.monotonic();
  try {
    return { blockhash, since, wasAlive: node !== undefined && (await isAlive(node, blockhash)) };
  } catch (error) {
    if (isNoAnswer(error)) return { blockhash, since, wasAlive: false };
    throw error;
  }
};

/** A hash that a node has seen alive, and that neither its newest nor its final blocks take any more, is over. */
const isDeadForNode = async ({ node }: SigningContext, { blockhash, wasAlive }: Lifetime, hash: string) => {
  if (node === undefined || !wasAlive || !(await isOver(node, blockhash))) return false;
  return (await readLanding(node, hash)).kind === 'unseen';
};

/** Whether positions that were read before are what they were. */
const isUnchanged = (before: readonly Position[], now: readonly Position[]): boolean =>
  before.length > 0 &&
  before.every(({ provider, position }) =>
    now.some((each) => each.provider === provider && position !== undefined && each.position === position),
  );

/**
 * Whether a signed transaction can never land any more and never did: another may then be signed in its place. The
 * user's node tells it. Without one, time does, and positions that stayed as they were.
 */
export const isSurelyDead = async (
  context: SigningContext,
  lifetime: Lifetime,
  hash: string,
  positions: { readonly before: readonly Position[]; readonly read: () => Promise<readonly Position[]> },
): Promise<boolean> => {
  if (context.node === undefined) {
    const age = context.client.io.clock.monotonic() - lifetime.since;
    return age >= SURELY_OVER_MS && isUnchanged(positions.before, await positions.read());
  }
  try {
    return await isDeadForNode(context, lifetime, hash);
  } catch (error) {
    if (isNoAnswer(error)) return false;
    throw error;
  }
};
