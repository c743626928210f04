import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';
import type { KeptAccount } from './store.ts';

/**
 * The lending program of provider_b. Its source is program/lender.s, which describes its data and accounts. Its address
 * is derived, so it has no private key: on no real cluster can anybody put a program there.
 */
export const deriveLender = (): PublicKey =>
  PublicKey.findProgramAddressSync(
    [Buffer.from('sandbox of bursar'), Buffer.from('lender')],
    SystemProgram.programId,
  )[0];

const LENDER = new PublicKey(SANDBOX_SOLANA.lender);

/** Runs programs that are kept whole in their account (Solana: BPF Loader 2). */
const LOADER = 'BPFLoader2111111111111111111111111111111111';

/** The account of the lending program. */
export const lenderAccount = async (rent: (bytes: number) => bigint): Promise<KeptAccount> => {
  const { LENDER_PROGRAM } = await import('./program/artifact.ts');
  const data = Buffer.from(LENDER_PROGRAM, 'base64');
  return { address: SANDBOX_SOLANA.lender, lamports: rent(data.length).toString(), owner: LOADER, data, executable: 1 };
};

type Derived = readonly [address: PublicKey, bump: number];

/** Addresses that were derived before: each takes milliseconds. Only that is remembered. */
const derived = new Map<string, Derived>();
const MAX_DERIVED = 10_000;

/** The account of the lending program for one owner and mint, and the bump of its address. */
export const lentPositionOf = (owner: PublicKey, mint: PublicKey): Derived => {
  const key = owner.toBase58() + mint.toBase58();
  const known = derived.get(key) ?? PublicKey.findProgramAddressSync([owner.toBytes(), mint.toBytes()], LENDER);
  if (derived.size >= MAX_DERIVED) derived.clear();
  derived.set(key, known);
  return known;
};

const POSITION_BYTES = 80;
const SHARES_AT = 72;

/** The shares in the account of a position; 0 where there is none. */
export const sharesIn = (account: KeptAccount | undefined): bigint =>
  account?.owner === SANDBOX_SOLANA.lender && account.data.length === POSITION_BYTES
    ? Buffer.from(account.data).readBigUInt64LE(SHARES_AT)
    : 0n;

const DATA_BYTES = 56;

/** An order to the program: `wallet` signs and pays or is paid, `owner` has the position. */
export type Lending = {
  readonly kind: 'deposit' | 'withdraw';
  readonly wallet: PublicKey;
  readonly owner: PublicKey;
  readonly provider: PublicKey;
  readonly mint: PublicKey;
  readonly decimals: number;
  readonly units: bigint;
  readonly shares: bigint;
};

/** An instruction of the lending program: moves the tokens, and counts the shares in the position. */
export const lend = (lending: Lending): TransactionInstruction => {
  const { kind, wallet, owner, provider, mint, decimals, units, shares } = lending;
  const [position, bump] = lentPositionOf(owner, mint);
  const data = Buffer.alloc(DATA_BYTES);
  data.set([kind === 'deposit' ? 0 : 1, bump, decimals]);
  data.writeBigUInt64LE(units, 8);
  data.writeBigUInt64LE(shares, 16);
  data.set(owner.toBytes(), 24);
  const use = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable });
  return new TransactionInstruction({
    programId: LENDER,
    data,
    keys: [
      use(wallet, true, true),
      use(position, false, true),
      use(tokenAccountOf(wallet, mint), false, true),
      use(tokenAccountOf(provider, mint), false, true),
      use(mint, false, false),
      use(provider, true, false),
      use(TOKEN_PROGRAM, false, false),
      use(SystemProgram.programId, false, false),
    ],
  });
};
