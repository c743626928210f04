import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getCreateAddress } from 'ethers/address';
import { expect, onTestFinished, test } from 'vitest';
import { EVM_CHAINS, SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { openChain } from '../../../src/sandbox/chains/chain.ts';
import {
  checksummed,
  encodeMint,
  encodeSplitNative,
  encodeSplitToken,
} from '../../../src/sandbox/chains/contracts/encode.ts';
import { DEPLOYER } from '../../../src/sandbox/chains/mine.ts';
import { ask } from '../../../src/sandbox/chains/rpc.ts';
import { memoryStore } from '../../../src/sandbox/chains/store.ts';
import { newAddress } from './support.ts';

const compiler = fileURLToPath(new URL('../../tools/compile-contracts.mjs', import.meta.url));

test('compiles the sources to the committed bytecode', async () => {
  const checked = await promisify(execFile)(process.execPath, [compiler, '--check']);
  expect(checked.stderr).toBe('');
});

test('derives the contract addresses that clients check from the deployer', () => {
  const [splitter, usdt, usdc] = [0, 1, 2].map((nonce) => getCreateAddress({ from: DEPLOYER, nonce }));
  expect(SANDBOX_CONTRACTS).toMatchObject({ splitter, USDT: usdt, USDC: usdc });
  expect(checksummed(DEPLOYER.toLowerCase())).toBe(DEPLOYER);
});

const openNew = async (name: string) => {
  const chain = EVM_CHAINS.find((one) => one.name === name);
  if (!chain) throw new Error(`there is no chain ${name}`);
  const open = await openChain(chain, memoryStore());
  onTestFinished(open.stop);
  return open;
};

test.each(EVM_CHAINS)(
  'deploys the tokens on $name at their addresses, with their decimals',
  async ({ name, tokens }) => {
    const { rpc } = await openNew(name);
    for (const symbol of ['USDT', 'USDC'] as const) {
      // The selector of decimals().
      const call = { to: SANDBOX_CONTRACTS[symbol], data: '0x313ce567' };
      expect(BigInt(String(await ask(rpc, 'eth_call', [call, 'latest'])))).toBe(BigInt(tokens[symbol].decimals));
    }
    expect(await ask(rpc, 'eth_getCode', [SANDBOX_CONTRACTS.splitter, 'latest'])).toMatch(/^0x60/);
  },
);

test('rejects a mint by a payer, and splitter calls without the exact coin or token amount', async () => {
  const { rpc, change } = await openNew('ethereum');
  const [payer, receiver] = [newAddress(), newAddress()];
  await change({ kind: 'mint', token: 'USDT', to: payer, units: '0x64' });
  await change({ kind: 'coin', to: payer, units: '0x64' });
  const { USDT, splitter } = SANDBOX_CONTRACTS;
  const call = (to: string, data: string, value = '0x0', from = payer) =>
    rpc('eth_call', [{ from, to, data, value }, 'latest']);
  const shares = [
    { to: receiver, units: 60n },
    { to: newAddress(), units: 40n },
  ];
  expect(await call(USDT, encodeMint({ to: payer, units: 1n }))).toMatchObject({ ok: false });
  expect(await call(splitter, encodeSplitToken(USDT, shares))).toMatchObject({ ok: true });
  expect(await call(splitter, encodeSplitToken(USDT, [...shares, { to: receiver, units: 1n }]))).toMatchObject({
    ok: false,
  });
  // A caller without tokens cannot move the tokens of the payer.
  expect(await call(splitter, encodeSplitToken(USDT, shares), '0x0', receiver)).toMatchObject({ ok: false });
  expect(await call(splitter, encodeSplitNative(shares), '0x64')).toMatchObject({ ok: true });
  expect(await call(splitter, encodeSplitNative(shares), '0x63')).toMatchObject({ ok: false });
  // The token contract cannot receive the native coin.
  expect(await call(splitter, encodeSplitNative([{ to: USDT, units: 1n }]), '0x1')).toMatchObject({ ok: false });
});

test('reverts a split with fewer amounts than receivers', async () => {
  const { rpc } = await openNew('ethereum');
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const data = `${encodeSplitNative([]).slice(0, 10)}${word(64)}${word(128)}${word(1)}${word(1)}${word(0)}`;
  const answer = await rpc('eth_call', [{ from: newAddress(), to: SANDBOX_CONTRACTS.splitter, data }, 'latest']);
  expect(answer).toMatchObject({ ok: false });
});
