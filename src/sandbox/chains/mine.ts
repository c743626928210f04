import { Failure } from '../../core/failure.ts';
import { DEPLOYER } from './deployer.ts';
import { toHex } from './hex.ts';
import { ask, type Rpc } from './rpc.ts';

/** A transaction that was mined, whatever came of it, or the node's words for why it cannot be. */
export type Mined = { readonly ok: true; readonly hash: string } | { readonly ok: false; readonly message: string };

/** Every block has this base fee: 1 gwei. Left alone it would sink to nothing in a chain with so little traffic. */
export const BASE_FEE = 1_000_000_000n;

/** Sets the base fee of the next block; anvil forgets it with each block. */
export const setBaseFee = (rpc: Rpc): Promise<unknown> =>
  ask(rpc, 'anvil_setNextBlockBaseFeePerGas', [toHex(BASE_FEE)]);

const send = async (rpc: Rpc, method: string, transaction: unknown): Promise<Mined> => {
  const sent = await rpc(method, [transaction]);
  if (!sent.ok) return { ok: false, message: sent.message };
  const hash = String(sent.result);
  const { pending } = (await ask(rpc, 'txpool_status')) as { readonly pending: string };
  if (BigInt(pending) === 0n) {
    // anvil takes a nonce that is too high, and would wait for those before it for ever.
    await ask(rpc, 'anvil_dropTransaction', [hash]);
    return { ok: false, message: 'nonce too high' };
  }
  await ask(rpc, 'evm_mine');
  const [receipt] = await Promise.all([ask(rpc, 'eth_getTransactionReceipt', [hash]), setBaseFee(rpc)]);
  if (!receipt) throw new Failure('internal', `the node mined a block without the transaction ${hash}`);
  return { ok: true, hash };
};

/** Mines a signed transaction in a block of its own. Calls must not overlap: the order is the chain's history. */
export const mineSigned = (rpc: Rpc, raw: string): Promise<Mined> => send(rpc, 'eth_sendRawTransaction', raw);

/** Fees are pinned: a fee that the node suggests would depend on history that it loses when it ends. */
const OWN_FEES = { gas: toHex(3_000_000), maxFeePerGas: toHex(2n * BASE_FEE), maxPriorityFeePerGas: '0x0' };

/** Mines a transaction of the deployer; without `to` it creates a contract. It may revert: ask for its receipt. */
export const mineOwn = (rpc: Rpc, call: { readonly to?: string; readonly data: string }): Promise<Mined> =>
  send(rpc, 'eth_sendTransaction', { from: DEPLOYER, ...call, ...OWN_FEES });
