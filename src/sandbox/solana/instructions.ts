import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { COMPUTE_UNITS } from '../assumptions.ts';
import { cacheBy, type SandboxKey } from './address.ts';
import type { StoredAccount } from './store.ts';

/** Addresses of programs that every Solana cluster has. */
export const SYSTEM_PROGRAM = SystemProgram.programId.toBase58();
export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

const signer = (address: PublicKey) => ({ pubkey: address, isSigner: true, isWritable: false });
const writable = (address: PublicKey) => ({ pubkey: address, isSigner: false, isWritable: true });
const readonly = (address: PublicKey) => ({ pubkey: address, isSigner: false, isWritable: false });

const ownerAndMint = (owner: PublicKey, mint: PublicKey): string => owner.toBase58() + mint.toBase58();

/** The associated token account (SPL) of an owner and a mint. The result is cached: to derive an address takes milliseconds. */
export const tokenAccountOf = cacheBy(ownerAndMint, (owner, mint): PublicKey => {
  const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0];
});

/** Creates a token account if it does not exist. The payer pays for it. */
export const createTokenAccount = (payer: PublicKey, owner: PublicKey, mint: PublicKey): TransactionInstruction =>
  new TransactionInstruction({
    programId: ASSOCIATED_TOKEN_PROGRAM,
    keys: [
      { pubkey: payer, isSigner: true, isWritable: true },
      writable(tokenAccountOf(owner, mint)),
      readonly(owner),
      readonly(mint),
      readonly(SystemProgram.programId),
      readonly(TOKEN_PROGRAM),
    ],
    data: Buffer.from([1]),
  });

const amountData = (kind: number, units: bigint, decimals: number): Buffer => {
  const data = Buffer.alloc(10);
  data.writeUInt8(kind, 0);
  data.writeBigUInt64LE(units, 1);
  data.writeUInt8(decimals, 9);
  return data;
};

const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const BURN_CHECKED = 15;

/** An amount of a token, in its smallest units. */
export type Coins = { readonly mint: PublicKey; readonly units: bigint; readonly decimals: number };

const tokenInstruction = (kind: number, { units, decimals }: Coins, keys: TransactionInstruction['keys']) =>
  new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data: amountData(kind, units, decimals) });

/** Transfers tokens from one owner's token account to another owner's. */
export const transferChecked = (from: PublicKey, to: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(TRANSFER_CHECKED, coins, [
    writable(tokenAccountOf(from, coins.mint)),
    readonly(coins.mint),
    writable(tokenAccountOf(to, coins.mint)),
    signer(from),
  ]);

/** Mints new tokens for an owner. */
export const mintToChecked = (authority: PublicKey, to: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(MINT_TO_CHECKED, coins, [
    writable(coins.mint),
    writable(tokenAccountOf(to, coins.mint)),
    signer(authority),
  ]);

/** Burns an owner's tokens. */
export const burnChecked = (owner: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(BURN_CHECKED, coins, [
    writable(tokenAccountOf(owner, coins.mint)),
    writable(coins.mint),
    signer(owner),
  ]);

/** Adds a text to a transaction. The text has no effect. */
export const memo = (text: string): TransactionInstruction =>
  new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });

/** The parts of a transaction. `signers` are keys of the sandbox; the payer can be a wallet outside the sandbox. */
type TransactionPlan = {
  readonly payer: PublicKey;
  readonly blockhash: string;
  readonly instructions: readonly TransactionInstruction[];
  readonly signers: readonly SandboxKey[];
  /** The price of a compute unit in millionths of a lamport. A different price makes a different transaction. */
  readonly unitPrice: number;
  /** Builds a legacy transaction, which every client can read without an option. */
  readonly isLegacy?: true;
};

/**
 * Builds the bytes of a transaction, v0 or legacy: first the compute budget, then the instructions. `signers` sign it; all
 * other signatures are zero. `undefined` if the message is too large to serialize.
 */
export const buildTransaction = (plan: TransactionPlan): Uint8Array | undefined => {
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: plan.unitPrice }),
  ];
  const content = new TransactionMessage({
    payerKey: plan.payer,
    recentBlockhash: plan.blockhash,
    instructions: [...budget, ...plan.instructions],
  });
  const message = plan.isLegacy ? content.compileToLegacyMessage() : content.compileToV0Message();
  const transaction = new VersionedTransaction(message);
  try {
    const bytes = message.serialize();
    for (const { address, sign } of plan.signers) {
      const at = message.staticAccountKeys.findIndex((key) => key.toBase58() === address);
      if (at >= 0 && message.isAccountSigner(at)) transaction.signatures[at] = sign(bytes);
    }
    return transaction.serialize();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/**
 * Derives the address of provider_b's lending program. program/lender.s has the program's source, with its data and
 * accounts. A derived address has no private key, so nobody can deploy a program there on a real cluster.
 */
export const deriveLender = (): PublicKey =>
  PublicKey.findProgramAddressSync(
    [Buffer.from('sandbox of bursar'), Buffer.from('lender')],
    SystemProgram.programId,
  )[0];

const LENDER = new PublicKey(SANDBOX_SOLANA.lender);

/** The loader of programs whose code is in their own account (BPF Loader 2). */
const LOADER = 'BPFLoader2111111111111111111111111111111111';

/** The account with the code of the lending program. `rent` returns the lamports that an account of a size must have. */
export const lenderAccount = async (rent: (bytes: number) => bigint): Promise<StoredAccount> => {
  const { LENDER_PROGRAM } = await import('./program/artifact.ts');
  const data = Buffer.from(LENDER_PROGRAM, 'base64');
  return { address: SANDBOX_SOLANA.lender, lamports: rent(data.length).toString(), owner: LOADER, data, executable: 1 };
};

/** The address of an owner's position in the lending program for a mint, with the address's bump. */
export const lentPositionOf = cacheBy(ownerAndMint, (owner, mint) =>
  PublicKey.findProgramAddressSync([owner.toBytes(), mint.toBytes()], LENDER),
);

const POSITION_BYTES = 80;
const SHARES_AT = 72;

/** The shares in the account of a position; 0 for any other account. */
export const sharesIn = (account: StoredAccount | undefined): bigint =>
  account?.owner === SANDBOX_SOLANA.lender && account.data.length === POSITION_BYTES
    ? Buffer.from(account.data).readBigUInt64LE(SHARES_AT)
    : 0n;

const DATA_BYTES = 56;

/** The input of the lending program. `wallet` signs, and pays or receives the tokens. `owner` has the position. */
export type LendingInstruction = {
  readonly kind: 'deposit' | 'withdraw';
  readonly wallet: PublicKey;
  readonly owner: PublicKey;
  readonly provider: PublicKey;
  readonly mint: PublicKey;
  readonly decimals: number;
  readonly units: bigint;
  readonly shares: bigint;
};

/** An instruction of the lending program: transfers the tokens, and changes the shares of the position. */
export const lend = (lending: LendingInstruction): TransactionInstruction => {
  const { kind, wallet, owner, provider, mint, decimals, units, shares } = lending;
  const [position, bump] = lentPositionOf(owner, mint);
  const data = Buffer.alloc(DATA_BYTES);
  data.set([kind === 'deposit' ? 0 : 1, bump, decimals]);
  data.writeBigUInt64LE(units, 8);
  data.writeBigUInt64LE(shares, 16);
  data.set(owner.toBytes(), 24);
  const meta = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable });
  return new TransactionInstruction({
    programId: LENDER,
    data,
    keys: [
      meta(wallet, true, true),
      meta(position, false, true),
      meta(tokenAccountOf(wallet, mint), false, true),
      meta(tokenAccountOf(provider, mint), false, true),
      meta(mint, false, false),
      meta(provider, true, false),
      meta(TOKEN_PROGRAM, false, false),
      meta(SystemProgram.programId, false, false),
    ],
  });
};
