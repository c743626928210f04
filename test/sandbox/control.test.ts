import { expect, test } from 'vitest';
import { EVM_CHAINS } from '../../src/contract/chains.ts';
import { fund, readBalances, switchChain } from '../../src/contract/control/chains.ts';
import { CONTROL_ENDPOINTS } from '../../src/contract/control/index.ts';
import { health, reset } from '../../src/contract/control/process.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { newPayer, prepare, statusOf } from './payer.ts';
import { sandboxIo, startTestSandbox } from './sandbox.ts';

const start = async () => startTestSandbox(await sandboxIo(), { ephemeral: true, version: '1.2.3' });

test('the control answers its own key only, whatever is asked', async () => {
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

test('health says what runs, and nothing is started by asking', async () => {
  const { io, address } = await start();
  const shown = await controlClient(io, address)(health);
  expect(shown).toMatchObject({ version: '1.2.3', pid: process.pid, chains: [], ephemeral: true });
});

test('fund: the coin and every token, or one token and the coin for its fees; amounts as asked', async () => {
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

test('fund without a chain funds every chain', async () => {
  const { io, address } = await start();
  const { balances } = await controlClient(io, address)(fund, { address: newPayer().address });
  expect(new Set(balances.map(({ chain }) => chain)).size).toBe(EVM_CHAINS.length);
  expect(balances.every(({ amount }) => amount === '10' || amount === '10000')).toBe(true);
});

test('what cannot be funded is refused with its field', async () => {
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
    const seen = await control('POST', 'fund', body);
    expect([seen.http, seen.body.status, seen.body.errors?.[0]?.field]).toEqual([400, 'invalid_parameters', field]);
  }
  await expect(controlClient(io, address)(fund, { address: 'someone' })).rejects.toMatchObject({ code: 'rejected' });
});

test('reset forgets payments, settings and balances; the keys stay', async () => {
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

test('a sandbox that is not there is one clear failure', async () => {
  const { io, address, stop } = await start();
  await stop();
  await expect(controlClient(io, address)(health)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
});
