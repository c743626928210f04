import { createHash } from 'node:crypto';
import {
  type AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { NodeFacts, RequestedOperation, SolanaOverrides } from '../../../src/chain/solana/context.ts';
import { solanaNetworkFor } from '../../../src/chain/solana/network.ts';
import { parseSolana } from '../../../src/chain/solana/parse.ts';
import { reviewSolana } from '../../../src/chain/solana/review.ts';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';

/** A key derived from a name, the same in each run. */
export const keyOf = (name: string): Keypair =>
  Keypair.fromSeed(createHash('sha256').update(`bursar test ${name}`).digest());

export const WALLET = keyOf('wallet');
export const STRANGER = keyOf('stranger');
export const MINTER = keyOf('minter');
export const wallet = WALLET.publicKey;
export const stranger = STRANGER.publicKey;

export const USDC = new PublicKey(SANDBOX_SOLANA.mints.USDC);
export const USDT = new PublicKey(SANDBOX_SOLANA.mints.USDT);
export const SHARES = new PublicKey(SANDBOX_SOLANA.shares.provider_a.USDC);
/** The shares of the same provider for another token. */
export const SHARES_OF_USDT = new PublicKey(SANDBOX_SOLANA.shares.provider_a.USDT);
export const VAULT = new PublicKey(SANDBOX_SOLANA.vaults.provider_a);
export const VAULT_B = new PublicKey(SANDBOX_SOLANA.vaults.provider_b);
export const FEES = new PublicKey(SANDBOX_SOLANA.fees);

export const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const BUDGET = new PublicKey('ComputeBudget111111111111111111111111111111');
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const LENDER = keyOf('some lending program').publicKey;

/** The associated token account of an owner, derived by web3.js. */
export const ata = (owner: PublicKey, mint = USDC, program = TOKEN): PublicKey =>
  PublicKey.findProgramAddressSync([owner.toBytes(), program.toBytes(), mint.toBytes()], ASSOCIATED)[0];

/** An account of an instruction: `s` for a signer, `w` for writable. */
export type Use = readonly [PublicKey, ''] | readonly [PublicKey, 's' | 'w' | 'sw'];

export const instruction = (programId: PublicKey, data: Uint8Array, ...uses: readonly Use[]): TransactionInstruction =>
  new TransactionInstruction({
    programId,
    data: Buffer.from(data),
    keys: uses.map(([pubkey, flags]) => ({ pubkey, isSigner: flags.includes('s'), isWritable: flags.includes('w') })),
  });

const amount = (kind: number, units: bigint, decimals?: number): Buffer => {
  const data = Buffer.alloc(9);
  data.writeUInt8(kind, 0);
  data.writeBigUInt64LE(units, 1);
  return decimals === undefined ? data : Buffer.concat([data, Buffer.of(decimals)]);
};

/** Token instructions encoded by their numbers, without a check of the accounts. */
export const token = {
  transfer: (from: PublicKey, to: PublicKey, units: bigint, by = wallet, program = TOKEN) =>
    instruction(program, amount(3, units), [from, 'w'], [to, 'w'], [by, 's']),
  transferChecked: (from: PublicKey, to: PublicKey, units: bigint, mint = USDC, decimals = 6, by = wallet) =>
    instruction(TOKEN, amount(12, units, decimals), [from, 'w'], [mint, ''], [to, 'w'], [by, 's']),
  approve: (delegate: PublicKey, units: bigint) =>
    instruction(TOKEN, amount(4, units), [ata(wallet), 'w'], [delegate, ''], [wallet, 's']),
  approveChecked: (delegate: PublicKey, units: bigint) =>
    instruction(TOKEN, amount(13, units, 6), [ata(wallet), 'w'], [USDC, ''], [delegate, ''], [wallet, 's']),
  revoke: () => instruction(TOKEN, Buffer.of(5), [ata(wallet), 'w'], [wallet, 's']),
  setAuthority: (to: PublicKey, kind = 2) =>
    instruction(TOKEN, Buffer.concat([Buffer.of(6, kind, 1), to.toBytes()]), [ata(wallet), 'w'], [wallet, 's']),
  close: (to: PublicKey, account = ata(wallet)) =>
    instruction(TOKEN, Buffer.of(9), [account, 'w'], [to, 'w'], [wallet, 's']),
  burnChecked: (units: bigint, mint: PublicKey, decimals: number) =>
    instruction(TOKEN, amount(15, units, decimals), [ata(wallet, mint), 'w'], [mint, 'w'], [wallet, 's']),
  mintToChecked: (to: PublicKey, units: bigint, mint: PublicKey, by: PublicKey, decimals = 9) =>
    instruction(TOKEN, amount(14, units, decimals), [mint, 'w'], [to, 'w'], [by, 's']),
  freeze: () => instruction(TOKEN, Buffer.of(10), [ata(wallet), 'w'], [USDC, ''], [wallet, 's']),
};

export const openAccount = (owner: PublicKey, mint = USDC, payer = wallet, kind = [1]): TransactionInstruction =>
  instruction(
    ASSOCIATED,
    Buffer.from(kind),
    [payer, 'sw'],
    [ata(owner, mint), 'w'],
    [owner, ''],
    [mint, ''],
    [SystemProgram.programId, ''],
    [TOKEN, ''],
  );

export const memo = (text: string | Uint8Array): TransactionInstruction =>
  instruction(MEMO, typeof text === 'string' ? Buffer.from(text) : text);

export const unitPrice = (microLamports: bigint): TransactionInstruction => {
  const data = Buffer.alloc(9);
  data.writeUInt8(3, 0);
  data.writeBigUInt64LE(microLamports, 1);
  return instruction(BUDGET, data);
};

export const unitLimit = (units: number): TransactionInstruction => {
  const data = Buffer.alloc(5);
  data.writeUInt8(2, 0);
  data.writeUInt32LE(units, 1);
  return instruction(BUDGET, data);
};

export const BLOCKHASH = keyOf('blockhash').publicKey.toBase58();

export type BuildOptions = {
  readonly payer?: PublicKey;
  readonly signers?: readonly Keypair[];
  readonly version?: 'legacy' | 0;
  readonly tables?: AddressLookupTableAccount[];
};

/** The bytes of a transaction that web3.js builds. Only the required signers sign. */
export const bytesOf = (instructions: readonly TransactionInstruction[], options: BuildOptions = {}): Uint8Array => {
  const { payer = wallet, signers = [], version = 0, tables = [] } = options;
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: BLOCKHASH,
    instructions: [...instructions],
  });
  const built = new VersionedTransaction(
    version === 0 ? message.compileToV0Message(tables) : message.compileToLegacyMessage(),
  );
  const required = built.message.staticAccountKeys.slice(0, built.message.header.numRequiredSignatures);
  built.sign(signers.filter(({ publicKey }) => required.some((address) => address.equals(publicKey))));
  return built.serialize();
};

/** The request of most tests: deposit 100 USDC at provider_a, of which 0.1 is a stated fee. */
export const DEPOSIT: RequestedOperation = {
  kind: 'deposit',
  wallet: wallet.toBase58(),
  asset: 'USDC',
  amount: '100',
  providerIn: 'provider_a',
  fees: ['0.1', '0'],
};

export const WITHDRAW: RequestedOperation = {
  kind: 'withdraw',
  wallet: wallet.toBase58(),
  asset: 'USDC',
  amount: '50',
  providerOut: 'provider_a',
};

/** The instructions for DEPOSIT. MINTER mints the shares and signs. */
export const depositSteps = (): readonly TransactionInstruction[] => [
  unitLimit(200_000),
  unitPrice(1_000n),
  openAccount(wallet, SHARES),
  token.transferChecked(ata(wallet), ata(VAULT), 99_900_000n),
  token.transferChecked(ata(wallet), ata(FEES), 100_000n),
  token.mintToChecked(ata(wallet, SHARES), 95_000_000_000n, SHARES, MINTER.publicKey),
];

export const withdrawSteps = (): readonly TransactionInstruction[] => [
  openAccount(wallet),
  token.burnChecked(48_000_000_000n, SHARES, 9),
  token.transferChecked(ata(VAULT), ata(wallet), 50_000_000n, USDC, 6, MINTER.publicKey),
];

export const withMinter: BuildOptions = { signers: [MINTER] };

export const SANDBOX = solanaNetworkFor('sandbox');
export const LIVE = solanaNetworkFor('live');

export type ReviewOptions = {
  readonly requested?: RequestedOperation | undefined;
  readonly signer?: string;
  readonly network?: typeof SANDBOX;
  readonly overrides?: SolanaOverrides;
  readonly facts?: NodeFacts;
};

export const review = (bytes: Uint8Array, { network = SANDBOX, ...more }: ReviewOptions = {}) =>
  reviewSolana({ unsigned: parseSolana(bytes), network, ...more });

/** The ids of the checks that do not pass, each with its verdict. */
export const failedChecks = (bytes: Uint8Array, options: ReviewOptions = {}): readonly string[] =>
  review(bytes, options)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);
