import { createHash } from 'node:crypto';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { SANDBOX_SOLANA } from '../../contract/solana.ts';
import { burnChecked, createTokenAccount, memo, mintToChecked, transferChecked } from '../solana/instructions.ts';
import type { SandboxKey } from '../solana/keys.ts';
import type { Vault } from '../solana/tokens.ts';
import { MARKETS } from './terms.ts';

/** One part of a transaction: its instructions, and the vault that must agree to it by its signature. */
export type Leg = { readonly vault: Vault; readonly instructions: readonly TransactionInstruction[] };

/** Amounts in smallest units. */
export type Move = {
  readonly vault: Vault;
  readonly owner: PublicKey;
  readonly units: bigint;
  readonly shares: bigint;
};

const coins = (mint: string, units: bigint, decimals: number) => ({ mint: new PublicKey(mint), units, decimals });

const tokenCoins = ({ token }: Vault, units: bigint) => coins(token.mint, units, token.decimals);

const shareCoins = ({ shareMint, shareDecimals }: Vault, shares: bigint) => coins(shareMint, shares, shareDecimals);

const authorityOf = ({ authority }: { readonly authority: SandboxKey }): PublicKey => new PublicKey(authority.bytes);

const feeTo = (vault: Vault, owner: PublicKey, fee: bigint): TransactionInstruction[] =>
  fee === 0n ? [] : [transferChecked(owner, new PublicKey(SANDBOX_SOLANA.fees), tokenCoins(vault, fee))];

/** Tokens from the owner to the vault, shares for the owner, and the fee beside it. */
export const depositLeg = ({ vault, owner, units, shares }: Move, fee: bigint): Leg => ({
  vault,
  instructions: [
    createTokenAccount(owner, owner, new PublicKey(vault.shareMint)),
    transferChecked(owner, authorityOf(vault), tokenCoins(vault, units)),
    ...feeTo(vault, owner, fee),
    mintToChecked(authorityOf(vault), owner, shareCoins(vault, shares)),
  ],
});

/** The owner's shares are burnt, and the vault pays the owner. */
export const withdrawLeg = ({ vault, owner, units, shares }: Move): Leg => ({
  vault,
  instructions: [
    createTokenAccount(owner, owner, new PublicKey(vault.token.mint)),
    burnChecked(owner, shareCoins(vault, shares)),
    transferChecked(authorityOf(vault), owner, tokenCoins(vault, units)),
  ],
});

/** What a market says of its price: text of a fixed length. Some markets want it in every transaction. */
export const priceReports = (vaults: readonly Vault[], slot: number): readonly TransactionInstruction[] =>
  vaults.flatMap(({ provider, token }) => {
    const { reportBytes, usd } = MARKETS[token.symbol] ?? { reportBytes: 0, usd: '0' };
    if (reportBytes === 0) return [];
    const report = `price report of ${provider}: ${token.symbol} ${usd} USD, slot ${slot}, `;
    const proof = createHash('shake256', { outputLength: reportBytes }).update(report).digest('hex');
    return [memo((report + proof).slice(0, reportBytes))];
  });
