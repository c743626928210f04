import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import type * as Main from '../../src/cli/main.ts';
import { cleanEnv, type Ended, PROGRAM, type Settings } from './bursar.ts';
import { temporaryFolder } from './io.ts';

/** The built program, as `bin/bursar.js` loads it. */
const BUILT = '../../dist/main.js';

const collecting = (take: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      take(String(text));
      done();
    },
  });

/** This process, but for what the program says, is given and leaves behind. */
const hostOf = (given: object): NodeJS.Process =>
  Object.create(process, Object.getOwnPropertyDescriptors({ exitCode: 0, ...given }));

const ROOT = process.cwd();
const under = { way: new Set<symbol>(), cwd: ROOT };

/** Returns to the root folder after each test, so that a run that never ends fails only its own test. */
export const leaveFolder = (): void => {
  under.way.clear();
  process.chdir(ROOT);
};

/** A process has one folder in which it stands: relative paths of a command line are looked up there. */
const standingIn = async <T>(cwd: string, work: () => Promise<T>): Promise<T> => {
  if (under.way.size > 0 && under.cwd !== cwd) throw new Error('two folders at a time need processes of their own');
  const run = Symbol(cwd);
  under.way.add(run);
  under.cwd = cwd;
  process.chdir(cwd);
  try {
    return await work();
  } finally {
    if (under.way.delete(run) && under.way.size === 0) leaveFolder();
  }
};

/** What Node, the system or another program reads of an environment before bursar can: a process of its own has to start with it. */
const ofProcess = (env: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(env).find((name) => /^(?:NODE_.*|TZ)$/.test(name)) ?? (env['BURSAR_HOME'] ? undefined : 'BURSAR_HOME');

/** What a command line can be given in this process. */
type Given = Pick<Settings, 'env' | 'stdin' | 'cwd'>;

/**
 * Runs a command line by the built program, but in this process: a tenth of what a process of its own costs. For what is
 * true of an answer. What is true of a process (signals, its streams as files and pipes, a terminal, variables that Node
 * itself reads, memory) needs `runBursar`.
 */
export const runInProcess = async (home: string, args: readonly string[], given: Given = {}): Promise<Ended> => {
  const { main } = createRequire(import.meta.url)(BUILT) as typeof Main;
  const said = { stdout: '', stderr: '' };
  const cwd = given.cwd ?? home;
  const env = cleanEnv(home, given.env);
  const alone = ofProcess(env);
  if (alone) throw new Error(`${alone} is for a process of its own`);
  return standingIn(cwd, async () => {
    const code = await new Promise<number>((resolve, reject) => {
      const host = hostOf({
        argv: [process.execPath, PROGRAM, ...args],
        env,
        cwd: () => cwd,
        stdin: Readable.from(given.stdin ? [Buffer.from(given.stdin)] : []),
        stdout: collecting((text) => {
          said.stdout += text;
        }),
        stderr: collecting((text) => {
          said.stderr += text;
        }),
        on: () => host,
        exit: resolve,
      });
      main(host, PROGRAM).then(() => resolve(Number(host.exitCode)), reject);
    });
    return { code, ...said };
  });
};

/** A home of its own for one test, and the program in it, by this process. */
export const newHomeInProcess = async () => {
  const home = await temporaryFolder();
  return {
    home,
    bursar: (args: readonly string[], given?: Given) => runInProcess(home, args, given),
  };
};
