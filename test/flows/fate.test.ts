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

/** A block of the node's chain: every third one has a transaction, whose hash is its number. */
const blockAt = (tag: unknown) => {
  const number = tag === 'latest' ? HEAD : BigInt(String(tag));
  const at = NOW - Number(HEAD - number) * BLOCK_MS;
  return { number: hex(number), timestamp: hex(at / 1000), transactions: number % 3n === 0n ? [hex(number)] : [] };
};

type World = {
  /** How many transactions of the wallet its final blocks have. */
  readonly count: number;
  /** What the receipt of the bytes says. */
  readonly status?: '0x0' | '0x1';
  readonly ageMs?: number;
  /** How old blocks are whose receipts are gone. */
  readonly forgetsMs?: number;
};

/** What is made of a node of polygon, and what it was asked. */
const fateWith = async ({ count, status, ageMs = 0, forgetsMs = 1e12 }: World) => {
  const asked: string[] = [];
  const receipt = (hash: unknown) => {
    if (hash === '0x1') return status === undefined ? null : { status };
    return Number(HEAD - BigInt(String(hash))) * BLOCK_MS < forgetsMs ? { status: '0x1' } : null;
  };
  const answers: Readonly<Record<string, (given: unknown) => unknown>> = {
    eth_chainId: () => '0x89',
    eth_getTransactionCount: () => hex(count),
    eth_getTransactionReceipt: receipt,
    eth_getBlockByNumber: blockAt,
  };
  const ask = async (method: string, [given]: readonly unknown[]) => {
    asked.push(method);
    return { ok: true, result: answers[method]?.(given) };
  };
  const node = { origin: 'https://node.example', ask } as unknown as ChainNode;
  return { fate: await finalityOf(node, await signed(NOW - ageMs)), asked };
};

const finality = async (world: World) => (await fateWith(world)).fate;

describe('a signed transaction, by what a node shows', () => {
  it('that reverted in a block that may be exchanged can pay yet: no other is signed in its place', async () => {
    expect(await finality({ count: NONCE, status: '0x0' })).toBe('open');
    expect(await finality({ count: NONCE + 1, status: '0x0' })).toBe('reverted');
  });

  it('that has no receipt is dead when its nonce was used in blocks that stay, and not before', async () => {
    expect(await finality({ count: NONCE })).toBe('open');
    expect(await finality({ count: NONCE + 1 })).toBe('dead');
  });

  it('that has landed has landed', async () => {
    expect(await finality({ count: NONCE, status: '0x1' })).toBe('landed');
  });

  it.each([2, 24, 24 * 30])(
    'of %d hours ago and without a receipt is dead by a node that still has receipts as old, and by no other',
    async (hours) => {
      const ageMs = hours * HOUR_MS;
      expect(await finality({ count: NONCE + 1, ageMs })).toBe('dead');
      expect(await finality({ count: NONCE + 1, ageMs, forgetsMs: ageMs / 2 })).toBe('open');
    },
  );

  it('of a month ago is found out about with few questions', async () => {
    expect((await fateWith({ count: NONCE + 1, ageMs: 30 * 24 * HOUR_MS })).asked.length).toBeLessThan(30);
  });

  it('that was begun after the newest block of a node is not for that node to judge', async () => {
    expect(await finality({ count: NONCE + 1, ageMs: -HOUR_MS })).toBe('open');
  });
});
