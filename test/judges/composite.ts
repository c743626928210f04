import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** An action.yml whose steps are shell scripts. */
type CompositeAction = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly CompositeStep[] };
};

type CompositeStep = {
  readonly id?: string;
  readonly name: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
};

export const readAction = async (folder: string): Promise<CompositeAction> =>
  parse(await readFile(join(folder, 'action.yml'), 'utf8'));

/** How an action ended. `output` is the log: stdout and stderr of its steps. */
export type ActionResult = {
  readonly code: number | null;
  readonly output: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
};

/** Where an action runs: the checkout of its repository, the workspace of the job, the folder for temporary files. */
export type Job = { readonly checkout: string; readonly workspace: string; readonly temporary: string };

/** The value of a text with expressions. Throws for an expression that the test does not know. */
const evaluated = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`unknown expression ${name}`);
    return value;
  });

const pairsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s, 2)),
  );

/** The command of `shell: bash`, as GitHub documents it. */
const BASH = ['--noprofile', '--norc', '-e', '-o', 'pipefail'];

const runScript = (script: string, env: NodeJS.ProcessEnv, cwd: string) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
    const child = spawn('bash', [...BASH, script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

/** Runs the steps of the action in bash, one after another, until one fails. */
export const runAction = async (
  { checkout, workspace, temporary }: Job,
  given: Readonly<Record<string, string>> = {},
  more: NodeJS.ProcessEnv = {},
): Promise<ActionResult> => {
  const { inputs, outputs, runs } = await readAction(checkout);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(inputs, name));
  if (unknown !== undefined) throw new Error(`the action has no input ${unknown}`);
  const values: Record<string, string> = { 'github.action_path': checkout };
  for (const [name, { default: usual = '' }] of Object.entries(inputs)) values[`inputs.${name}`] = given[name] ?? usual;
  for (const { value } of Object.values(outputs)) values[value.replaceAll(/[${} ]/g, '')] = '';
  await mkdir(temporary, { recursive: true });
  const files = await mkdtemp(join(temporary, 'runner-'));
  const summary = join(files, 'summary');
  await writeFile(summary, '');
  let [log, last]: [string, number | null] = ['', 0];
  for (const [at, { id, shell, env, run }] of runs.steps.entries()) {
    if (shell !== 'bash') throw new Error(`a step runs in ${shell}`);
    const [script, output] = [join(files, `${at}.sh`), join(files, `${at}.output`)];
    await Promise.all([writeFile(script, evaluated(run, values)), writeFile(output, '')]);
    const ofStep = Object.entries(env).map(([name, text]) => [name, evaluated(text, values)] as const);
    const ofRunner = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temporary,
    };
    const ended = await runScript(script, { ...ofRunner, ...more, ...Object.fromEntries(ofStep) }, workspace);
    log += ended.output;
    last = ended.code;
    for (const [name, value] of Object.entries(pairsIn(await readFile(output, 'utf8'))))
      values[`steps.${id}.outputs.${name}`] = value;
    if (last !== 0) break;
  }
  return {
    code: last,
    output: log,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { value }]) => [name, evaluated(value, values)] as const),
    ),
    summary: await readFile(summary, 'utf8'),
  };
};
