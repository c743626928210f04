import { Keypair } from '@solana/web3.js';
import { expect, onTestFinished, test } from 'vitest';
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

test('fund: the coin and every token, or one token and the coin for its fees; amounts as asked, added up', async () => {
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

test('what cannot be funded is refused with its field', async () => {
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

test('a restart changes nothing: balances, positions, what was executed; a reset forgets it all', async () => {
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

test('kill -9 among 60 broadcasts: what was answered is there, all else is whole or not there at all', async () => {
  const io = await launchingIo(program());
  onTestFinished(async () => void (await stopSandbox(io)));
  const address = await startSandbox(io, {});
  const client = clientOf(io, address);
  const wallets = [];
  for (let each = 0; each < 60; each += 1) wallets.push(await newWallet(client, { token: 'USDC' }));
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
  // In waves, for the answers of one moment come together: the kill meets the second, and none of the third is answered.
  const answers = [];
  for (const wave of [0, 20, 40]) answers.push(...(await Promise.all(signed.slice(wave, wave + 20).map(send))));
  while (io.processes.isRunning(address.pid)) await io.clock.sleep(10);
  const again = clientOf(io, await startSandbox(io, {}));
  expect(answers.filter((status) => status === 1).length).toBeLessThan(60);
  for (const [index, key] of wallets.entries()) {
    const { USDC } = await balancesOf(again, key);
    // Of a slow run the last digit is interest.
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
