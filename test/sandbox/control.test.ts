import { expect, test } from 'vitest';
import { EVM_CHAINS } from '../../src/contract/chains.ts';
import { fund, readBalances, switchChain } from '../../src/contract/control/chains.ts';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { health, reset } from '../../src/contract/control/process.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { newPayer, prepare, statusOf } from './payer.ts';
import { sandboxIo, startTestSandbox } from './sandbox.ts';

const start = async () => startTestSandbox(await sandboxIo(), { ephemeral: true, version: '1.2.3' });

test('rejects every call of the control without the control key', async () => {
  const { call, address } = await start();
  expect(CONTROL_ENDPOINTS.length).toBeGreaterThan(20);
  for (const { method, path } of CONTROL_ENDPOINTS) {
    for (const key of [undefined, 'wrong', address.api_key]) {
      const headers = key === undefined ? {} : { 'x-control-key': key };
      const { http, body } = await call(method, path, { headers });
      expect([path, key, http, body.status]).toEqual([path, key, 401, 'unauthorized']);
    }
  }
  expect((await call('GET', '/quote/market?from=ETH&to=USDT')).http).toBe(200);
});

test('shows version, process and running chains in health, and starts no chain', async () => {
  const { io, address } = await start();
  const answer = await controlClient(io, address)(health);
  expect(answer).toMatchObject({ version: '1.2.3', pid: process.pid, chains: [], ephemeral: true });
});

test('funds an EVM address with the coin and all tokens, or with the coin and the requested amount of one token', async () => {
  const { io, address } = await start();
  const client = controlClient(io, address);
  const [one, other] = [newPayer().address, newPayer().address];
  const all = await client(fund, { address: one, chain: 'bsc' });
  expect(all.balances).toEqual([
    { chain: 'bsc', symbol: 'BNB', amount: '10' },
    { chain: 'bsc', symbol: 'USDT', amount: '10000' },
    { chain: 'bsc', symbol: 'USDC', amount: '10000' },
  ]);
  const some = await client(fund, { address: other, chain: 'bsc', token: 'USDC', amount: '2.5' });
  expect(some.balances.map(({ amount }) => amount)).toEqual(['10', '0', '2.5']);
  expect(await client(readBalances, { address: other, chain: 'bsc' })).toEqual(some);
  expect((await client(health)).chains).toEqual(['bsc']);
});

test('funds an address on every EVM chain when the request names no chain', async () => {
  const { io, address } = await start();
  const { balances } = await controlClient(io, address)(fund, { address: newPayer().address });
  expect(new Set(balances.map(({ chain }) => chain)).size).toBe(EVM_CHAINS.length);
  expect(balances.every(({ amount }) => amount === '10' || amount === '10000')).toBe(true);
});

test('names the wrong field of a fund request', async () => {
  const { io, address, control } = await start();
  for (const [body, field] of [
    [{ address: 'someone' }, 'address'],
    [{ address: '0x52908400098527886E0F7030069857D2E4169Ee7' }, 'address'],
    [{ address: newPayer().address, chain: 'bsc', amount: '9'.repeat(30) }, 'amount'],
    [{ address: newPayer().address, chain: 'mars' }, 'chain'],
    [{ address: newPayer().address, chain: 'bsc', token: 'DOGE' }, 'token'],
    [{ address: newPayer().address, token: 'DOGE' }, 'token'],
    [{ address: newPayer().address, chain: 'polygon', token: 'USDT', amount: '0.0000001' }, 'amount'],
    [{ address: newPayer().address, chain: 'polygon', token: 'USDT', amount: '1e9' }, 'amount'],
  ] as const) {
    const answer = await control('POST', 'fund', body);
    expect([answer.http, answer.body.status, answer.body.errors?.[0]?.field]).toEqual([
      400,
      'invalid_parameters',
      field,
    ]);
  }
  await expect(controlClient(io, address)(fund, { address: 'someone' })).rejects.toMatchObject({ code: 'rejected' });
});

test('removes payments, settings and balances on reset, and keeps the keys valid', async () => {
  const sandbox = await start();
  const client = controlClient(sandbox.io, sandbox.address);
  const { id, payer } = await prepare(sandbox);
  await client(fund, { address: payer.address, chain: 'polygon', token: 'USDT' });
  await client(switchChain, { name: 'polygon', enabled: false });
  await client(reset);
  expect(await statusOf(sandbox, id)).toBeUndefined();
  expect(
    (await client(readBalances, { address: payer.address, chain: 'polygon' })).balances.every(
      ({ amount }) => amount === '0',
    ),
  ).toBe(true);
  expect((await prepare(sandbox)).id).not.toBe(id);
});

test('fails with sandbox_unavailable when the sandbox has stopped', async () => {
  const { io, address, stop } = await start();
  await stop();
  await expect(controlClient(io, address)(health)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
});
