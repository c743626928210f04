import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import type { ChainNode } from '../../src/client/node.ts';
import { finalityOf } from '../../src/flows/node/finality.ts';

const WALLET = new Wallet(`0x${'17'.repeat(32)}`);
const NONCE = 4;

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 0, 15, 9, 30);
const BLOCK_MS = 2000;
const HEAD = 40_000_000n;

const signed = async (begunAt: number) => {
  const fields = { type: 2, chainId: 137, nonce: NONCE, to: WALLET.address, value: 1n, gasLimit: 21_000n };
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const signed_transaction = await WALLET.signTransaction({ ...fields, ...fees });
  return { signed_transaction, hash: '0x1', from: WALLET.address, begunAt };
};

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

/** A block of the node's chain. Every third block has one transaction, whose hash is the number of the block. */
const blockAt = (tag: unknown) => {
  const number = tag === 'latest' ? HEAD : BigInt(String(tag));
  const at = NOW - Number(HEAD - number) * BLOCK_MS;
  return { number: hex(number), timestamp: hex(at / 1000), transactions: number % 3n === 0n ? [hex(number)] : [] };
};

type World = {
  /** How many transactions of the wallet the final blocks have. */
  readonly count: number;
  /** The status in the receipt of the signed transaction. */
  readonly status?: '0x0' | '0x1';
  readonly ageMs?: number;
  /** The node has no receipts of blocks older than this. */
  readonly forgetsMs?: number;
};

/** The finality that a node of polygon shows, and the methods that were called. */
const readFinality = async ({ count, status, ageMs = 0, forgetsMs = 1e12 }: World) => {
  const methods: string[] = [];
  const receipt = (hash: unknown) => {
    if (hash === '0x1') return status === undefined ? null : { status };
    return Number(HEAD - BigInt(String(hash))) * BLOCK_MS < forgetsMs ? { status: '0x1' } : null;
  };
  const answers: Readonly<Record<string, (argument: unknown) => unknown>> = {
    eth_chainId: () => '0x89',
    eth_getTransactionCount: () => hex(count),
    eth_getTransactionReceipt: receipt,
    eth_getBlockByNumber: blockAt,
  };
  const ask = async (method: string, [argument]: readonly unknown[]) => {
    methods.push(method);
    return { ok: true, result: answers[method]?.(argument) };
  };
  const node = { origin: 'https://node.example', ask } as unknown as ChainNode;
  return { result: await finalityOf(node, await signed(NOW - ageMs)), methods };
};

const finality = async (world: World) => (await readFinality(world)).result;

describe('the finality of a signed transaction', () => {
  it('is open while the block of its revert can be replaced, and reverted when that block is final', async () => {
    expect(await finality({ count: NONCE, status: '0x0' })).toBe('open');
    expect(await finality({ count: NONCE + 1, status: '0x0' })).toBe('reverted');
  });

  it('without a receipt is open until final blocks use its nonce, and then dead', async () => {
    expect(await finality({ count: NONCE })).toBe('open');
    expect(await finality({ count: NONCE + 1 })).toBe('dead');
  });

  it('is landed when its receipt shows success', async () => {
    expect(await finality({ count: NONCE, status: '0x1' })).toBe('landed');
  });

  it.each([2, 24, 24 * 30])(
    'of %d hours ago, without a receipt, is dead only at a node that still has receipts of that age',
    async (hours) => {
      const ageMs = hours * HOUR_MS;
      expect(await finality({ count: NONCE + 1, ageMs })).toBe('dead');
      expect(await finality({ count: NONCE + 1, ageMs, forgetsMs: ageMs / 2 })).toBe('open');
    },
  );

  it('of a month ago is found with fewer than 30 calls', async () => {
    expect((await readFinality({ count: NONCE + 1, ageMs: 30 * 24 * HOUR_MS })).methods.length).toBeLessThan(30);
  });

  it('is open at a node whose newest block is older than the operation', async () => {
    expect(await finality({ count: NONCE + 1, ageMs: -HOUR_MS })).toBe('open');
  });
});
