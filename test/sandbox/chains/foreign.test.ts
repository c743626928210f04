import { Wallet } from 'ethers/wallet';
import { expect, onTestFinished, test } from 'vitest';
import { EVM_CHAINS, type EvmChain } from '../../../src/contract/chains.ts';
import { openChain } from '../../../src/sandbox/chains/chain.ts';
import { type EvmNode, nodeOf } from '../../../src/sandbox/chains/node.ts';
import { memoryStore, type Store } from '../../../src/sandbox/chains/store.ts';
import { temporaryFolder } from '../../support/io.ts';
import { ETHER, fundedPayer, killNode, newAddress, nodesIn, pay } from './support.ts';

const POLYGON = EVM_CHAINS.find(({ name }) => name === 'polygon') as EvmChain;

const open = async (store: Store) => {
  const opened = await openChain(POLYGON, store);
  onTestFinished(opened.stop);
  return opened;
};

/** A transaction of type 4 without an authorization: anvil accepts it, but cannot put it into a block. */
const unminable = async (node: EvmNode): Promise<string> => {
  const wallet = Wallet.createRandom();
  await node.fund(wallet.address, undefined, ETHER);
  return wallet.signTransaction({
    type: 4,
    to: newAddress(),
    nonce: 0,
    chainId: node.chainId,
    gasLimit: 100_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
    authorizationList: [],
  });
};

test('rejects a transaction that fits into no block, and still mines concurrent payments', async () => {
  const nodes = nodesIn(await temporaryFolder());
  const node = await nodes.on('polygon');
  const [raw, ...payers] = await Promise.all([unminable(node), fundedPayer(node), fundedPayer(node)]);
  const bad = () => node.send(raw);
  const paid = payers.map((payer) => pay(node, payer, newAddress(), 5n));
  const [first, last, ...hashes] = await Promise.all([bad(), bad(), ...paid]);
  expect([first, last]).toEqual([false, false].map((ok) => ({ ok, message: expect.any(String) })));
  await killNode(nodes, 'polygon');
  const restored = await nodes.on('polygon');
  for (const hash of hashes) expect((await restored.receipt(String(hash)))?.status).toBe('success');
  for (const payer of payers) await pay(restored, payer, newAddress(), 5n);
});

test('fails only the call whose parameter the node cannot parse', async () => {
  const node = await nodesIn().on('polygon');
  const payer = await fundedPayer(node);
  const outcomes = await Promise.allSettled([
    node.nonce(payer.address),
    node.read('eth_getBalance', ['\ud800', 'latest']),
    node.nonce(payer.address),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('answers a read of a foreign client only when the mined payment is on the disk', async () => {
  const store = memoryStore();
  let [isHeld, release]: [boolean, () => void] = [false, () => undefined];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const append: Store['append'] = async (changes) => {
    if (isHeld) await held;
    return store.append(changes);
  };
  const node = nodeOf(await open({ ...store, append }));
  const [payer, receiver] = [await fundedPayer(node), newAddress()];
  isHeld = true;
  const paying = pay(node, payer, receiver, 5n);
  const isMined = async () => (await node.balance(receiver, undefined)) === 5n;
  await expect.poll(isMined).toBe(true);
  const reading = node.read('eth_getBalance', [receiver, 'latest']).then(() => 'read');
  const pause = new Promise((resolve) => setTimeout(() => resolve('not yet'), 200));
  expect(await Promise.race([reading, pause])).toBe('not yet');
  release();
  expect(await reading).toBe('read');
  await paying;
});

test('stops using a node that has a change that is not in the log', async () => {
  const opened = await open(memoryStore());
  const payer = await fundedPayer(nodeOf(opened));
  const paying = [
    pay(nodeOf(opened), payer, newAddress(), 5n),
    opened.change({ kind: 'coin', to: '0x12', units: '0x1' }),
  ];
  const outcomes = await Promise.allSettled([...paying, opened.ended]);
  expect(outcomes.at(1)?.status).toBe('rejected');
  await expect(opened.rpc('eth_chainId')).rejects.toThrow('does not answer');
});
