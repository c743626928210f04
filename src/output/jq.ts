import { runInNewContext } from 'node:vm';
import { loadJq } from 'jq-wasm/inline';
import { codeOf, Failure, interrupted } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { escapeLines, escapeText } from '../core/text.ts';

/** The time limit of an expression. An endless expression is a mistake. */
const LONGEST_MS = 20_000;

/** jq's exit codes. */
const [DONE, NOT_COMPILED] = [0, 3];

type JqRun = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

/** Runs jq 1.8 as WebAssembly. It blocks the event loop, so Ctrl-C and the time limit work through a VM context. */
const runJq = async (input: string, expression: string): Promise<JqRun> => {
  const jq = await loadJq();
  const work = () => jq.raw(input, expression, ['-c']);
  try {
    return runInNewContext('work()', { work }, { timeout: LONGEST_MS, breakOnSigint: true }) as JqRun;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw interrupted({ cause: error });
    const why =
      code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? `it does not end within ${LONGEST_MS / 1000} s`
        : 'it needs too much memory';
    throw new Failure('invalid_input', `--jq: ${why}`, { cause: error });
  }
};

/** The message of jq about an expression, without its prefixes. */
const jqMessage = ({ stderr }: JqRun): string =>
  stderr
    .replace(/^jq: (?:error: )?/, '')
    .replace(/^error \(at [^)]*\): /, '')
    .replace(/\n?jq: \d+ compile errors?$/, '')
    .trimEnd();

const wrong = (run: JqRun, hint: string): Failure => {
  const [first = '', ...place] = jqMessage(run).split('\n');
  const where = place.length > 0 ? `: ${place.map((line) => line.trim()).join(' ')}` : '';
  return new Failure('invalid_input', `--jq: ${first.replace(/:$/, '')}${where}`, { hint });
};

/** Throws `invalid_input`, with the place of the error, for an expression that jq cannot compile. Does not evaluate it. */
export const assertJq = async (expression: string): Promise<void> => {
  // The expression has its own line, so that a comment in it ends. The error message then covers only the expression.
  const inside = await runJq('null', `if false then (\n${expression}\n) else empty end`);
  if (inside.exitCode !== NOT_COMPILED) return;
  const alone = await runJq('null', expression);
  if (alone.exitCode === NOT_COMPILED) throw wrong(alone, 'The language is that of jq 1.8: https://jqlang.org/manual');
};

/** Prints one result: text without quotes, any other value as compact JSON. Tabs and newlines stay, for `@tsv`. */
const lineOf = (json: string): string => {
  const value = parseJson(json);
  return typeof value === 'string' ? value.split('\t').map(escapeLines).join('\t') : printJson(value);
};

/** Describes the input of an expression, for the hint of a failed one. */
const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isJsonObject(value) ? `an object: ${Object.keys(value).map(escapeText).join(', ')}` : 'one value';
};

/**
 * Runs a jq expression on a value and prints each result on a line, with digits as received. Throws `invalid_input` for
 * an expression that fails on the value.
 */
export const queryLines = async (value: unknown, expression: string): Promise<string> => {
  const run = await runJq(printJson(value), expression);
  if (run.exitCode !== DONE) throw wrong(run, `The input is ${shapeOf(value)}. Run with --json to print it.`);
  return run.stdout === '' ? '' : `${run.stdout.split('\n').map(lineOf).join('\n')}\n`;
};
