import { Connection, Keypair } from '@solana/web3.js';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerPath } from '../../../src/sandbox/address.ts';
import { startSandbox, stopSandbox } from '../../../src/sandbox/launcher.ts';
import { launchingIo, useSandboxProgram } from '../program.ts';
import { clientOf, sandboxIo, startTestSandbox } from '../sandbox.ts';
import {
  balancesOf,
  broadcast,
  deposit,
  newWallet,
  positionOf,
  refusal,
  sendOff,
  sign,
  startYield,
} from '../yield/wallet.ts';

const program = useSandboxProgram();

const fund = async ({ control }: Awaited<ReturnType<typeof startYield>>, body: unknown) =>
  refusal(await control('POST', 'fund', body));

test('funds a Solana wallet with SOL and all tokens, or with SOL and the requested amount of one token', async () => {
  const sandbox = await startYield();
  const all = await newWallet(sandbox);
  const everything = { SOL: '10', USDC: '10000', USDT: '10000', EURC: '10000', XAUT: '10000' };
  expect(await balancesOf(sandbox, all)).toEqual(everything);
  const one = await newWallet(sandbox, { chain: 'solana', token: 'USDT', amount: '2.5' });
  expect(await balancesOf(sandbox, one)).toEqual({ SOL: '10', USDC: '0', USDT: '2.5', EURC: '0', XAUT: '0' });
  await fund(sandbox, { address: one.publicKey.toBase58(), token: 'SOL', amount: '0.5' });
  expect((await balancesOf(sandbox, one))['SOL']).toBe('10.5');
  expect((await sandbox.control('GET', 'health')).body.data.chains).toEqual(['solana']);
});

test('names the wrong field of a fund request for Solana', async () => {
  const sandbox = await startYield();
  const address = Keypair.generate().publicKey.toBase58();
  const evm = '0x1111111111111111111111111111111111111111';
  expect(await fund(sandbox, { address: evm, chain: 'solana' })).toEqual([400, 'invalid_parameters', 'address']);
  expect(await fund(sandbox, { address, chain: 'polygon' })).toEqual([400, 'invalid_parameters', 'address']);
  expect(await fund(sandbox, { address, token: 'POL' })).toEqual([400, 'invalid_parameters', 'token']);
  for (const amount of ['0.0000001', '99999999999999', '9999999999999999999999']) {
    expect(await fund(sandbox, { address, token: 'USDC', amount })).toEqual([400, 'invalid_parameters', 'amount']);
  }
});

test('keeps balances, positions and executed transactions across a restart, and removes all on reset', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  const key = await newWallet(first);
  const signed = sign(key, (await deposit(first, key)).body.data.transaction);
  await broadcast(first, signed);
  await sendOff(first, key, await deposit(first, key, { provider: 'provider_b' }));
  const pending = sign(key, (await deposit(first, key)).body.data.transaction);
  const before = await balancesOf(first, key);
  await first.stop();
  const second = await startTestSandbox(io);
  expect(await balancesOf(second, key)).toEqual(before);
  expect([await positionOf(second, key), await positionOf(second, key, 'provider_b')]).toEqual(['99.9', '99.9']);
  expect(refusal(await broadcast(second, signed))).toEqual([400, 'invalid_parameters', 'op_signed']);
  expect((await broadcast(second, pending)).body.data.status).toBe(1);
  await second.control('POST', 'reset', {});
  expect(await positionOf(second, key, 'provider_b')).toBe('0');
  expect([await positionOf(second, key), (await balancesOf(second, key))['SOL']]).toEqual(['0', '0']);
  expect(refusal(await broadcast(second, signed))).toEqual([409, 'solana_blockhash_expired', undefined]);
  const again = await newWallet(second);
  expect(await sendOff(second, again, await deposit(second, again))).toMatchObject({ status: 1 });
});

/** Removes what migration 301 added, as if an older version had written the ledger. */
const removeHistoryStep = (path: string): void => {
  const ledger = new Database(path);
  ledger.exec(`DROP TABLE solana_transaction_keys; DROP INDEX solana_transactions_by_number;
    ALTER TABLE solana_transactions DROP COLUMN number; ALTER TABLE solana_transactions DROP COLUMN effects;
    DELETE FROM steps WHERE number = 301`);
  ledger.close();
};

test('migrates a ledger without transaction effects, and reads old and new transactions', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  const key = await newWallet(first);
  const { transactionHash: old } = await sendOff(first, key, await deposit(first, key));
  const before = [await balancesOf(first, key), await positionOf(first, key)];
  await first.stop();
  removeHistoryStep(ledgerPath(io));

  const second = await startTestSandbox(io);
  const { rpc_url } = (await second.control('GET', 'solana')).body.data;
  const connection = new Connection(rpc_url, 'confirmed');
  const read = (signature: string) => connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect([await balancesOf(second, key), await positionOf(second, key)]).toEqual(before);
  const found = await read(old);
  expect(found?.transaction.signatures[0]).toBe(old);
  expect(found?.meta, 'its effects were not stored').toBeNull();
  expect((await connection.getSignatureStatus(old)).value).toMatchObject({ err: null });

  const { transactionHash: recent } = await sendOff(second, key, await deposit(second, key));
  expect((await read(recent))?.meta?.fee).toBeGreaterThan(0);
  const listed = await connection.getSignaturesForAddress(key.publicKey);
  expect(listed.map(({ signature }) => signature)).toEqual([recent]);
});

test('keeps every answered broadcast after kill -9, and every other of 60 wholly or not at all', async () => {
  const io = await launchingIo(program());
  onTestFinished(async () => void (await stopSandbox(io)));
  const address = await startSandbox(io, {});
  const client = clientOf(io, address);
  const wallets = [];
  for (let count = 0; count < 60; count += 1) wallets.push(await newWallet(client, { token: 'USDC' }));
  const signed = [];
  for (const key of wallets) signed.push(sign(key, (await deposit(client, key)).body.data.transaction));
  let answered = 0;
  const send = async (one: string) => {
    const status = await broadcast(client, one).then(
      ({ body }) => body.data?.status,
      () => undefined,
    );
    answered += 1;
    if (answered === 21) process.kill(address.pid, 'SIGKILL');
    return status;
  };
  // Answers of one commit come together. In waves of 20, the kill hits the second wave, and the third gets no answer.
  const answers = [];
  for (const wave of [0, 20, 40]) answers.push(...(await Promise.all(signed.slice(wave, wave + 20).map(send))));
  while (io.processes.isRunning(address.pid)) await io.clock.sleep(10);
  const again = clientOf(io, await startSandbox(io, {}));
  expect(answers.filter((status) => status === 1).length).toBeLessThan(60);
  for (const [index, key] of wallets.entries()) {
    const { USDC } = await balancesOf(again, key);
    // In a slow run the last digit has interest.
    const position = (await positionOf(again, key)).replace(/^99\.90000\d$/, '99.9');
    const state = [position, USDC];
    if (answers[index] === 1) expect(state).toEqual(['99.9', '9900']);
    else
      expect([
        ['99.9', '9900'],
        ['0', '10000'],
      ]).toContainEqual(state);
  }
});
