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
  /** The Node that runs the program; without it the one that runs the tests. */
  readonly node?: string;
  /** A file or device that standard output goes to instead. */
  readonly stdout?: string;
};

/** Only what a program needs to start: no setting of whoever runs the tests reaches it. */
export const cleanEnv = (home: string, env: Settings['env']) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  BURSAR_HOME: home,
  LANG: 'C.UTF-8',
  ...env,
});

export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

/** Starts the built program as a child process, its standard input a pipe. `under` is a program that runs it, with its own words. */
export const startBursar = (
  home: string,
  args: readonly string[],
  settings: Settings & { readonly under?: readonly string[] } = {},
): Started => {
  const [command = '', ...words] = [
    ...(settings.under ?? []),
    settings.node ?? process.execPath,
    settings.program ?? PROGRAM,
    ...args,
  ];
  const child = spawn(command, words, {
    cwd: settings.cwd ?? home,
    env: cleanEnv(home, settings.env),
    stdio: ['pipe', settings.stdout ? openSync(settings.stdout, 'w') : 'pipe', 'pipe'],
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
    child.stdin?.on('error', () => undefined)?.end(settings.stdin ?? '');
  });
  return { child, ended };
};

/** Runs the built program to its end. */
export const runBursar = (home: string, args: readonly string[], settings?: Settings): Promise<Ended> =>
  startBursar(home, args, settings).ended;

/** A home of its own for one test, and the program in it. */
export const newHome = async () => {
  const home = await temporaryFolder();
  return {
    home,
    bursar: (args: readonly string[], settings?: Settings) => runBursar(home, args, settings),
  };
};
