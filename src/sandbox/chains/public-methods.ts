import { Failure } from '../../core/failure.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { type Dispatch, invalidParams, type RpcResult, result, rpcError } from '../json-rpc.ts';
import type { EvmNode } from './node.ts';
import { fromHex, toHex } from './rpc.ts';

/** The read methods that wallets and libraries use to show balances, and to prepare, send and follow a transaction. */
const READS: readonly string[] = [
  ...['web3_clientVersion', 'net_version', 'eth_chainId', 'eth_blockNumber', 'eth_syncing', 'eth_gasPrice'],
  ...['eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_call'],
  ...['eth_getTransactionCount', 'eth_estimateGas', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getLogs'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts', 'eth_getProof'],
  'eth_simulateV1',
];

/** The error code of Ethereum's nodes for a refused call. */
export const REFUSED = -32_000;

const send = async (node: EvmNode, [raw]: readonly unknown[]): Promise<RpcResult> => {
  if (typeof raw !== 'string') return invalidParams('the first parameter must be a signed transaction');
  const sent = await node.send(raw);
  return sent.ok ? result(sent.hash) : rpcError(REFUSED, sent.message);
};

/** The limited parameters for the node, or the reason why the request's parameters are invalid. */
type BoundResult = { readonly params: readonly unknown[] } | { readonly invalid: string };
type Bound = (params: readonly unknown[]) => BoundResult;

/** A simulated call costs nothing. Without a limit on its gas, one call could block its chain for hours. */
const MAX_GAS = 50_000_000;

/** The call, with its gas limited to `MAX_GAS`. */
const boundCall = ({ gas, gasLimit, ...others }: Readonly<Record<string, unknown>>) => {
  const requested = gas ?? gasLimit ?? undefined;
  if (requested === undefined) return others;
  return { ...others, gas: toHex(Math.trunc(Math.min(Number(requested), MAX_GAS))) };
};

/** Keeps the call, its block and its state overrides. Drops the block overrides. */
const boundCallParams: Bound = ([call, ...rest]) =>
  isJsonObject(call)
    ? { params: [boundCall(call), ...rest.slice(0, 2)] }
    : { invalid: 'the first parameter must be a call' };

/** The maximum of simulated blocks and calls together. Each block may use the gas of a whole block. */
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
  if (!isJsonObject(payload) || !Array.isArray(blocks))
    return { invalid: 'the first parameter must have blockStateCalls' };
  const count = blocks.reduce((sum: number, block) => sum + callsIn(block), blocks.length);
  if (count > MAX_SIMULATED) return { invalid: `no more than ${MAX_SIMULATED} blocks and calls` };
  const bounded = blocks.map((block) => (isJsonObject(block) ? boundBlock(block) : block));
  return { params: [{ ...payload, blockStateCalls: bounded }, ...rest.slice(0, 1)] };
};

/** Limits of `eth_feeHistory`, as in Ethereum's nodes. anvil exits on a number of blocks above 2^64. */
const MAX_BLOCKS = 1024;
const MAX_PERCENTILES = 100;

const boundFeeHistory: Bound = ([requested, newest, percentiles]) => {
  const isCount = typeof requested === 'number' || (typeof requested === 'string' && /^0x[0-9a-f]+$/i.test(requested));
  if (!isCount || !(Number(requested) >= 0)) return { invalid: 'the first parameter must be a number of blocks' };
  if (Array.isArray(percentiles) && percentiles.length > MAX_PERCENTILES) {
    return { invalid: `no more than ${MAX_PERCENTILES} percentiles` };
  }
  return { params: [toHex(Math.min(Math.trunc(Number(requested)), MAX_BLOCKS)), newest, percentiles ?? []] };
};

const BOUNDS: Readonly<Record<string, Bound>> = {
  eth_call: boundCallParams,
  eth_estimateGas: boundCallParams,
  eth_simulateV1: boundSimulation,
  eth_feeHistory: boundFeeHistory,
};

/** Matches an unpaired surrogate in JSON: JSON.stringify escapes it, and anvil cannot parse the escape. */
const UNPAIRED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Calls a read method of the node, with limited parameters. */
export const read = async (node: EvmNode, method: string, received: readonly unknown[]): Promise<RpcResult> => {
  const params = JSON.parse(printJson(received)) as readonly unknown[];
  if (UNPAIRED_SURROGATE.test(JSON.stringify(params))) return invalidParams('a text has an unpaired surrogate');
  const bounded = BOUNDS[method]?.(params) ?? { params };
  if ('invalid' in bounded) return invalidParams(bounded.invalid);
  const answer = await node.read(method, bounded.params);
  return answer.ok ? result(answer.result) : rpcError(answer.code, answer.message, answer.data);
};

/** The public methods of a chain: reads, and `eth_sendRawTransaction`. `node` starts the node if needed. */
export const publicMethods =
  (node: () => Promise<EvmNode>): Dispatch =>
  (method, params) => {
    if (method === 'eth_sendRawTransaction') return node().then((open) => send(open, params));
    return READS.includes(method) ? node().then((open) => read(open, method, params)) : undefined;
  };

/** Returns the node of a chain. Starts the node if it does not run. */
export type NodeOf = () => Promise<EvmNode>;

/** Reads from the chain. Throws `internal` if the node refuses, because a healthy node accepts these calls. */
type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const askOf =
  (node: NodeOf): Ask =>
  async (method, ...params) => {
    const answer = await read(await node(), method, params);
    if ('result' in answer) return answer.result;
    throw new Failure('internal', `the sandbox's node refused ${method}: ${answer.error.message}`);
  };

/** Returns the items of one kind in the blocks from `first` to `last`. */
export type Topic = (ask: Ask, first: number, last: number) => Promise<readonly unknown[]>;

/** A block in the JSON of the node. */
export type Block = Readonly<Record<string, unknown>> & { readonly hash: string; readonly transactions: unknown[] };

/** Blocks that are read at once. */
const BATCH = 100;

const readBlocks = async (ask: Ask, first: number, last: number, isWhole: boolean): Promise<readonly Block[]> => {
  const found: Block[] = [];
  for (let from = first; from <= last; from += BATCH) {
    const count = Math.min(BATCH, last - from + 1);
    const reads = Array.from({ length: count }, (_, at) => ask('eth_getBlockByNumber', toHex(from + at), isWhole));
    found.push(...((await Promise.all(reads)) as Block[]));
  }
  return found;
};

/** New blocks, with the hashes of their transactions. */
export const newBlocks: Topic = (ask, first, last) => readBlocks(ask, first, last, false);

/**
 * New transactions: hashes, or whole transactions with `isWhole`. They are read from blocks, because the sandbox mines each
 * transaction when it arrives.
 */
export const newTransactions =
  (isWhole: boolean): Topic =>
  async (ask, first, last) =>
    (await readBlocks(ask, first, last, isWhole)).flatMap(({ transactions }) => transactions);

/** The filter parameter of `eth_getLogs`. */
export type LogFilter = Readonly<Record<string, unknown>>;

/** The number of a block parameter; `undefined` for tags such as `latest`. */
const numberIn = (value: unknown): number | undefined => {
  if (value === 'earliest') return 0;
  return typeof value === 'string' && value.startsWith('0x') ? Number(value) : undefined;
};

/** New logs that match the filter. */
export const newLogs =
  (filter: LogFilter): Topic =>
  async (ask, first, last) => {
    const from = Math.max(first, numberIn(filter['fromBlock']) ?? 0);
    const to = Math.min(last, numberIn(filter['toBlock']) ?? last);
    if (from > to) return [];
    return (await ask('eth_getLogs', { ...filter, fromBlock: toHex(from), toBlock: toHex(to) })) as unknown[];
  };

/** Reads the new items of a topic, call by call. */
export type Poller = Readonly<Awaited<ReturnType<typeof openPoller>>>;

/**
 * Opens a poller at the newest block. `next` returns the items since the call before. After a restore or a reset the node
 * starts again, perhaps with a shorter chain; `next` then returns all items since that start. Concurrent calls run one by one.
 */
export const openPoller = async (node: NodeOf, topic: Topic) => {
  const ask = askOf(node);
  const latest = async () => Number(fromHex(await ask('eth_blockNumber')));
  let { start } = await node();
  let seen = await latest();
  const readNew = async () => {
    const { start: newest } = await node();
    if (newest !== start) [start, seen] = [newest, Math.min(seen, newest.height)];
    const last = await latest();
    const found = last > seen ? await topic(ask, seen + 1, last) : [];
    seen = last;
    return found;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    next: () => {
      const items = turn.then(readNew);
      turn = items.catch(() => undefined);
      return items;
    },
  };
};
