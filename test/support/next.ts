import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { commandLine, type NextStep } from '../../src/core/next.ts';
import type { Ended } from './bursar.ts';
import { startWorld, type World } from './recipes.ts';

/** One world for the tests of a file. Each test begins without the faults of the test before. */
export const useWorld = (): (() => World) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  beforeEach(async () => {
    await world.data('sandbox', 'fault', '--clear');
  });
  afterAll(() => world.end());
  return () => world;
};

/** Makes the sandbox fail the next calls of an endpoint. */
export const fault = (world: World, endpoint: string, kind: string, count = 1) =>
  world.data('sandbox', 'fault', endpoint, kind, '--count', String(count));

/** Runs a command in the home of a story. */
export type Here = Pick<World, 'here'>;

/** A situation in which the program prints a next command, and what the command leads to. */
export type Story = {
  /** The output of the program. */
  readonly printed: Ended;
  /** The command that the program must print. Options that select the service may follow. */
  readonly step: NextStep;
  /** Options in place of the answers of a user at the prompts of the command. */
  readonly answers?: readonly string[];
  /** Standard input of each command. A function is called when the command starts. */
  readonly stdin?: string | (() => Promise<string>);
  readonly env?: Readonly<Record<string, string>>;
  /** Runs before the command, for changes outside the program. */
  readonly meanwhile?: () => Promise<unknown>;
  /** The exit code of the last command. The default is 0; other codes are for operations that wait for a user. */
  readonly ends?: number;
  /** A command that failed before and must succeed now. */
  readonly afterwards?: () => Promise<Ended>;
};

/** Brings the home of a world into a situation. */
export type Scenario = (world: World) => Promise<Story>;

const inDocument = (text: string): string | undefined => {
  try {
    const { error, next } = JSON.parse(text) as { error?: { next?: string }; next?: string };
    return error?.next ?? next ?? undefined;
  } catch {
    return undefined;
  }
};

/** The next command that was printed. */
export const nextIn = ({ stdout, stderr }: Ended): string | undefined =>
  inDocument(stdout) ?? /^next: (.+)$/m.exec(stderr)?.[1] ?? /^next: (.+)$/m.exec(stdout)?.[1];

/** Splits a command line as a shell does. */
export const wordsOf = async (line: string, env: Story['env'] = {}): Promise<readonly string[]> => {
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `printf '%s\\0' ${line}`], options);
  return stdout.split('\0').slice(0, -1);
};

/** Runs a command with --json that must fail. Returns its output and the operation id in its error. */
export const failing = async ({ here }: Here, args: readonly string[], stdin = '') => {
  const printed = await here({ args: [...args, '--json'], stdin });
  const { error } = JSON.parse(printed.stdout) as { error?: { data?: { movement?: string } } };
  expect(error, printed.stdout).toBeDefined();
  return { printed, id: error?.data?.movement ?? '' };
};

/** How many commands `follow` runs at most. */
const MAX_COMMANDS = 5;

/** Commands that only print text, so they cannot end the situation. */
const ONLY_PRINTS = /^bursar (?:explain|help) /;

const runLine = async (world: Here, line: string, { env = {}, stdin: input = '' }: Story, more: readonly string[]) => {
  const [program, ...args] = await wordsOf(line, env);
  const stdin = typeof input === 'string' ? input : await input();
  if (program === 'bursar') return world.here({ args: [...args, ...more], stdin }, env);
  const running = promisify(execFile)('/bin/sh', ['-c', line], { env: { ...process.env, ...env } });
  // A program that does not read its standard input closes the pipe, so EPIPE is no failure.
  running.child.stdin?.on('error', () => {}).end(stdin);
  return { code: 0, ...(await running) };
};

/**
 * Runs the printed command, then the command that this one prints, until the expected exit code. Fails if a command prints itself
 * again, or prints no next command, with another exit code.
 */
export const follow = async (world: Here, story: Story): Promise<void> => {
  const { printed, step, answers = [], meanwhile, ends = 0, afterwards } = story;
  const line = nextIn(printed);
  const expected = commandLine(step);
  expect(`${line} `, `${printed.stdout}${printed.stderr}`).toContain(`${expected} `);
  await meanwhile?.();
  let [current, more] = [line ?? '', answers];
  for (let count = 1; ; count += 1) {
    const ended = await runLine(world, current, story, more);
    const next = ended.code === 0 ? undefined : nextIn(ended);
    if (next !== undefined && ends === 0) expect(next, `${ended.stdout}${ended.stderr}`).not.toMatch(ONLY_PRINTS);
    if (ended.code === ends || next === undefined || next === current || count === MAX_COMMANDS) {
      expect([ended.code, ended.code === ends ? '' : `${current}\n${ended.stdout}${ended.stderr}`]).toEqual([ends, '']);
      break;
    }
    [current, more] = [next, []];
  }
  const after = await afterwards?.();
  if (after) expect([after.code, after.code === 0 ? '' : `${after.stdout}${after.stderr}`]).toEqual([0, '']);
};

/** Follows a story whose printed command equals the expected one, without further options. */
export const followExactly = async (world: Here, story: Story): Promise<void> => {
  expect(nextIn(story.printed), `${story.printed.stdout}${story.printed.stderr}`).toBe(commandLine(story.step));
  await follow(world, story);
};
