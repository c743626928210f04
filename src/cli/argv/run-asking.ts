import { isFailure } from '../../core/failure.ts';
import { type Command, type CommandContext, isNameList } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';

/** Runs a command and asks for missing values. `open` makes a new context with a full --timeout for each attempt. */
export const runAsking = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  try {
    await runOrAsk(command, open, given);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { namingNext } = await import('../prompt/name-next.ts');
    throw namingNext(command, error);
  }
};

/** Whether an option with a list of names was given. */
const namesSome = ({ options = [] }: Command, given: ParsedArgs): boolean =>
  options.some(({ flag, completes }) => isNameList(completes) && given[flag.slice(2)] !== undefined);

const runOrAsk = async (command: Command, open: () => CommandContext, given: ParsedArgs): Promise<void> => {
  const cli = open();
  const answers = namesSome(command, given)
    ? await (await import('../prompt/near-misses.ts')).correctedNames(cli, command, given)
    : [];
  if (answers.length > 0) {
    const { askAndRun } = await import('../prompt/ask-and-run.ts');
    return askAndRun(command, open, { given, answers, printed: new Set() });
  }
  if (!cli.io.prompt.isPossible) return command.run(cli, given);
  const printed = new Set<string>();
  const printNote = async (line: string) => {
    printed.add(line);
    return cli.printNote(line);
  };
  try {
    await command.run({ ...cli, printNote }, given);
  } catch (error) {
    if (!isFailure(error, 'invalid_input') || !cli.io.prompt.isPossible) throw error;
    const { askAndRun, isAskable } = await import('../prompt/ask-and-run.ts');
    if (!isAskable(error)) throw error;
    await askAndRun(command, open, { given, failure: error, printed });
  }
};
