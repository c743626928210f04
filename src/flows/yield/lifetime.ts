import { parseSolana } from '../../chain/solana/parse.ts';
import { isNoAnswer } from '../../client/node.ts';
import type { SolanaNode } from '../../client/solana-rpc.ts';
import { valueOn } from '../../core/failure.ts';
import { type Doubt, landedBy } from '../../journal/doubt.ts';
import type { MovingContext, SigningContext } from './context.ts';
import { hasExpired, isAlive, type LandingState, readFinalTime, readLanding } from './landing.ts';

/** A blockhash, the time when it was first seen, and whether a node has confirmed it valid. */
export type Lifetime = { readonly blockhash: string; readonly since: number; readonly wasAlive: boolean };

/**
 * A blockhash is valid for 150 slots of 0.4 seconds (Solana: transaction confirmation and expiration). This is three
 * times that, more than slow slots ever needed for long.
 */
export const SURELY_OVER_MS = 200_000;

/** Records the blockhash of a new transaction. A node without a response confirms nothing. */
export const lifetimeOf = async (
  { witness, client }: Pick<SigningContext, 'witness' | 'client'>,
  transaction: string,
): Promise<Lifetime> => {
  const { blockhash } = parseSolana(transaction).message;
  const since = client.io.clock.monotonic();
  const wasAlive = witness !== undefined && (await isAlive(witness, blockhash).catch(valueOn(isNoAnswer, false)));
  return { blockhash, since, wasAlive };
};

/** A blockhash is expired if a node has seen it valid, and neither its newest nor its final blocks accept it. */
const isDeadForNode = async (node: SolanaNode, { blockhash }: Lifetime, hash: string): Promise<boolean> =>
  (await hasExpired(node, blockhash)) && (await readLanding(node, hash)).kind === 'unseen';

/**
 * Whether a signed transaction never landed and never can: only then may another be signed. Only a node proves it; a
 * response of the service or elapsed time does not.
 */
export const isSurelyDead = async ({ witness }: SigningContext, lifetime: Lifetime, hash: string): Promise<boolean> => {
  if (witness === undefined || !lifetime.wasAlive) return false;
  return isDeadForNode(witness, lifetime, hash).catch(valueOn(isNoAnswer, false));
};

/** The outcome of an earlier transaction: `dead` means that it never landed and never can. */
export type Finality =
  | Exclude<LandingState, { kind: 'pending' | 'unseen' }>
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
  // This order matters: a transaction that landed before its end is seen after it.
  const isPast = (await hasExpired(node, blockhash)) && (await hasSeenAll(node, open));
  const landing = await readLanding(node, open.hash);
  if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
  return { kind: isPast && landing.kind === 'unseen' ? 'dead' : 'open' };
};

/**
 * Reads the outcome of a transaction from the user's node. Without one it stays open: the service may show an old
 * position, which is no basis for a repeat.
 */
export const finalityOf = async (node: SolanaNode | undefined, open: Doubt): Promise<Finality> =>
  node ? finalityByNode(node, open).catch(valueOn(isNoAnswer, { kind: 'open' })) : { kind: 'open' };

/** Whether another operation shows that these bytes have landed. A known node has to show it too. */
export const landedElsewhere = async (
  { client, operation, witness }: MovingContext,
  hash: string,
): Promise<boolean> => {
  const other = await landedBy(client.io, operation.id, hash);
  if (!other || !witness) return other !== undefined;
  return (await readLanding(witness, hash).catch(valueOn(isNoAnswer, undefined)))?.kind === 'landed';
};
