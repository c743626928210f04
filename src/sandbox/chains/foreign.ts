import { EVM_CHAINS, sandboxChainPath } from '../../contract/chains.ts';
import { SOLANA } from '../../contract/solana.ts';
import { type App, say } from '../http/app.ts';
import type { Answer } from '../http/envelope.ts';
import { readBytes } from '../http/read-json.ts';
import type { Session } from '../http/rpc-sockets.ts';
import { answerText, type Dispatch } from '../json-rpc.ts';
import type { Services } from '../services.ts';
import { openFilters } from './filters.ts';
import { publicMethods } from './public-methods.ts';
import { openSubscriptions } from './subscriptions.ts';

const refusal = (http: number, status: string, message: string): Answer => ({ http, status, message });
const NO_CHAIN = refusal(404, 'chain_not_found', 'The sandbox has no such chain.');
/** A page of another site cannot send this type without asking first, and nothing here answers its question. */
const NO_JSON = refusal(415, 'unsupported_media_type', 'The content type must be application/json.');
const TOO_LARGE = refusal(413, 'body_too_large', 'The body is too large.');

/** A chain for everybody: its methods over HTTP, and with subscriptions over a WebSocket. */
type Face = { readonly dispatch: Dispatch; readonly open: (send: (text: string) => void) => Session };

const faceOf = (services: Services, chain: string): Face => {
  const node = () => services.node(chain);
  const usual = publicMethods(node);
  const filters = openFilters(node, services.io.clock.monotonic);
  const dispatch: Dispatch = (method, params) => usual(method, params) ?? filters(method, params);
  const watch = async (listener: () => void) => (await services.nodes()).watch(chain, listener);
  return { dispatch, open: (send) => openSubscriptions({ node, watch }, dispatch, send) };
};

/** Opens the session of a client of a path; `undefined` where no chain answers. */
export type OpenSession = (path: string) => Face['open'] | undefined;

/**
 * Ethereum's JSON-RPC on each EVM chain, with sessions over WebSockets, and Solana's, which also has ports of its own,
 * for wallets and libraries. The node is started by the first call. Only what reads, and signed transactions: those are
 * mined and kept as the service's own are.
 */
export const addChains = (app: App, services: Services): OpenSession => {
  const faces = new Map<string, Face>(EVM_CHAINS.map(({ name }) => [name, faceOf(services, name)]));
  const onSolana = async () => (await services.solana()).rpc.dispatch;
  const dispatches = new Map<string, () => Promise<Dispatch>>([
    [SOLANA, onSolana],
    ...[...faces].map(([name, { dispatch }]) => [name, async () => dispatch] as const),
  ]);
  app.post(sandboxChainPath(':name'), async (context) => {
    const dispatchOf = dispatches.get(context.req.param().name);
    if (!dispatchOf) return say(context, NO_CHAIN);
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) return say(context, NO_JSON);
    const bytes = await readBytes(context.env.incoming);
    if (!bytes) return say(context, TOO_LARGE);
    const text = await answerText(await dispatchOf(), new TextDecoder().decode(bytes));
    context.env.said = 'json_rpc';
    return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  });
  return (path) => [...faces].find(([name]) => sandboxChainPath(name) === path)?.[1].open;
};
