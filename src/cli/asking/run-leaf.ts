import { isFailure } from '../../core/failure.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Given } from '../options.ts';
import { isAskable } from './askable.ts';

/**
 * Runs a command. At a terminal what is missing is asked for, unless the input was typed there; elsewhere it fails, and names all of it. `open` gives the
 * command a context: each attempt has the whole time of --timeout.
 */
export const runLeaf = async (leaf: Leaf, open: () => Cli, given: Given): Promise<void> => {
  try {
    await runOrAsk(leaf, open, given);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw await (await import('./name-next.ts')).namingNext(leaf, error);
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
