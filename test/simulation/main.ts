import { readFileSync, writeFileSync } from 'node:fs';
import { type Action, type Decision, randomDecider, replayDecider } from './decisions.ts';
import { closeGlobals } from './globals.ts';
import { keyFile } from './home.ts';
import { type Life, live } from './life.ts';
import { type Plan, planFrom } from './plan.ts';

/** One life of twenty has no fault, for a promise about peace. */
const deciderFor = (seed: number) =>
  randomDecider(seed, seed % 20 === 0 ? { rate: 0, most: 0 } : { rate: 0.003, most: 5 });

/** A stored failure: all that repeats it, whatever the generator of seeds becomes. */
type Stored = { readonly plan: Plan; readonly decisions: readonly Decision[]; readonly problems: readonly string[] };

/** What a problem is about, without the hash that it names. */
const kindOf = (problem: string): string => problem.replaceAll(/0x[0-9a-f]+/g, '').slice(0, 60);

const breaksSame = (life: Life, { problems: [first = ''] }: Stored): boolean =>
  life.problems.some((each) => kindOf(each) === kindOf(first));

const SHRINK_MS = 60_000;

/** Removes decisions until none can go, or until the time is over. */
const shrunk = async (failure: Stored, elapsedMs: () => number): Promise<Stored> => {
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

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const now = process.hrtime.bigint.bind(process.hrtime);

/** Milliseconds since the call. The clock of the program is closed during a life. */
const stopwatch = (): (() => number) => {
  const started = now();
  return () => Number(now() - started) / 1e6;
};

/** What lives have done together. */
const newTally = () => {
  const codes = new Map<string, number>();
  const faults = new Map<Action, number>();
  let [lives, commands, steps] = [0, 0, 0];
  const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const shown = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .toSorted()
      .map(([key, times]) => `${key} ${times}`)
      .join(', ');
  return {
    add: ({ ended, steps: own }: Life, decisions: readonly Decision[]): void => {
      lives += 1;
      steps += own;
      commands += ended.length;
      for (const { code } of ended) count(codes, code === undefined ? 'killed' : String(code));
      for (const { action } of decisions) count(faults, action);
    },
    print: (elapsedMs: number): void => {
      const rate = (times: number): string => ((1000 * times) / elapsedMs).toFixed(0);
      print(`${lives} lives, ${commands} command lines, ${steps} steps: no broken promise`);
      print(`a second: ${rate(lives)} lives, ${rate(commands)} command lines, ${rate(steps)} steps`);
      print(`exit codes: ${shown(codes)}`);
      print(`faults: ${shown(faults)}`);
    },
  };
};

const reportFailure = async (seed: number, failure: Stored): Promise<void> => {
  process.exitCode = 1;
  if (process.argv.includes('--brief')) print(`life ${seed}: ${failure.problems[0]?.slice(0, 90)}`);
  const least = await shrunk(failure, stopwatch());
  const file = optionOf('out');
  if (file) writeFileSync(file, `${JSON.stringify(least, undefined, 2)}\n`);
  if (process.argv.includes('--brief')) return;
  const { problems, story } = await live(least.plan, replayDecider(least.decisions));
  print(`life ${seed}: ${problems.join('\n')}\n\n${story.join('\n')}\n\n${JSON.stringify(least)}`);
};

const simulate = async (): Promise<void> => {
  const [lives, first] = [Number(optionOf('lives') ?? 1000), Number(optionOf('seed') ?? 1)];
  const [elapsed, tally] = [stopwatch(), newTally()];
  // Goes on after a failure, and tells each in a line.
  const isSurvey = process.argv.includes('--survey');
  for (let seed = first; seed < first + lives; seed += 1) {
    const [plan, decider] = [planFrom(seed), deciderFor(seed)];
    const life = await live(plan, decider);
    tally.add(life, decider.made);
    if (life.problems.length > 0 && isSurvey) print(`life ${seed} (${plan.mode}): ${life.problems.join(' | ')}`);
    else if (life.problems.length > 0) {
      await reportFailure(seed, { plan, decisions: decider.made, problems: life.problems });
      return;
    }
  }
  tally.print(elapsed());
};

/** Repeats a stored life. Exit code 1: it broke a promise; 2: an event of its decisions has not occurred. */
const replay = async ({ plan, decisions }: Stored): Promise<void> => {
  const decider = replayDecider(decisions);
  const { problems, story } = await live(plan, decider);
  for (const line of [...story, ...problems]) print(line);
  for (const { on } of decider.unused()) print(`this did not occur: ${on}`);
  if (problems.length > 0) process.exitCode = 1;
  else if (decider.unused().length > 0) process.exitCode ??= 2;
};

const stored = (optionOf('replay') ?? '')
  .split(',')
  .filter(Boolean)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Stored);
keyFile();
closeGlobals();
const main = async (): Promise<void> => {
  if (stored.length === 0) await simulate();
  for (const each of stored) await replay(each);
};
void main();
