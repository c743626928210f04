import type { Command, Help } from 'commander';
import { wrap } from '../core/wrap.ts';
import type { Leaf } from './command.ts';

const section = (heading: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `\n${heading}:\n${items.join('\n')}\n`;

/** Help with what a reader looks for first on top: what it does, the commands, then the options. */
const formatHelp = (command: Command, helper: Help): string => {
  const width = helper.padWidth(command, helper);
  const item = (term: string, says: string) => helper.formatItem(term, width, says, helper);
  const commands = helper
    .visibleCommands(command)
    .map((one) => item(helper.subcommandTerm(one), helper.subcommandDescription(one)));
  const named = helper
    .visibleArguments(command)
    .map((one) => item(helper.argumentTerm(one), helper.argumentDescription(one)));
  const options = helper
    .visibleOptions(command)
    .map((one) => item(helper.optionTerm(one), helper.optionDescription(one)));
  return [
    `${helper.commandDescription(command)}\n\nUsage: ${helper.commandUsage(command)}\n`,
    section('Commands', commands),
    section('Arguments', named),
    section(command.parent ? 'Options' : 'Global options', options),
  ].join('');
};

/** How commander is to lay out help within a width. */
export const helpLayout = (columns: number) => ({
  helpWidth: Math.min(columns, 100),
  subcommandTerm: (command: Command) => command.name(),
  formatHelp,
});

const GLOBAL_NOTE = '\nGlobal options, such as --json, --profile and --dry-run: bursar --help';

/** Lines that the source breaks within a sentence, put together again: a terminal has a width of its own. */
const sentences = (lines: readonly string[]): readonly string[] =>
  lines
    .join('\n')
    .replaceAll(/(?<![.:!?])\n(?=[a-z])/g, ' ')
    .split('\n')
    .filter(Boolean);

/** What follows the options of a command: its endpoint and rules, and whole command lines. */
export const helpAfter = (leaf: Leaf, columns: number): string => {
  const about = sentences(leaf.about ?? []).map((line) => wrap(`  ${line}`, columns, '    '));
  const examples = leaf.examples.map((line) => `  $ bursar ${line}`);
  return [section('About', about), section('Examples', examples), GLOBAL_NOTE].join('');
};
