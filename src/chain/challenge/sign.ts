import { Failure } from '../../core/failure.ts';
import { isEvmSignature, signEvmMessage } from '../message/evm.ts';
import { isSolanaSignature, signSolanaMessage } from '../message/solana.ts';
import { assertPasses, type Word } from '../pass.ts';
import type { ChallengeReview } from './review.ts';

/** What `signed_bytes` is for a wallet's chain (document: POST /kyc/prepare-wallet). */
const signWith = ({ chain, message }: ChallengeReview, privateKey: Uint8Array): string =>
  chain === 'evm' ? signEvmMessage(message, privateKey) : signSolanaMessage(message, privateKey);

const isBy = ({ chain, message, wallet }: ChallengeReview, signature: string): boolean =>
  chain === 'evm' ? isEvmSignature(message, signature, wallet) : isSolanaSignature(message, signature, wallet);

/**
 * Signs the text of a challenge whose review passes: as EVM personal message in hex, or as detached ed25519 signature
 * in base58. Throws `refused_by_review` as `assertPasses`, and when the key is not the wallet's.
 */
export const signChallenge = (review: ChallengeReview, word: Word, privateKey: Uint8Array): string => {
  assertPasses(review.checks, word);
  const signature = signWith(review, privateKey);
  if (isBy(review, signature)) return signature;
  throw new Failure('refused_by_review', `The key is not that of ${review.wallet}.`);
};
