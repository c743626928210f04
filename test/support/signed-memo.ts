import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { bytesOf, memo } from '../chain/solana/given.ts';

const KEY = Keypair.fromSeed(new Uint8Array(32).fill(9));

/** A signed Solana transaction with only a memo, and its hash. It moves no money, so it needs no statement. */
export const signedMemo = (text: string): { readonly base64: string; readonly hash: string } => {
  const bytes = bytesOf([memo(text)], { payer: KEY.publicKey, signers: [KEY] });
  return { base64: Buffer.from(bytes).toString('base64'), hash: bs58.encode(bytes.subarray(1, 65)) };
};
