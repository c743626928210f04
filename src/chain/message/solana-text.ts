import bs58 from 'bs58';
import { actingIn } from '../../core/escape.ts';
import { Failure } from '../../core/failure.ts';
import { hasTransactionShape } from './transaction-shape.ts';

/** The largest transaction is 1,232 bytes; decoding base58 takes time in the square of its length. */
const LONGEST_BASE58 = 2_000;

/** A text that is itself the writing of bytes, in each way that wallets write transactions; lines may be broken. */
const decodings = (text: string): readonly Uint8Array[] => {
  const word = text.replace(/\s+/g, '');
  return [
    ...(/^[A-Za-z0-9+/_-]+={0,2}$/.test(word) ? [Buffer.from(word, 'base64')] : []),
    ...(/^(?:0x)?(?:[0-9a-f]{2})+$/i.test(word) ? [Buffer.from(word.replace(/^0x/i, ''), 'hex')] : []),
    ...(word.length <= LONGEST_BASE58 ? [bs58.decodeUnsafe(word) ?? new Uint8Array()] : []),
  ];
};

const problemOf = (text: string): string | undefined => {
  if (text.trim() === '') return 'is empty';
  // Several lines are ordinary: line ends and tabs act on no reader's eye.
  const acting = actingIn(text.replace(/\r\n|\t/g, '\n'));
  if (acting) return `holds ${acting}, which a reader does not see as it is`;
  if ([Buffer.from(text), ...decodings(text)].some(hasTransactionShape)) return 'reads as a Solana transaction';
  return undefined;
};

/**
 * Lets a text pass that a Solana key may sign. A raw signature of a message **is** the signature of a transaction
 * whose bytes are the same, so throws `refused_by_review` for a text that reads as one, plainly or in base64,
 * base58 or hex; for an empty text; and for control, direction and invisible characters.
 */
export const assertSignableText = (text: string): void => {
  const problem = problemOf(text);
  if (problem) throw new Failure('refused_by_review', `the message ${problem}; it was not signed`);
};
