import { PublicKey } from '@solana/web3.js';
import type { AccountChange, AccountState } from '../../../src/chain/solana/accounts.ts';
import { ata, TOKEN, wallet } from './given.ts';

/** The mints of the mainnet. */
export const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const USDT = new PublicKey('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
const SYSTEM = '11111111111111111111111111111111';

export type Holding = {
  readonly mint?: PublicKey;
  readonly owner?: PublicKey;
  readonly units: bigint;
  readonly delegate?: PublicKey;
  readonly closer?: PublicKey;
  readonly program?: PublicKey;
};

/** The state of a token account (SPL Token: Account). */
export const holding = ({
  mint = USDC,
  owner = wallet,
  units,
  delegate,
  closer,
  program = TOKEN,
}: Holding): AccountState => {
  const data = Buffer.alloc(165);
  data.set(mint.toBytes(), 0);
  data.set(owner.toBytes(), 32);
  data.writeBigUInt64LE(units, 64);
  data.writeUInt32LE(delegate ? 1 : 0, 72);
  if (delegate) data.set(delegate.toBytes(), 76);
  data.writeUInt8(1, 108);
  data.writeBigUInt64LE(delegate ? 5n : 0n, 121);
  data.writeUInt32LE(closer ? 1 : 0, 129);
  if (closer) data.set(closer.toBytes(), 133);
  return { lamports: 2_039_280n, owner: program.toBase58(), data };
};

export const coin = (lamports: bigint, owner = SYSTEM): AccountState => ({ lamports, owner, data: new Uint8Array() });

export const change = (address: PublicKey, before?: AccountState, after?: AccountState): AccountChange => ({
  address: address.toBase58(),
  before,
  after,
});

export const own = (before = 10_000_000n, after = 9_995_000n): AccountChange =>
  change(wallet, coin(before), coin(after));

/** The USDC account of the wallet before and after. */
export const paid = (before: bigint, after: bigint, more: Partial<Holding> = {}): AccountChange =>
  change(ata(wallet, USDC), holding({ units: before }), holding({ units: after, ...more }));
