import * as z from 'zod';
import { askNode, type SolanaNode, unusable } from '../../client/solana-rpc/node.ts';
import { isFailure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';

/** What a node knows of a transaction. `pending` is one that may still land, or be dropped. */
export type Landing =
  | { readonly kind: 'landed' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unseen' };

const status = z.looseObject({ err: z.unknown().optional(), confirmationStatus: z.string().nullish() });
const statuses = z.looseObject({ value: z.array(status.nullable()) });
const validity = z.looseObject({ value: z.boolean() });

const read = async <T>(
  node: SolanaNode,
  shape: z.ZodType<T>,
  method: string,
  params: readonly unknown[],
): Promise<T> => {
  const parsed = shape.safeParse(await askNode(node, method, params));
  return parsed.success ? parsed.data : unusable(node, method, 'it is not as Solana nodes answer');
};

/** Whether a failure says that a node did not answer, or not as nodes do: then nothing is known. */
export const isNoAnswer = (error: unknown): boolean =>
  isFailure(error, 'unavailable') || isFailure(error, 'unexpected_answer');

/** Reads what became of a transaction. Throws as `askNode`. */
export const readLanding = async (node: SolanaNode, hash: string): Promise<Landing> => {
  const { value } = await read(node, statuses, 'getSignatureStatuses', [[hash], { searchTransactionHistory: true }]);
  const [found] = value;
  if (!found) return { kind: 'unseen' };
  const isConfirmed = found.confirmationStatus === 'confirmed' || found.confirmationStatus === 'finalized';
  if (!isConfirmed) return { kind: 'pending' };
  const { err } = found;
  return err === null || err === undefined ? { kind: 'landed' } : { kind: 'failed', error: printJson(err) };
};

const isValid = async (node: SolanaNode, blockhash: string, commitment: string): Promise<boolean> =>
  (await read(node, validity, 'isBlockhashValid', [blockhash, { commitment }])).value;

/** Whether a node would still take a transaction with this blockhash. Throws as `askNode`. */
export const isAlive = (node: SolanaNode, blockhash: string): Promise<boolean> => isValid(node, blockhash, 'processed');

/**
 * Whether a blockhash that was alive is over: the newest blocks do not take it, and the final ones, which have had
 * the time to know it, do not either. Throws as `askNode`.
 */
export const hasExpired = async (node: SolanaNode, blockhash: string): Promise<boolean> =>
  !(await isAlive(node, blockhash)) && !(await isValid(node, blockhash, 'finalized'));

const slot = z.number();

/** The time of the newest final block of a node, in milliseconds since 1970. Throws as `askNode`. */
export const readFinalTime = async (node: SolanaNode): Promise<number> => {
  const newest = await read(node, slot, 'getSlot', [{ commitment: 'finalized' }]);
  return (await read(node, slot, 'getBlockTime', [newest])) * 1000;
};

const PAUSE_MS = 500;

/** How a wait for a transaction ended: `over` when it can never land any more, `open` when the time was over. */
export type WaitedFor = Exclude<Landing, { kind: 'pending' | 'unseen' }> | { readonly kind: 'over' | 'open' };

const watch = async (node: SolanaNode, hash: string, hasEnded: () => Promise<boolean>): Promise<WaitedFor> => {
  const { clock, interrupted } = node.io;
  for (;;) {
    try {
      // In this order: what had landed before its end is seen after it.
      const wasOver = await hasEnded();
      const landing = await readLanding(node, hash);
      if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
      if (wasOver && landing.kind === 'unseen') return { kind: 'over' };
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
    }
    if (clock.monotonic() + PAUSE_MS >= node.deadline) return { kind: 'open' };
    await clock.sleep(PAUSE_MS, interrupted);
  }
};

/**
 * Waits until a node shows what became of a transaction. `hasEnded` says that nothing more is to come. A read that
 * fails for a moment ends nothing.
 */
export const waitForLanding = (node: SolanaNode, hash: string, hasEnded: () => Promise<boolean>): Promise<WaitedFor> =>
  node.io.spin('Waiting for the transaction', watch(node, hash, hasEnded));
