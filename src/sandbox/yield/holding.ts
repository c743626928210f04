import { PublicKey } from '@solana/web3.js';
import { tokensOf } from '../solana/balances.ts';
import { lentPositionOf, sharesIn } from '../solana/lender.ts';
import type { Solana } from '../solana/solana.ts';
import type { Vault } from '../solana/tokens.ts';
import { sharePrice, sharesFor, unitsOf } from './rates.ts';

/** A wallet's position with a provider, read from the chain; amounts in smallest units. */
export type Holding = {
  readonly shares: bigint;
  readonly price: bigint;
  /** The value of the shares. */
  readonly units: bigint;
};

/** A wallet's shares: its tokens of their mint, or the count in the program's account of its position. */
const sharesOf = ({ chain }: Solana, { shareMint, token }: Vault, owner: PublicKey): bigint => {
  if (shareMint !== undefined) return tokensOf(chain, owner.toBase58(), shareMint);
  const [position] = lentPositionOf(owner, new PublicKey(token.mint));
  return sharesIn(chain.account(position.toBase58()));
};

/** A wallet's position in a vault at a time; an empty position is all zeros. */
export const holdingOf = (solana: Solana, vault: Vault, owner: PublicKey, nowMs: number): Holding => {
  const shares = sharesOf(solana, vault, owner);
  const price = sharePrice(vault, nowMs);
  return { shares, price, units: unitsOf(vault, shares, price) };
};

/** The shares that must be burnt for an amount; `undefined` when the wallet has not so many. */
export const sharesToBurn = (vault: Vault, holding: Holding, units: bigint): bigint | undefined => {
  const shares = sharesFor(vault, units, holding.price);
  return shares <= holding.shares ? shares : undefined;
};

/** Deposits of others pay the interest. Where they do not suffice, the sandbox adds tokens. */
export const fillVault = async (solana: Solana, { authority, token }: Vault, units: bigint): Promise<void> => {
  const there = tokensOf(solana.chain, authority.address, token.mint);
  if (there < units) await solana.give(authority.address, [{ token, units: units - there }]);
};
