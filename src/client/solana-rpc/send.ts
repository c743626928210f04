import * as z from 'zod';
import { escapeText } from '../../core/escape.ts';
import { parseJson } from '../../core/json.ts';
import { inSentence } from '../../core/remote-text.ts';
import { postTo, type SolanaNode } from './node.ts';

/**
 * What a node did with signed bytes.
 * - `refused`: it has certainly not passed them on; `isOld` where that is for their blockhash.
 * - `unsent`: they have not left this machine.
 * - `open`: they may be under way, or are. The chain tells.
 */
export type Submission =
  | { readonly kind: 'open' }
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isOld: boolean };

const schema = z.object({
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
});

/** Codes after which nothing was passed on: wrong parameters, a trial that failed, a bad signature. */
const REFUSALS: readonly number[] = [-32602, -32002, -32003];

const judge = (text: string): Submission => {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    return { kind: 'open' };
  }
  const { error } = schema.safeParse(answer).data ?? {};
  if (!error || !REFUSALS.includes(error.code)) return { kind: 'open' };
  const cause = (error.data as { err?: unknown } | undefined)?.err;
  // Then it has landed, or is about to.
  if (cause === 'AlreadyProcessed' || /already been processed/i.test(error.message)) return { kind: 'open' };
  const isOld = cause === 'BlockhashNotFound' || /blockhash not found/i.test(error.message);
  return { kind: 'refused', why: inSentence(escapeText(error.message.slice(0, 300))), isOld };
};

/** Gives signed bytes (base64) to a node, once. Whatever it answers, only the chain tells whether they landed. */
export const submit = async (node: SolanaNode, transaction: string): Promise<Submission> => {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const answer = await postTo(node, 'sendTransaction', [transaction, options]);
  if (answer.kind === 'answer') return judge(Buffer.from(answer.body).toString('utf8'));
  return answer.sent ? { kind: 'open' } : { kind: 'unsent', why: answer.message };
};
