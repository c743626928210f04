import { readCommandLine } from '../../src/cli/argv/command-line.ts';
import { run } from '../../src/cli/run.ts';
import type { Io } from '../../src/io/io.ts';
import { useDatabase } from '../../src/journal/postgres/open.ts';
import { BULK, BULK_BESIDE, bulkArgs, LAST_BULK, lastRows, pathOfRows, textOfRows } from './bulk-plan.ts';
import { bulkScript } from './bulk-scripts.ts';
import { isKept, rowStatesIn } from './bulk-watch.ts';
import { newCoverage, WORLD } from './coverage.ts';
import type { About, Action, Decider } from './decisions.ts';
import {
  EVM_ADDRESS,
  HOME,
  keyFile,
  NODE_URL,
  PASSWORD,
  SECOND_ADDRESS,
  secondKeyFile,
  solanaKeyFile,
} from './home.ts';
import { type CommandRun, newWatch, type ProcessEnd, type Watch } from './invariants.ts';
import { JOURNAL_KEY, JOURNAL_URL, newSharedJournal, type SharedJournal } from './journal-link.ts';
import { type Kernel, newKernel, type Process } from './kernel.ts';
import { type Machine, newMachine, type Run } from './machine.ts';
import { newOutside } from './outside.ts';
import {
  type Actor,
  actorNameOf,
  blockhashAgeOf,
  COPY,
  ENV,
  filesOf,
  isYield,
  ON_COPY,
  type Plan,
  type Task,
} from './plan.ts';
import { type Answers, cardResumeArgs, resumeArgs, SCRIPTS, type Script, type Shell } from './scripts.ts';
import { YIELD_RESUME, YIELD_SCRIPTS } from './yield-scripts.ts';

export type Life = {
  readonly problems: readonly string[];
  readonly ended: readonly ProcessEnd[];
  /** Each event with its time, and the steps of each journal at the end. */
  readonly story: () => readonly string[];
  readonly steps: number;
  /** The refusals of the service, by endpoint, HTTP code and status. */
  readonly refusals: ReadonlyMap<string, number>;
};

/** Adds the keys, the password and the payments to the home. */
const putFiles = ({ disk }: Machine, { tasks, leaseMs, bulk }: Plan): void => {
  if (leaseMs !== undefined) disk.put(`${HOME}/state/${JOURNAL_KEY.path}`, JOURNAL_KEY.text, 0);
  disk.put(`${HOME}/keys/payer.json`, keyFile(), 0);
  if (tasks.some(isYield)) disk.put(`${HOME}/keys/saver.json`, solanaKeyFile(), 0);
  if (bulk) disk.put(`${HOME}/keys/second.json`, secondKeyFile(), 0);
  for (const [at, file] of bulk?.files.entries() ?? []) disk.put(pathOfRows(at), textOfRows(tasks, file), 0);
  disk.put(`${HOME}/password`, `${PASSWORD}\n`, 0);
  for (const [at, task] of tasks.entries()) for (const [path, text] of filesOf(task, at)) disk.put(path, text, 0);
};

/** The message of a failure, from its JSON. */
const messageIn = ({ stdout, stderr }: Run['output']): string => {
  const [, message] = /"message": "((?:[^"\\]|\\.)*)"/.exec(stdout) ?? [];
  return message ?? (stderr || stdout).slice(0, 200);
};

/** Twice the longest jump of a clock, which can go forward or back. */
const JUMP_RANGE_MS = 4 * 24 * 60 * 60_000;

/** The same for machines that share a journal, whose clocks are off by minutes. */
const SHARED_JUMP_RANGE_MS = 20 * 60_000;

/** Starts of processes and questions are rare among the events. */
const START_WEIGHT = 20;
const QUESTION_WEIGHT = 30;
const AT_START: readonly Action[] = ['clock jump'];
const AT_QUESTION: readonly Action[] = ['no'];

type Parts = {
  readonly kernel: Kernel;
  readonly watch: Watch;
  readonly ask: Decider['ask'];
  readonly log: (line: string) => void;
  /** The journal that the machines share. */
  readonly journal: SharedJournal | undefined;
};

type Job = {
  readonly machine: Machine;
  /** The name of the process. */
  readonly name: string;
  /** The script that runs the process. */
  readonly actor: string;
  readonly args: readonly string[];
  readonly answers?: Answers | undefined;
};

/** The world of a process that uses the journal of several machines. Each of its calls is watched. */
const onJournal = (io: Io, process: Process, journal: SharedJournal | undefined): Io => {
  if (journal === undefined) return io;
  useDatabase(io.places, journal.linkOf(process));
  return {
    ...io,
    http: {
      send: async (request) => {
        const ended = journal.watch.onCall(process, request);
        const answer = await io.http.send(request);
        ended();
        return answer;
      },
    },
  };
};

/** Starts command lines and collects their ends. */
const newRunner = ({ kernel, watch, ask, log, journal }: Parts) => {
  const env = journal === undefined ? ENV : { ...ENV, BURSAR_JOURNAL: JOURNAL_URL };
  const jumpRange = journal === undefined ? JUMP_RANGE_MS : SHARED_JUMP_RANGE_MS;
  const ended: ProcessEnd[] = [];
  const start = ({ machine, name, actor, args, answers }: Job, onStart?: (process: Process) => void): Promise<Run> =>
    new Promise((resolve) => {
      const end = (code: number | undefined): void => {
        if (process.state === 'ended') return;
        const exitCode = process.state === 'killed' ? undefined : code;
        machine.ended(process);
        log(`${name} ends with ${exitCode ?? 'a kill'}${exitCode ? `: ${messageIn(output)}` : ''}`);
        ended.push({ name, code: exitCode });
        watch.onEnd(started, exitCode);
        resolve({ output, code: exitCode });
      };
      const process = machine.start(name, actor, () => kernel.at(kernel.now(), () => end(undefined)));
      onStart?.(process);
      const jump = ask(`${name}: start`, AT_START, START_WEIGHT, { actor, stage: 'none' });
      if (jump) machine.setClock(Math.round((jump.size - 0.5) * jumpRange));
      const recordingAnswers: Answers | undefined =
        answers &&
        ((question) => {
          const isYes = answers(question);
          log(`${name} asks: ${question} ${isYes ? 'yes' : 'no'}`);
          if (isYes) watch.onYes(started, question);
          return isYes;
        });
      const { io, output } = machine.ioFor(process, HOME, env, recordingAnswers);
      const started: CommandRun = { name, machine, args, output };
      watch.onStart(started);
      process.onJournal = (step) => watch.onJournal(started, step);
      log(`${name} starts: bursar ${args.join(' ')}`);
      void run(onJournal(io, process, journal), readCommandLine(args), '0.0.0').then((code) =>
        kernel.at(kernel.now(), () => end(code)),
      );
    });
  return { ended, start };
};

/** The script of an actor. */
const scriptOf = ({ bulk }: Plan, { script }: Actor, task: Task): Script => {
  if (script !== BULK && script !== BULK_BESIDE) return (isYield(task) ? YIELD_SCRIPTS : SCRIPTS)[script];
  if (bulk === undefined) throw new Error('a life without bulk payments has none of their scripts');
  return bulkScript(script, bulk);
};

/** The machine of an actor. */
const machineOf = (machines: Machines, { script, machine }: Actor, task: Task): Machine =>
  machines.get(script === ON_COPY ? COPY : (machine ?? task.machine)) as Machine;

type Runner = ReturnType<typeof newRunner>;

type Machines = ReadonlyMap<string, Machine>;

/** Runs the scripts of all actors to their end. */
const runActors = async (
  { kernel, watch, ask }: Parts,
  { start }: Runner,
  plan: Plan,
  machines: Machines,
): Promise<void> => {
  let running = plan.actors.length;
  for (const actor of plan.actors) {
    const task = plan.tasks[actor.task] as Task;
    const machine = machineOf(machines, actor, task);
    const isAlone = plan.actors.every((other) => other === actor || other.task !== actor.task);
    let commands = 0;
    const actorName = actorNameOf(actor.script, task);
    // The process that asks the question.
    let about = (): About => ({ actor: actorName, stage: 'none' });
    const shell: Shell = {
      run: (args, answers) => {
        commands += 1;
        const job = { machine, name: `${actor.name}${commands}`, actor: actorName, args, answers };
        return start(job, (process) => {
          about = () => process;
        });
      },
      pause: (milliseconds) => new Promise((resolve) => kernel.at(kernel.now() + milliseconds, resolve)),
      declines: () => ask(`${actor.name}${commands}: a question`, AT_QUESTION, QUESTION_WEIGHT, about()) !== undefined,
      save: (path, text) => machine.disk.put(path, text, machine.now()),
    };
    kernel.at(actor.startsAt, () => {
      void scriptOf(
        plan,
        actor,
        task,
      )(shell, { actor, task, isAlone }).then(() => {
        running -= 1;
      });
    });
  }
  await kernel.runUntil(() => running === 0 || watch.problems.length > 0, watch.onStep);
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
  return result ?? { output: { stdout: '', stderr: '' }, code: undefined };
};

/** Sets the policies of the keys, before faults start. */
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
    const { code, output } = await runAlone(parts, runner, 0, job);
    if (code !== 0) throw new Error(`the policy of the key was not set: ${output.stderr}${output.stdout}`);
  }
};

const MAX_RESUMES = 8;

const LAST_RESUME = resumeArgs({ hasNode: true });

/** The charges in the output of `resume --all` that need a card, or the user's confirmation of another attempt. */
const chargesIn = (stdout: string): readonly string[] =>
  [...stdout.matchAll(/"movement": "([^"]+)"[^{}]*"message": "[^"]*(?:the card|The card|has a Pix)/g)].map(
    ([, id = '']) => id,
  );

/** The pause before a resume. Later resumes wait a day, because the chain must pass a start time of a clock that was ahead. */
const resumesAfter = (resume: number): number => (resume <= 3 ? 20 * 60_000 : 24 * 60 * 60_000);

/** Whether `resume --all` found no open operation. */
const isNothingOpen = ({ stdout }: Run['output']): boolean => stdout.trim() === '[]';

/** Resumes all open operations of a machine, without faults. Returns the last exit code. */
const resumeAll = async (
  parts: Parts,
  runner: Runner,
  [name, machine]: [string, Machine],
  command: readonly string[] = LAST_RESUME,
) => {
  let code: number | undefined;
  for (let resume = 1; resume <= MAX_RESUMES && parts.watch.problems.length === 0; resume += 1) {
    const job = { machine, name: `${name}-resume${resume}`, actor: 'last resume', args: command };
    const isYieldResume = command === YIELD_RESUME;
    if (isYieldResume)
      parts.kernel.at(parts.kernel.now() + resumesAfter(resume), () => parts.watch.onLastResume(machine));
    const { output, code: all } = await runAlone(parts, runner, resumesAfter(resume), job);
    code = all;
    for (const [at, id] of chargesIn(output.stdout).entries()) {
      const charge = { args: cardResumeArgs(id), answers: () => true };
      await runAlone(parts, runner, 1_000, { ...job, ...charge, name: `${name}-resume${resume}-charge${at}` });
    }
    if (code === 0 && (resume > 1 || isNothingOpen(output))) break;
  }
  return code;
};

/** More than all rows of a life pay. */
const ALL = { USDT: '1000000', BRL: '1000000' };

/** Repeats the bulk run without faults, with all rows as they were started, until it has nothing left to do. */
const bulkAll = async (parts: Parts, runner: Runner, plan: Plan, machine: Machine, name: string) => {
  const { bulk } = plan;
  let code: number | undefined;
  for (let time = 1; bulk && time <= MAX_RESUMES && parts.watch.problems.length === 0; time += 1) {
    const states = rowStatesIn(machine).filter(isKept);
    const rows = lastRows(plan, (task) =>
      states.some(({ started: { intent_key, intent } }) => {
        const isOwn = intent_key === `bulk/${task.row}`;
        return isOwn && 'amount' in intent && intent.amount === task.amount;
      }),
    );
    machine.disk.put(pathOfRows('last'), textOfRows(plan.tasks, { rows, form: 'csv' }), machine.now());
    const args = bulkArgs(bulk, { file: 'last', limits: ALL }, ['--rpc-url', NODE_URL]);
    const job = { machine, name: `${name}${time}`, actor: LAST_BULK, args };
    ({ code } = await runAlone(parts, runner, resumesAfter(time), job));
    if (code === 0 || code === 13) break;
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

/** Runs one life: the actors with the decider's faults, then resumes without faults until no operation is open. */
export const live = async (plan: Plan, decider: Decider, coverage = newCoverage()): Promise<Life> => {
  const story: string[] = [];
  let areFaultsOff = true;
  let stage = 'none';
  const ask: Decider['ask'] = (event, allowed, weight, about = { actor: WORLD, stage }) => {
    if (areFaultsOff) return undefined;
    ({ stage } = about);
    coverage.see(about);
    const decision = decider.ask(event, allowed, weight, about);
    if (decision) coverage.cover(about, decision);
    return decision;
  };
  const kernel = newKernel({ made: decider.made, ask }, (line) => log(line));
  const log = (line: string): void => void story.push(`${(kernel.now() / 1000).toFixed(3).padStart(10)} s  ${line}`);
  const { mode, lag, seed, slowness } = plan;
  const blockhashAge = blockhashAgeOf(plan);
  const outside = newOutside({ kernel, mode, lag, blockhashAge, ask, log, isBusy: plan.bulk !== undefined });
  const { chain, service, solana, yields, networkWith } = outside;
  const watch = newWatch({ plan, chain, service, solana, now: kernel.now, decisions: () => decider.made });
  const journal = plan.leaseMs === undefined ? undefined : newSharedJournal(kernel, watch.problem, plan.leaseMs);
  const machines = new Map(
    [...plan.machines, ...(plan.copiedAt === undefined ? [] : [COPY])].map((name): [string, Machine] => {
      const network = networkWith((delivered) => watch.onRequest(machine, delivered));
      const machine = newMachine({
        ...{ name, kernel, network, log, seed, slowness },
        sharedOperations: journal?.watch.operations,
      });
      putFiles(machine, plan);
      return [name, machine];
    }),
  );
  const parts = { kernel, watch, ask, log, journal };
  const runner = newRunner(parts);
  for (const entry of machines) await setPolicies(parts, runner, plan, entry);
  const [copy, [original]] = [machines.get(COPY), machines.values()];
  if (plan.copiedAt !== undefined && copy && original)
    kernel.at(plan.copiedAt, () => {
      log('the home is copied to another machine');
      copy.disk.copyFrom(original.disk);
      watch.onCopy(original);
    });
  areFaultsOff = false;
  await runActors(parts, runner, plan, machines);
  areFaultsOff = true;
  // Claims of the original machine were copied too; the message asks the user to remove them when that process has ended.
  copy?.disk.removeFiles((path) => path.includes('.claim-'));
  const bulkActor = plan.actors.find(({ script }) => script === BULK);
  const bulkMachine = bulkActor && machineOf(machines, bulkActor, plan.tasks[bulkActor.task] as Task);
  if (bulkMachine) await bulkAll(parts, runner, plan, bulkMachine, 'last-bulk');
  // Yield operations come first, because a node forgets their transactions after some hours.
  const lastYields: (number | undefined)[] = [];
  for (const [name, machine] of plan.tasks.some(isYield) ? machines : [])
    lastYields.push(await resumeAll(parts, runner, [`${name}-yield`, machine], YIELD_RESUME));
  const lastResumes: (number | undefined)[] = [];
  const hasPayment = plan.tasks.some((task) => !isYield(task));
  for (const entry of hasPayment ? machines : []) {
    const code = await resumeAll(parts, runner, entry);
    // A payment that the service refused stays open while its nonce is free.
    for (const wallet of code === 0 ? [] : [EVM_ADDRESS, ...(plan.bulk ? [SECOND_ADDRESS] : [])])
      chain.useNonce(wallet, kernel.now());
    lastResumes.push(code === 0 ? code : await resumeAll(parts, runner, entry));
  }
  journal?.watch.onLifeEnd();
  const lastBulk = bulkMachine && {
    machine: bulkMachine,
    code: await bulkAll(parts, runner, plan, bulkMachine, 'end-bulk'),
  };
  watch.onLifeEnd({ lastBulk, ended: runner.ended, decisions: decider.made, lastResumes, lastYields });
  return {
    problems: watch.problems,
    ended: runner.ended,
    story: () => [...story, ...[...machines].flatMap(journalOf)],
    steps: kernel.steps(),
    refusals: new Map([...service.refusals, ...yields.refusals]),
  };
};
