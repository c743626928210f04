import {
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { transactionError } from '../../../src/sandbox/solana/effects.ts';
import {
  createTokenAccount,
  memo,
  mintToChecked,
  TOKEN_PROGRAM,
  tokenAccountOf,
  transferChecked,
} from '../../../src/sandbox/solana/instructions.ts';
import {
  type Binding,
  isFailed,
  type LiteSvm,
  loadSolana,
  solanaPackages,
} from '../../../src/sandbox/solana/package.ts';

const SOL = 10n ** 9n;
const FEE = 5000n;

const open = (): { binding: Binding; svm: LiteSvm } => {
  const binding = loadSolana();
  const svm = new binding.LiteSvm();
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  return { binding, svm };
};

const fundedKey = (binding: Binding, svm: LiteSvm): Keypair => {
  const key = Keypair.generate();
  const owner = SystemProgram.programId.toBytes();
  svm.setAccount(key.publicKey.toBytes(), new binding.Account(1000n * SOL, new Uint8Array(0), owner, false, 0n));
  return key;
};

const message = (payer: Keypair, instructions: TransactionInstruction[], blockhash = Keypair.generate()) =>
  new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash.publicKey.toBase58(),
    instructions,
  }).compileToV0Message();

const signed = (instructions: TransactionInstruction[], signers: readonly [Keypair, ...Keypair[]]): Uint8Array => {
  const transaction = new VersionedTransaction(message(signers[0], instructions));
  transaction.sign([...signers]);
  return transaction.serialize();
};

const errorOf = (svm: LiteSvm, bytes: Uint8Array) => {
  const result = svm.sendVersionedTransaction(bytes);
  return isFailed(result) ? transactionError(result.err()) : undefined;
};

const lamports = (svm: LiteSvm, { publicKey }: Keypair) => svm.getAccount(publicKey.toBytes())?.lamports();

const pay = (from: Keypair, to: Keypair, amount: bigint) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: amount });

test('transfers SOL, takes the fee, and returns the first signature', () => {
  const { binding, svm } = open();
  const [payer, receiver] = [fundedKey(binding, svm), Keypair.generate()];
  const bytes = signed([pay(payer, receiver, SOL)], [payer]);
  const result = svm.sendVersionedTransaction(bytes);
  expect(isFailed(result)).toBe(false);
  expect([lamports(svm, payer), lamports(svm, receiver)]).toEqual([999n * SOL - FEE, SOL]);
  expect(Buffer.from((result as { signature: () => Uint8Array }).signature())).toEqual(Buffer.from(bytes.slice(1, 65)));
});

test('executes the same bytes twice without history and blockhash check, which the sandbox does itself', () => {
  const { binding, svm } = open();
  const [payer, receiver] = [fundedKey(binding, svm), Keypair.generate()];
  const bytes = signed([pay(payer, receiver, SOL)], [payer]);
  expect([errorOf(svm, bytes), errorOf(svm, bytes)]).toEqual([undefined, undefined]);
  expect(lamports(svm, receiver)).toBe(2n * SOL);
});

test('rejects bytes that already failed when the history is on', () => {
  const { binding, svm } = open();
  svm.setTransactionHistory(10n);
  const payer = fundedKey(binding, svm);
  const fails = signed([pay(payer, Keypair.generate(), 10n ** 15n)], [payer]);
  expect(errorOf(svm, fails)).toEqual({ InstructionError: [0, { Custom: 1 }] });
  expect(errorOf(svm, fails)).toBe('AlreadyProcessed');
});

test('rejects a transaction that was changed after signing, and moves nothing', () => {
  const { binding, svm } = open();
  const payer = fundedKey(binding, svm);
  const bytes = signed([pay(payer, Keypair.generate(), SOL)], [payer]);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  expect(errorOf(svm, bytes)).toBe('SignatureFailure');
  expect(lamports(svm, payer)).toBe(1000n * SOL);
});

test('takes the fee when an instruction fails, and nothing when an earlier check fails', () => {
  const { binding, svm } = open();
  const payer = fundedKey(binding, svm);
  expect(errorOf(svm, signed([pay(payer, Keypair.generate(), 10n ** 15n)], [payer]))).toEqual({
    InstructionError: [0, { Custom: 1 }],
  });
  expect(lamports(svm, payer)).toBe(1000n * SOL - FEE);
  expect(errorOf(svm, signed([pay(payer, Keypair.generate(), 1n)], [payer]))).toEqual({
    InsufficientFundsForRent: { account_index: 1 },
  });
  const poor = Keypair.generate();
  expect(errorOf(svm, signed([], [poor]))).toBe('AccountNotFound');
});

test('names the error of a wrong instruction and of an unknown program', () => {
  const { binding, svm } = open();
  const payer = fundedKey(binding, svm);
  const empty = (programId: PublicKey) => new TransactionInstruction({ programId, keys: [], data: Buffer.alloc(3) });
  expect(errorOf(svm, signed([empty(SystemProgram.programId)], [payer]))).toEqual({
    InstructionError: [0, 'InvalidInstructionData'],
  });
  expect(errorOf(svm, signed([empty(Keypair.generate().publicKey)], [payer]))).toBe('InvalidProgramForExecution');
});

test('creates a mint and token accounts, transfers tokens, and executes a memo', () => {
  const { binding, svm } = open();
  const [payer, mint, receiver] = [fundedKey(binding, svm), Keypair.generate(), Keypair.generate()];
  const create = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: mint.publicKey,
    lamports: Number(svm.minimumBalanceForRentExemption(82n)),
    space: 82,
    programId: TOKEN_PROGRAM,
  });
  const initialize = {
    programId: TOKEN_PROGRAM,
    keys: [{ pubkey: mint.publicKey, isSigner: false, isWritable: true }],
    data: Buffer.from([20, 6, ...payer.publicKey.toBytes(), 0]),
  } as TransactionInstruction;
  expect(errorOf(svm, signed([create, initialize], [payer, mint]))).toBeUndefined();
  const coins = { mint: mint.publicKey, units: 70n, decimals: 6 };
  const move = [
    createTokenAccount(payer.publicKey, payer.publicKey, mint.publicKey),
    createTokenAccount(payer.publicKey, payer.publicKey, mint.publicKey),
    createTokenAccount(payer.publicKey, receiver.publicKey, mint.publicKey),
    mintToChecked(payer.publicKey, payer.publicKey, { ...coins, units: 100n }),
    transferChecked(payer.publicKey, receiver.publicKey, coins),
    memo('thirty are left'),
  ];
  expect(errorOf(svm, signed(move, [payer]))).toBeUndefined();
  const amountOf = (owner: PublicKey) =>
    Buffer.from(svm.getAccount(tokenAccountOf(owner, mint.publicKey).toBytes())?.data() ?? []).readBigUInt64LE(64);
  expect([amountOf(payer.publicKey), amountOf(receiver.publicKey)]).toEqual([30n, 70n]);
  expect(svm.getProgramAccounts(TOKEN_PROGRAM.toBytes())).toHaveLength(3);
});

test('changes nothing in a simulation, removes an emptied account, and executes a legacy transaction', () => {
  const { binding, svm } = open();
  const [payer, other] = [fundedKey(binding, svm), fundedKey(binding, svm)];
  const bytes = signed([pay(payer, other, SOL)], [payer]);
  expect(isFailed(svm.simulateVersionedTransaction(bytes))).toBe(false);
  expect(lamports(svm, payer)).toBe(1000n * SOL);
  const legacy = new Transaction({
    feePayer: payer.publicKey,
    recentBlockhash: Keypair.generate().publicKey.toBase58(),
  }).add(pay(other, payer, 1000n * SOL));
  legacy.sign(payer, other);
  expect(errorOf(svm, legacy.serialize())).toBeUndefined();
  expect(svm.getAccount(other.publicKey.toBytes())).toBeNull();
});

test('uses the clock that is set', () => {
  const { binding, svm } = open();
  svm.setClock(new binding.Clock(77n, 0n, 0n, 0n, 1_790_000_000n));
  expect([svm.getClock().slot, svm.getClock().unixTimestamp]).toEqual([77n, 1_790_000_000n]);
});

test('throws sandbox_unavailable without a litesvm build for the machine, and without its package', () => {
  expect(solanaPackages('linux', 'x64')).toEqual(['litesvm-linux-x64-gnu', 'litesvm-linux-x64-musl']);
  expect(solanaPackages('darwin', 'arm64')).toEqual(['litesvm-darwin-arm64']);
  expect(() => loadSolana('win32', 'x64')).toThrow(/litesvm has no build for win32 on x64/);
  expect(() => loadSolana('linux', 'arm64')).toThrow(
    /litesvm-linux-arm64-gnu or litesvm-linux-arm64-musl is not installed/,
  );
  try {
    loadSolana('linux', 'arm64');
  } catch (error) {
    expect(error).toMatchObject({
      code: 'sandbox_unavailable',
      details: { hint: expect.stringContaining('npm install --include=optional'), next: { id: 'doctor' } },
    });
  }
});
