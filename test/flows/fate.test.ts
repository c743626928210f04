import { Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import type { ChainNode } from '../../src/client/node.ts';
import { fateOf } from '../../src/flows/node/fate.ts';

const WALLET = new Wallet(`0x${'17'.repeat(32)}`);
const NONCE = 4;

const signed = async () => {
  const fields = { type: 2, chainId: 137, nonce: NONCE, to: WALLET.address, value: 1n, gasLimit: 21_000n };
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  return {
    signed_transaction: await WALLET.signTransaction({ ...fields, ...fees }),
    hash: '0x1',
    from: WALLET.address,
  };
};

/** What is made of a node of polygon whose final blocks have so many transactions of the wallet, and of this receipt. */
const fateWith = async (count: number, status: '0x0' | '0x1' | undefined) => {
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x89',
    eth_getTransactionCount: `0x${count.toString(16)}`,
    eth_getTransactionReceipt: status === undefined ? null : { status },
  };
  const ask = async (method: string) => ({ ok: true, result: answers[method] });
  return fateOf({ origin: 'https://node.example', ask } as unknown as ChainNode, await signed());
};

describe('a signed transaction, by what a node shows', () => {
  it('that reverted in a block that may be exchanged can pay yet: no other is signed in its place', async () => {
    expect(await fateWith(NONCE, '0x0')).toBe('open');
    expect(await fateWith(NONCE + 1, '0x0')).toBe('reverted');
  });

  it('that has no receipt is dead when its nonce was used in blocks that stay, and not before', async () => {
    expect(await fateWith(NONCE, undefined)).toBe('open');
    expect(await fateWith(NONCE + 1, undefined)).toBe('dead');
  });

  it('that has landed has landed', async () => {
    expect(await fateWith(NONCE, '0x1')).toBe('landed');
  });
});
