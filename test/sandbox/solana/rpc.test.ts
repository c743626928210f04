import { request } from 'node:http';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { MAX_TRANSACTION_BYTES, SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { tokenAccountOf } from '../../../src/sandbox/solana/instructions.ts';
import { balancesOf, deposit, newWallet, positionOf, sign, startYield } from '../yield/wallet.ts';

/** web3.js closes an idle WebSocket after half a second. Without this pause it calls a stopped sandbox. */
const WEBSOCKET_IDLE_MS = 700;

const start = async () => {
  const sandbox = await startYield();
  const { rpc_url, websocket_url } = (await sandbox.control('GET', 'solana')).body.data;
  return { sandbox, rpc_url, websocket_url, connection: new Connection(rpc_url, 'confirmed') };
};

/** Requests an upgrade to a WebSocket; returns the HTTP status or the error code of the connection. */
const upgrade = (url: string, headers: Record<string, string> = {}): Promise<unknown> =>
  new Promise((resolve) => {
    const required = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a'.repeat(24) };
    const upgrading = request(url.replace('ws:', 'http:'), {
      headers: { ...required, 'sec-websocket-version': '13', ...headers },
    });
    upgrading.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    upgrading.on('response', ({ statusCode }) => resolve(statusCode));
    upgrading.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    upgrading.end();
  });

const transfer = (from: Keypair, lamports: bigint) =>
  new Transaction().add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: Keypair.generate().publicKey, lamports }),
  );

test('sends and confirms a deposit by JSON-RPC and WebSocket, and the service shows its position', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  const built = (await deposit(sandbox, key)).body.data.transaction;
  const signed = VersionedTransaction.deserialize(Buffer.from(sign(key, built), 'base64'));
  const simulated = await connection.simulateTransaction(signed);
  expect([simulated.value.err, (simulated.value.unitsConsumed ?? 0) > 10_000]).toEqual([null, true]);
  const latest = await connection.getLatestBlockhash();
  const signature = await connection.sendTransaction(signed);
  const confirmed = await connection.confirmTransaction({ signature, ...latest }, 'confirmed');
  expect(confirmed.value.err).toBeNull();
  expect(await positionOf(sandbox, key)).toBe('99.9');
  const { value } = await connection.getSignatureStatuses([signature, '1'.repeat(64)]);
  expect([value[0]?.confirmationStatus, value[0]?.err, value[1]]).toEqual(['finalized', null, null]);
  await expect(connection.sendTransaction(signed)).rejects.toThrow(/already been processed/);
  await sandbox.io.clock.sleep(WEBSOCKET_IDLE_MS);
});

test('simulates without signatures unless sigVerify is set, and returns the resulting accounts', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  const built = (await deposit(sandbox, key)).body.data.transaction;
  const unsigned = VersionedTransaction.deserialize(Buffer.from(built, 'base64'));
  const usdc = tokenAccountOf(key.publicKey, new PublicKey(SANDBOX_SOLANA.mints.USDC)).toBase58();
  const stranger = Keypair.generate().publicKey.toBase58();
  const accounts = { encoding: 'base64' as const, addresses: [usdc, stranger] };
  const { value } = await connection.simulateTransaction(unsigned, { sigVerify: false, accounts });
  const [after, none] = value.accounts ?? [];
  expect([value.err, none]).toEqual([null, null]);
  expect(Buffer.from(after?.data[0] ?? '', 'base64').readBigUInt64LE(64)).toBe(9_900n * 10n ** 6n);
  const verified = await connection.simulateTransaction(unsigned, { sigVerify: true });
  expect(verified.value.err).toBe('SignatureFailure');
  await expect(connection.sendTransaction(unsigned, { skipPreflight: true })).rejects.toThrow(/signature/i);
  expect((await balancesOf(sandbox, key))['USDC']).toBe('10000');
});

test('confirms a transaction to a subscription opened before the send, and reports a failed one', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  expect(typeof (await sendAndConfirmTransaction(connection, transfer(key, 10n ** 9n), [key]))).toBe('string');
  const poor = transfer(key, 10n ** 12n);
  await expect(sendAndConfirmTransaction(connection, poor, [key])).rejects.toThrow(/Simulation failed/);
  const skipped = sendAndConfirmTransaction(connection, transfer(key, 10n ** 12n), [key], { skipPreflight: true });
  await expect(skipped).rejects.toThrow(/InstructionError/);
  expect(await connection.getBalance(key.publicKey)).toBe(9 * 10 ** 9 - 2 * 5000);
  await sandbox.io.clock.sleep(WEBSOCKET_IDLE_MS);
});

test('returns balances, accounts, supply, rent, block times and the validity of a blockhash', async () => {
  const { sandbox, connection } = await start();
  const { publicKey } = await newWallet(sandbox);
  const mint = new PublicKey(SANDBOX_SOLANA.mints.USDC);
  const account = tokenAccountOf(publicKey, mint);
  expect(await connection.getBalance(publicKey)).toBe(10 * 10 ** 9);
  expect((await connection.getTokenAccountBalance(account)).value).toMatchObject({
    amount: '10000000000',
    decimals: 6,
  });
  expect((await connection.getTokenAccountsByOwner(publicKey, { mint })).value[0]?.pubkey.toBase58()).toBe(
    account.toBase58(),
  );
  expect((await connection.getTokenSupply(mint)).value.uiAmount).toBe(50_010_000);
  expect((await connection.getAccountInfo(account))?.data.length).toBe(165);
  expect(await connection.getAccountInfo(Keypair.generate().publicKey)).toBeNull();
  expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
  expect((await connection.getMultipleAccountsInfo([account, publicKey])).map((one) => one?.lamports)).toEqual([
    2_039_280,
    10 * 10 ** 9,
  ]);
  const height = await connection.getBlockHeight();
  sandbox.advance(4000);
  expect((await connection.getBlockHeight()) - height).toBeGreaterThanOrEqual(10);
  const [then, now] = [await connection.getBlockTime(height), await connection.getBlockTime(height + 10)];
  expect(Number(now) - Number(then)).toBe(4);
  await expect(connection.getBlockTime(height + 10_000)).rejects.toThrow('Block not available');
  const { blockhash } = await connection.getLatestBlockhash();
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
  sandbox.advance(151 * 400);
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
});

test('returns parsed token accounts for jsonParsed, and the data of other accounts unparsed', async () => {
  const { sandbox, connection } = await start();
  const { publicKey } = await newWallet(sandbox);
  const mint = new PublicKey(SANDBOX_SOLANA.mints.USDC);
  const { value } = await connection.getParsedTokenAccountsByOwner(publicKey, { mint });
  expect(value.map(({ account }) => account.data.parsed)).toEqual([
    {
      type: 'account',
      info: {
        isNative: false,
        mint: mint.toBase58(),
        owner: publicKey.toBase58(),
        state: 'initialized',
        tokenAmount: { amount: '10000000000', decimals: 6, uiAmount: 10_000, uiAmountString: '10000' },
      },
    },
  ]);
  const read = await connection.getParsedAccountInfo(mint);
  expect(read.value?.data).toMatchObject({ program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6 } } });
  expect((await connection.getParsedAccountInfo(publicKey)).value?.data).toEqual(Buffer.alloc(0));
});

test('rejects an old blockhash, a wrong signature, too many bytes and malformed bytes with messages of a node', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  const old = transfer(key, 1_000_000n);
  old.feePayer = key.publicKey;
  old.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  old.sign(key);
  sandbox.advance(151 * 400);
  await expect(connection.sendRawTransaction(old.serialize())).rejects.toThrow(/Blockhash not found/);
  const forged = transfer(key, 1_000_000n);
  forged.feePayer = key.publicKey;
  forged.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  forged.sign(key);
  const bytes = forged.serialize();
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  await expect(connection.sendRawTransaction(bytes)).rejects.toThrow(/signature verification failure/);
  await expect(connection.sendRawTransaction(Buffer.alloc(MAX_TRANSACTION_BYTES + 1))).rejects.toThrow(/1233 bytes/);
  await expect(connection.sendRawTransaction(Buffer.from('rubbish'))).rejects.toThrow(/not a Solana transaction/);
});

test('sends slots, account changes and logs to web3.js until it unsubscribes', async () => {
  const { sandbox, connection } = await start();
  const key = await newWallet(sandbox);
  const received: { readonly slots: number[]; readonly lamports: number[]; readonly logs: string[] } = {
    slots: [],
    lamports: [],
    logs: [],
  };
  const ids = [
    connection.onSlotChange(({ parent, root, slot }) => {
      expect([parent, root < slot]).toEqual([slot - 1, true]);
      received.slots.push(slot);
    }),
    connection.onAccountChange(key.publicKey, ({ lamports }) => received.lamports.push(lamports)),
    connection.onLogs(key.publicKey, ({ signature, err }) => received.logs.push(err ? '' : signature)),
  ] as const;
  await expect.poll(() => received.slots.length, { timeout: 10_000 }).toBeGreaterThan(2);
  const to = Keypair.generate().publicKey;
  const pay = async (lamports: number): Promise<string> => {
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey: to, lamports }),
    );
    return connection.sendTransaction(transaction, [key]);
  };
  const left = 10 * 10 ** 9 - 10 ** 9 - 5000;
  const sent = [await pay(10 ** 9), await pay(left - 5000)];
  await expect.poll(() => received.lamports).toEqual([left, 0]);
  await expect.poll(() => received.logs).toEqual(sent);
  sandbox.advance(40_000);
  const countBefore = received.slots.length;
  await expect.poll(() => received.slots.length).toBeGreaterThan(countBefore);
  expect(received.slots).toEqual([...new Set(received.slots)].toSorted((a, b) => a - b));
  await connection.removeSlotChangeListener(ids[0]);
  await connection.removeAccountChangeListener(ids[1]);
  await connection.removeOnLogsListener(ids[2]);
  const after = received.slots.length;
  await sandbox.io.clock.sleep(WEBSOCKET_IDLE_MS + 400);
  expect(received.slots.length).toBe(after);
});

test('returns JSON-RPC errors for malformed requests, and rejects a foreign Host or Origin', async () => {
  const { rpc_url, websocket_url } = await start();
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(rpc_url, { method: 'POST', body, headers });
    return [answer.status, JSON.parse(await answer.text())];
  };
  expect(await post('{')).toMatchObject([200, { error: { code: -32700 } }]);
  expect(await post('{"id":1,"method":"nope"}')).toMatchObject([200, { id: 1, error: { code: -32601 } }]);
  expect(await post('{"id":1,"method":"toString"}')).toMatchObject([200, { id: 1, error: { code: -32601 } }]);
  expect(await post('{"id":1,"method":"getBalance","params":[7]}')).toMatchObject([200, { error: { code: -32602 } }]);
  const list = '[{"id":1,"method":"getHealth"},{"id":2,"method":"getSlot"}]';
  expect(await post(list)).toMatchObject([200, [{ id: 1, result: 'ok' }, { id: 2 }]]);
  expect(await post(`"${'x'.repeat(1024 * 1024)}"`)).toMatchObject([413, { error: { code: -32600 } }]);
  expect(await post('{"id":1,"method":"getHealth"}', { origin: 'https://evil.example' })).toMatchObject([403, {}]);
  expect(await upgrade(websocket_url)).toBe(101);
  expect(await upgrade(websocket_url, { origin: 'https://evil.example' })).toBe(403);
  expect(await upgrade(websocket_url, { host: 'evil.example' })).toBe(403);
});

test('shows the RPC URL in health, and keeps the URL across a reset', async () => {
  const { sandbox, rpc_url } = await start();
  expect((await sandbox.control('GET', 'health')).body.data.solana_rpc).toBe(rpc_url);
  await sandbox.control('POST', 'reset', {});
  expect((await sandbox.control('GET', 'health')).body.data.solana_rpc).toBeNull();
  expect((await sandbox.control('GET', 'solana')).body.data.rpc_url).toBe(rpc_url);
});
