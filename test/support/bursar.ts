import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './io.ts';

/** The built program. */
export const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Settings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  readonly program?: string;
  /** The Node that runs the program. The default is the Node of the tests. */
  readonly node?: string;
  /** A file or device that gets standard output. */
  readonly stdout?: string;
};

/** The environment of the program. It has no setting of the user who runs the tests. */
export const cleanEnv = (home: string, env: Settings['env']) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  BURSAR_HOME: home,
  LANG: 'C.UTF-8',
  ...env,
});

export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

/** Starts the built program with standard input as a pipe. `under` is a command line that runs it, such as strace's. */
export const startBursar = (
  home: string,
  args: readonly string[],
  settings: Settings & { readonly under?: readonly string[] } = {},
): Started => {
  const [command = '', ...commandArgs] = [
    ...(settings.under ?? []),
    settings.node ?? process.execPath,
    settings.program ?? PROGRAM,
    ...args,
  ];
  const child = spawn(command, commandArgs, {
    cwd: settings.cwd ?? home,
    env: cleanEnv(home, settings.env),
    stdio: ['pipe', settings.stdout ? openSync(settings.stdout, 'w') : 'pipe', 'pipe'],
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    const output = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
    child.stdin?.on('error', () => undefined)?.end(settings.stdin ?? '');
  });
  return { child, ended };
};

/** Runs the built program to its end. */
export const runBursar = (home: string, args: readonly string[], settings?: Settings): Promise<Ended> =>
  startBursar(home, args, settings).ended;

/** A new home for one test, and the program in it. */
export const newHome = async () => {
  const home = await temporaryFolder();
  return {
    home,
    bursar: (args: readonly string[], settings?: Settings) => runBursar(home, args, settings),
  };
};
