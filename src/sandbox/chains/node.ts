import { type EvmChain, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { readBalance } from './balance.ts';
import { type BuiltTransfer, buildTransfer, type Transfer } from './build-transfer.ts';
import type { OpenChain } from './chain.ts';
import { fund } from './fund.ts';
import { readNonce } from './nonce.ts';
import { type Receipt, readReceipt } from './receipt.ts';
import type { RpcAnswer } from './rpc.ts';
import { recoverSigner, type Signature } from './signer.ts';
import { decimalsOf } from './token.ts';

/** A transaction that was mined, in success (`isGood`) or reverted; or the node's refusal. */
export type Sent =
  | { readonly ok: true; readonly hash: string; readonly isGood: boolean }
  | { readonly ok: false; readonly message: string };

/** A sandbox chain. Calls throw `sandbox_unavailable` once its node has died: take the node anew for each piece of work. */
export type EvmNode = {
  readonly chain: EvmChain;
  /** The private chain id. */
  readonly chainId: number;
  /** The next nonce of an address. */
  readonly nonce: (address: string) => Promise<number>;
  /** Who made an ECDSA signature of a digest, in lower case, as the EVM sees it; `undefined` when nobody did. */
  readonly signerOf: (digest: string, signature: Signature) => Promise<string | undefined>;
  /** In smallest units. The token is USDT or USDC; the native coin is its own symbol, or `undefined`. */
  readonly balance: (address: string, token: string | undefined) => Promise<bigint>;
  readonly tokenDecimals: (symbol: string | undefined) => number;
  /** Gives coin or tokens out of nothing, on top of what is there; kept when it resolves. */
  readonly fund: (address: string, token: string | undefined, units: bigint) => Promise<void>;
  readonly buildTransfer: (transfer: Transfer) => Promise<BuiltTransfer>;
  /** Resolves when the transaction is mined and kept, or is refused. */
  readonly send: (raw: string) => Promise<Sent>;
  /** `undefined` for a transaction that was never mined. */
  readonly receipt: (hash: string) => Promise<Receipt | undefined>;
  /** A call of the node's own JSON-RPC that changes nothing. */
  readonly read: (method: string, params: readonly unknown[]) => Promise<RpcAnswer>;
};

const send = async (open: OpenChain, raw: string): Promise<Sent> => {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return { ok: false, message: 'it is not hex with a leading 0x' };
  const applied = await open.change({ kind: 'signed', raw });
  if (!applied.ok) return applied;
  if (!applied.mined) throw new Failure('internal', 'a signed transaction was mined without a receipt');
  const { hash, isGood } = applied.mined;
  return { ok: true, hash, isGood };
};

/** The calls of a chain whose node runs. */
export const nodeOf = (open: OpenChain): EvmNode => ({
  chain: open.chain,
  chainId: sandboxChainId(open.chain.id),
  nonce: (address) => readNonce(open, address),
  signerOf: (digest, signature) => recoverSigner(open, digest, signature),
  balance: (address, token) => readBalance(open, address, token),
  tokenDecimals: (symbol) => decimalsOf(open.chain, symbol),
  fund: (address, token, units) => fund(open, address, token, units),
  buildTransfer: (transfer) => buildTransfer(open, transfer),
  send: (raw) => send(open, raw),
  receipt: (hash) => readReceipt(open, hash),
  read: open.read,
});
