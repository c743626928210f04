import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Cell, type Coverage, fillingDecider, keyOf, newCoverage, tableOf, targetDecider } from './coverage.ts';
import { type Decider, type Decision, hashOf, randomDecider, replayDecider } from './decisions.ts';
import { closeGlobals } from './globals.ts';
import { keyFile, secondKeyFile, solanaKeyFile } from './home.ts';
import { type Life, live } from './life.ts';
import { type Plan, planFor, randomPlanFrom, SCRIPT_NAMES, type ScriptName, type Task, YIELD_KINDS } from './plan.ts';
import { startProfile } from './profile.ts';
import { MODES } from './service.ts';
import { newTally, wrongAnswerFor } from './tally.ts';

/** One life of twenty has no fault, to check the promises about lives without faults. */
const deciderFor = (seed: number) =>
  randomDecider(seed, seed % 20 === 0 ? { rate: 0, max: 0 } : { rate: 0.003, max: 5 });

/** A stored failure: all that a replay needs, independent of seeds. */
type StoredFailure = {
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
  readonly problems: readonly string[];
};

/** The text of a problem without hashes, to compare problems of two lives. */
const kindOf = (problem: string): string => problem.replaceAll(/0x[0-9a-f]+/g, '').slice(0, 60);

const breaksSame = (life: Life, { problems: [first = ''] }: StoredFailure): boolean =>
  life.problems.some((problem) => kindOf(problem) === kindOf(first));

const SHRINK_MS = 60_000;

/** Removes decisions until each remaining one is needed, or until the time is over. */
const shrunk = async (failure: StoredFailure, elapsedMs: () => number): Promise<StoredFailure> => {
  let { decisions } = failure;
  for (let at = 0; at < decisions.length && elapsedMs() < SHRINK_MS; ) {
    const decider = replayDecider(decisions.toSpliced(at, 1));
    if (breaksSame(await live(failure.plan, decider), failure)) decisions = [...decider.made];
    else at += 1;
  }
  return { ...failure, decisions };
};

const optionOf = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

const isOn = (name: string): boolean => process.argv.includes(`--${name}`);

/** The plan of a random life. With --shared the machines of each life share their journal; with --bulk each has bulk payments. */
const planOf = (seed: number): Plan => randomPlanFrom(seed, isOn('shared') || undefined, isOn('bulk') || undefined);

/** The mutant that a search looks for. */
const mutant = optionOf('mutant');

/** Chooses a mutant of the bundle, or the unchanged program. */
const choose = (name: string | undefined): void => void Object.assign(globalThis, { mutant: name });

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const now = process.hrtime.bigint.bind(process.hrtime);

/** Measures milliseconds from the call, without `Date.now`, which is closed during a life. */
const stopwatch = (): (() => number) => {
  const started = now();
  return () => Number(now() - started) / 1e6;
};

const reportFailure = async (name: string, failure: StoredFailure): Promise<void> => {
  process.exitCode = 1;
  if (mutant) print(`${name}: ${failure.problems[0]?.slice(0, 90)}`);
  const minimal = await shrunk(failure, stopwatch());
  const file = optionOf('out');
  if (file) writeFileSync(file, `${JSON.stringify(minimal, undefined, 2)}\n`);
  if (mutant) return;
  const { problems, story } = await live(minimal.plan, replayDecider(minimal.decisions));
  print(`${name}: ${problems.join('\n')}\n\n${story().join('\n')}\n\n${JSON.stringify(minimal)}`);
};

/** The number of lives in the profile of processor time. */
const PROFILED = 60;

/** Runs lives one after another and counts. With --survey each failure is one line and does not stop the run. */
const newRun = () => {
  const [elapsed, tally, coverage] = [stopwatch(), newTally(), newCoverage()];
  const stopProfile = startProfile(__filename);
  let shares: ReturnType<typeof stopProfile> | undefined;
  let lives = 0;
  return {
    tally,
    coverage,
    /** Runs a life; returns whether the run continues. */
    live: async (name: string, plan: Plan, decider: Decider): Promise<boolean> => {
      const life = await live(plan, decider, coverage);
      const { problems } = life;
      tally.add(plan.mode, life, decider.made);
      lives += 1;
      if (lives === PROFILED) shares = stopProfile();
      if (problems.length === 0) return true;
      if (isOn('survey')) {
        process.exitCode = 1;
        print(`${name} (${plan.mode}): ${problems.join(' | ')}`);
        return true;
      }
      await reportFailure(name, { plan, decisions: decider.made, problems });
      return false;
    },
    end: async (): Promise<void> => {
      for (const line of tally.lines(elapsed(), await (shares ?? stopProfile()))) print(line);
    },
  };
};

const simulate = async (): Promise<void> => {
  const [lives, first] = [Number(optionOf('lives') ?? 1000), Number(optionOf('seed') ?? 1)];
  const [run, elapsed, maxMs] = [newRun(), stopwatch(), 1000 * Number(optionOf('seconds') ?? Number.POSITIVE_INFINITY)];
  for (let seed = first; seed < first + lives && elapsed() < maxMs; seed += 1) {
    if (!(await run.live(`life ${seed}`, planOf(seed), deciderFor(seed)))) return;
  }
  await run.end();
};

/** Makes the service answer with one refusal of the document. */
const refusalDecider = (refusal: string): Decider => {
  const { path, size } = wrongAnswerFor(refusal);
  const made: Decision[] = [];
  return {
    made,
    ask: (on, allowed) => {
      if (made.length > 0 || !on.includes(path) || !allowed.includes('wrong answer')) return undefined;
      made.push({ on, action: 'wrong answer', size });
      return made[0];
    },
  };
};

/** The plan of a life in which the service can answer with a refusal. */
const planOfRefusal = (refusal: string, seed: number): Plan => {
  const kind = YIELD_KINDS.find((name) => refusal.startsWith(`yield.${name} `));
  if (kind) return planFor('again', seed, kind);
  return refusal.startsWith('yield.') ? planBySending('again', seed) : planFor('steps', seed);
};

/** A plan in which the service sends yield transactions: plain transfers, which need no node. */
const planBySending = (script: ScriptName, seed: number): Plan => {
  const plan = planFor(script, seed, 'withdraw');
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, receiver: 'provider_a' })),
    actors: plan.actors.map((actor) => ({ ...actor, hasNode: false })),
  };
};

/** The plan of a life that can fill a cell. */
const planForCell = (cell: Cell, seed: number, attempt: number): Plan => {
  const script = cell.actor.replace('yield ', '') as ScriptName;
  const isSending = cell.stage === 'broadcasting' && ['lie', 'wrong answer'].includes(cell.fault);
  const plan = isSending ? planBySending(script, seed) : planFor(script, seed, kindForCell(cell, attempt));
  return cell.fault === 'lie' ? { ...plan, mode: 'hostile' } : plan;
};

/** The kind of the tasks in a life that fills cells; undefined stands for any kind of payment. */
const kindOfFilling = (life: number): Task['kind'] | undefined => {
  const round = Math.floor(life / SCRIPT_NAMES.length);
  return round % 2 === 0 ? undefined : YIELD_KINDS[((round - 1) / 2) % YIELD_KINDS.length];
};

/** The kind of the tasks that can fill a cell. */
const kindForCell = ({ actor, stage }: Cell, attempt: number): Task['kind'] | undefined => {
  if (actor.startsWith('yield ')) return YIELD_KINDS[attempt % YIELD_KINDS.length];
  return stage === 'payable' ? 'pix' : undefined;
};

/** The number of lives that try to fill one empty cell. */
const MAX_CELL_ATTEMPTS = 30;

/** The number of lives that try to get one refusal. */
const MAX_REFUSAL_ATTEMPTS = 6;

/** Runs the fixed set of lives of one process: first for each refusal of the document, then for empty cells. */
const cover = async (): Promise<void> => {
  const [core, cores] = [Number(optionOf('core') ?? 0), Number(optionOf('cores') ?? 1)];
  const run = newRun();
  const isOwn = (name: string): boolean => hashOf(name) % cores === core;
  for (const mode of MODES) {
    for (const refusal of run.tally.missing(mode).filter(isOwn)) {
      for (let seed = 1; seed <= MAX_REFUSAL_ATTEMPTS && run.tally.missing(mode).includes(refusal); seed += 1) {
        const plan = { ...planOfRefusal(refusal, seed), mode };
        if (!(await run.live(`${refusal} of ${mode}, ${seed}`, plan, refusalDecider(refusal)))) return;
      }
    }
  }
  const isOwnCell = (cell: Cell): boolean => isOwn(keyOf(cell));
  const lives = Number(optionOf('lives') ?? 500);
  for (let seed = core; seed < lives; seed += cores) {
    const decider = fillingDecider(run.coverage, seed, isOwnCell);
    const script = SCRIPT_NAMES[seed % SCRIPT_NAMES.length] as ScriptName;
    const plan = planFor(script, seed, kindOfFilling(seed));
    if (!(await run.live(`filling life ${seed}`, plan, decider))) return;
  }
  const { unexplained } = tableOf(run.coverage);
  for (const cell of unexplained.filter(isOwnCell)) {
    for (let attempt = 0; attempt < MAX_CELL_ATTEMPTS && run.coverage.count(cell) === 0; attempt += 1) {
      const seed = hashOf(`${keyOf(cell)} ${attempt}`);
      const plan = planForCell(cell, seed, attempt);
      if (!(await run.live(`${keyOf(cell)}, ${attempt}`, plan, targetDecider(run.coverage, cell, seed, isOwnCell))))
        return;
    }
  }
  await run.end();
  const file = optionOf('out');
  if (file) writeFileSync(file, JSON.stringify(run.coverage.stored()));
};

/** Prints the table of coverage from the counts that the processes stored. */
const printTable = (files: readonly string[]): void => {
  const coverage: Coverage = newCoverage();
  for (const file of files) coverage.add(JSON.parse(readFileSync(file, 'utf8')));
  const { lines, unexplained } = tableOf(coverage);
  for (const line of lines) print(line);
  for (const cell of unexplained) print(`empty without a reason: ${cell.actor} ${cell.stage} ${cell.fault}`);
  if (unexplained.length > 0) process.exitCode = 1;
};

/** Repeats a stored life. Exit code 1: a promise was broken; 2: the event of a decision did not occur. */
const replay = async ({ plan, decisions }: StoredFailure): Promise<void> => {
  const decider = replayDecider(decisions);
  const { problems, story } = await live(plan, decider);
  for (const line of [...story(), ...problems]) print(line);
  for (const { on } of decider.unused()) print(`this event did not occur: ${on}`);
  if (problems.length > 0) process.exitCode = 1;
  else if (decider.unused().length > 0) process.exitCode ??= 2;
};

/** Repeats the lives that found the mutants: on the mutant, which has to break a promise, and on the program. */
const repeatFound = async (files: readonly string[], failures: readonly StoredFailure[]): Promise<void> => {
  const broken: string[] = [];
  for (const [at, { plan, decisions }] of failures.entries()) {
    const name = basename(files[at] ?? '', '.json');
    choose(name);
    const isFound = (await live(plan, replayDecider(decisions))).problems.length > 0;
    choose(undefined);
    const [problem] = (await live(plan, replayDecider(decisions))).problems;
    if (problem !== undefined) broken.push(`${name}: ${problem}`);
    print(`${name}: ${isFound ? 'found' : 'SURVIVES'}`);
    if (!isFound) process.exitCode = 1;
  }
  print(`without a mutant: ${broken.length > 0 ? ['BROKEN', ...broken].join('\n  ') : 'no broken promise'}`);
  if (broken.length > 0) process.exitCode = 1;
};

/** Runs the lives of seeds on each mutant alone, until one breaks a promise. */
const findAlone = async (seeds: readonly string[], mutants: readonly string[]): Promise<void> => {
  for (const name of mutants) {
    choose(name);
    for (const seed of seeds) {
      const { problems } = await live(planOf(Number(seed)), deciderFor(Number(seed)));
      if (problems.length === 0) continue;
      print(`${name}: life ${seed}: ${problems[0]?.slice(0, 90)}`);
      break;
    }
  }
};

const listOf = (name: string): readonly string[] => (optionOf(name) ?? '').split(',').filter(Boolean);

const readFailure = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as StoredFailure;
const [stored, found] = [listOf('replay').map(readFailure), listOf('found').map(readFailure)];
choose(mutant);
keyFile();
secondKeyFile();
solanaKeyFile();
closeGlobals();
const main = async (): Promise<void> => {
  if (isOn('table')) return printTable(listOf('table'));
  if (isOn('cover')) return cover();
  if (isOn('alone')) return findAlone(listOf('seeds'), listOf('alone'));
  if (found.length > 0) return repeatFound(listOf('found'), found);
  if (stored.length === 0) await simulate();
  for (const failure of stored) await replay(failure);
};
void main();
