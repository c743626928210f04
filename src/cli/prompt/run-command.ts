import { isFailure } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { isAskable } from './askable.ts';

/**
 * Runs a command. At a terminal what is missing is asked for, unless the input was typed there; elsewhere it fails, and names all of it. `open` gives the
 * command a context: each attempt has the whole time of --timeout.
 */
export const runLeaf = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  try {
    await runOrAsk(command, open, given);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw await (await import('./name-next.ts')).namingNext(command, error);
  }
};

const runOrAsk = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  const cli = open();
  if (!cli.io.prompt.isPossible) return command.run(cli, given);
  const said = new Set<string>();
  const say = async (line: string) => {
    said.add(line);
    return cli.say(line);
  };
  try {
    await command.run({ ...cli, say }, given);
  } catch (error) {
    if (!isAskable(error) || !cli.io.prompt.isPossible) throw error;
    const { askAndRun } = await import('./ask-and-run.ts');
    await askAndRun(command, open, { given, failure: error, said });
  }
};
