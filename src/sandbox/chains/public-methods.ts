import { isJsonObject, printJson } from '../../core/json.ts';
import { type Dispatch, invalidParams, type RpcResult, result, rpcError } from '../json-rpc.ts';
import { toHex } from './hex.ts';
import type { EvmNode } from './node.ts';

/** The reads that wallets and libraries make to show balances and to prepare, send and follow a transaction. */
const READS: readonly string[] = [
  ...['web3_clientVersion', 'net_version', 'eth_chainId', 'eth_blockNumber', 'eth_syncing', 'eth_gasPrice'],
  ...['eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_call'],
  ...['eth_getTransactionCount', 'eth_estimateGas', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getLogs'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts', 'eth_getProof'],
  'eth_simulateV1',
];

/** The error code of Ethereum's nodes for a call that they refuse. */
export const REFUSED = -32_000;

const send = async (node: EvmNode, [raw]: readonly unknown[]): Promise<RpcResult> => {
  if (typeof raw !== 'string') return invalidParams('the first must be a signed transaction');
  const sent = await node.send(raw);
  return sent.ok ? result(sent.hash) : rpcError(REFUSED, sent.message);
};

/** The parameters for the node, or why those of the request are not valid. */
type Bounded = { readonly params: readonly unknown[] } | { readonly invalid: string };
type Bound = (params: readonly unknown[]) => Bounded;

/** A call that is not mined costs no gas: without a limit, one call could block its chain for hours. */
const MAX_GAS = 50_000_000;

/** The call with at most `MAX_GAS`. */
const boundCall = (call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { gas, gasLimit, ...others } = call;
  const requested = gas ?? gasLimit ?? undefined;
  return {
    ...others,
    ...(requested !== undefined && { gas: toHex(Math.trunc(Math.min(Number(requested), MAX_GAS))) }),
  };
};

/** A call, its block and its state overrides. Block overrides are dropped. */
const boundCallParams: Bound = ([call, ...rest]) =>
  isJsonObject(call) ? { params: [boundCall(call), ...rest.slice(0, 2)] } : { invalid: 'the first must be a call' };

/** Each simulated block may use the gas of a whole block, so their number is limited. */
const MAX_SIMULATED = 20;

const boundBlock = ({ calls, blockOverrides, ...others }: Readonly<Record<string, unknown>>) => {
  const { gasLimit: _, ...overrides } = isJsonObject(blockOverrides) ? blockOverrides : {};
  const all = Array.isArray(calls) ? calls.map((call) => (isJsonObject(call) ? boundCall(call) : call)) : calls;
  return { ...others, blockOverrides: overrides, ...(all !== undefined && { calls: all }) };
};

const callsIn = (block: unknown): number =>
  isJsonObject(block) && Array.isArray(block['calls']) ? block['calls'].length : 0;

const boundSimulation: Bound = ([payload, ...rest]) => {
  const blocks = isJsonObject(payload) ? payload['blockStateCalls'] : undefined;
  if (!isJsonObject(payload) || !Array.isArray(blocks)) return { invalid: 'the first must have blockStateCalls' };
  const count = blocks.reduce((sum: number, block) => sum + callsIn(block), blocks.length);
  if (count > MAX_SIMULATED) return { invalid: `no more than ${MAX_SIMULATED} blocks and calls` };
  const bounded = blocks.map((block) => (isJsonObject(block) ? boundBlock(block) : block));
  return { params: [{ ...payload, blockStateCalls: bounded }, ...rest.slice(0, 1)] };
};

/** The limits of Ethereum's nodes. anvil exits on a count above 2^64. */
const MAX_BLOCKS = 1024;
const MAX_PERCENTILES = 100;

const boundHistory: Bound = ([requested, newest, percentiles]) => {
  const isCount = typeof requested === 'number' || (typeof requested === 'string' && /^0x[0-9a-f]+$/i.test(requested));
  if (!isCount || !(Number(requested) >= 0)) return { invalid: 'the first must be a number of blocks' };
  if (Array.isArray(percentiles) && percentiles.length > MAX_PERCENTILES) {
    return { invalid: `no more than ${MAX_PERCENTILES} percentiles` };
  }
  return { params: [toHex(Math.min(Math.trunc(Number(requested)), MAX_BLOCKS)), newest, percentiles ?? []] };
};

const BOUNDS: Readonly<Record<string, Bound>> = {
  eth_call: boundCallParams,
  eth_estimateGas: boundCallParams,
  eth_simulateV1: boundSimulation,
  eth_feeHistory: boundHistory,
};

/** An unpaired surrogate, which JSON.stringify escapes and anvil cannot parse. */
const UNPAIRED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Calls a method of the node that changes nothing. */
export const read = async (node: EvmNode, method: string, received: readonly unknown[]): Promise<RpcResult> => {
  const params = JSON.parse(printJson(received)) as readonly unknown[];
  if (UNPAIRED_SURROGATE.test(JSON.stringify(params))) return invalidParams('they have an unpaired surrogate');
  const bounded = BOUNDS[method]?.(params) ?? { params };
  if ('invalid' in bounded) return invalidParams(bounded.invalid);
  const answer = await node.read(method, bounded.params);
  return answer.ok ? result(answer.result) : rpcError(answer.code, answer.message, answer.data);
};

/** The public methods of a chain: reads, and sending a signed transaction. `node` starts the node if needed. */
export const publicMethods =
  (node: () => Promise<EvmNode>): Dispatch =>
  (method, params) => {
    if (method === 'eth_sendRawTransaction') return node().then((found) => send(found, params));
    return READS.includes(method) ? node().then((found) => read(found, method, params)) : undefined;
  };
