import { parseJson, printJson } from '../../src/core/json.ts';
import type { HttpAnswer } from '../../src/io/http/http.ts';
import type { Action, Decider } from './decisions.ts';
import { BLOCK_MS, FINAL_DEPTH, newEvmChain, newNode } from './evm-chain.ts';
import { API_KEY, EVM_ADDRESS, NODE_URL, SOLANA_NODE_URL } from './home.ts';
import type { Kernel } from './kernel.ts';
import type { Delivered, Network } from './machine.ts';
import { CHAIN_ID, type Mode, newService, type RequestFaults, type ServiceAnswer, TOKEN } from './service.ts';
import { newSolanaChain, SLOT_MS } from './solana-chain.ts';
import { newSolanaNode } from './solana-node.ts';
import { newYieldService } from './yield-service.ts';

/** More than all payments of a life. */
const FUNDS = 10n ** 12n;

/** A block decides more than most events. */
const BLOCK_WEIGHT = 40;
const BLOCK_FAULTS: readonly Action[] = ['reorganise', 'nonce used elsewhere'];

type Given = {
  readonly kernel: Kernel;
  readonly mode: Mode;
  /** How many blocks the node is behind. */
  readonly lag: number;
  /** How many slots the blockhashes are old that the service uses. */
  readonly blockhashAge: number;
  readonly ask: Decider['ask'];
  readonly tell: (line: string) => void;
};

/** The chain with a block every two seconds, which a decision replaces later. */
const newMinedChain = ({ kernel, ask, tell }: Given) => {
  const chain = newEvmChain(CHAIN_ID, new Map([[`${TOKEN} ${EVM_ADDRESS}`, FUNDS]]));
  let blocks = 0;
  const mine = (): void => {
    const mined = chain.mine(kernel.now());
    for (const { sent, isGood } of mined) {
      tell(`the chain has ${sent.hash.slice(0, 10)} (nonce ${sent.nonce})${isGood ? '' : ', reverted'}`);
    }
    if (chain.isWaiting()) mineSoon();
    if (mined.length === 0) return;
    blocks += 1;
    const decision = ask(`the chain: block ${blocks}`, BLOCK_FAULTS, BLOCK_WEIGHT);
    if (decision?.action === 'nonce used elsewhere') {
      tell('somebody uses the next nonce of the wallet elsewhere');
      chain.useNonce(EVM_ADDRESS, kernel.now());
    } else if (decision)
      kernel.at(kernel.now() + decision.size * FINAL_DEPTH * BLOCK_MS, () => reorganise(decision.size));
  };
  const mineSoon = (): void => kernel.at((Math.floor(kernel.now() / BLOCK_MS) + 1) * BLOCK_MS, mine);
  const reorganise = (size: number): void => {
    const count = chain.reorganise(kernel.now(), Math.ceil(size * FINAL_DEPTH));
    tell(`the chain replaces its youngest blocks: ${count} transactions wait again`);
    if (chain.isWaiting()) mineSoon();
  };
  const broadcast = (raw: string): void => {
    try {
      const { hash, nonce } = chain.accept(raw, kernel.now());
      tell(`the pool has ${hash.slice(0, 10)} (nonce ${nonce})`);
      mineSoon();
    } catch (error) {
      tell(`the pool refuses bytes: ${(error as Error).message}`);
    }
  };
  return { chain, mineSoon, broadcast };
};

/** A node of Solana is behind by less than its blocks take to be final. */
const SOLANA_LAG_MS = 3 * SLOT_MS;

const answerOf = (http: number, body: object): HttpAnswer => ({
  kind: 'answer',
  http,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(printJson(body)),
});

const OF_NODE: RequestFaults = { actions: [], weight: 8 };

const UNAUTHORIZED: ServiceAnswer = {
  http: 401,
  body: { statusCode: 401, success: false, status: 'unauthorized', message: 'unauthorized' },
  afterMs: 1,
};

/** Everything outside the machine: the chain, a node of it, and the service. */
export const newOutside = (given: Given) => {
  const { kernel, mode, lag, blockhashAge, ask, tell } = given;
  const { chain, mineSoon, broadcast } = newMinedChain(given);
  const service = newService(mode, { now: kernel.now, at: kernel.at, broadcast, chain });
  const node = newNode(chain, lag);
  const solana = newSolanaChain({ now: kernel.now, at: kernel.at, ask, tell });
  const yields = newYieldService(mode, { now: kernel.now, at: kernel.at, chain: solana, blockhashAge, tell });
  const solanaNode = newSolanaNode(solana, lag * SOLANA_LAG_MS);

  const askNode = (body: string): object => {
    const { id, method, params } = parseJson(body) as { id: unknown; method: string; params: readonly unknown[] };
    try {
      const result = node(method, params, kernel.now());
      if (method === 'eth_sendRawTransaction') mineSoon();
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32_000, message: (error as Error).message } };
    }
  };

  const askSolana = (body: string): object => {
    const { id, method, params } = parseJson(body) as { id: unknown; method: string; params: readonly unknown[] };
    return { jsonrpc: '2.0', id, ...solanaNode(method, params, kernel.now()) };
  };

  const askService = ({ request, decision, process, respond }: Delivered): void => {
    const { method, url, headers, body = '' } = request;
    const address = new URL(url);
    const { pathname } = address;
    const own = yields.isOwn(pathname) ? yields : service;
    const handled = () =>
      own === yields ? yields.handle(address, input, decision) : service.handle(method, pathname, input, decision);
    const input = body ? (parseJson(body) as Readonly<Record<string, unknown>>) : {};
    const isKnown = headers['x-api-key'] === API_KEY;
    const answer = (given: ServiceAnswer): void =>
      kernel.at(kernel.now() + given.afterMs, () => {
        if (given.waitsFor) return answer(given.waitsFor() ?? given);
        own.note(pathname, given);
        if (decision) tell(`the service answers ${process.name} with HTTP ${given.http}`);
        respond(answerOf(given.http, given.body));
      });
    answer(isKnown ? handled() : UNAUTHORIZED);
  };

  /** `onRequest` sees each request of a process that arrives, before its answer. */
  const networkWith = (onRequest: (delivered: Delivered) => void): Network => ({
    deliver: (delivered) => {
      if (!delivered.isCopy) onRequest(delivered);
      const { url, body = '' } = delivered.request;
      if (url.startsWith(NODE_URL)) delivered.respond(answerOf(200, askNode(body)));
      else if (url.startsWith(SOLANA_NODE_URL)) delivered.respond(answerOf(200, askSolana(body)));
      else askService(delivered);
    },
    faultsOf: ({ url, body = '' }) => {
      const { pathname } = new URL(url);
      if (url.startsWith(SOLANA_NODE_URL)) return { actions: [], weight: body.includes('sendTransaction') ? 100 : 8 };
      if (url.startsWith(NODE_URL)) return OF_NODE;
      return (yields.isOwn(pathname) ? yields : service).faultsOf(pathname);
    },
  });
  return { chain, service, solana, yields, networkWith };
};
