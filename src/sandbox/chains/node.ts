import { COIN_DECIMALS, type EvmChain, SANDBOX_CONTRACTS, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { OpenChain } from './chain.ts';
import type { Share } from './contracts/encode.ts';
import { BASE_FEE, type Change } from './mine.ts';
import { ask, fromHex, type Rpc, toHex } from './rpc.ts';

/** A test token, or the native coin. */
export type Token = 'USDT' | 'USDC' | 'coin';

/** The token of a symbol on a chain; `undefined` means the native coin. Throws `invalid_input` for an unknown symbol. */
export const tokenOf = (chain: EvmChain, symbol: string | undefined): Token => {
  if (symbol === undefined || symbol === chain.coin) return 'coin';
  if (symbol === 'USDT' || symbol === 'USDC') return symbol;
  throw new Failure('invalid_input', `the sandbox's ${chain.name} has no token ${symbol}, only USDT and USDC`);
};

/** The decimals of a token on a chain. Throws `invalid_input` for an unknown symbol. */
export const decimalsOf = (chain: EvmChain, symbol: string | undefined): number => {
  const token = tokenOf(chain, symbol);
  return token === 'coin' ? COIN_DECIMALS : chain.tokens[token].decimals;
};

/** The payer, the token and the receivers. The token is USDT or USDC; the coin's symbol or `undefined` is the native coin. */
export type Transfer = {
  readonly from: string;
  readonly token: string | undefined;
  readonly amounts: readonly Share[];
};

/** An unsigned EIP-1559 transaction, with value and fees in wei. */
export type BuiltTransfer = Readonly<Awaited<ReturnType<typeof buildTransfer>>>;

type Call = { readonly to: string; readonly data: string; readonly value: bigint };

/** The call of a transfer. One receiver gets a plain transfer; the splitter pays several receivers, all or none. */
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

/** A gas limit that is enough for any transfer of the sandbox. Unused gas costs nothing. */
const generousGas = (receivers: number): bigint => 100_000n + 60_000n * BigInt(receivers);

/** The node's estimate plus 20 %. A call that would revert has no estimate, so it gets a generous limit. */
const gasFor = async (rpc: Rpc, from: string, { to, data, value }: Call, receivers: number): Promise<bigint> => {
  const estimate = await rpc('eth_estimateGas', [{ from, to, data, value: toHex(value) }]);
  return estimate.ok ? (fromHex(estimate.result) * 120n) / 100n : generousGas(receivers);
};

/** Builds the transaction that the payer signs. Throws `invalid_input` for a wrong address or token. */
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

/** The suggested tip in wei if the last blocks paid none. */
const DEFAULT_TIP = 1_000_000_000n;
/** The number of blocks that decide the tip. */
const BLOCKS = 5;

type FeeHistory = { readonly baseFeePerGas: readonly string[]; readonly reward?: readonly (readonly string[])[] };

const ascending = (quantities: readonly unknown[]): readonly bigint[] =>
  quantities.map(fromHex).toSorted((a, b) => Number(a - b));

/** Fees in wei (EIP-1559): the median tip of the last blocks, and a maximum that allows the base fee to double. */
const suggestFees = async (rpc: Rpc) => {
  const history = (await ask(rpc, 'eth_feeHistory', [toHex(BLOCKS), 'latest', [50]])) as FeeHistory;
  const base = ascending([...history.baseFeePerGas, toHex(BASE_FEE)]).at(-1) ?? BASE_FEE;
  const tips = ascending((history.reward ?? []).map(([tip]) => tip ?? '0x0')).filter((tip) => tip > 0n);
  const maxPriorityFeePerGas = tips[tips.length >> 1] ?? DEFAULT_TIP;
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * base + maxPriorityFeePerGas };
};

/** An ECDSA signature over secp256k1, in hex. */
export type Signature = { readonly yParity: 0 | 1; readonly r: string; readonly s: string };

/** The precompiled contract that returns the signer of a signature (Yellow Paper, appendix E). */
const ECRECOVER = '0x0000000000000000000000000000000000000001';

const word = (hex: string): string => hex.replace(/^0x/, '').padStart(64, '0');

/** Recovers a signer in the node. That takes a twentieth of the 4 ms that JavaScript takes. */
const recoverSigner = async (
  { rpc, between }: OpenChain,
  digest: string,
  { yParity, r, s }: Signature,
): Promise<string | undefined> => {
  const data = `0x${word(digest)}${word((27 + yParity).toString(16))}${word(r)}${word(s)}`;
  const returned = String(await between(() => ask(rpc, 'eth_call', [{ to: ECRECOVER, data }, 'latest'])));
  return returned.length === 66 ? `0x${returned.slice(26)}` : undefined;
};

/** The next nonce of an address: the count of its mined transactions, because none stays pending. */
export const readNonce = async (
  { rpc, between }: Pick<OpenChain, 'rpc' | 'between'>,
  address: string,
): Promise<number> => Number(fromHex(await between(() => ask(rpc, 'eth_getTransactionCount', [address, 'latest']))));

/** A mined transaction, with `isGood` false if it reverted; or the node's refusal. */
export type SendResult =
  | { readonly ok: true; readonly hash: string; readonly isGood: boolean }
  | { readonly ok: false; readonly message: string };

/** A node of a sandbox chain. After the node has ended, calls throw `sandbox_unavailable`; so get the node again for each task. */
export type EvmNode = Readonly<ReturnType<typeof nodeOf>>;

const send = async (open: OpenChain, raw: string): Promise<SendResult> => {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw))
    return { ok: false, message: 'a signed transaction must be hex with a leading 0x' };
  const applied = await open.change({ kind: 'signed', raw });
  if (!applied.ok) return { ok: false, message: applied.message };
  if (!applied.mined) throw new Failure('internal', 'a signed transaction was mined without a receipt');
  const { hash, isGood } = applied.mined;
  return { ok: true, hash, isGood };
};

/** The calls of a running node. */
export const nodeOf = (open: OpenChain) => ({
  chain: open.chain,
  /** The newest block when this node started. Each start has an object of its own. */
  start: open.start,
  /** The chain id of the sandbox, which no public chain has. */
  chainId: sandboxChainId(open.chain.id),
  /** The next nonce of an address. */
  nonce: (address: string) => readNonce(open, address),
  /** The signer's address of an ECDSA signature of a digest, in lower case; `undefined` for an invalid signature. */
  signerOf: (digest: string, signature: Signature) => recoverSigner(open, digest, signature),
  /** The balance in the smallest units. The coin's symbol or `undefined` is the native coin. */
  balance: (address: string, token: string | undefined) => readBalance(open, address, token),
  tokenDecimals: (symbol: string | undefined) => decimalsOf(open.chain, symbol),
  /** Adds new coin or tokens to a balance, in the smallest units. Resolves after the change is on the disk. */
  fund: (address: string, token: string | undefined, units: bigint) => fund(open, address, token, units),
  buildTransfer: (transfer: Transfer) => buildTransfer(open, transfer),
  /** Sends a signed transaction. Resolves after it is mined and stored, or refused. */
  send: (raw: string) => send(open, raw),
  /** The result of a transaction; `undefined` if it was never mined. */
  receipt: (hash: string) => readReceipt(open, hash),
  /** Makes a read call of the node's JSON-RPC. */
  read: open.read,
});

/** The balance of an address in the smallest units of a token; without a symbol, of the native coin. */
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

/** The maximum of units in one call. Sums of larger amounts could exceed the 256 bits of the EVM. */
const MAX_UNITS = 2n ** 128n;

const changeFor = (token: ReturnType<typeof tokenOf>, to: string, units: string): Change =>
  token === 'coin' ? { kind: 'coin', to, units } : { kind: 'mint', token, to, units };

/** Creates coin or tokens for an address. Throws `invalid_input` for a wrong address, token or amount. */
const fund = async (open: OpenChain, address: string, symbol: string | undefined, units: bigint): Promise<void> => {
  const { checksummed } = await import('./contracts/encode.ts');
  if (units < 0n || units > MAX_UNITS) throw new Failure('invalid_input', `cannot fund ${units} units`);
  const token = tokenOf(open.chain, symbol);
  const applied = await open.change(changeFor(token, checksummed(address), toHex(units)));
  if (!applied.ok) throw new Failure('internal', `the sandbox could not fund ${address}: ${applied.message}`);
  if (!applied.mined || applied.mined.isGood) return;
  throw new Failure('invalid_input', `the contract of ${symbol} refuses to mint for ${address}`);
};

type Quantities = Readonly<Record<'status' | 'blockNumber' | 'gasUsed' | 'effectiveGasPrice', unknown>>;

/**
 * The result of a transaction of any age, also from before a restart of the node; fees in wei. `undefined` if it was never
 * mined. Resolves after all changes that it could see are on the disk.
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
