import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { isSolanaAddress } from './address.ts';
import type { SolanaChain } from './chain.ts';
import { TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';

/** Whether an address is a public key, so that somebody can sign for it. */
export const isSolanaKey = (text: string): boolean => isSolanaAddress(text) && PublicKey.isOnCurve(bs58.decode(text));

/** The coin balance of an address, in lamports; 0 where there is no account. */
export const lamportsOf = (chain: SolanaChain, address: string): bigint =>
  BigInt(chain.account(address)?.lamports ?? 0);

/** The amount in a token account's data. SPL Token: eight bytes from the 64th on. */
export const amountIn = (data: Uint8Array): bigint => (data.length < 72 ? 0n : Buffer.from(data).readBigUInt64LE(64));

/** The balance of an owner's associated token account of a mint, in smallest units. */
export const tokensOf = (chain: SolanaChain, owner: string, mint: string): bigint => {
  const address = tokenAccountOf(new PublicKey(owner), new PublicKey(mint)).toBase58();
  const account = chain.account(address);
  return account?.owner === TOKEN_PROGRAM.toBase58() ? amountIn(account.data) : 0n;
};

/** The supply of a mint, in smallest units. SPL Token: eight bytes from the 36th on. */
export const supplyOf = (chain: SolanaChain, mint: string): bigint => {
  const data = chain.account(mint)?.data;
  return data && data.length >= 44 ? Buffer.from(data).readBigUInt64LE(36) : 0n;
};
