import { expect, test } from 'vitest';
import { EVM_CHAINS, type EvmChain } from '../../../src/contract/chains.ts';
import { readBalance, readNonce } from '../../../src/sandbox/chains/node.ts';
import type { Rpc } from '../../../src/sandbox/chains/rpc.ts';
import { openGate } from '../../../src/sandbox/chains/turns.ts';
import { newAddress } from './support.ts';

test('reads nonces and balances only while no block is mined, to avoid a BlockOutOfRangeError of the node', async () => {
  const gate = openGate();
  let isMining = false;
  // anvil returns this error to reads while it mines a block.
  const rpc: Rpc = async () =>
    isMining
      ? { ok: false, code: -32602, message: 'BlockOutOfRangeError: block height is 2 but requested was 1' }
      : { ok: true, result: `0x${'7'.padStart(64, '0')}` };
  const mining = gate.alone(async () => {
    isMining = true;
    await new Promise((resolve) => setTimeout(resolve, 20));
    isMining = false;
  });
  const open = { chain: EVM_CHAINS[0] as EvmChain, rpc, between: gate.together };
  const reads = [
    readNonce(open, newAddress()),
    readBalance(open, newAddress(), undefined),
    readBalance(open, newAddress(), 'USDT'),
  ];
  expect((await Promise.all(reads)).map(Number)).toEqual([7, 7, 7]);
  await mining;
});
