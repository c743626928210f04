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
import { remember, type SandboxKey } from './address.ts';
import type { KeptAccount } from './store.ts';

/** Programs of every Solana cluster. */
export const SYSTEM_PROGRAM = SystemProgram.programId.toBase58();
export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

const signer = (address: PublicKey) => ({ pubkey: address, isSigner: true, isWritable: false });
const writable = (address: PublicKey) => ({ pubkey: address, isSigner: false, isWritable: true });
const readonly = (address: PublicKey) => ({ pubkey: address, isSigner: false, isWritable: false });

const ownerAndMint = (owner: PublicKey, mint: PublicKey): string => owner.toBase58() + mint.toBase58();

/** The account that holds an owner's tokens of a mint. SPL: the associated token account. To derive one takes milliseconds. */
export const tokenAccountOf = remember(ownerAndMint, (owner, mint): PublicKey => {
  const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0];
});

/** Makes a token account, if there is none, at the payer's cost. */
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

/** An amount of a token. */
export type Coins = { readonly mint: PublicKey; readonly units: bigint; readonly decimals: number };

const tokenInstruction = (kind: number, { units, decimals }: Coins, keys: TransactionInstruction['keys']) =>
  new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data: amountData(kind, units, decimals) });

/** From one owner's token account to another's. */
export const transferChecked = (from: PublicKey, to: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(TRANSFER_CHECKED, coins, [
    writable(tokenAccountOf(from, coins.mint)),
    readonly(coins.mint),
    writable(tokenAccountOf(to, coins.mint)),
    signer(from),
  ]);

/** New tokens for an owner. */
export const mintToChecked = (authority: PublicKey, to: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(MINT_TO_CHECKED, coins, [
    writable(coins.mint),
    writable(tokenAccountOf(to, coins.mint)),
    signer(authority),
  ]);

/** Takes an owner's tokens out of the world. */
export const burnChecked = (owner: PublicKey, coins: Coins): TransactionInstruction =>
  tokenInstruction(BURN_CHECKED, coins, [
    writable(tokenAccountOf(owner, coins.mint)),
    writable(coins.mint),
    signer(owner),
  ]);

/** Text that the chain carries along and that does nothing. */
export const memo = (text: string): TransactionInstruction =>
  new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });

/** The parts of a transaction; the payer signs first, and need not be among `signers`. */
type Plan = {
  readonly payer: PublicKey;
  readonly blockhash: string;
  readonly instructions: readonly TransactionInstruction[];
  readonly signers: readonly SandboxKey[];
  /** Price of a compute unit in millionths of a lamport. Another one makes another transaction. */
  readonly unitPrice: number;
  /** In the form before versions, which every client reads without being asked to. */
  readonly isLegacy?: true;
};

/**
 * A transaction as bytes, v0 unless it is to be legacy: compute budget first, then the instructions. It has the signatures
 * that the sandbox gives; the others are zero. `undefined` when the message is so large that it cannot even be written.
 */
export const buildTransaction = (plan: Plan): Uint8Array | undefined => {
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: plan.unitPrice }),
  ];
  const whole = new TransactionMessage({
    payerKey: plan.payer,
    recentBlockhash: plan.blockhash,
    instructions: [...budget, ...plan.instructions],
  });
  const message = plan.isLegacy ? whole.compileToLegacyMessage() : whole.compileToV0Message();
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

/** The account of the lending program for one owner and mint, and the bump of its address. */
export const lentPositionOf = remember(ownerAndMint, (owner, mint) =>
  PublicKey.findProgramAddressSync([owner.toBytes(), mint.toBytes()], LENDER),
);

const POSITION_BYTES = 80;
const SHARES_AT = 72;

/** The shares in the account of a position; 0 where there is none. */
export const sharesIn = (account: KeptAccount | undefined): bigint =>
  account?.owner === SANDBOX_SOLANA.lender && account.data.length === POSITION_BYTES
    ? Buffer.from(account.data).readBigUInt64LE(SHARES_AT)
    : 0n;

const DATA_BYTES = 56;

/** An order to the program: `wallet` signs and pays or is paid, `owner` has the position. */
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

/** An instruction of the lending program: moves the tokens, and counts the shares in the position. */
export const lend = (lending: LendingInstruction): TransactionInstruction => {
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
