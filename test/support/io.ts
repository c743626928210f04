import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemDisk } from '../../src/io/files/disk.ts';
import { filesOn, systemFiles } from '../../src/io/files/files.ts';
import type { Input, Io, Output } from '../../src/io/io.ts';
import { newWayBack, type Prompt } from '../../src/io/prompt/prompt.ts';
import { clockFrom, placesFrom, systemDerive, systemSettings } from '../../src/io/system.ts';

/** What a test gives its Io. The other parts throw when they are used. */
export type Given = {
  readonly env?: Io['env'];
  /** Standard input as a pipe. Without it a read throws. */
  readonly stdin?: string | Uint8Array;
  /** Answers to questions in order. With answers, the Io has a terminal. */
  readonly answers?: readonly (string | boolean)[];
  /** Parts that replace those of the Io. */
  readonly io?: Partial<Io>;
};

/** An Io over real files in a temporary folder, with its output and its questions. */
export type TestIo = {
  readonly io: Io;
  /** The temporary folder, which is also BURSAR_HOME; removed after the test. */
  readonly home: string;
  readonly said: { stdout: string; stderr: string };
  /** The questions and the labels of the spinners, in order. */
  readonly asked: string[];
  readonly spun: string[];
};

const unexpected =
  (call: string) =>
  (..._args: readonly unknown[]): never => {
    throw new Error(`the test did not expect ${call}`);
  };

/** A temporary folder, removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const inputOf = (bytes: string | Uint8Array | undefined, isTerminal: boolean): Input => ({
  isTerminal,
  readAll: async (maxBytes = 1024 * 1024) => {
    if (bytes === undefined) return unexpected('a read of standard input')();
    if (bytes.length > maxBytes) return unexpected('so much standard input')();
    return Buffer.from(bytes);
  },
});

const outputOf = (said: TestIo['said'], name: 'stdout' | 'stderr', isTerminal: boolean): Output => ({
  isTerminal,
  columns: 80,
  rows: 24,
  isClosed: () => false,
  writeBytes: async () => undefined,
  write: async (text) => {
    said[name] += text;
  },
});

/** The answer that goes back from a question. */
export const ESC = '\u001b';

const promptOf = (
  given: readonly (string | boolean)[] | undefined,
  asked: string[],
  refuse: (problem: string) => void,
): Prompt => {
  const answers = [...(given ?? [])];
  const answer = <T extends 'string' | 'boolean'>(question: string, type: T) => {
    asked.push(question);
    const next = answers.shift();
    if (next === ESC) {
      wayBack.leave();
      throw new Error('the user went back');
    }
    return typeof next === type ? next : unexpected(`the question "${question}"`)();
  };
  const typed: Prompt['text'] = async (question, { problemIn, initial = '' } = {}) => {
    for (;;) {
      // Enter alone takes the default.
      const text = String(answer(question, 'string')) || initial;
      const problem = await problemIn?.(text);
      if (problem === undefined) return text;
      refuse(problem);
    }
  };
  const wayBack = newWayBack();
  return {
    isPossible: given !== undefined,
    untilBack: wayBack.untilBack,
    confirm: async (question) => answer(question, 'boolean') === true,
    text: typed,
    password: (question, wanted) => typed(question, wanted),
    select: async (question, choices) => {
      const name = answer(question, 'string');
      const choice = choices.find((offered) => offered.name === name);
      return choice ? choice.value : unexpected(`choices without "${String(name)}"`)();
    },
    waitedMs: () => 0,
  };
};

/** An Io for one test. */
export const testIo = async (given: Given = {}): Promise<TestIo> => ioAt(await temporaryFolder(), given);

/** Files that record the paths of the operations that are read. */
export const filesThatCount = () => {
  const read: string[] = [];
  const files = filesOn({
    ...systemDisk,
    read: (path) => {
      if (path.endsWith('.ndjson')) read.push(path);
      return systemDisk.read(path);
    },
  });
  return { files, read };
};

/** An Io over an existing folder. */
export const ioAt = (home: string, given: Given = {}): TestIo => {
  const env = { BURSAR_HOME: home, ...given.env };
  const isTerminal = given.answers !== undefined;
  const said = { stdout: '', stderr: '' };
  const [asked, spun]: [string[], string[]] = [[], []];
  const io: Io = {
    isQuiet: false,
    env,
    cwd: home,
    machine: { node: process.version, system: process.platform, processor: process.arch },
    stdin: inputOf(given.stdin, isTerminal && given.stdin === undefined),
    stdout: outputOf(said, 'stdout', isTerminal),
    stderr: outputOf(said, 'stderr', isTerminal),
    clock: clockFrom(Date.now, () => performance.now()),
    random: { bytes: (count) => randomBytes(count), fraction: unexpected('jitter') },
    derive: systemDerive,
    files: systemFiles,
    settings: systemSettings,
    places: placesFrom(env, home),
    http: { send: unexpected('a call over the network') },
    receive: unexpected('a receiver'),
    prompt: promptOf(given.answers, asked, (problem) => {
      said.stderr += `> ${problem}\n`;
    }),
    browser: { open: unexpected('a browser') },
    processes: {
      pid: 1,
      self: async () => ({ pid: 1, host: 'test' }),
      liveness: unexpected('a look at a process'),
      isRunning: unexpected('a look at a process'),
      terminate: unexpected('the end of a process'),
      startSelf: unexpected('a new process'),
    },
    keyring: {
      assertAvailable: unexpected('a look into the keyring'),
      lookup: unexpected('a look into the keyring'),
      store: unexpected('a secret for the keyring'),
      clear: unexpected('a look into the keyring'),
    },
    interrupted: new AbortController().signal,
    forceQuit: new AbortController().signal,
    spin: (label, work) => {
      spun.push(typeof label === 'string' ? label : label());
      return work;
    },
    ...given.io,
  };
  return { io, home, said, asked, spun };
};
