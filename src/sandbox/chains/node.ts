import { COIN_DECIMALS, type EvmChain, SANDBOX_CONTRACTS, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { OpenChain } from './chain.ts';
import type { Share } from './contracts/encode.ts';
import { BASE_FEE, type Change } from './mine.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';

/** A test token, or the native coin. */
export type Token = 'USDT' | 'USDC' | 'coin';

/** What a symbol means on a chain; without one it is the native coin. Throws `invalid_input` for an unknown one. */
export const tokenOf = (chain: EvmChain, symbol: string | undefined): Token => {
  if (symbol === undefined || symbol === chain.coin) return 'coin';
  if (symbol === 'USDT' || symbol === 'USDC') return symbol;
  throw new Failure('invalid_input', `the sandbox's ${chain.name} has no token ${symbol}, only USDT and USDC`);
};

/** Decimals of a symbol on a chain. Throws as `tokenOf`. */
export const decimalsOf = (chain: EvmChain, symbol: string | undefined): number => {
  const token = tokenOf(chain, symbol);
  return token === 'coin' ? COIN_DECIMALS : chain.tokens[token].decimals;
};

/** Who pays whom. The token is USDT, USDC, or the native coin by its symbol or as `undefined`. */
export type Transfer = {
  readonly from: string;
  readonly token: string | undefined;
  readonly amounts: readonly Share[];
};

/** An unsigned EIP-1559 transaction; value and fees in wei. */
export type BuiltTransfer = Readonly<Awaited<ReturnType<typeof buildTransfer>>>;

type Call = { readonly to: string; readonly data: string; readonly value: bigint };

/** One receiver gets a plain transfer, several are paid through the splitter: all of them, or none. */
const callFor = async (token: Token, shares: readonly Share[]): Promise<Call> => {
  const encode = await import('./contracts/encode.ts');
  const [only, ...others] = shares.map(({ to, units }) => ({ to: encode.checksummed(to), units }));
  if (!only) throw new Failure('invalid_input', 'a transfer needs a receiver');
  const all = [only, ...others];
  const { splitter } = SANDBOX_CONTRACTS;
  if (token !== 'coin') {
    const address = SANDBOX_CONTRACTS[token];
    return others.length === 0
      ? { to: address, data: encode.encodeTransfer(only), value: 0n }
      : { to: splitter, data: encode.encodeSplitToken(address, all), value: 0n };
  }
  if (others.length === 0) return { to: only.to, data: '0x', value: only.units };
  const value = all.reduce((sum, { units }) => sum + units, 0n);
  return { to: splitter, data: encode.encodeSplitNative(all), value };
};

/** Enough for any transfer of the sandbox; unused gas is not paid. */
const generousGas = (receivers: number): bigint => 100_000n + 60_000n * BigInt(receivers);

/** The node's estimate and a fifth more. It cannot estimate what would revert, such as for a payer without funds. */
const gasFor = async (rpc: Rpc, from: string, { to, data, value }: Call, receivers: number): Promise<bigint> => {
  const estimate = await rpc('eth_estimateGas', [{ from, to, data, value: toHex(value) }]);
  return estimate.ok ? (fromHex(estimate.result) * 120n) / 100n : generousGas(receivers);
};

/** Builds the transaction for a payer to sign. Throws `invalid_input` for a wrong address or token. */
export const buildTransfer = async (open: OpenChain, { from, token, amounts }: Transfer) => {
  const { chain, rpc } = open;
  const { checksummed } = await import('./contracts/encode.ts');
  const payer = checksummed(from);
  const call = await callFor(tokenOf(chain, token), amounts);
  const [nonce, fees, gasLimit] = await Promise.all([
    readNonce(open, payer),
    open.between(() => suggestFees(rpc)),
    open.between(() => gasFor(rpc, payer, call, amounts.length)),
  ]);
  return { from: payer, ...call, chainId: sandboxChainId(chain.id), gasLimit, ...fees, nonce };
};

/** Offered where the last blocks paid none, or there are none. */
const USUAL_TIP = 1_000_000_000n;
const BLOCKS = 5;

type History = { readonly baseFeePerGas: readonly string[]; readonly reward?: readonly (readonly string[])[] };

const ascending = (quantities: readonly unknown[]): readonly bigint[] =>
  quantities.map(fromHex).toSorted((a, b) => Number(a - b));

/** What to offer in wei, from the last blocks: their middle tip, and room for the base fee to double (EIP-1559). */
const suggestFees = async (rpc: Rpc) => {
  const history = (await ask(rpc, 'eth_feeHistory', [toHex(BLOCKS), 'latest', [50]])) as History;
  const base = ascending([...history.baseFeePerGas, toHex(BASE_FEE)]).at(-1) ?? BASE_FEE;
  const tips = ascending((history.reward ?? []).map(([tip]) => tip ?? '0x0')).filter((tip) => tip > 0n);
  const maxPriorityFeePerGas = tips[tips.length >> 1] ?? USUAL_TIP;
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * base + maxPriorityFeePerGas };
};

/** An ECDSA signature over secp256k1, in hex. */
export type Signature = { readonly yParity: 0 | 1; readonly r: string; readonly s: string };

/** Precompiled contract of every EVM (Yellow Paper, appendix E): the address that made a signature, or nothing. */
const ECRECOVER = '0x0000000000000000000000000000000000000001';

const word = (hex: string): string => hex.replace(/^0x/, '').padStart(64, '0');

/** Native code recovers a signer in a twentieth of the time that JavaScript takes, which is 4 ms. */
const recoverSigner = async (
  { rpc, between }: OpenChain,
  digest: string,
  { yParity, r, s }: Signature,
): Promise<string | undefined> => {
  const data = `0x${word(digest)}${word((27 + yParity).toString(16))}${word(r)}${word(s)}`;
  const found = String(await between(() => ask(rpc, 'eth_call', [{ to: ECRECOVER, data }, 'latest'])));
  return found.length === 66 ? `0x${found.slice(26)}` : undefined;
};

/** The next nonce of an address: nothing waits unmined, so it is how many of its transactions were mined. */
export const readNonce = async (
  { rpc, between }: Pick<OpenChain, 'rpc' | 'between'>,
  address: string,
): Promise<number> => Number(fromHex(await between(() => ask(rpc, 'eth_getTransactionCount', [address, 'latest']))));

/** A transaction that was mined, in success (`isGood`) or reverted; or the node's refusal. */
export type Sent =
  | { readonly ok: true; readonly hash: string; readonly isGood: boolean }
  | { readonly ok: false; readonly message: string };

/** A sandbox chain. Calls throw `sandbox_unavailable` once its node has died: take the node anew for each piece of work. */
export type EvmNode = Readonly<ReturnType<typeof nodeOf>>;

const send = async (open: OpenChain, raw: string): Promise<Sent> => {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return { ok: false, message: 'it is not hex with a leading 0x' };
  const applied = await open.change({ kind: 'signed', raw });
  if (!applied.ok) return { ok: false, message: applied.message };
  if (!applied.mined) throw new Failure('internal', 'a signed transaction was mined without a receipt');
  const { hash, isGood } = applied.mined;
  return { ok: true, hash, isGood };
};

/** The calls of a chain whose node runs. */
export const nodeOf = (open: OpenChain) => ({
  chain: open.chain,
  /** The private chain id. */
  chainId: sandboxChainId(open.chain.id),
  /** The next nonce of an address. */
  nonce: (address: string) => readNonce(open, address),
  /** Who made an ECDSA signature of a digest, in lower case, as the EVM sees it; `undefined` when nobody did. */
  signerOf: (digest: string, signature: Signature) => recoverSigner(open, digest, signature),
  /** In smallest units. The token is USDT or USDC; the native coin is its own symbol, or `undefined`. */
  balance: (address: string, token: string | undefined) => readBalance(open, address, token),
  tokenDecimals: (symbol: string | undefined) => decimalsOf(open.chain, symbol),
  /** Creates coin or tokens, added to the balance; on the disk when it resolves. */
  fund: (address: string, token: string | undefined, units: bigint) => fund(open, address, token, units),
  buildTransfer: (transfer: Transfer) => buildTransfer(open, transfer),
  /** Resolves when the transaction is mined and kept, or is refused. */
  send: (raw: string) => send(open, raw),
  /** `undefined` for a transaction that was never mined. */
  receipt: (hash: string) => readReceipt(open, hash),
  /** A call of the node's own JSON-RPC that changes nothing. */
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

type Quantities = Readonly<Record<'status' | 'blockNumber' | 'gasUsed' | 'effectiveGasPrice', unknown>>;

/**
 * What came of a transaction, however long ago it was mined and however often the node was restarted since; fees in wei.
 * `undefined` when it never was mined. It reads only state that is on the disk.
 */
const readReceipt = async ({ read }: OpenChain, hash: string) => {
  const answer = await read('eth_getTransactionReceipt', [hash]);
  if (!answer.ok) throw new Failure('internal', `the sandbox's node refused a receipt: ${answer.message}`);
  const found = answer.result as Quantities | null;
  if (!found) return undefined;
  return {
    status: fromHex(found.status) === 1n ? ('success' as const) : ('reverted' as const),
    blockNumber: fromHex(found.blockNumber),
    gasUsed: fromHex(found.gasUsed),
    effectiveGasPrice: fromHex(found.effectiveGasPrice),
  };
};
