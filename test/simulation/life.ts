import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import { printJson } from '../../src/core/json.ts';
import type { Decider } from './decisions.ts';
import { API_KEY, HOME, keyFile, NODE_URL, PASSWORD, SERVICE_URL } from './home.ts';
import { newWatch, type Watch } from './invariants.ts';
import { type Kernel, newKernel } from './kernel.ts';
import { type Machine, newMachine, type Run } from './machine.ts';
import { newOutside } from './outside.ts';
import type { Mode } from './service.ts';

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

/** How a command line ended; `code` is undefined for a killed process. */
export type Ended = { readonly name: string; readonly code: number | undefined };

export type Life = {
  readonly problems: readonly string[];
  readonly ended: readonly Ended[];
  readonly story: readonly string[];
  readonly steps: number;
};

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

const bodyPath = (payment: number): string => `${HOME}/payment-${payment}.json`;

/** Puts the key, its password and the payments into the home. */
const furnish = ({ disk }: Machine, { payments }: Plan): void => {
  disk.put(`${HOME}/keys/payer.json`, keyFile(), 0);
  disk.put(`${HOME}/password`, `${PASSWORD}\n`, 0);
  for (const [at, payment] of payments.entries()) disk.put(bodyPath(at), bodyOf(payment), 0);
};

const ENV = { BURSAR_HOME: HOME, BURSAR_BASE_URL: SERVICE_URL, BURSAR_API_KEY: API_KEY, LANG: 'C.UTF-8' };

const signing = (hasNode: boolean): readonly string[] => [
  ...['--yes', '--json', '--password-file', `${HOME}/password`],
  ...(hasNode ? ['--rpc-url', NODE_URL] : []),
];

const payArgs = ({ payments }: Plan, { payment, hasNode }: Actor): readonly string[] => {
  const intent = payments[payment]?.intent;
  const named = intent === undefined ? [] : ['--intent', intent];
  return ['pay', 'run', '--body', bodyPath(payment), '--key', 'payer', ...signing(hasNode), ...named];
};

const resumeArgs = (hasNode: boolean): readonly string[] => ['pay', 'resume', '--all', ...signing(hasNode)];

/** What a failure says, from its JSON. */
const messageIn = ({ stdout, stderr }: Run['said']): string => {
  const [, message] = /"message": "((?:[^"\\]|\\.)*)"/.exec(stdout) ?? [];
  return message ?? (stderr || stdout).slice(0, 200);
};

/** Twice as far as a clock jumps, forward or back. */
const LONGEST_JUMP_MS = 4 * 24 * 60 * 60_000;

/** A start of a process is one of the few events at which a clock jumps. */
const START_WEIGHT = 20;

type Parts = {
  readonly kernel: Kernel;
  readonly machine: Machine;
  readonly watch: Watch;
  readonly ask: Decider['ask'];
  readonly tell: (line: string) => void;
};

/** Starts command lines on the machine, and collects their ends. */
const newRunner = ({ kernel, machine, watch, ask, tell }: Parts) => {
  const ended: Ended[] = [];
  const start = (name: string, args: readonly string[], then: (code: number | undefined) => void): void => {
    const end = (code: number | undefined): void => {
      if (process.state === 'ended') return;
      const shown = process.state === 'killed' ? undefined : code;
      machine.ended(process);
      tell(`${name} ends with ${shown ?? 'a kill'}${shown ? `: ${messageIn(said)}` : ''}`);
      ended.push({ name, code: shown });
      watch.onEnd({ said, code: shown }, args);
      then(shown);
    };
    const process = machine.start(name, () => kernel.at(kernel.now(), () => end(undefined)));
    const jump = ask(`${name}: start`, ['clock jump'], START_WEIGHT);
    if (jump) machine.setClock(Math.round((jump.size - 0.5) * LONGEST_JUMP_MS));
    const { io, said } = machine.ioFor(process, HOME, ENV);
    watch.onStart(said, args);
    tell(`${name} starts: bursar ${args.join(' ')}`);
    void run(io, readCommandLine(args), '0.0.0').then((code) => kernel.at(kernel.now(), () => end(code)));
  };
  return { ended, start };
};

type Runner = ReturnType<typeof newRunner>;

const MAX_TRIES = 3;
const TRY_AGAIN_MS = 30_000;

/** Lets the actors act until each has succeeded or given up. */
const letAct = async ({ kernel, watch }: Parts, { start }: Runner, plan: Plan): Promise<void> => {
  let acting = plan.actors.length;
  const act = (actor: Actor, attempt: number): void => {
    const isResume = attempt > 1 && actor.afterFailure === 'resume';
    const args = isResume ? resumeArgs(actor.hasNode) : payArgs(plan, actor);
    start(`${actor.name}${attempt}`, args, (code) => {
      const isOver = code === 0 || attempt >= MAX_TRIES || actor.afterFailure === 'leave';
      if (isOver) acting -= 1;
      else kernel.at(kernel.now() + TRY_AGAIN_MS, () => act(actor, attempt + 1));
    });
  };
  for (const actor of plan.actors) kernel.at(actor.startsAt, () => act(actor, 1));
  await kernel.runUntil(() => acting === 0 || watch.problems.length > 0, watch.onStep);
};

const MAX_RESUMES = 8;

/** Twenty minutes, and later a day: where the clock was ahead, the chain has to pass the time of the start. */
const resumesAfter = (resume: number): number => (resume <= 3 ? 20 * 60_000 : 24 * 60 * 60_000);

/** Resumes what is open, without faults. Returns the last exit code. */
const resumeAll = async ({ kernel, watch }: Parts, { start }: Runner): Promise<number | undefined> => {
  let code: number | undefined;
  for (let resume = 1; resume <= MAX_RESUMES && watch.problems.length === 0; resume += 1) {
    let isDone = false;
    const done = (result: number | undefined): void => {
      code = result;
      isDone = true;
    };
    kernel.at(kernel.now() + resumesAfter(resume), () => start(`resume${resume}`, resumeArgs(true), done));
    await kernel.runUntil(() => isDone || watch.problems.length > 0, watch.onStep);
    if (code === 0 && resume > 1) break;
  }
  return code;
};

/** Lives one life: the actors with the decider's faults, then resumes without faults until nothing is open. */
export const live = async (plan: Plan, decider: Decider): Promise<Life> => {
  const story: string[] = [];
  let isCalm = false;
  const ask: Decider['ask'] = (...event) => (isCalm ? undefined : decider.ask(...event));
  const kernel = newKernel({ made: decider.made, ask }, (line) => tell(line));
  const tell = (line: string): void => void story.push(`${(kernel.now() / 1000).toFixed(3).padStart(10)} s  ${line}`);
  const { chain, networkWith } = newOutside({ kernel, mode: plan.mode, ask, tell });
  const network = networkWith((request) => watch.onRequest(request));
  const machine = newMachine({ name: 'alpha', kernel, network, tell, seed: plan.seed });
  const watch = newWatch({ plan, chain, machine, now: kernel.now });
  furnish(machine, plan);
  const parts = { kernel, machine, watch, ask, tell };
  const runner = newRunner(parts);
  await letAct(parts, runner, plan);
  isCalm = true;
  const lastResume = await resumeAll(parts, runner);
  watch.onLifeEnd({ ended: runner.ended, decisions: decider.made, lastResume });
  return { problems: watch.problems, ended: runner.ended, story, steps: kernel.steps() };
};
