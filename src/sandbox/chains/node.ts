import { type EvmChain, SANDBOX_CONTRACTS, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { type BuiltTransfer, buildTransfer, decimalsOf, type Transfer, tokenOf } from './build-transfer.ts';
import type { OpenChain } from './chain.ts';
import type { Change } from './changes.ts';
import { fromHex, toHex } from './hex.ts';
import { ask, type RpcAnswer } from './rpc.ts';
import { readNonce, recoverSigner, type Signature } from './signer.ts';
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
  /** Creates coin or tokens, added to the balance; on the disk when it resolves. */
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

/** What an address has, in the smallest units of a token, or of the native coin without one. */
export const readBalance = async (
  { chain, rpc, between }: Pick<OpenChain, 'chain' | 'rpc' | 'between'>,
  address: string,
  symbol: string | undefined,
): Promise<bigint> => {
  const { checksummed, encodeBalanceOf } = await import('./contracts/encode.ts');
  const token = tokenOf(chain, symbol);
  const holder = checksummed(address);
  if (token === 'coin') return fromHex(await between(() => ask(rpc, 'eth_getBalance', [holder, 'latest'])));
  const call = { to: SANDBOX_CONTRACTS[token], data: encodeBalanceOf(holder) };
  return fromHex(await between(() => ask(rpc, 'eth_call', [call, 'latest'])));
};

/** More is no test money, and sums of it could pass what the chain can count. */
const MAX = 2n ** 128n;

const changeFor = (token: ReturnType<typeof tokenOf>, to: string, units: string): Change =>
  token === 'coin' ? { kind: 'coin', to, units } : { kind: 'mint', token, to, units };

/** Gives coin or tokens out of nothing. Throws `invalid_input` for a wrong address, token or amount. */
const fund = async (open: OpenChain, address: string, symbol: string | undefined, units: bigint): Promise<void> => {
  const { checksummed } = await import('./contracts/encode.ts');
  if (units < 0n || units > MAX) throw new Failure('invalid_input', `${units} units cannot be given`);
  const token = tokenOf(open.chain, symbol);
  const applied = await open.change(changeFor(token, checksummed(address), toHex(units)));
  if (!applied.ok) throw new Failure('internal', `the sandbox could not fund ${address}: ${applied.message}`);
  if (!applied.mined || applied.mined.isGood) return;
  throw new Failure('invalid_input', `the contract of ${symbol} refuses to mint for ${address}`);
};

/** What came of a mined transaction; fees in wei. */
type Receipt = {
  readonly status: 'success' | 'reverted';
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
};

type Quantities = Readonly<Record<'status' | 'blockNumber' | 'gasUsed' | 'effectiveGasPrice', unknown>>;

/**
 * The receipt of a transaction, however long ago it was mined and however often the node was restarted since;
 * `undefined` when it never was. It reads only state that is on the disk.
 */
const readReceipt = async ({ rpc, kept }: OpenChain, hash: string): Promise<Receipt | undefined> => {
  const found = (await ask(rpc, 'eth_getTransactionReceipt', [hash])) as Quantities | null;
  if (!found) return undefined;
  await kept();
  return {
    status: fromHex(found.status) === 1n ? 'success' : 'reverted',
    blockNumber: fromHex(found.blockNumber),
    gasUsed: fromHex(found.gasUsed),
    effectiveGasPrice: fromHex(found.effectiveGasPrice),
  };
};
