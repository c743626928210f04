import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const MODULES = `${FOLDER}node_modules`;

/** Nothing is told to anybody, and no update is looked for. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SPECMATIC_DISABLE_TELEMETRY: 'true',
  NO_COLOR: '1',
};

const HOW = 'npm ci --ignore-scripts --prefix test/judges';

/** The judges are a package of their own: they are many times the size of bursar. In CI they are there. */
const areInstalled = existsSync(MODULES) || Boolean(process.env['CI']);
const reason = areInstalled ? '' : ` (skipped: the judges are not installed; ${HOW})`;

/** A test by a judge; without the judges it is skipped and says how to get them, and in CI it fails. */
export const judged = (name: string, run: () => Promise<void>, timeoutMs?: number): void =>
  test.skipIf(!areInstalled)(`${name}${reason}`, run, timeoutMs);

/** A file of a judge's package. */
export const judgesFile = (path: string): string => `${MODULES}/${path}`;

/** A module of a judge's package. */
export const loadJudge = (path: string) => import(judgesFile(path));

export type Said = { readonly code: number | null; readonly output: string };

/** Starts a program of the judges; what it says is collected. */
export const startTool = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(command, args, {
    cwd: `${FOLDER}../..`,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.output += text;
    });
  }
  const ended = new Promise<Said>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: said.output }));
  });
  return { child, said, ended };
};

/** Runs one of the judges' programs to its end. */
export const runJudge = (name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Said> =>
  startTool(judgesFile(`.bin/${name}`), args, env).ended;
