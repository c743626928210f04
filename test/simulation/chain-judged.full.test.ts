import { Wallet } from 'ethers/wallet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeBalanceOf, encodeTransfer } from '../../src/sandbox/chains/contracts/encode.ts';
import { toHex } from '../../src/sandbox/chains/rpc.ts';
import { startTestAnvil, type TestAnvil } from '../support/anvil.ts';
import { COIN, newPair, type Pair } from './chain-pair.ts';
import { numbersFrom } from './decisions.ts';
import { FINAL_DEPTH, newEvmChain } from './evm-chain.ts';
import { ZERO_ADDRESS } from './evm-ledger.ts';
import { CHAIN_ID, TOKEN } from './service.ts';

/*
 * Compares the simulated chain with anvil: both get the same random operations, and must give the same answers. A block
 * has the number of blocks above it as its name, because the chains differ in age.
 */

const SEQUENCES = 200;
const OPERATIONS = 14;

const accountOf = (digit: string) => {
  const wallet = new Wallet(`0x${digit.repeat(64)}`);
  return { wallet, address: wallet.address.toLowerCase() };
};

type Account = ReturnType<typeof accountOf>;

/** Two payers who also pay each other, an account without coins, and a receiver. */
const [anna, bruno, poor] = [accountOf('1'), accountOf('2'), accountOf('3')];
const RECEIVER = '0x4444444444444444444444444444444444444444';
const UNITS = { [anna.address]: 1_000n, [bruno.address]: 50n };

const FUNDS: ReadonlyMap<string, bigint> = new Map([
  ...Object.entries(UNITS).map(([owner, units]) => [`${TOKEN} ${owner}`, units] as const),
  [`coin ${poor.address}`, 0n],
]);

let anvil: TestAnvil;

beforeAll(async () => {
  // For anvil a block is final after two epochs.
  anvil = await startTestAnvil(CHAIN_ID, '--slots-in-an-epoch', String(FINAL_DEPTH / 2));
  await anvil.putToken(TOKEN, UNITS);
  // In the simulation each account has coins.
  for (const address of [anna.address, bruno.address, RECEIVER]) {
    await anvil.call('anvil_setBalance', address, toHex(100n * COIN));
  }
  await anvil.call('anvil_mine', toHex(2 * FINAL_DEPTH));
});

afterAll(() => anvil.stop());

/** Valid calls of a token, each kind of call that the token reverts, and a payment of coins. */
const REQUESTS: Readonly<Record<string, (to: string, units: bigint) => { to: string; data: string; value?: bigint }>> =
  {
    token: (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units }) }),
    'a large part': (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units: units * 100n }) }),
    'above the balance': (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units: units + 5_000n }) }),
    'trailing bytes': (to, units) => ({ to: TOKEN, data: `${encodeTransfer({ to, units })}00` }),
    'truncated data': (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units }).slice(0, -2) }),
    'a malformed address': (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units }).replace('bb00', 'bb01') }),
    'to the zero address': (_, units) => ({ to: TOKEN, data: encodeTransfer({ to: ZERO_ADDRESS, units }) }),
    'with coins': (to, units) => ({ to: TOKEN, data: encodeTransfer({ to, units }), value: 1n }),
    coins: (to, units) => ({ to, data: '0x', value: (units % 3n) * COIN }),
  };

/**
 * Fees in tenths of the usual fee. Two fees are equal or differ by a tenth at least: for a smaller difference anvil replaces
 * a transaction, and go-ethereum and the simulation do not.
 */
const TENTHS = [5n, 10n, 10n, 11n, 20n] as const;

type Order = {
  readonly kind: string;
  readonly to: string;
  readonly units: bigint;
  readonly nonce: number;
  readonly tenths: bigint;
  readonly chainId: number;
};

const signed = new Map<string, Promise<string>>();

/** Signs each distinct transaction once, because the sequences share many. */
const sign = ({ wallet, address }: Account, order: Order): Promise<string> => {
  const { kind, to, units, nonce, tenths, chainId } = order;
  const key = [address, ...Object.values(order)].join(' ');
  const fees = { maxFeePerGas: 20n * 10n ** 9n * tenths, maxPriorityFeePerGas: 3n * 10n ** 9n * tenths };
  const request = { type: 2, chainId, nonce, gasLimit: 90_000n, ...REQUESTS[kind]?.(to, units), ...fees };
  const made = signed.get(key) ?? wallet.signTransaction(request);
  signed.set(key, made);
  return made;
};

/** How often each answer occurred. An answer that does not occur is not compared. */
const occurred = new Map<string, number>();

const count = (method: string, answer: string): void => {
  const name = `${method}: ${answer}`;
  occurred.set(name, (occurred.get(name) ?? 0) + 1);
};

/** Runs one random operation: most send a transaction, some mine or replace blocks, the rest read. */
const runOperation = async (pair: Pair, next: () => number): Promise<void> => {
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const account = pick([anna, anna, bruno, bruno, poor]);
  const chance = below(20);
  if (chance < 8) {
    const shift = pick([0, 0, 0, 0, 0, 1, 1, 2, -1]);
    const order: Order = {
      kind: pick(['token', 'token', 'token', 'a large part', ...Object.keys(REQUESTS)]),
      to: pick([RECEIVER, anna.address, bruno.address]),
      units: BigInt(1 + below(4)),
      nonce: pair.nonceAfter(account.address, shift),
      tenths: pick(TENTHS),
      chainId: next() < 0.05 ? 1 : CHAIN_ID,
    };
    pair.story.push(`${account.address.slice(0, 6)} sends ${Object.values(order).join(' ')}`);
    return pair.send(await sign(account, order));
  }
  const raw = pick([...pair.raws.values()]);
  if (chance < 10 && raw !== undefined) {
    pair.story.push(`again ${raw.slice(-6)}`);
    return pair.send(raw);
  }
  if (chance < 15) {
    const blocks = pick([1, 1, 1, 1, 1, 1, 2, 2, FINAL_DEPTH + 1]);
    pair.story.push(`${blocks} blocks`);
    return pair.mine(blocks);
  }
  if (chance < 17) {
    const depth = pick([1, 1, 1, 2, 3, FINAL_DEPTH - 1]);
    const lost = await pair.reorganise(depth);
    pair.story.push(`${depth} blocks replaced, ${lost} transactions wait again`);
    return count('a replaced block', lost > 0 ? 'with transactions' : 'without');
  }
  const { address } = account;
  if (chance < 18) await pair.ask('eth_sendRawTransaction', pick(['0xdead', '0x', '0x02', raw?.slice(0, -2) ?? '0x']));
  const { to, data } = REQUESTS[pick(Object.keys(REQUESTS))]?.(RECEIVER, BigInt(1 + below(4))) ?? { to: '', data: '' };
  const call = { from: address, to, input: data, gas: '0x15f90' };
  if (chance < 19) await pair.ask('eth_call', call, 'latest');
  const balance = { from: address, to: TOKEN, input: encodeBalanceOf(address), gas: '0x30d40' };
  const options = { blockStateCalls: [{ calls: [balance, call, balance] }], traceTransfers: true, validation: false };
  await pair.ask('eth_simulateV1', options, 'latest');
  return undefined;
};

/** Reads the accounts, the transactions and the newest blocks of both chains. */
const readAll = async ({ ask, raws }: Pair): Promise<void> => {
  const reads: (readonly [string, ...(readonly unknown[])])[] = [];
  for (const address of [anna.address, bruno.address, RECEIVER]) {
    for (const tag of ['latest', 'pending', 'finalized', 2, -1]) reads.push(['eth_getTransactionCount', address, tag]);
    reads.push(
      ['eth_getBalance', address, 'latest'],
      ['eth_call', { to: TOKEN, data: encodeBalanceOf(address) }, 'latest'],
    );
  }
  for (const hash of [...raws.keys(), `0x${'12'.repeat(32)}`]) {
    reads.push(['eth_getTransactionReceipt', hash], ['eth_getTransactionByHash', hash]);
  }
  for (const block of ['latest', 'finalized', 0, 1, 2, -1]) reads.push(['eth_getBlockByNumber', block, false]);
  await Promise.all(reads.map(([method, ...params]) => ask(method, ...params)));
};

/** The answers that must occur in these sequences. */
const REQUIRED_ANSWERS: readonly string[] = [
  ...['known', 'used nonce', 'underpriced', 'no funds', 'other chain', 'no transaction', 'a result'].map(
    (answer) => `eth_sendRawTransaction: ${answer}`,
  ),
  ...['0x1', '0x0', 'null'].map((answer) => `eth_getTransactionReceipt: ${answer}`),
  ...['a result', 'null'].map((answer) => `eth_getTransactionByHash: ${answer}`),
  ...['a result', 'reverted'].map((answer) => `eth_call: ${answer}`),
  ...['eth_simulateV1: a result', 'a replaced block: with transactions', 'eth_getTransactionCount: no such block'],
];

it('the simulated chain and anvil give the same answers to 200 random sequences of operations', async () => {
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const snapshot = await anvil.call('evm_snapshot');
    const chain = newEvmChain(CHAIN_ID, FUNDS);
    const pair = await newPair({ anvil, chain, token: TOKEN, name: `sequence ${seed}`, count });
    const next = numbersFrom(seed);
    for (let done = 0; done < OPERATIONS; done += 1) await runOperation(pair, next);
    await readAll(pair);
    await pair.compareEffects();
    await anvil.call('evm_revert', snapshot);
    await anvil.call('anvil_dropAllTransactions');
  }
  for (const answer of REQUIRED_ANSWERS) expect(occurred.get(answer) ?? 0, answer).toBeGreaterThan(9);
});
