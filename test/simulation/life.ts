import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import { newCoverage, WORLD } from './coverage.ts';
import type { About, Action, Decider } from './decisions.ts';
import { EVM_ADDRESS, HOME, keyFile, PASSWORD, solanaKeyFile } from './home.ts';
import { type Ended, newWatch, type Started, type Watch } from './invariants.ts';
import { type Kernel, newKernel, type Process } from './kernel.ts';
import { type Machine, newMachine, type Run } from './machine.ts';
import { newOutside } from './outside.ts';
import { blockhashAgeOf, COPY, doerOf, ENV, filesOf, isYield, ON_COPY, type Plan, type Task } from './plan.ts';
import { type Answers, cardResumeArgs, resumeArgs, SCRIPTS, type Shell } from './scripts.ts';
import { YIELD_RESUME, YIELD_SCRIPTS } from './yield-scripts.ts';

export type Life = {
  readonly problems: readonly string[];
  readonly ended: readonly Ended[];
  /** Who did what, when, and what the journals have in the end. */
  readonly story: () => readonly string[];
  readonly steps: number;
  /** The refusals of the service, by endpoint, HTTP code and status. */
  readonly refusals: ReadonlyMap<string, number>;
};

/** Puts the key, its password and the payments into the home. */
const furnish = ({ disk }: Machine, { tasks }: Plan): void => {
  disk.put(`${HOME}/keys/payer.json`, keyFile(), 0);
  if (tasks.some(isYield)) disk.put(`${HOME}/keys/saver.json`, solanaKeyFile(), 0);
  disk.put(`${HOME}/password`, `${PASSWORD}\n`, 0);
  for (const [at, task] of tasks.entries()) for (const [path, text] of filesOf(task, at)) disk.put(path, text, 0);
};

/** What a failure says, from its JSON. */
const messageIn = ({ stdout, stderr }: Run['said']): string => {
  const [, message] = /"message": "((?:[^"\\]|\\.)*)"/.exec(stdout) ?? [];
  return message ?? (stderr || stdout).slice(0, 200);
};

/** Twice as far as a clock jumps, forward or back. */
const LONGEST_JUMP_MS = 4 * 24 * 60 * 60_000;

/** A start of a process and a question are few among the events. */
const START_WEIGHT = 20;
const QUESTION_WEIGHT = 30;
const AT_START: readonly Action[] = ['clock jump'];
const AT_QUESTION: readonly Action[] = ['no'];

type Parts = {
  readonly kernel: Kernel;
  readonly watch: Watch;
  readonly ask: Decider['ask'];
  readonly tell: (line: string) => void;
};

type Job = {
  readonly machine: Machine;
  /** The name of the process, and what runs it. */
  readonly name: string;
  readonly actor: string;
  readonly args: readonly string[];
  readonly answers?: Answers | undefined;
};

/** Starts command lines, and collects their ends. */
const newRunner = ({ kernel, watch, ask, tell }: Parts) => {
  const ended: Ended[] = [];
  const start = ({ machine, name, actor, args, answers }: Job, onStart?: (process: Process) => void): Promise<Run> =>
    new Promise((resolve) => {
      const end = (code: number | undefined): void => {
        if (process.state === 'ended') return;
        const shown = process.state === 'killed' ? undefined : code;
        machine.ended(process);
        tell(`${name} ends with ${shown ?? 'a kill'}${shown ? `: ${messageIn(said)}` : ''}`);
        ended.push({ name, code: shown });
        watch.onEnd(started, shown);
        resolve({ said, code: shown });
      };
      const process = machine.start(name, actor, () => kernel.at(kernel.now(), () => end(undefined)));
      onStart?.(process);
      const jump = ask(`${name}: start`, AT_START, START_WEIGHT, { actor, stage: 'none' });
      if (jump) machine.setClock(Math.round((jump.size - 0.5) * LONGEST_JUMP_MS));
      const asked: Answers | undefined =
        answers &&
        ((question) => {
          const isYes = answers(question);
          tell(`${name} asks: ${question} ${isYes ? 'yes' : 'no'}`);
          if (isYes) watch.onYes(started, question);
          return isYes;
        });
      const { io, said } = machine.ioFor(process, HOME, ENV, asked);
      const started: Started = { name, machine, args, said };
      watch.onStart(started);
      tell(`${name} starts: bursar ${args.join(' ')}`);
      void run(io, readCommandLine(args), '0.0.0').then((code) => kernel.at(kernel.now(), () => end(code)));
    });
  return { ended, start };
};

type Runner = ReturnType<typeof newRunner>;

type Machines = ReadonlyMap<string, Machine>;

/** Lets the actors act until each has come to its end. */
const letAct = async (
  { kernel, watch, ask }: Parts,
  { start }: Runner,
  plan: Plan,
  machines: Machines,
): Promise<void> => {
  let acting = plan.actors.length;
  for (const actor of plan.actors) {
    const task = plan.tasks[actor.task] as Task;
    const machine = machines.get(actor.script === ON_COPY ? COPY : task.machine) as Machine;
    const isAlone = plan.actors.every((other) => other === actor || other.task !== actor.task);
    let commands = 0;
    const doer = doerOf(actor.script, task);
    // The process that asks.
    let about = (): About => ({ actor: doer, stage: 'none' });
    const shell: Shell = {
      run: (args, answers) => {
        commands += 1;
        const job = { machine, name: `${actor.name}${commands}`, actor: doer, args, answers };
        return start(job, (process) => {
          about = () => process;
        });
      },
      pause: (milliseconds) => new Promise((resolve) => kernel.at(kernel.now() + milliseconds, resolve)),
      isNo: () => ask(`${actor.name}${commands}: a question`, AT_QUESTION, QUESTION_WEIGHT, about()) !== undefined,
      save: (path, text) => machine.disk.put(path, text, machine.now()),
    };
    kernel.at(actor.startsAt, () => {
      void (isYield(task) ? YIELD_SCRIPTS : SCRIPTS)[actor.script](shell, { actor, task, isAlone }).then(() => {
        acting -= 1;
      });
    });
  }
  await kernel.runUntil(() => acting === 0 || watch.problems.length > 0, watch.onStep);
};

/** Runs a command line alone, without faults. */
const runAlone = async ({ kernel, watch }: Parts, { start }: Runner, afterMs: number, job: Job): Promise<Run> => {
  let result: Run | undefined;
  kernel.at(kernel.now() + afterMs, () => {
    void start(job).then((run) => {
      result = run;
    });
  });
  await kernel.runUntil(() => result !== undefined || watch.problems.length > 0, watch.onStep);
  return result ?? { said: { stdout: '', stderr: '' }, code: undefined };
};

/** Sets the policies of the keys, before anything can go wrong. */
const setPolicies = async (
  parts: Parts,
  runner: Runner,
  { mostPerDay, tasks }: Plan,
  [name, machine]: [string, Machine],
) => {
  const keys = [['payer', 'USDT'], ...(tasks.some(isYield) ? [['saver', 'USDC']] : [])];
  for (const [key, token] of mostPerDay === undefined ? [] : keys) {
    const args = ['key', 'policy', 'set', String(key), `most_per_day.${token}=${mostPerDay}`];
    const options = ['--yes', '--json', '--password-file', `${HOME}/password`];
    const job = { machine, name: `${name}-policy-of-${key}`, actor: 'policy', args: [...args, ...options] };
    const { code, said } = await runAlone(parts, runner, 0, job);
    if (code !== 0) throw new Error(`the policy of the key was not set: ${said.stderr}${said.stdout}`);
  }
};

const MAX_RESUMES = 8;

const LAST_RESUME = resumeArgs({ hasNode: true });

/** The charges in the output of a resume of all that wait for a card, or for the yes of a person to another attempt. */
const chargesIn = (stdout: string): readonly string[] =>
  [...stdout.matchAll(/"movement": "([^"]+)"[^{}]*"message": "[^"]*(?:the card|The card|has a Pix)/g)].map(
    ([, id = '']) => id,
  );

/** Twenty minutes, and later a day: where the clock was ahead, the chain has to pass the time of the start. */
const resumesAfter = (resume: number): number => (resume <= 3 ? 20 * 60_000 : 24 * 60 * 60_000);

/** Whether a resume of all has found nothing to resume. */
const isNothingOpen = ({ stdout }: Run['said']): boolean => stdout.trim() === '[]';

/** Resumes what is open on a machine, without faults. Returns the last exit code. */
const resumeAll = async (
  parts: Parts,
  runner: Runner,
  [name, machine]: [string, Machine],
  command: readonly string[] = LAST_RESUME,
) => {
  let code: number | undefined;
  for (let resume = 1; resume <= MAX_RESUMES && parts.watch.problems.length === 0; resume += 1) {
    const job = { machine, name: `${name}-resume${resume}`, actor: 'last resume', args: command };
    const isOfYield = command === YIELD_RESUME;
    if (isOfYield) parts.kernel.at(parts.kernel.now() + resumesAfter(resume), () => parts.watch.onLastResume(machine));
    const { said, code: all } = await runAlone(parts, runner, resumesAfter(resume), job);
    code = all;
    for (const [at, id] of chargesIn(said.stdout).entries()) {
      const asked = { args: cardResumeArgs(id), answers: () => true };
      await runAlone(parts, runner, 1_000, { ...job, ...asked, name: `${name}-resume${resume}-charge${at}` });
    }
    if (code === 0 && (resume > 1 || isNothingOpen(said))) break;
  }
  return code;
};

/** A line for each operation in the journal of a machine: its steps with their times. */
const journalOf = ([name, { operations }]: [string, Machine]): readonly string[] =>
  operations().map(([path, text]) => {
    const times = [...text.matchAll(/"at":"[^T]*T([^"]*)"/g)].map(([, time]) => time);
    const steps = [...text.matchAll(/"step":"(\w+)"/g)].map(([, step], at) => `${step} ${times[at]}`);
    return `${name} ${path.slice(path.lastIndexOf('/') + 1)}: ${steps.join(', ')}`;
  });

/** Lives one life: the actors with the decider's faults, then resumes without faults until nothing is open. */
export const live = async (plan: Plan, decider: Decider, coverage = newCoverage()): Promise<Life> => {
  const story: string[] = [];
  let isCalm = true;
  let stage = 'none';
  const ask: Decider['ask'] = (event, allowed, weight, about = { actor: WORLD, stage }) => {
    if (isCalm) return undefined;
    ({ stage } = about);
    coverage.see(about);
    const decision = decider.ask(event, allowed, weight, about);
    if (decision) coverage.cover(about, decision);
    return decision;
  };
  const kernel = newKernel({ made: decider.made, ask }, (line) => tell(line));
  const tell = (line: string): void => void story.push(`${(kernel.now() / 1000).toFixed(3).padStart(10)} s  ${line}`);
  const { mode, lag, seed, slowness } = plan;
  const blockhashAge = blockhashAgeOf(plan);
  const outside = newOutside({ kernel, mode, lag, blockhashAge, ask, tell });
  const { chain, service, solana, yields, networkWith } = outside;
  const watch = newWatch({ plan, chain, service, solana, now: kernel.now });
  const machines = new Map(
    [...plan.machines, ...(plan.copiedAt === undefined ? [] : [COPY])].map((name): [string, Machine] => {
      const network = networkWith((delivered) => watch.onRequest(machine, delivered));
      const machine = newMachine({ name, kernel, network, tell, seed, slowness });
      furnish(machine, plan);
      return [name, machine];
    }),
  );
  const parts = { kernel, watch, ask, tell };
  const runner = newRunner(parts);
  for (const each of machines) await setPolicies(parts, runner, plan, each);
  const [copy, [original]] = [machines.get(COPY), machines.values()];
  if (plan.copiedAt !== undefined && copy && original)
    kernel.at(plan.copiedAt, () => {
      tell('the home is copied to another machine');
      copy.disk.copyFrom(original.disk);
      watch.onCopy(original);
    });
  isCalm = false;
  await letAct(parts, runner, plan, machines);
  isCalm = true;
  // What has a claim was running where the home was copied, and the message says to remove the file if it has ended.
  copy?.disk.removeFiles((path) => path.includes('.claim-'));
  // A node has no memory of a yield operation after some hours, so these come first.
  const lastYields: (number | undefined)[] = [];
  for (const [name, machine] of plan.tasks.some(isYield) ? machines : [])
    lastYields.push(await resumeAll(parts, runner, [`${name}-yield`, machine], YIELD_RESUME));
  const lastResumes: (number | undefined)[] = [];
  const hasPayment = plan.tasks.some((task) => !isYield(task));
  for (const each of hasPayment ? machines : []) {
    const code = await resumeAll(parts, runner, each);
    // What a service refused stays open while its nonce is free.
    if (code !== 0) chain.useNonce(EVM_ADDRESS, kernel.now());
    lastResumes.push(code === 0 ? code : await resumeAll(parts, runner, each));
  }
  watch.onLifeEnd({ ended: runner.ended, decisions: decider.made, lastResumes, lastYields });
  return {
    problems: watch.problems,
    ended: runner.ended,
    story: () => [...story, ...[...machines].flatMap(journalOf)],
    steps: kernel.steps(),
    refusals: new Map([...service.given, ...yields.given]),
  };
};
