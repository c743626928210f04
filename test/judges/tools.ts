import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = `${ROOT}test/judges/node_modules`;

/** The package of the client generators. It is separate, because they need a newer Node and an older TypeScript. */
export const GENERATORS_FOLDER = `${ROOT}test/judges/generators`;

/** Node 24 from npm. */
export const NODE_24 = `${ROOT}test/nodes/node_modules/node24/bin/node`;

/** Turns off telemetry and checks for updates. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SPECMATIC_DISABLE_TELEMETRY: 'true',
  NO_COLOR: '1',
};

/** In CI a test whose tools are missing fails. Elsewhere it is skipped. */
const isCi = Boolean(process.env['CI']);

const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** The tools that tests need, and the commands that install them. */
const NEEDS = {
  judges: { isInstalled: existsSync(MODULES), install: 'npm ci --ignore-scripts --prefix test/judges' },
  generators: {
    isInstalled: existsSync(`${GENERATORS_FOLDER}/node_modules`),
    install: 'npm ci --ignore-scripts --prefix test/judges/generators',
  },
  node24: { isInstalled: existsSync(NODE_24), install: 'npm ci --ignore-scripts --prefix test/nodes' },
  xmllint: { isInstalled: onPath('xmllint'), install: 'apt-get install libxml2-utils' },
  java: { isInstalled: onPath('java'), install: 'apt-get install default-jre-headless' },
} as const;

type Need = keyof typeof NEEDS;

/** A test that needs the judges, and the tools in `needs`. Its title names the command that installs a missing tool. */
export const judged = (
  name: string,
  run: () => Promise<void>,
  { timeoutMs, needs = [] }: { readonly timeoutMs?: number; readonly needs?: readonly Need[] } = {},
): void => {
  const missing = isCi
    ? undefined
    : (['judges', ...needs] as const).map((need) => NEEDS[need]).find(({ isInstalled }) => !isInstalled);
  test.skipIf(missing)(missing ? `${name} (skipped, install: ${missing.install})` : name, run, timeoutMs);
};

/** The path of a file in a package of the judges. */
export const judgesFile = (path: string): string => `${MODULES}/${path}`;

/** Loads a module of a package of the judges. */
export const loadJudge = (path: string) => import(judgesFile(path));

/** How a tool ended, with its stdout and stderr together. */
type ToolResult = { readonly code: number | null; readonly output: string };

/** Starts a tool. `printed.text` is its output so far. */
export const startTool = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  }
  const ended = new Promise<ToolResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: printed.text }));
  });
  return { child, printed, ended };
};

/** Runs a program of the judges to its end. */
export const runJudge = (name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<ToolResult> =>
  startTool(judgesFile(`.bin/${name}`), args, env).ended;
