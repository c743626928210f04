import type { Command } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import { itemOf, variablesOf } from './environment.ts';
import { endpointsOf, exitItems } from './exits.ts';
import { groupedOptions } from './option-groups.ts';
import { argumentItem, optionItem, usageOf } from './option-item.ts';
import { commands, items, type Page, section, text } from './page.ts';

/** Options that say where a value comes from instead of saying it. */
const isSource = ({ flag }: Option): boolean => /^--(?:body|.*-(?:file|stdin|keyring))$/.test(flag);

/** Lines that the source breaks within a sentence, put together again: a terminal has a width of its own. */
const sentences = (lines: readonly string[]): readonly string[] =>
  lines
    .join('\n')
    .replaceAll(/(?<![.:!?])\n(?=[a-z-])/g, ' ')
    .split('\n')
    .filter(Boolean);

const globalNote = ({ supportsDryRun, calls = [] }: Command): string => {
  const named = [
    '--json',
    ...(calls.length > 0 ? ['--profile'] : []),
    ...(supportsDryRun ? ['--dry-run', '--curl'] : []),
  ];
  return `${named.join(', ')} and others: bursar --help`;
};

/** A sentence ends with a point. */
const asSentence = (summary: string): string => `${summary}.`;

/** Everything there is to say of a command. */
export const leafPage = (command: Command): Page => {
  const name = `bursar ${command.words.join(' ')}`;
  const shown = command.options ?? [];
  const plain = groupedOptions(
    command.words[0],
    shown.filter((option) => !isSource(option)),
  );
  const calls = endpointsOf(command).map(({ id, method, path }) => {
    // Of a single call there is no doubt whose envelope it is.
    const isNamed = (command.calls ?? []).length > 1 && command.envelopeOf?.includes(id);
    return `${method} ${path}${isNamed ? ' (--envelope prints its answer)' : ''}`;
  });
  return {
    name,
    summary: asSentence(command.summary),
    usage: `${name} ${usageOf(command.arguments ?? [])}`,
    about: sentences(command.about ?? []),
    sections: [
      ...section('Arguments', items((command.arguments ?? []).map(argumentItem))),
      ...plain.flatMap(({ heading, options }) => section(heading, items(options.map(optionItem)))),
      ...section('Where values come from', items(shown.filter(isSource).map(optionItem))),
      ...section(
        'Fields that only --body sets',
        items((command.bodyOnly ?? []).map(({ name: of, says }) => [of, says])),
      ),
      ...section('Global options', ...text(globalNote(command))),
      ...section('Rules', ...text(...(command.rules ?? []))),
      ...section('Calls', ...text(...calls)),
      ...section(
        'Environment',
        items(variablesOf(command).map(itemOf)),
        ...text('Of every command: bursar help environment'),
      ),
      ...section(
        'Exit codes',
        items(exitItems(command)),
        ...text('What each means and what to do: bursar explain CODE'),
      ),
      // Last, for on a terminal the end of a long page is what is seen.
      ...section('Examples', commands(command.examples.map((line) => `bursar ${line}`))),
    ],
  };
};
