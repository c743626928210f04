import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = `${ROOT}test/judges/node_modules`;

/** The generators of clients: a package of their own, for they need a newer Node and an older TypeScript. */
export const GENERATORS_FOLDER = `${ROOT}test/judges/generators`;

/** Node 24, as npm brings it. */
export const NODE_24 = `${ROOT}test/nodes/node_modules/node24/bin/node`;

/** Nothing is told to anybody, and no update is looked for. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SPECMATIC_DISABLE_TELEMETRY: 'true',
  NO_COLOR: '1',
};

/** In CI everything must be there: what lacks fails. */
const isCi = Boolean(process.env['CI']);

const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What a test needs, and how to get it: the judges are a package of their own, many times the size of bursar. */
const NEEDS = {
  judges: { isThere: existsSync(MODULES), how: 'npm ci --ignore-scripts --prefix test/judges' },
  generators: {
    isThere: existsSync(`${GENERATORS_FOLDER}/node_modules`),
    how: 'npm ci --ignore-scripts --prefix test/judges/generators',
  },
  node24: { isThere: existsSync(NODE_24), how: 'npm ci --ignore-scripts --prefix test/nodes' },
  java: { isThere: onPath('java'), how: 'apt-get install default-jre-headless' },
} as const;

type Need = keyof typeof NEEDS;

/** A test by a judge; without what it needs it is skipped and says how to get that, and in CI it fails. */
export const judged = (
  name: string,
  run: () => Promise<void>,
  { timeoutMs, needs = [] }: { readonly timeoutMs?: number; readonly needs?: readonly Need[] } = {},
): void => {
  const lacks = isCi
    ? undefined
    : (['judges', ...needs] as const).map((need) => NEEDS[need]).find(({ isThere }) => !isThere);
  test.skipIf(lacks)(lacks ? `${name} (skipped, it needs: ${lacks.how})` : name, run, timeoutMs);
};

/** A file of a judge's package. */
export const judgesFile = (path: string): string => `${MODULES}/${path}`;

/** A module of a judge's package. */
export const loadJudge = (path: string) => import(judgesFile(path));

export type Said = { readonly code: number | null; readonly output: string };

/** Starts a program of the judges; what it says is collected. */
export const startTool = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT) => {
  const child = spawn(command, args, {
    cwd,
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
