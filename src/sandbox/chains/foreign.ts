import { EVM_CHAINS } from '../../contract/chains.ts';
import { printJson } from '../../core/json.ts';
import { type App, say } from '../http/app.ts';
import type { Answer } from '../http/envelope.ts';
import { readBytes } from '../http/read-json.ts';
import { answerText, type Dispatch, invalidParams, type RpcResult, result, rpcError } from '../json-rpc.ts';
import type { Services } from '../services.ts';
import type { EvmNode } from './node.ts';

/** What a wallet or a library asks of a node to show balances and to prepare, send and follow a transaction. */
const READS: readonly string[] = [
  ...['web3_clientVersion', 'net_version', 'eth_chainId', 'eth_blockNumber', 'eth_syncing', 'eth_gasPrice'],
  ...['eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_call'],
  ...['eth_getTransactionCount', 'eth_estimateGas', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getLogs'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts', 'eth_getProof'],
];

const REFUSED = -32_000;

const send = async (node: EvmNode, [raw]: readonly unknown[]): Promise<RpcResult> => {
  if (typeof raw !== 'string') return invalidParams('the first must be a signed transaction');
  const sent = await node.send(raw);
  return sent.ok ? result(sent.hash) : rpcError(REFUSED, sent.message);
};

const read = async (node: EvmNode, method: string, params: readonly unknown[]): Promise<RpcResult> => {
  const answer = await node.read(method, JSON.parse(printJson(params)) as readonly unknown[]);
  return answer.ok ? result(answer.result) : rpcError(answer.code, answer.message, answer.data);
};

const dispatchOn =
  (services: Services, chain: string): Dispatch =>
  (method, params) => {
    if (method === 'eth_sendRawTransaction') return services.node(chain).then((node) => send(node, params));
    return READS.includes(method) ? services.node(chain).then((node) => read(node, method, params)) : undefined;
  };

const refusal = (http: number, status: string, message: string): Answer => ({ http, status, message });
const NO_CHAIN = refusal(404, 'chain_not_found', 'The sandbox has no such EVM chain.');
/** A page of another site cannot send this type without asking first, and nothing here answers its question. */
const NO_JSON = refusal(415, 'unsupported_media_type', 'The content type must be application/json.');
const TOO_LARGE = refusal(413, 'body_too_large', 'The body is too large.');

/** Where a chain's JSON-RPC answers. */
export const chainPath = (name: string): string => `/_chain/${name}`;

/**
 * Ethereum's JSON-RPC on each EVM chain, for wallets and libraries. The node is started by the first call. Only what
 * reads, and signed transactions: those are mined and kept as the service's own are.
 */
export const addChains = (app: App, services: Services): void => {
  app.post('/_chain/:name', async (context) => {
    const { name } = context.req.param();
    if (!EVM_CHAINS.some((chain) => chain.name === name)) return say(context, NO_CHAIN);
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) return say(context, NO_JSON);
    const bytes = await readBytes(context.env.incoming);
    if (!bytes) return say(context, TOO_LARGE);
    const text = await answerText(dispatchOn(services, name), new TextDecoder().decode(bytes));
    context.env.said = 'json_rpc';
    return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  });
};
