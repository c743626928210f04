import { COIN_DECIMALS, type EvmChain, SANDBOX_CONTRACTS, sandboxChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import type { OpenChain } from './chain.ts';
import type { Share } from './contracts/encode.ts';
import { fromHex, toHex } from './hex.ts';
import { BASE_FEE } from './mine.ts';
import { ask, type Rpc } from './rpc.ts';
import { readNonce } from './signer.ts';

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
export type BuiltTransfer = Fees & {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly chainId: number;
  readonly gasLimit: bigint;
  readonly nonce: number;
};

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
export const buildTransfer = async (open: OpenChain, { from, token, amounts }: Transfer): Promise<BuiltTransfer> => {
  const { chain, rpc } = open;
  const { checksummed } = await import('./contracts/encode.ts');
  const payer = checksummed(from);
  const call = await callFor(tokenOf(chain, token), amounts);
  const [nonce, fees, gasLimit] = await Promise.all([
    readNonce(open, payer),
    suggestFees(rpc),
    gasFor(rpc, payer, call, amounts.length),
  ]);
  return { from: payer, ...call, chainId: sandboxChainId(chain.id), gasLimit, ...fees, nonce };
};

/** Fees of EIP-1559, in wei. */
type Fees = { readonly maxPriorityFeePerGas: bigint; readonly maxFeePerGas: bigint };

/** Offered where the last blocks paid none, or there are none. */
const USUAL_TIP = 1_000_000_000n;
const BLOCKS = 5;

type History = { readonly baseFeePerGas: readonly string[]; readonly reward?: readonly (readonly string[])[] };

const ascending = (quantities: readonly unknown[]): readonly bigint[] =>
  quantities.map(fromHex).toSorted((a, b) => Number(a - b));

/** What to offer, from the last blocks: their middle tip, and room for the base fee to double. */
const suggestFees = async (rpc: Rpc): Promise<Fees> => {
  const history = (await ask(rpc, 'eth_feeHistory', [toHex(BLOCKS), 'latest', [50]])) as History;
  const base = ascending([...history.baseFeePerGas, toHex(BASE_FEE)]).at(-1) ?? BASE_FEE;
  const tips = ascending((history.reward ?? []).map(([tip]) => tip ?? '0x0')).filter((tip) => tip > 0n);
  const maxPriorityFeePerGas = tips[tips.length >> 1] ?? USUAL_TIP;
  return { maxPriorityFeePerGas, maxFeePerGas: 2n * base + maxPriorityFeePerGas };
};
