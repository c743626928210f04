import { parseJson, printJson } from '../../src/core/json.ts';
import type { HttpAnswer } from '../../src/io/http/http.ts';
import type { Action, Decider, Decision } from './decisions.ts';
import { BLOCK_MS, FINAL_DEPTH, newEvmChain, newNode } from './evm-chain.ts';
import { API_KEY, EVM_ADDRESS, NODE_URL, SECOND_ADDRESS, SOLANA_NODE_URL } from './home.ts';
import type { Kernel } from './kernel.ts';
import type { Delivery, Network } from './machine.ts';
import { CHAIN_ID, type Mode, newService, type RequestFaults, type ServiceAnswer, TOKEN } from './service.ts';
import { newSolanaChain, SLOT_MS } from './solana-chain.ts';
import { newSolanaNode } from './solana-node.ts';
import { newYieldService } from './yield-service.ts';

/** More than all payments of a life. */
const FUNDS = 10n ** 12n;

/** Faults at a block are more important than at most events. */
const BLOCK_WEIGHT = 40;
const BLOCK_FAULTS: readonly Action[] = ['reorganise', 'nonce used elsewhere'];

type OutsideOptions = {
  readonly kernel: Kernel;
  readonly mode: Mode;
  /** How many blocks the node lags behind the chain. */
  readonly lag: number;
  /** The age, in slots, of the blockhashes that the service uses. */
  readonly blockhashAge: number;
  readonly ask: Decider['ask'];
  readonly log: (line: string) => void;
  /** Some wrong answers are those of a busy service. */
  readonly isBusy?: boolean;
};

/** The chain with a block every two seconds, and decisions that replace blocks later. */
const newMinedChain = ({ kernel, ask, log }: OutsideOptions) => {
  const wallets = [EVM_ADDRESS, SECOND_ADDRESS];
  const chain = newEvmChain(CHAIN_ID, new Map(wallets.map((wallet) => [`${TOKEN} ${wallet}`, FUNDS])));
  let blocks = 0;
  const mine = (): void => {
    const mined = chain.mine(kernel.now());
    for (const { sent, isGood } of mined) {
      log(`the chain has ${sent.hash.slice(0, 10)} (nonce ${sent.nonce})${isGood ? '' : ', reverted'}`);
    }
    if (chain.isWaiting()) mineSoon();
    if (mined.length === 0) return;
    blocks += 1;
    const decision = ask(`the chain: block ${blocks}`, BLOCK_FAULTS, BLOCK_WEIGHT);
    if (decision?.action === 'nonce used elsewhere') {
      log('another program uses the next nonce of the wallet');
      chain.useNonce(EVM_ADDRESS, kernel.now());
    } else if (decision)
      kernel.at(kernel.now() + decision.size * FINAL_DEPTH * BLOCK_MS, () => reorganise(decision.size));
  };
  const mineSoon = (): void => kernel.at((Math.floor(kernel.now() / BLOCK_MS) + 1) * BLOCK_MS, mine);
  const reorganise = (size: number): void => {
    const count = chain.reorganise(kernel.now(), Math.ceil(size * FINAL_DEPTH));
    log(`the chain replaces its newest blocks: ${count} transactions return to the pool`);
    if (chain.isWaiting()) mineSoon();
  };
  const broadcast = (raw: string): void => {
    try {
      const { hash, nonce } = chain.accept(raw, kernel.now());
      log(`the pool has ${hash.slice(0, 10)} (nonce ${nonce})`);
      mineSoon();
    } catch (error) {
      log(`the pool refuses bytes: ${(error as Error).message}`);
    }
  };
  return { chain, mineSoon, broadcast };
};

/** The lag of the Solana node for each block of lag of the EVM node. It is shorter than the time to a final block. */
const SOLANA_LAG_MS = 3 * SLOT_MS;

const answerOf = (http: number, body: object, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  kind: 'answer',
  http,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(printJson(body)),
});

const OF_NODE: RequestFaults = { actions: [], weight: 8 };

/** The answer of a service that is busy, which does nothing; `undefined` for other decisions. */
const busyAnswer = (decision: Decision | undefined) => {
  if (decision?.action !== 'wrong answer' || (decision.size * 31) % 1 > 0.4) return undefined;
  const http = decision.size < 0.5 ? 429 : 503;
  const seconds = Math.floor(((decision.size * 7919) % 1) * 40);
  return answerOf(
    http,
    { statusCode: http, success: false, status: 'busy', message: 'busy' },
    { 'retry-after': String(seconds) },
  );
};

const UNAUTHORIZED: ServiceAnswer = {
  http: 401,
  body: { statusCode: 401, success: false, status: 'unauthorized', message: 'unauthorized' },
  afterMs: 1,
};

/** The chains, their nodes and the service, outside the machines. */
export const newOutside = (options: OutsideOptions) => {
  const { kernel, mode, lag, blockhashAge, ask, log, isBusy = false } = options;
  const { chain, mineSoon, broadcast } = newMinedChain(options);
  const service = newService(mode, { now: kernel.now, at: kernel.at, broadcast, chain });
  const node = newNode(chain, lag);
  const solana = newSolanaChain({ now: kernel.now, at: kernel.at, ask, log });
  const yields = newYieldService(mode, { now: kernel.now, at: kernel.at, chain: solana, blockhashAge, log });
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

  const askService = ({ request, decision, process, respond }: Delivery): void => {
    const { method, url, headers, body = '' } = request;
    const address = new URL(url);
    const { pathname } = address;
    const busy = isBusy ? busyAnswer(decision) : undefined;
    if (busy) {
      log(`the service answers ${process.name} with HTTP ${busy.http}`);
      kernel.at(kernel.now() + 20, () => respond(busy));
      return;
    }
    const handler = yields.isOwn(pathname) ? yields : service;
    const handled = () =>
      handler === yields ? yields.handle(address, input, decision) : service.handle(method, pathname, input, decision);
    const input = body ? (parseJson(body) as Readonly<Record<string, unknown>>) : {};
    const isKnown = headers['x-api-key'] === API_KEY;
    const answer = (result: ServiceAnswer): void =>
      kernel.at(kernel.now() + result.afterMs, () => {
        if (result.waitsFor) return answer(result.waitsFor() ?? result);
        handler.note(pathname, result);
        if (decision) log(`the service answers ${process.name} with HTTP ${result.http}`);
        respond(answerOf(result.http, result.body));
      });
    answer(isKnown ? handled() : UNAUTHORIZED);
  };

  /** `onRequest` gets each request of a process that arrives, before its answer. */
  const networkWith = (onRequest: (delivered: Delivery) => void): Network => ({
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
