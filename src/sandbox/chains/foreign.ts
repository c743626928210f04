import { EVM_CHAINS, sandboxChainPath } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
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
  'eth_simulateV1',
];

const REFUSED = -32_000;

const send = async (node: EvmNode, [raw]: readonly unknown[]): Promise<RpcResult> => {
  if (typeof raw !== 'string') return invalidParams('the first must be a signed transaction');
  const sent = await node.send(raw);
  return sent.ok ? result(sent.hash) : rpcError(REFUSED, sent.message);
};

/** Nobody pays for the gas of a call that is only tried: without a limit one could hold up its chain for hours. */
const TRIED: readonly string[] = ['eth_call', 'eth_estimateGas'];
const MOST_GAS = 50_000_000;

/** A call, its block and other states for it, with no more gas than that. What a block has is the chain's. */
const boundGas = ([call, ...rest]: readonly unknown[]): readonly unknown[] | undefined => {
  if (!isJsonObject(call)) return undefined;
  const { gas, gasLimit, ...others } = call;
  const asked = gas ?? gasLimit ?? undefined;
  const bound = `0x${Math.trunc(Math.min(Number(asked), MOST_GAS)).toString(16)}`;
  return [{ ...others, ...(asked !== undefined && { gas: bound }) }, ...rest.slice(0, 2)];
};

const read = async (node: EvmNode, method: string, given: readonly unknown[]): Promise<RpcResult> => {
  const params = JSON.parse(printJson(given)) as readonly unknown[];
  const bound = TRIED.includes(method) ? boundGas(params) : params;
  if (!bound) return invalidParams('the first must be a call');
  const answer = await node.read(method, bound);
  return answer.ok ? result(answer.result) : rpcError(answer.code, answer.message, answer.data);
};

const dispatchOn =
  (services: Services, chain: string): Dispatch =>
  (method, params) => {
    if (method === 'eth_sendRawTransaction') return services.node(chain).then((node) => send(node, params));
    return READS.includes(method) ? services.node(chain).then((node) => read(node, method, params)) : undefined;
  };

/** Solana's is that of its own port. */
const dispatchOf = async (services: Services, name: string): Promise<Dispatch> => {
  if (name !== SOLANA) return dispatchOn(services, name);
  const [{ dispatchOn: onSolana }, { chain }] = await Promise.all([
    import('../solana/rpc/server.ts'),
    services.solana(),
  ]);
  return onSolana(chain);
};

const refusal = (http: number, status: string, message: string): Answer => ({ http, status, message });
const NO_CHAIN = refusal(404, 'chain_not_found', 'The sandbox has no such chain.');
/** A page of another site cannot send this type without asking first, and nothing here answers its question. */
const NO_JSON = refusal(415, 'unsupported_media_type', 'The content type must be application/json.');
const TOO_LARGE = refusal(413, 'body_too_large', 'The body is too large.');

/**
 * Ethereum's JSON-RPC on each EVM chain, and Solana's, which also has a port of its own, for wallets and libraries. The
 * node is started by the first call. Only what
 * reads, and signed transactions: those are mined and kept as the service's own are.
 */
export const addChains = (app: App, services: Services): void => {
  app.post(sandboxChainPath(':name'), async (context) => {
    const { name } = context.req.param();
    if (name !== SOLANA && !EVM_CHAINS.some((chain) => chain.name === name)) return say(context, NO_CHAIN);
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) return say(context, NO_JSON);
    const bytes = await readBytes(context.env.incoming);
    if (!bytes) return say(context, TOO_LARGE);
    const text = await answerText(await dispatchOf(services, name), new TextDecoder().decode(bytes));
    context.env.said = 'json_rpc';
    return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  });
};
