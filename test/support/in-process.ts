import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import type * as Main from '../../src/cli/main.ts';
import { cleanEnv, type Ended, PROGRAM, type Settings } from './bursar.ts';
import { temporaryFolder } from './io.ts';

/** The built program, as `bin/bursar.js` loads it. */
const BUILT = '../../dist/main.js';

const collecting = (onText: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      onText(String(text));
      done();
    },
  });

/** A copy of `process` in which some properties are replaced. The program sets its exit code there. */
const hostOf = (replaced: object): NodeJS.Process =>
  Object.create(process, Object.getOwnPropertyDescriptors({ exitCode: 0, ...replaced }));

const ROOT = process.cwd();
const active = { runs: new Set<symbol>(), cwd: ROOT };

/** Returns to the root folder. Called after each test, so that a run that never ends fails only its own test. */
export const leaveFolder = (): void => {
  active.runs.clear();
  process.chdir(ROOT);
};

/** Runs work with `cwd` as the folder of the process, because relative paths of a command line start there. */
const runInFolder = async <T>(cwd: string, work: () => Promise<T>): Promise<T> => {
  if (active.runs.size > 0 && active.cwd !== cwd) throw new Error('commands in two folders at once need runBursar');
  const run = Symbol(cwd);
  active.runs.add(run);
  active.cwd = cwd;
  process.chdir(cwd);
  try {
    return await work();
  } finally {
    if (active.runs.delete(run) && active.runs.size === 0) leaveFolder();
  }
};

/** A variable that Node or the system reads when a process starts, so it needs a new process; or a missing BURSAR_HOME. */
const needsProcess = (env: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(env).find((name) => /^(?:NODE_.*|TZ)$/.test(name)) ?? (env['BURSAR_HOME'] ? undefined : 'BURSAR_HOME');

/** Settings of a command that runs in this process. */
type InProcessSettings = Pick<Settings, 'env' | 'stdin' | 'cwd'>;

/**
 * Runs a command of the built program in this process, in a tenth of the time of a new process. It suits tests of results.
 * Tests of the process (signals, streams as files and pipes, a terminal, variables that Node reads, memory) need `runBursar`.
 */
export const runInProcess = async (
  home: string,
  args: readonly string[],
  settings: InProcessSettings = {},
): Promise<Ended> => {
  const { main } = createRequire(import.meta.url)(BUILT) as typeof Main;
  const output = { stdout: '', stderr: '' };
  const cwd = settings.cwd ?? home;
  const env = cleanEnv(home, settings.env);
  const variable = needsProcess(env);
  if (variable) throw new Error(`${variable} is for a process of its own`);
  return runInFolder(cwd, async () => {
    const code = await new Promise<number>((resolve, reject) => {
      const host = hostOf({
        argv: [process.execPath, PROGRAM, ...args],
        env,
        cwd: () => cwd,
        stdin: Readable.from(settings.stdin ? [Buffer.from(settings.stdin)] : []),
        stdout: collecting((text) => {
          output.stdout += text;
        }),
        stderr: collecting((text) => {
          output.stderr += text;
        }),
        on: () => host,
        exit: resolve,
      });
      main(host, PROGRAM).then(() => resolve(Number(host.exitCode)), reject);
    });
    return { code, ...output };
  });
};

/** A new home for one test, and the program, run in this process. */
export const newHomeInProcess = async () => {
  const home = await temporaryFolder();
  return {
    home,
    bursar: (args: readonly string[], settings?: InProcessSettings) => runInProcess(home, args, settings),
  };
};
