import { Failure } from '../../core/failure.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { type Dispatch, invalidParams, type RpcResult, result, rpcError } from '../json-rpc.ts';
import type { EvmNode } from './node.ts';
import { fromHex, toHex } from './rpc.ts';

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
const boundCall = ({ gas, gasLimit, ...others }: Readonly<Record<string, unknown>>) => {
  const requested = gas ?? gasLimit ?? undefined;
  if (requested === undefined) return others;
  return { ...others, gas: toHex(Math.trunc(Math.min(Number(requested), MAX_GAS))) };
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

/** The node of a chain, started where it does not run. */
export type NodeOf = () => Promise<EvmNode>;

/** A read of the chain that a healthy node does not refuse. Throws `internal` when it does. */
type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const askOf =
  (node: NodeOf): Ask =>
  async (method, ...params) => {
    const answer = await read(await node(), method, params);
    if ('result' in answer) return answer.result;
    throw new Failure('internal', `the sandbox's node refused ${method}: ${answer.error.message}`);
  };

/** Finds something in the blocks from the first to the last. */
export type Topic = (ask: Ask, first: number, last: number) => Promise<readonly unknown[]>;

/** A block as the node shows it. */
export type Block = Readonly<Record<string, unknown>> & { readonly hash: string; readonly transactions: unknown[] };

/** Blocks that are asked for at once. */
const TOGETHER = 100;

const blocks = async (ask: Ask, first: number, last: number, isWhole: boolean): Promise<readonly Block[]> => {
  const found: Block[] = [];
  for (let from = first; from <= last; from += TOGETHER) {
    const count = Math.min(TOGETHER, last - from + 1);
    const some = Array.from({ length: count }, (_, at) => ask('eth_getBlockByNumber', toHex(from + at), isWhole));
    found.push(...((await Promise.all(some)) as Block[]));
  }
  return found;
};

/** Every new block, without its transactions. */
export const newBlocks: Topic = (ask, first, last) => blocks(ask, first, last, false);

/** The hash of every new transaction, or all of it. None is ever pending: each is mined as it comes. */
export const newTransactions =
  (isWhole: boolean): Topic =>
  async (ask, first, last) =>
    (await blocks(ask, first, last, isWhole)).flatMap(({ transactions }) => transactions);

/** What is looked for in logs, as `eth_getLogs` takes it. */
export type LogFilter = Readonly<Record<string, unknown>>;

/** A block's number; the tags of blocks that are still to come have none. */
const numberIn = (value: unknown): number | undefined => {
  if (value === 'earliest') return 0;
  return typeof value === 'string' && value.startsWith('0x') ? Number(value) : undefined;
};

/** Every new log that the filter takes. */
export const newLogs =
  (filter: LogFilter): Topic =>
  async (ask, first, last) => {
    const from = Math.max(first, numberIn(filter['fromBlock']) ?? 0);
    const to = Math.min(last, numberIn(filter['toBlock']) ?? last);
    if (from > to) return [];
    return (await ask('eth_getLogs', { ...filter, fromBlock: toHex(from), toBlock: toHex(to) })) as unknown[];
  };

/** What was new at each look since the one before. */
export type News = Readonly<Awaited<ReturnType<typeof openNews>>>;

/**
 * News of a topic from here on. After a reset of the chain they begin with the first block that is new then. Looks that
 * overlap wait for each other.
 */
export const openNews = async (node: NodeOf, topic: Topic) => {
  const ask = askOf(node);
  const latest = async () => Number(fromHex(await ask('eth_blockNumber')));
  let seen = await latest();
  const look = async () => {
    const last = await latest();
    const found = last > seen ? await topic(ask, seen + 1, last) : [];
    seen = last;
    return found;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    next: () => {
      const looked = turn.then(look);
      turn = looked.catch(() => undefined);
      return looked;
    },
  };
};
