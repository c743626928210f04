import {
  type Commitment,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  type TokenBalance,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { memo, TOKEN_PROGRAM, tokenAccountOf } from '../../../src/sandbox/solana/instructions.ts';
import { deposit, newWallet, sendOff, startYield } from '../yield/wallet.ts';

const start = async () => {
  const sandbox = await startYield();
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const ask = async (method: string, ...params: readonly unknown[]) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return JSON.parse(await (await fetch(rpc_url, { method: 'POST', headers, body })).text());
  };
  return { sandbox, ask, connection: new Connection(rpc_url, 'confirmed') };
};

type Started = Awaited<ReturnType<typeof start>>;

const V0 = { maxSupportedTransactionVersion: 0 } as const;

/** A signed legacy transaction that pays a new account and has a memo. */
const payment = async ({ connection }: Started, from: Keypair, lamports: number, to = Keypair.generate().publicKey) => {
  const transaction = new Transaction().add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }),
    memo('rent for March'),
  );
  transaction.feePayer = from.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(from);
  return { to, transaction };
};

test('returns fee, balances, token balances, inner instructions and logs of a deposit to web3.js', async () => {
  const started = await start();
  const { sandbox, connection } = started;
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key));
  const [sent] = await connection.getSignaturesForAddress(key.publicKey, { limit: 1 });
  const found = await connection.getTransaction(sent?.signature ?? '', V0);
  const meta = found?.meta;
  const keys = found?.transaction.message.staticAccountKeys.map((account) => account.toBase58()) ?? [];
  expect([found?.version, keys[0], meta?.err]).toEqual([0, key.publicKey.toBase58(), null]);
  expect([meta?.preBalances.length, meta?.postBalances.length]).toEqual([keys.length, keys.length]);
  const sum = (all: readonly number[] = []) => all.reduce((total, lamports) => total + BigInt(lamports), 0n);
  const signatures = BigInt(found?.transaction.signatures.length ?? 0);
  const fee = BigInt(meta?.fee ?? 0);
  expect(fee).toBeGreaterThan(signatures * 5000n);
  // Large balances lose digits as doubles, so that the sums agree only up to this rounding.
  expect(Number(sum(meta?.preBalances) - sum(meta?.postBalances) - fee)).toBeLessThan(2000);
  const usdc = tokenAccountOf(key.publicKey, new PublicKey(SANDBOX_SOLANA.mints.USDC)).toBase58();
  const tokensOf = (all: TokenBalance[] | null | undefined) =>
    all?.find(({ accountIndex }) => keys[accountIndex] === usdc);
  expect(tokensOf(meta?.preTokenBalances)).toMatchObject({
    mint: SANDBOX_SOLANA.mints.USDC,
    owner: key.publicKey.toBase58(),
    programId: TOKEN_PROGRAM.toBase58(),
    uiTokenAmount: { amount: '10000000000', decimals: 6, uiAmountString: '10000' },
  });
  expect(tokensOf(meta?.postTokenBalances)?.uiTokenAmount.uiAmountString).toBe('9900');
  expect(meta?.innerInstructions?.length).toBeGreaterThan(0);
  expect(meta?.loadedAddresses).toEqual({ writable: [], readonly: [] });
  expect(meta?.logMessages?.some((line) => line.includes('success'))).toBe(true);
  expect(meta?.computeUnitsConsumed).toBeGreaterThan(10_000);
});

test('returns parsed instructions for jsonParsed, and the same bytes for base64', async () => {
  const started = await start();
  const { sandbox, connection, ask } = started;
  const key = await newWallet(sandbox);
  const { to, transaction } = await payment(started, key, LAMPORTS_PER_SOL);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  const parsed = await connection.getParsedTransaction(signature, V0);
  const source = key.publicKey.toBase58();
  expect(parsed?.transaction.message.instructions).toMatchObject([
    {
      program: 'system',
      parsed: { type: 'transfer', info: { source, destination: to.toBase58(), lamports: LAMPORTS_PER_SOL } },
    },
    { program: 'spl-memo', parsed: 'rent for March' },
  ]);
  expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({
    signer: true,
    writable: true,
    source: 'transaction',
  });
  expect(parsed?.meta).toMatchObject({ fee: 5000, err: null });
  const json = (await ask('getTransaction', signature)).result;
  expect(json.transaction.signatures).toEqual([signature]);
  expect(json.transaction.message.header).toEqual({
    numRequiredSignatures: 1,
    numReadonlySignedAccounts: 0,
    numReadonlyUnsignedAccounts: 2,
  });
  expect(json).not.toHaveProperty('version');
  const bytes = transaction.serialize().toString('base64');
  expect((await ask('getTransaction', signature, 'base64')).result.transaction).toEqual([bytes, 'base64']);
  expect((await ask('getTransaction', signature, { encoding: 'base58' })).result.transaction[1]).toBe('base58');
  const usdc = await newWallet(sandbox, { chain: 'solana', token: 'USDC', amount: '1' });
  const [gift] = await connection.getSignaturesForAddress(usdc.publicKey);
  const funding = await connection.getParsedTransaction(gift?.signature ?? '', V0);
  const kinds = funding?.transaction.message.instructions.map((instruction) =>
    'parsed' in instruction ? instruction.parsed.type : instruction.data,
  );
  expect(kinds?.slice(2)).toEqual(['transfer', 'createIdempotent', 'mintToChecked']);
});

test('returns the fee, the error and balances without the transfer for a failed transaction', async () => {
  const started = await start();
  const key = await newWallet(started.sandbox);
  const { transaction } = await payment(started, key, 999 * LAMPORTS_PER_SOL);
  const signature = await started.connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  const found = await started.connection.getTransaction(signature, V0);
  expect(found?.meta).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000 });
  expect(found?.meta?.postBalances[0]).toBe(10 * LAMPORTS_PER_SOL - 5000);
  const [entry] = await started.connection.getSignaturesForAddress(key.publicKey);
  expect(entry).toMatchObject({
    signature,
    err: { InstructionError: [0, { Custom: 1 }] },
    memo: '[14] rent for March',
  });
});

test('lists signatures of an address newest first, in pages, and rejects wrong limits and airdrops', async () => {
  const started = await start();
  const { sandbox, connection, ask } = started;
  const key = await newWallet(sandbox, null);
  const sent: string[] = [];
  for (const sol of [1, 2, 3]) sent.unshift(await connection.requestAirdrop(key.publicKey, sol * LAMPORTS_PER_SOL));
  const signaturesOf = async (page: { limit?: number; before?: string; until?: string } = {}) =>
    (await connection.getSignaturesForAddress(key.publicKey, page)).map(({ signature }) => signature);
  expect(await connection.getBalance(key.publicKey)).toBe(6 * LAMPORTS_PER_SOL);
  expect(await signaturesOf()).toEqual(sent);
  expect(await signaturesOf({ limit: 1 })).toEqual(sent.slice(0, 1));
  expect(await signaturesOf({ before: sent[0] as string })).toEqual(sent.slice(1));
  expect(await signaturesOf({ until: sent[1] as string })).toEqual(sent.slice(0, 1));
  expect(await signaturesOf({ before: '1'.repeat(64) })).toEqual([]);
  expect((await ask('getSignaturesForAddress', key.publicKey.toBase58(), { limit: 1001 })).error.code).toBe(-32_602);
  expect((await connection.getTransaction(sent[0] ?? ''))?.meta?.err).toBeNull();
  expect((await ask('getTransaction', '1'.repeat(64))).result).toBeNull();
  for (const lamports of [0, -1, 1.5, 1e15, '5']) {
    expect((await ask('requestAirdrop', key.publicKey.toBase58(), lamports)).error.code).toBe(-32_602);
  }
});

test('returns the fee that a message costs when sent, and null for an expired blockhash', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  const built = VersionedTransaction.deserialize(
    Buffer.from((await deposit(sandbox, key)).body.data.transaction, 'base64'),
  );
  const plain = new TransactionMessage({
    payerKey: key.publicKey,
    recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
    instructions: [
      SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey: SystemProgram.programId, lamports: 1 }),
    ],
  }).compileToLegacyMessage();
  expect((await connection.getFeeForMessage(plain)).value).toBe(5000);
  const expected = (await connection.getFeeForMessage(built.message)).value;
  built.sign([key]);
  const signature = await connection.sendTransaction(built);
  expect((await connection.getTransaction(signature, V0))?.meta?.fee).toBe(expected);
  await expect(connection.getTransaction(signature), 'without the option').rejects.toMatchObject({ code: -32_015 });
  sandbox.advance(151 * 400);
  expect((await connection.getFeeForMessage(built.message)).value).toBeNull();
});

test('returns epoch, schedule, transaction count, recent fees and versions in the form that clients parse', async () => {
  const { sandbox, connection, ask } = await start();
  const before = await connection.getEpochInfo();
  await newWallet(sandbox);
  const after = await connection.getEpochInfo();
  expect((after.transactionCount ?? 0) - (before.transactionCount ?? 0)).toBe(1);
  expect(after.absoluteSlot).toBe(after.epoch * after.slotsInEpoch + after.slotIndex);
  expect(await connection.getTransactionCount()).toBe(after.transactionCount);
  expect((await connection.getEpochSchedule()).slotsPerEpoch).toBe(after.slotsInEpoch);
  const fees = await connection.getRecentPrioritizationFees();
  expect(fees.at(-1)).toEqual({ slot: expect.any(Number), prioritizationFee: 0 });
  // Rust clients parse both versions with a strict semver grammar.
  const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
  expect((await ask('getVersion')).result['solana-core']).toMatch(semver);
  expect((await ask('getBalance', SystemProgram.programId.toBase58())).result.context.apiVersion).toMatch(semver);
});

test('rejects unknown encodings, returns a data slice, and rejects base58 for more than 128 bytes', async () => {
  const { sandbox, connection, ask } = await start();
  const key = await newWallet(sandbox);
  const address = key.publicKey.toBase58();
  const [{ signature } = { signature: '' }] = await connection.getSignaturesForAddress(key.publicKey);
  const calls = [
    ['getAccountInfo', address],
    ['getMultipleAccounts', [address]],
    ['getTokenAccountsByOwner', address, { programId: TOKEN_PROGRAM.toBase58() }],
    ['getTransaction', signature],
  ] as const;
  for (const [method, ...params] of calls) {
    for (const encoding of ['hex', 'binary', '', 7, {}]) {
      expect([method, encoding, (await ask(method, ...params, { encoding })).error?.code]).toEqual([
        method,
        encoding,
        -32_602,
      ]);
    }
  }
  const usdc = tokenAccountOf(key.publicKey, new PublicKey(SANDBOX_SOLANA.mints.USDC));
  const sliced = await connection.getAccountInfo(usdc, {
    commitment: 'confirmed' as Commitment,
    dataSlice: { offset: 64, length: 8 },
  });
  expect(sliced?.data.readBigUInt64LE()).toBe(10_000_000_000n);
  const large = await ask('getAccountInfo', usdc.toBase58(), { encoding: 'base58' });
  expect(large.error).toMatchObject({ code: -32_600, message: expect.stringContaining('128 bytes') });
});
