import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { keyNamed } from '../../../src/sandbox/solana/address.ts';
import {
  deriveLender,
  type LendingInstruction,
  lend,
  lentPositionOf,
  tokenAccountOf,
} from '../../../src/sandbox/solana/instructions.ts';
import { deposit, newWallet, sendOff, startYield } from '../yield/wallet.ts';

const assembler = fileURLToPath(new URL('../../tools/assemble-program.mjs', import.meta.url));

test('assembles the source to the committed program', async () => {
  await promisify(execFile)(process.execPath, [assembler, '--check']);
});

test('derives a program address that is off the curve and in the contract', () => {
  expect(deriveLender().toBase58()).toBe(SANDBOX_SOLANA.lender);
  expect(PublicKey.isOnCurve(deriveLender().toBytes())).toBe(false);
});

const STRANGER = Keypair.fromSeed(new Uint8Array(32).fill(1));
const UNITS = 10_000_000n;

/** A wallet with a position; `run` simulates one instruction of the program, signed by the provider. */
const start = async () => {
  const sandbox = await startYield();
  const wallet = await newWallet(sandbox);
  await sendOff(sandbox, wallet, await deposit(sandbox, wallet, { provider: 'provider_b', amount: '100' }));
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return ((await (await fetch(rpc_url, { method: 'POST', body, headers })).json()) as { result: never }).result;
  };
  const provider = keyNamed('vault provider_b');
  const lending: LendingInstruction = {
    kind: 'withdraw',
    wallet: wallet.publicKey,
    owner: wallet.publicKey,
    provider: new PublicKey(provider.bytes),
    mint: new PublicKey(SANDBOX_SOLANA.mints.USDC),
    decimals: 6,
    units: UNITS,
    shares: 1_000_000_000n,
  };
  /** Simulates one instruction; returns null or the error. */
  const run = async (instruction: TransactionInstruction, signers: readonly Keypair[] = [wallet]) => {
    const { blockhash } = ((await ask('getLatestBlockhash', [])) as { value: { blockhash: string } }).value;
    const payerKey = signers[0]?.publicKey ?? wallet.publicKey;
    const plan = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions: [instruction] });
    const transaction = new VersionedTransaction(plan.compileToV0Message());
    transaction.sign([...signers]);
    const at = transaction.message.staticAccountKeys.findIndex((key) => key.equals(lending.provider));
    if (at >= 0 && at < transaction.message.header.numRequiredSignatures) {
      transaction.addSignature(lending.provider, provider.sign(transaction.message.serialize()));
    }
    const encoded = Buffer.from(transaction.serialize()).toString('base64');
    const { value } = (await ask('simulateTransaction', [encoded, { encoding: 'base64', sigVerify: true }])) as {
      value: { err: unknown };
    };
    return value.err;
  };
  return { sandbox, wallet, lending, run };
};

const customError = (code: number) => ({ InstructionError: [0, { Custom: code }] });

/** The instruction after `change` has changed its accounts or data. */
const changed = (
  instruction: TransactionInstruction,
  change: (instruction: TransactionInstruction) => void,
): TransactionInstruction => {
  change(instruction);
  return instruction;
};

const withAccount =
  (at: number, pubkey: PublicKey, more: object = {}) =>
  (instruction: TransactionInstruction) => {
    instruction.keys[at] = { ...(instruction.keys[at] as TransactionInstruction['keys'][number]), pubkey, ...more };
  };

test('accepts a withdrawal of the owner with the provider, and rejects wrong accounts, data and shares', async () => {
  const { run, lending, sandbox } = await start();
  const stranger = await newWallet(sandbox);
  const fake = STRANGER.publicKey;
  expect(await run(lend(lending))).toBeNull();
  expect(await run(lend({ ...lending, kind: 'deposit' }))).toBeNull();
  const unsigned = { isSigner: false };
  const cases: readonly (readonly [string, TransactionInstruction, number])[] = [
    ['an account too few', changed(lend(lending), ({ keys }) => keys.pop()), 1],
    ['an account twice', changed(lend(lending), withAccount(2, lending.wallet)), 1],
    [
      'data too long',
      changed(lend(lending), (instruction) => Object.assign(instruction, { data: Buffer.alloc(57) })),
      2,
    ],
    ['another provider', changed(lend(lending), withAccount(5, fake, unsigned)), 3],
    ['a provider who does not sign', changed(lend(lending), withAccount(5, lending.provider, unsigned)), 3],
    ['another token program', changed(lend(lending), withAccount(6, fake)), 4],
    ['another system program', changed(lend(lending), withAccount(7, fake)), 4],
    [
      'a vault of somebody else',
      changed(lend(lending), withAccount(3, tokenAccountOf(stranger.publicKey, lending.mint))),
      5,
    ],
    ['a vault that is no token account', changed(lend(lending), withAccount(3, fake)), 5],
    ['a position that is none', changed(lend(lending), withAccount(1, new PublicKey(SANDBOX_SOLANA.mints.USDT))), 6],
    ['a position of another mint', changed(lend(lending), withAccount(4, new PublicKey(SANDBOX_SOLANA.mints.USDT))), 6],
    ['a withdrawal where there is no position', lend({ ...lending, owner: stranger.publicKey }), 6],
    ['more shares than there are', lend({ ...lending, shares: 10n ** 12n }), 7],
    ['shares beyond what can be counted', lend({ ...lending, kind: 'deposit', shares: 2n ** 64n - 1n }), 7],
    ['neither a deposit nor a withdrawal', changed(lend(lending), ({ data }) => data.writeUInt8(2)), 8],
  ];
  for (const [name, instruction, code] of cases)
    expect([name, await run(instruction)]).toEqual([name, customError(code)]);
});

test('rejects a withdrawal from the position of another wallet, but accepts a deposit into it', async () => {
  const { run, lending, sandbox } = await start();
  const stranger = await newWallet(sandbox);
  const mine = { ...lending, wallet: stranger.publicKey };
  expect(await run(lend(mine), [stranger])).toEqual(customError(3));
  expect(await run(lend({ ...mine, kind: 'deposit' }), [stranger])).toBeNull();
});

test('stores owner and mint of a position in an account of the program at a derived address', async () => {
  const { sandbox, wallet, lending } = await start();
  const [address, bump] = lentPositionOf(wallet.publicKey, lending.mint);
  const seeds = [wallet.publicKey.toBytes(), lending.mint.toBytes(), Buffer.of(bump)];
  expect(PublicKey.createProgramAddressSync(seeds, deriveLender()).equals(address)).toBe(true);
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'getAccountInfo' },
    params: [address.toBase58(), { encoding: 'base64' }],
  });
  const answer = await (await fetch(rpc_url, { method: 'POST', body })).json();
  const { owner, data, lamports } = (
    answer as { result: { value: { owner: string; data: [string]; lamports: number } } }
  ).result.value;
  const bytes = Buffer.from(data[0], 'base64');
  expect([owner, bytes.length, lamports]).toEqual([SANDBOX_SOLANA.lender, 80, 1_447_680]);
  expect(bytes.subarray(0, 8).toString()).toBe('position');
  expect([new PublicKey(bytes.subarray(8, 40)), new PublicKey(bytes.subarray(40, 72))]).toEqual([
    wallet.publicKey,
    lending.mint,
  ]);
});
