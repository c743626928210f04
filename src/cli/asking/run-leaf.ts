import { errorEntry } from '../../contract/errors.ts';
import { EXIT } from '../../core/exit-codes.ts';
import { FAILURES, Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Given } from '../options.ts';
import { isAskable } from './askable.ts';

/** What the user did, and a fault of ours, need no command. */
const NEEDS_NONE: readonly FailureCode[] = ['declined', 'interrupted', 'internal'];

/** Every failure names a command: without one of its own the help of this one, or what is known about its code. */
const withNext = ({ words }: Leaf, error: unknown): unknown => {
  if (!isFailure(error) || error.details.next !== undefined || NEEDS_NONE.includes(error.code)) return error;
  const { code, details } = error;
  const namesOptions = details.errors?.some(({ option }) => option !== undefined) === true;
  const isOfInput =
    FAILURES[code] === EXIT.usage ||
    (code === 'rejected' && details.errors !== undefined) ||
    (code === 'refused_by_review' && namesOptions);
  const status = details.status !== undefined && errorEntry(details.status) ? details.status : code;
  const next = isOfInput ? nextStep('help', ...words) : nextStep('explain', status);
  return new Failure(code, error.sentence, { ...details, next, cause: error.cause });
};

/**
 * Runs a command. At a terminal what is missing is asked for, unless the input was typed there; elsewhere it fails, and names all of it. `open` gives the
 * command a context: each attempt has the whole time of --timeout.
 */
export const runLeaf = async (leaf: Leaf, open: () => Cli, given: Given): Promise<void> => {
  try {
    await runOrAsk(leaf, open, given);
  } catch (error) {
    const isMissing = isFailure(error, 'invalid_input') && error.details.errors?.some((one) => one.isMissing);
    throw withNext(leaf, isMissing ? await (await import('./name-missing.ts')).namingMissing(leaf, error) : error);
  }
};

const runOrAsk = async (leaf: Leaf, open: () => Cli, given: Given): Promise<void> => {
  const cli = open();
  if (!cli.io.prompt.isPossible) return leaf.run(cli, given);
  const said = new Set<string>();
  const say = async (line: string) => {
    said.add(line);
    return cli.say(line);
  };
  try {
    await leaf.run({ ...cli, say }, given);
  } catch (error) {
    if (!isAskable(error) || !cli.io.prompt.isPossible) throw error;
    const { askAndRun } = await import('./ask-and-run.ts');
    await askAndRun(leaf, open, { given, failure: error, said });
  }
};
