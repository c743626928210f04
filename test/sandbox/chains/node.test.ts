import { expect, test } from 'vitest';
import { EVM_CHAINS } from '../../../src/contract/chains.ts';
import { ETHER, fundedPayer, newAddress, newPayer, nodesIn, pay } from './support.ts';

test('pays a native amount to the last unit, and takes exactly the gas fee in addition', async () => {
  const node = await nodesIn().on('ethereum');
  const payer = await fundedPayer(node);
  const receiver = newAddress();
  const hash = await pay(node, payer, receiver, 1_000_000_000_000_000_001n);
  const receipt = await node.receipt(hash);
  expect(receipt?.status).toBe('success');
  expect(await node.balance(receiver, undefined)).toBe(1_000_000_000_000_000_001n);
  const fee = (receipt?.gasUsed ?? 0n) * (receipt?.effectiveGasPrice ?? 0n);
  expect(fee).toBe(21_000n * 2_000_000_000n);
  expect(await node.balance(payer.address, 'ETH')).toBe(9n * ETHER - 1n - fee);
  expect(await node.nonce(payer.address)).toBe(1);
});

test('pays a token amount with the decimals of the chain', async () => {
  const node = await nodesIn().on('bsc');
  const payer = await fundedPayer(node);
  const receiver = newAddress();
  await pay(node, payer, receiver, 12n * ETHER, 'USDT');
  expect(node.tokenDecimals('USDT')).toBe(18);
  expect(await node.balance(receiver, 'USDT')).toBe(12n * ETHER);
  expect(await node.balance(payer.address, 'USDT')).toBe(988n * ETHER);
  expect(await node.balance(receiver, 'USDC')).toBe(0n);
});

test.each(['USDT', undefined])(
  'pays several receivers their shares in one transaction, without an approval (token: %s)',
  async (token) => {
    const node = await nodesIn().on('polygon');
    const payer = await fundedPayer(node);
    const amounts = [
      { to: newAddress(), units: 7_000_001n },
      { to: newAddress(), units: 3n },
      { to: newAddress(), units: 0n },
    ];
    const built = await node.buildTransfer({ from: payer.address, token, amounts });
    expect(built.value).toBe(token ? 0n : 7_000_004n);
    const sent = await node.send(await payer.sign(built));
    expect(sent).toMatchObject({ ok: true });
    for (const { to, units } of amounts) expect(await node.balance(to, token)).toBe(units);
    expect(await node.nonce(payer.address)).toBe(1);
  },
);

test('mines a payment above the balance of the payer as reverted, and pays nobody', async () => {
  const node = await nodesIn().on('base');
  const payer = newPayer();
  await node.fund(payer.address, undefined, ETHER);
  const amounts = [
    { to: newAddress(), units: 5n },
    { to: newAddress(), units: 6n },
  ];
  await node.fund(payer.address, 'USDC', 10n);
  const built = await node.buildTransfer({ from: payer.address, token: 'USDC', amounts });
  const sent = await node.send(await payer.sign(built));
  expect(sent).toMatchObject({ ok: true });
  const receipt = sent.ok ? await node.receipt(sent.hash) : undefined;
  expect(receipt?.status).toBe('reverted');
  expect(await node.balance(amounts[0]?.to ?? '', 'USDC')).toBe(0n);
  expect(await node.balance(payer.address, 'USDC')).toBe(10n);
});

test('returns the reason of the node for a refused transaction, and changes nothing', async () => {
  const node = await nodesIn().on('ethereum');
  const [poor, payer, receiver] = [newPayer(), await fundedPayer(node), newAddress()];
  const transfer = (from: string) =>
    node.buildTransfer({ from, token: undefined, amounts: [{ to: receiver, units: 1n }] });
  const forPoor = await poor.sign(await transfer(poor.address));
  expect(await node.send(forPoor)).toEqual({ ok: false, message: expect.stringMatching(/insufficient funds/i) });
  const built = await transfer(payer.address);
  expect(await node.send(await payer.sign({ ...built, nonce: 7 }))).toEqual({ ok: false, message: 'nonce too high' });
  expect(await node.send(await payer.sign({ ...built, chainId: 1 }))).toMatchObject({ ok: false });
  expect(await node.send('0x1234')).toMatchObject({ ok: false });
  expect(await node.send('hello')).toMatchObject({ ok: false });
  const raw = await payer.sign(built);
  expect(await node.send(raw)).toMatchObject({ ok: true });
  expect(await node.send(raw)).toMatchObject({ ok: false });
  expect(await node.balance(receiver, undefined)).toBe(1n);
  expect(await node.receipt(`0x${'11'.repeat(32)}`)).toBeUndefined();
});

test('builds a transaction with enough gas for a payer without a balance', async () => {
  const node = await nodesIn().on('arbitrum');
  const payer = newPayer();
  const amounts = [
    { to: newAddress(), units: 5n },
    { to: newAddress(), units: 6n },
  ];
  const built = await node.buildTransfer({ from: payer.address.toLowerCase(), token: 'USDT', amounts });
  expect(built).toMatchObject({ from: payer.address, chainId: 1_042_161, nonce: 0 });
  await node.fund(payer.address, undefined, ETHER);
  await node.fund(payer.address, 'USDT', 11n);
  expect(await node.send(await payer.sign(built))).toMatchObject({ ok: true });
  expect(await node.balance(amounts[1]?.to ?? '', 'USDT')).toBe(6n);
});

test('mines concurrent payments in shared blocks, and applies all payments and fundings', async () => {
  const node = await nodesIn().on('ethereum');
  const receiver = newAddress();
  const payers = await Promise.all(Array.from({ length: 20 }, () => fundedPayer(node)));
  const hashes = await Promise.all(payers.map((payer) => pay(node, payer, receiver, 5n, 'USDT')));
  await Promise.all(Array.from({ length: 10 }, () => node.fund(receiver, undefined, 3n)));
  expect(await node.balance(receiver, 'USDT')).toBe(100n);
  expect(await node.balance(receiver, undefined)).toBe(30n);
  const receipts = await Promise.all(hashes.map(node.receipt));
  expect(receipts.every((receipt) => receipt?.status === 'success')).toBe(true);
  expect(new Set(receipts.map((receipt) => receipt?.blockNumber)).size).toBeLessThan(20);
});

test('throws invalid_input for wrong addresses, tokens, amounts and chains', async () => {
  const node = await nodesIn().on('ethereum');
  const amounts = [{ to: newAddress(), units: 1n }];
  const invalid = { code: 'invalid_input' };
  await expect(node.balance('0x12', undefined)).rejects.toMatchObject(invalid);
  await expect(node.balance(newAddress(), 'DOGE')).rejects.toMatchObject(invalid);
  await expect(node.fund(newAddress(), 'USDT', -1n)).rejects.toMatchObject(invalid);
  await expect(node.fund(`0x${'0'.repeat(40)}`, 'USDT', 1n)).rejects.toMatchObject(invalid);
  await expect(node.buildTransfer({ from: newAddress(), token: 'POL', amounts })).rejects.toMatchObject(invalid);
  await expect(node.buildTransfer({ from: newAddress(), token: 'ETH', amounts: [] })).rejects.toMatchObject(invalid);
  await expect(nodesIn().on('solana')).rejects.toMatchObject(invalid);
});

test('uses no chain id of a real chain', async () => {
  const node = await nodesIn().on('polygon');
  expect(node.chainId).toBe(1_000_137);
  expect(EVM_CHAINS.map(({ id }) => id)).not.toContain(node.chainId);
});

test('reads balances without errors while fundings are mined', async () => {
  const node = await nodesIn().on('polygon');
  const holder = newAddress();
  const fundings = Array.from({ length: 60 }, () => node.fund(holder, 'USDT', 1n));
  const reads = Array.from({ length: 120 }, () => node.balance(holder, 'USDT'));
  const balances = await Promise.all(reads);
  await Promise.all(fundings);
  expect(balances.every((units) => units >= 0n && units <= 60n)).toBe(true);
  expect(await node.balance(holder, 'USDT')).toBe(60n);
});
