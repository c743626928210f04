import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import { parseJson, printJson } from '../../src/core/json.ts';
import type { HttpAnswer } from '../../src/io/http/http.ts';
import type { Decider } from './decisions.ts';
import { BLOCK_MS, FINAL_DEPTH, newEvmChain, newNode } from './evm-chain.ts';
import { newWatch, type Watch } from './invariants.ts';
import { newKernel } from './kernel.ts';
import { type Delivered, newMachine, type Run } from './machine.ts';
import { CHAIN_ID, type Mode, newService, type ServiceAnswer, TOKEN } from './service.ts';
import { API_KEY, EVM_ADDRESS, HOME, keyFile, NODE_URL, PASSWORD, SERVICE_URL } from './world.ts';

/** A payment that a user means: its amount is unlike any other of the life, so that an effect shows what it is of. */
export type Payment = { readonly amount: string; readonly receiver: string; readonly intent: string | undefined };

/** A command line of an actor, and what the actor does while it fails. */
export type Actor = {
  readonly name: string;
  readonly payment: number;
  readonly startsAt: number;
  readonly hasNode: boolean;
  /** `again` repeats the command, `resume` runs `pay resume --all`, `leave` does nothing. */
  readonly afterFailure: 'again' | 'resume' | 'leave';
};

/** Everything that a life begins with. With the decisions it is the whole life. */
export type Plan = {
  readonly mode: Mode;
  readonly seed: number;
  readonly payments: readonly Payment[];
  readonly actors: readonly Actor[];
};

/** How a command line ended; `undefined` for a killed process. */
export type Ended = {
  readonly name: string;
  readonly args: readonly string[];
  readonly code: number | undefined;
  readonly message: string;
};

export type Life = {
  readonly problems: readonly string[];
  readonly ended: readonly Ended[];
  readonly story: readonly string[];
  readonly steps: number;
};

const FUNDS = 10n ** 12n;

const bodyOf = ({ amount, receiver }: Payment): string =>
  printJson({
    executor_id: 'api_transaction',
    tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
    payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
    ...{ gateway_method: 'direct', from_currency_symbol: 'USDT', amount_from: amount, to_currency_symbol: 'USDT' },
    ...{ to_chain: 'polygon', on_ramp: false, transaction_type: 'crypto', payer_email: 'payer@example.com' },
    ...{ chain_name: 'polygon', payer_token_symbol: 'USDT' },
  });

const answerOf = (http: number, body: object): HttpAnswer => ({
  kind: 'answer',
  http,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(printJson(body)),
});

/** Twice as far as a clock jumps, forward or back. */
const LONGEST_JUMP_MS = 4 * 24 * 60 * 60_000;

const MAX_TRIES = 3;
const TRY_AGAIN_MS = 30_000;
const MAX_DRAINS = 8;
/** Twenty minutes after the faults, and later a day, for a clock that was ahead is a reason to wait for the chain. */
const drainAfter = (drain: number): number => (drain <= 3 ? 20 * 60_000 : 24 * 60 * 60_000);

/** Lives one life: the actors with the decider's faults, then resumes without faults until nothing is open. */
export const live = async (plan: Plan, decider: Decider): Promise<Life> => {
  const story: string[] = [];
  let isCalm = false;
  const ask: Decider['ask'] = (...event) => (isCalm ? undefined : decider.ask(...event));
  const kernel = newKernel({ made: decider.made, ask }, (line) => tell(line));
  const tell = (line: string): void => void story.push(`${(kernel.now() / 1000).toFixed(3).padStart(10)} s  ${line}`);
  const chain = newEvmChain(CHAIN_ID, new Map([[`${TOKEN} ${EVM_ADDRESS}`, FUNDS]]));
  let blocks = 0;
  const mineSoon = (): void =>
    kernel.at((Math.floor(kernel.now() / BLOCK_MS) + 1) * BLOCK_MS, () => {
      const mined = chain.mine(kernel.now());
      for (const { sent, isGood } of mined) {
        tell(`the chain has ${sent.hash.slice(0, 10)} (nonce ${sent.nonce})${isGood ? '' : ', reverted'}`);
      }
      if (chain.isWaiting()) mineSoon();
      if (mined.length === 0) return;
      blocks += 1;
      const decision = ask(`the chain: block ${blocks}`, ['reorganise'], 40);
      if (decision) kernel.at(kernel.now() + decision.size * FINAL_DEPTH * BLOCK_MS, () => reorganise(decision.size));
    });
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
  const service = newService(plan.mode, { now: kernel.now, at: kernel.at, broadcast, chain });
  const node = newNode(chain, 0);

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
  let watch: Watch;
  const network = {
    deliver: ({ request, decision, process, respond }: Delivered): void => {
      const { method, url, headers, body = '' } = request;
      const { pathname } = new URL(url);
      watch.onRequest(url, headers, body);
      if (url.startsWith(NODE_URL)) {
        respond(answerOf(200, askNode(body)));
        return;
      }
      const isKnown = headers['x-api-key'] === API_KEY;
      const known = isKnown
        ? service.handle(method, pathname, body ? (parseJson(body) as never) : {}, decision)
        : { http: 401, body: {}, afterMs: 1 };
      const answer = ({ http, body: sent, afterMs, waitsFor }: ServiceAnswer): void =>
        kernel.at(kernel.now() + afterMs, () => {
          if (waitsFor) return answer(waitsFor() ?? { http, body: sent, afterMs, waitsFor });
          if (decision) tell(`the service answers ${process.name} with ${(sent as { status?: string }).status}`);
          respond(answerOf(http, sent));
        });
      answer(known);
    },
  };
  const machine = newMachine('alpha', { kernel, network, story: tell, seed: plan.seed });
  machine.disk.put(`${HOME}/keys/payer.json`, keyFile(), 0);
  machine.disk.put(`${HOME}/password`, `${PASSWORD}\n`, 0);
  for (const [at, payment] of plan.payments.entries())
    machine.disk.put(`${HOME}/payment-${at}.json`, bodyOf(payment), 0);
  watch = newWatch({ plan, chain, disk: machine.disk, now: kernel.now });

  const ended: Ended[] = [];
  let open = 0;
  const startRun = (name: string, args: readonly string[], then: (code: number | undefined) => void): void => {
    open += 1;
    const process = machine.start(name);
    const jump = ask(`${name}: start`, ['clock jump'], 20);
    if (jump) machine.setClock(Math.round((jump.size - 0.5) * LONGEST_JUMP_MS));
    const env = { BURSAR_HOME: HOME, BURSAR_BASE_URL: SERVICE_URL, BURSAR_API_KEY: API_KEY, LANG: 'C.UTF-8' };
    const { io, said } = machine.ioFor(process, HOME, env);
    const result: Run = { process, said, code: undefined };
    watch.onStart(result);
    const end = (code: number | undefined): void => {
      if (process.state === 'ended') return;
      open -= 1;
      machine.ended(process);
      if (process.state === 'killed') code = undefined;
      tell(
        `${name} ends with ${code ?? 'a kill'}: ${args.slice(0, 2).join(' ')}${code ? ` | ${messageIn(said)}` : ''}`,
      );
      ended.push({ name, args, code, message: messageIn(said) });
      watch.onEnd({ ...result, code }, args);
      then(code);
    };
    const { killed } = process;
    Object.assign(process, {
      killed: () => {
        killed();
        kernel.at(kernel.now(), () => end(undefined));
      },
    });
    tell(`${name} starts: bursar ${args.join(' ')}`);
    void run(io, readCommandLine(args), '0.0.0').then((code) => kernel.at(kernel.now(), () => end(code)));
  };

  const password = ['--password-file', `${HOME}/password`];
  const payArgs = ({ payment, hasNode }: Actor): readonly string[] => {
    const intent = plan.payments[payment]?.intent;
    return [
      ...['pay', 'run', '--body', `${HOME}/payment-${payment}.json`, '--key', 'payer', '--yes', '--json', ...password],
      ...(hasNode ? ['--rpc-url', NODE_URL] : []),
      ...(intent === undefined ? [] : ['--intent', intent]),
    ];
  };
  const resumeArgs = (hasNode: boolean): readonly string[] => [
    ...['pay', 'resume', '--all', '--yes', '--json', ...password],
    ...(hasNode ? ['--rpc-url', NODE_URL] : []),
  ];

  const act = (actor: Actor, attempt: number): void => {
    const args = attempt > 1 && actor.afterFailure === 'resume' ? resumeArgs(actor.hasNode) : payArgs(actor);
    startRun(`${actor.name}${attempt}`, args, (code) => {
      if (code === 0 || attempt >= MAX_TRIES || actor.afterFailure === 'leave') return;
      open += 1;
      kernel.at(kernel.now() + TRY_AGAIN_MS, () => {
        open -= 1;
        act(actor, attempt + 1);
      });
    });
  };
  for (const actor of plan.actors) {
    open += 1;
    kernel.at(actor.startsAt, () => {
      open -= 1;
      act(actor, 1);
    });
  }
  const check = (): void => watch.onStep();
  await kernel.runUntil(() => open === 0 || watch.problems.length > 0, check);
  isCalm = true;
  let last: number | undefined;
  for (let drain = 1; drain <= MAX_DRAINS && watch.problems.length === 0; drain += 1) {
    let code: number | undefined;
    let isDone = false;
    kernel.at(kernel.now() + drainAfter(drain), () =>
      startRun(`drain${drain}`, resumeArgs(true), (result) => {
        code = result;
        isDone = true;
      }),
    );
    await kernel.runUntil(() => isDone || watch.problems.length > 0, check);
    last = code;
    if (code === 0 && drain > 1) break;
  }
  watch.onLifeEnd({ ended, decisions: decider.made, lastDrain: last });
  return { problems: watch.problems, ended, story, steps: kernel.steps() };
};

/** What a failure says, from its JSON. */
const messageIn = ({ stdout, stderr }: Run['said']): string => {
  const [, message] = /"message": "((?:[^"\\]|\\.)*)"/.exec(stdout) ?? [];
  return message ?? (stderr || stdout).slice(0, 200);
};
