import { runInNewContext } from 'node:vm';
import { loadJq } from 'jq-wasm/inline';
import { codeOf } from '../core/error-code.ts';
import { escapeLines, escapeText } from '../core/escape.ts';
import { Failure, interrupted } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';

/** An expression that does not end is a mistake; a terminal must not wait for it for ever. */
const LONGEST_MS = 20_000;

/** jq's own codes of exit. */
const [DONE, NOT_COMPILED] = [0, 3];

type JqRun = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

/** Runs jq itself (1.8, as WebAssembly). Ctrl-C and too long a time end it, though it never gives way. */
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

/** What jq says of an expression, without what it says of itself. */
const jqMessage = ({ stderr }: JqRun): string =>
  stderr
    .replace(/^jq: (?:error: )?/, '')
    .replace(/^error \(at [^)]*\): /, '')
    .replace(/\n?jq: \d+ compile errors?$/, '')
    .trimEnd();

const wrong = (run: JqRun, hint: string): Failure => {
  const [first = '', ...place] = jqMessage(run).split('\n');
  const message = first.replace(/:$/, '');
  return new Failure(
    'invalid_input',
    `--jq: ${message}${place.length > 0 ? `: ${place.map((line) => line.trim()).join(' ')}` : ''}`,
    { hint },
  );
};

/** Throws `invalid_input` with the place where an expression is no jq. What is one is not evaluated. */
export const assertJq = async (expression: string): Promise<void> => {
  // On a line of its own, so that a comment in it ends. The complaint is then about the expression alone.
  const inside = await runJq('null', `if false then (\n${expression}\n) else empty end`);
  if (inside.exitCode !== NOT_COMPILED) return;
  const alone = await runJq('null', expression);
  if (alone.exitCode === NOT_COMPILED) throw wrong(alone, 'The language is that of jq 1.8: https://jqlang.org/manual');
};

/** One result: text as it is, everything else as compact JSON. Tabs and newlines of a text stay, for `@tsv`. */
const lineOf = (json: string): string => {
  const value = parseJson(json);
  return typeof value === 'string' ? value.split('\t').map(escapeLines).join('\t') : printJson(value);
};

/** What an expression begins with, for who took it for something else. */
const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isJsonObject(value) ? `an object: ${Object.keys(value).map(escapeText).join(', ')}` : 'one value';
};

/**
 * What a jq expression makes of a value, a line for each result, digits as they were received. Throws `invalid_input`
 * for an expression that does not fit the value.
 */
export const queryLines = async (value: unknown, expression: string): Promise<string> => {
  const run = await runJq(printJson(value), expression);
  if (run.exitCode !== DONE) throw wrong(run, `The answer is ${shapeOf(value)}. --json shows all of it.`);
  return run.stdout === '' ? '' : `${run.stdout.split('\n').map(lineOf).join('\n')}\n`;
};
