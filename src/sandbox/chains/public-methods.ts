import { isJsonObject, printJson } from '../../core/json.ts';
import { type Dispatch, invalidParams, type RpcResult, result, rpcError } from '../json-rpc.ts';
import { toHex } from './hex.ts';
import type { EvmNode } from './node.ts';

/** What a wallet or a library asks of a node to show balances and to prepare, send and follow a transaction. */
const READS: readonly string[] = [
  ...['web3_clientVersion', 'net_version', 'eth_chainId', 'eth_blockNumber', 'eth_syncing', 'eth_gasPrice'],
  ...['eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_call'],
  ...['eth_getTransactionCount', 'eth_estimateGas', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getLogs'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts', 'eth_getProof'],
  'eth_simulateV1',
];

/** The code of Ethereum's nodes for what they do not do. */
export const REFUSED = -32_000;

const send = async (node: EvmNode, [raw]: readonly unknown[]): Promise<RpcResult> => {
  if (typeof raw !== 'string') return invalidParams('the first must be a signed transaction');
  const sent = await node.send(raw);
  return sent.ok ? result(sent.hash) : rpcError(REFUSED, sent.message);
};

/** Parameters that the node gets, or what is wrong with those that came. */
type Bounded = { readonly params: readonly unknown[] } | { readonly wrong: string };
type Bound = (params: readonly unknown[]) => Bounded;

/** Nobody pays for the gas of a call that is only tried: without a limit one could hold up its chain for hours. */
const MOST_GAS = 50_000_000;

/** A call with no more gas than that. */
const boundCall = (call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { gas, gasLimit, ...others } = call;
  const asked = gas ?? gasLimit ?? undefined;
  return { ...others, ...(asked !== undefined && { gas: toHex(Math.trunc(Math.min(Number(asked), MOST_GAS))) }) };
};

/** A call, its block and other states for it. What a block has is the chain's. */
const boundTried: Bound = ([call, ...rest]) =>
  isJsonObject(call) ? { params: [boundCall(call), ...rest.slice(0, 2)] } : { wrong: 'the first must be a call' };

/** The gas of a block is as much as each of these may use. */
const MOST_SIMULATED = 20;

const boundBlock = ({ calls, blockOverrides, ...others }: Readonly<Record<string, unknown>>) => {
  const { gasLimit: _, ...overrides } = isJsonObject(blockOverrides) ? blockOverrides : {};
  const all = Array.isArray(calls) ? calls.map((call) => (isJsonObject(call) ? boundCall(call) : call)) : calls;
  return { ...others, blockOverrides: overrides, ...(all !== undefined && { calls: all }) };
};

const callsIn = (block: unknown): number =>
  isJsonObject(block) && Array.isArray(block['calls']) ? block['calls'].length : 0;

const boundSimulation: Bound = ([payload, ...rest]) => {
  const blocks = isJsonObject(payload) ? payload['blockStateCalls'] : undefined;
  if (!isJsonObject(payload) || !Array.isArray(blocks)) return { wrong: 'the first must have blockStateCalls' };
  const count = blocks.reduce((sum: number, block) => sum + callsIn(block), blocks.length);
  if (count > MOST_SIMULATED) return { wrong: `no more than ${MOST_SIMULATED} blocks and calls` };
  const bounded = blocks.map((block) => (isJsonObject(block) ? boundBlock(block) : block));
  return { params: [{ ...payload, blockStateCalls: bounded }, ...rest.slice(0, 1)] };
};

/** As many blocks as Ethereum's nodes tell of, and as many percentiles. anvil ends at a count above 2^64. */
const MOST_BLOCKS = 1024;
const MOST_PERCENTILES = 100;

const boundHistory: Bound = ([asked, newest, percentiles]) => {
  const isCount = typeof asked === 'number' || (typeof asked === 'string' && /^0x[0-9a-f]+$/i.test(asked));
  if (!isCount || !(Number(asked) >= 0)) return { wrong: 'the first must be a number of blocks' };
  if (Array.isArray(percentiles) && percentiles.length > MOST_PERCENTILES) {
    return { wrong: `no more than ${MOST_PERCENTILES} percentiles` };
  }
  return { params: [toHex(Math.min(Math.trunc(Number(asked)), MOST_BLOCKS)), newest, percentiles ?? []] };
};

const BOUNDS: Readonly<Record<string, Bound>> = {
  eth_call: boundTried,
  eth_estimateGas: boundTried,
  eth_simulateV1: boundSimulation,
  eth_feeHistory: boundHistory,
};

/** Half a character, which JSON.stringify escapes and a node does not read. */
const HALF_CHARACTER = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Asks the node something that changes nothing. */
export const read = async (node: EvmNode, method: string, given: readonly unknown[]): Promise<RpcResult> => {
  const params = JSON.parse(printJson(given)) as readonly unknown[];
  if (HALF_CHARACTER.test(JSON.stringify(params))) return invalidParams('they have half a character');
  const bounded = BOUNDS[method]?.(params) ?? { params };
  if ('wrong' in bounded) return invalidParams(bounded.wrong);
  const answer = await node.read(method, bounded.params);
  return answer.ok ? result(answer.result) : rpcError(answer.code, answer.message, answer.data);
};

/** What everybody may call on a chain: reads, and signed transactions. `node` starts it where it does not run. */
export const publicMethods =
  (node: () => Promise<EvmNode>): Dispatch =>
  (method, params) => {
    if (method === 'eth_sendRawTransaction') return node().then((found) => send(found, params));
    return READS.includes(method) ? node().then((found) => read(found, method, params)) : undefined;
  };
