import * as z from 'zod';
import { isNoAnswer } from '../../client/node.ts';
import { askNode, type SolanaNode, unusable } from '../../client/solana-rpc.ts';
import { printJson } from '../../core/json.ts';

/** The state of a transaction on a node. `pending`: it may land or be dropped. */
export type LandingState =
  | { readonly kind: 'landed' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unseen' };

const status = z.looseObject({ err: z.unknown().optional(), confirmationStatus: z.string().nullish() });
const statuses = z.looseObject({ value: z.array(status.nullable()) });
const validity = z.looseObject({ value: z.boolean() });

const read = async <T>(node: SolanaNode, shape: z.ZodType<T>, method: string, params: readonly unknown[]) => {
  const parsed = shape.safeParse(await askNode(node, method, params));
  return parsed.success ? parsed.data : unusable(node, method, 'it is not a valid response of a Solana node');
};

/** Reads the state of a transaction. Throws as `askNode`. */
export const readLanding = async (node: SolanaNode, hash: string): Promise<LandingState> => {
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

/** Whether a node still accepts this blockhash. Throws as `askNode`. */
export const isAlive = (node: SolanaNode, blockhash: string): Promise<boolean> => isValid(node, blockhash, 'processed');

/**
 * Whether a once valid blockhash has expired: neither the newest nor the final blocks accept it. Throws as `askNode`.
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

/** The end of a wait: `over` if the transaction can never land, `open` at the deadline. */
export type WaitedFor = Exclude<LandingState, { kind: 'pending' | 'unseen' }> | { readonly kind: 'over' | 'open' };

const watch = async (node: SolanaNode, hash: string, hasEnded: () => Promise<boolean>): Promise<WaitedFor> => {
  const { clock, interrupted } = node.io;
  for (;;) {
    try {
      // This order matters: a transaction that landed before its end is seen after it.
      const wasOver = await hasEnded();
      const landing = await readLanding(node, hash);
      if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
      if (wasOver && landing.kind === 'unseen') return { kind: 'over' };
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
    }
    if (clock.monotonic() + PAUSE_MS >= node.until.deadline) return { kind: 'open' };
    await clock.sleep(PAUSE_MS, interrupted);
  }
};

/** Waits until a node shows the outcome of a transaction. `hasEnded` ends the wait. A temporary read error does not. */
export const waitForLanding = (node: SolanaNode, hash: string, hasEnded: () => Promise<boolean>): Promise<WaitedFor> =>
  node.io.spin('Waiting for the transaction', watch(node, hash, hasEnded));
