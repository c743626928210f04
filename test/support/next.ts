import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { commandLine, type NextStep } from '../../src/core/next.ts';
import type { Ended } from './bursar.ts';
import { startWorld, type World } from './recipes.ts';

/** One world for the tests of a file; each test begins without faults of the one before. */
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

/** What runs a command line in the home of a story. */
export type Here = Pick<World, 'here'>;

/** A situation in which the program prints a next command, and what becomes of it. */
export type Story = {
  /** What the program printed. */
  readonly printed: Ended;
  /** The command that it must name. Options that name the service may follow. */
  readonly step: NextStep;
  /** What a user types at the prompts of the command, given as options. */
  readonly answers?: readonly string[];
  /** Standard input of each command; a function gives it when the command starts. */
  readonly stdin?: string | (() => Promise<string>);
  readonly env?: Readonly<Record<string, string>>;
  /** What happens outside of the program before the command is run. */
  readonly meanwhile?: () => Promise<unknown>;
  /** The exit code of the last command: 0 where the matter is ended, another where it waits for somebody. */
  readonly ends?: number;
  /** What could not be done before, and can be done now. */
  readonly afterwards?: () => Promise<Ended>;
};

/** Brings a home into a situation. */
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

/** The words of a command line, as a shell reads them. */
export const wordsOf = async (line: string, env: Story['env'] = {}): Promise<readonly string[]> => {
  const given = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `printf '%s\\0' ${line}`], given);
  return stdout.split('\0').slice(0, -1);
};

/** Runs a command that must fail, with --json; what it printed, and the operation that its error names. */
export const failing = async ({ here }: Here, args: readonly string[], stdin = '') => {
  const printed = await here({ args: [...args, '--json'], stdin });
  const { error } = JSON.parse(printed.stdout) as { error?: { data?: { movement?: string } } };
  expect(error, printed.stdout).toBeDefined();
  return { printed, id: error?.data?.movement ?? '' };
};

const LONGEST = 5;

/** A command that only says something: where nothing else was asked for, it ends no matter. */
const ONLY_TELLS = /^bursar (?:explain|help) /;

const runLine = async (world: Here, line: string, { env = {}, stdin: given = '' }: Story, more: readonly string[]) => {
  const [program, ...args] = await wordsOf(line, env);
  const stdin = typeof given === 'string' ? given : await given();
  if (program === 'bursar') return world.here({ args: [...args, ...more], stdin }, env);
  const running = promisify(execFile)('/bin/sh', ['-c', line], { env: { ...process.env, ...env } });
  // A program that ends without reading closes the pipe: EPIPE here says nothing of it.
  running.child.stdin?.on('error', () => {}).end(stdin);
  return { code: 0, ...(await running) };
};

/**
 * Runs what was printed, and what that prints, until the matter is ended or waits for somebody. A command that is printed
 * again by itself is a dead end, but where the story waits.
 */
export const follow = async (world: Here, story: Story): Promise<void> => {
  const { printed, step, answers = [], meanwhile, ends = 0, afterwards } = story;
  const line = nextIn(printed);
  const wanted = commandLine(step);
  expect(`${line} `, `${printed.stdout}${printed.stderr}`).toContain(`${wanted} `);
  await meanwhile?.();
  let [now, more] = [line ?? '', answers];
  for (let count = 1; ; count += 1) {
    const ended = await runLine(world, now, story, more);
    const next = ended.code === 0 ? undefined : nextIn(ended);
    if (next !== undefined && ends === 0) expect(next, `${ended.stdout}${ended.stderr}`).not.toMatch(ONLY_TELLS);
    if (ended.code === ends || next === undefined || next === now || count === LONGEST) {
      expect([ended.code, ended.code === ends ? '' : `${now}\n${ended.stdout}${ended.stderr}`]).toEqual([ends, '']);
      break;
    }
    [now, more] = [next, []];
  }
  const after = await afterwards?.();
  if (after) expect([after.code, after.code === 0 ? '' : `${after.stdout}${after.stderr}`]).toEqual([0, '']);
};

/** Follows a story in which nothing but the expected command is printed. */
export const followExactly = async (world: Here, story: Story): Promise<void> => {
  expect(nextIn(story.printed), `${story.printed.stdout}${story.printed.stderr}`).toBe(commandLine(story.step));
  await follow(world, story);
};
