import { suggestionFor } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { changeAliases, type IsCommand, problemOfAlias, readAliases } from '../argv/aliases.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { type Argument, type ParsedArgs, required, stringArg, stringArgs } from '../command/options.ts';

const NAME: Argument = { name: 'NAME', description: 'Name of the alias', completes: 'aliases' };

/** The words of an alias. A quoted command is split at its spaces. */
const wordsOf = (given: ParsedArgs): readonly string[] => {
  const [first = '', ...rest] = stringArgs(given, 'command');
  return [...first.split(/\s+/).filter(Boolean), ...rest];
};

const rowOf = (name: string, words: readonly string[]) => ({ name, command: words.join(' ') });

/** `alias set`. */
const setOf = (isCommand: IsCommand): Command => ({
  words: ['alias', 'set'],
  summary: 'Store a name for a command with its options',
  about: [
    'bursar NAME then runs the command, and further words follow it.',
    'All words after NAME belong to the alias. Options of alias set itself need a quoted command before them.',
    'An alias runs commands of bursar alone, never --yes or a review override, and belongs to this home.',
  ],
  arguments: [
    { ...NAME, question: 'Name of the alias' },
    {
      name: 'COMMAND',
      description: 'Command and options, without the program name',
      isRepeatable: true,
      isVerbatim: true,
      question: 'Command with its options',
    },
  ],
  examples: ['alias set recent pay list --limit 5', "alias set price 'quote BTC USDT' --json"],
  run: async (cli, given) => {
    const words = wordsOf(given);
    const { NAME: name } = required({ NAME: stringArg(given, 'name'), COMMAND: words[0] });
    const problem = problemOfAlias(name, words, isCommand);
    if (problem !== undefined)
      throw new Failure('invalid_input', `alias ${name}: ${problem}`, { hint: 'Nothing was stored.' });
    await changeAliases(cli.io, isCommand, (all) => new Map(all).set(name, words));
    await cli.printCommitted(rowOf(name, words));
  },
});

/** `alias list`. */
const listOf = (isCommand: IsCommand): Command => ({
  words: ['alias', 'list'],
  summary: 'List the aliases',
  examples: ['alias list', 'alias list --json'],
  run: async (cli) => {
    const all = Array.from(await readAliases(cli.io, isCommand), ([name, words]) => rowOf(name, words));
    await cli.printResult(all, all, { none: 'No alias yet: bursar alias set NAME COMMAND' });
  },
});

/** `alias delete`. */
const deleteOf = (isCommand: IsCommand): Command => ({
  words: ['alias', 'delete'],
  summary: 'Remove an alias',
  arguments: [NAME],
  examples: ['alias delete recent', 'alias delete price --json'],
  run: async (cli, given) => {
    const { NAME: name } = required({ NAME: stringArg(given, 'name') });
    const before = await readAliases(cli.io, isCommand);
    const words = before.get(name);
    if (words === undefined) {
      const hint = suggestionFor(name, [...before.keys()]);
      throw new Failure('invalid_input', `there is no alias "${name}"`, {
        hint,
        next: nextStep('alias.list'),
      });
    }
    await changeAliases(cli.io, isCommand, (all) => new Map([...all].filter(([each]) => each !== name)));
    await cli.printCommitted({ ...rowOf(name, words), removed: true });
  },
});

/** The commands of `alias`, for a program with these command groups, in the order of the help. */
export const aliasOf = (groups: readonly CommandGroup[]): readonly Command[] => {
  const isCommand: IsCommand = (word) => groups.some(({ name }) => name === word);
  return [setOf(isCommand), listOf(isCommand), deleteOf(isCommand)];
};
