import type { Endpoint } from '../../contract/define.ts';
import { errorEntry } from '../../contract/errors.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { EXIT, type ExitCode, FAILURES } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import { HEADINGS, type Option } from '../command/options.ts';
import { itemOf, variablesOf } from './environment.ts';
import { EXIT_CODES, EXIT_WORDS } from './exit-words.ts';
import { argumentItem, type Item, items, optionItem, type Page, section, text, usageOf } from './page.ts';

const globalNote = ({ supportsDryRun, calls = [] }: Command): string => {
  const named = [
    '--json',
    ...(calls.length > 0 ? ['--profile'] : []),
    ...(supportsDryRun ? ['--dry-run', '--curl'] : []),
  ];
  return `${named.join(', ')} and others: bursar --help`;
};

const environmentNote = (command: Command): string => {
  const names = variablesOf(command).map(({ name }) => name);
  return names.length === 0 ? 'bursar help environment' : `${names.join(', ')}; all: bursar help environment`;
};

/** The paragraphs of a text whose lines may end within a sentence. */
const paragraphsOf = (lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : lines
        .join('\n')
        .replaceAll(/([^.:])\n/g, '$1 ')
        .split('\n');

/** The whole help page of a command. */
export const leafPage = (command: Command): Page => {
  const name = `bursar ${command.words.join(' ')}`;
  const shown = command.options ?? [];
  const calls = endpointsOf(command).map(({ id, method, path }) => {
    // With a single call, the envelope is clear.
    const isNamed = (command.calls ?? []).length > 1 && command.envelopeOf?.includes(id);
    return `${method} ${path}${isNamed ? ' (--envelope prints its answer)' : ''}`;
  });
  return {
    name,
    summary: `${command.summary}.`,
    usage: `${name} ${usageOf(command.arguments ?? [])}`,
    examples: command.examples.map((line) => `bursar ${line}`),
    about: paragraphsOf(command.about ?? []),
    sections: [
      ...section('Arguments', items((command.arguments ?? []).map(argumentItem))),
      ...groupedOptions(shown).flatMap(({ heading, options }) => section(heading, items(options.map(optionItem)))),
      ...section('Fields that only --body sets', items((command.bodyOnly ?? []).map(itemOf))),
      ...section('Global options', ...text(globalNote(command))),
      ...section('Rules', ...text(...(command.rules ?? []))),
      ...section('Calls', ...text(...calls)),
      ...section('Environment', ...text(environmentNote(command))),
      ...section('Exit codes', items(exitItems(command)), ...text(exitNote(command))),
    ],
  };
};

/** The largest number of options without headings. */
const MAX_IN_ONE_LIST = 10;

/** Options for the source of a value always have their own heading. */
const SOURCES: (typeof HEADINGS)[number] = 'Where values come from';

/**
 * Options under headings if there are many. Options without a heading come first. The order is that of the questions.
 */
const groupedOptions = (options: readonly Option[]) => {
  const plain = options.filter(({ heading }) => heading !== SOURCES);
  const headings = HEADINGS.filter((heading) => heading === SOURCES || plain.length > MAX_IN_ONE_LIST);
  const sorted = options.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  const rest = options.filter(({ heading }) => heading === undefined || !headings.includes(heading));
  const grouped = headings.map((heading) => ({
    heading,
    options: sorted.filter((option) => option.heading === heading),
  }));
  return [{ heading: 'Options', options: rest }, ...grouped].filter((group) => group.options.length > 0);
};

/** The exit codes of every command. */
const ALWAYS: readonly ExitCode[] = [EXIT.done, EXIT.fault, EXIT.usage, EXIT.interrupted];

/** The exit codes of every call, besides its documented errors: no key, no answer, or an undocumented error. */
const ANY_CALL: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.refusedKey]: 'no key',
  [EXIT.unavailable]: 'no answer, or HTTP 5xx',
  [EXIT.notFound]: 'HTTP 404',
  [EXIT.limitReached]: 'HTTP 429',
  [EXIT.rejected]: 'HTTP 4xx',
};

/** The endpoints that a command calls. Throws for an unknown id. */
const endpointsOf = ({ calls = [] }: Command): readonly Endpoint[] =>
  calls.map((id) => {
    const found = ENDPOINTS.find((endpoint) => endpoint.id === id);
    if (!found) throw new Error(`no endpoint ${id}`);
    return found;
  });

/** Whether the command unlocks a key. The user may then decline the address of the key. */
const opensKey = ({ options = [] }: Command): boolean => options.some(({ environment }) => environment === 'password');

const ownCodes = (command: Command): readonly ExitCode[] => [
  ...(command.fails ?? []).map((code) => FAILURES[code]),
  ...(opensKey(command) ? [EXIT.refusedByReview] : []),
  ...endpointsOf(command).flatMap((endpoint) => (outcomeOf(endpoint, {}).movesMoney ? [EXIT.outcomeUnknown] : [])),
];

/** The documented errors with an exit code. */
const statusesOf = (command: Command, exit: ExitCode): readonly string[] => {
  const all = endpointsOf(command).flatMap(({ errors }) => Object.keys(errors));
  return [...new Set(all)].filter((status) => {
    const code = errorEntry(status)?.code;
    return code !== undefined && FAILURES[code] === exit;
  });
};

/** The possible exit codes of a command, in order. */
export const exitsOf = (command: Command): readonly ExitCode[] => {
  const own = ownCodes(command);
  const isCaller = endpointsOf(command).length > 0;
  const isOfCall = (exit: ExitCode) => isCaller && ANY_CALL[exit] !== undefined;
  const isOwn = (exit: ExitCode) => own.includes(exit) || statusesOf(command, exit).length > 0;
  return EXIT_CODES.filter((exit) => ALWAYS.includes(exit) || isOwn(exit) || isOfCall(exit));
};

/** Whether an exit code has a cause of this command. The others are those of every command, or of every call. */
const isOwnExit = (command: Command, exit: ExitCode): boolean =>
  ownCodes(command).includes(exit) || statusesOf(command, exit).length > 0;

/** The own exit codes of a command, with the service errors that cause them. */
const exitItems = (command: Command): readonly Item[] =>
  exitsOf(command)
    .filter((exit) => isOwnExit(command, exit))
    .map((exit) => {
      const because = statusesOf(command, exit).join(', ');
      return [String(exit), EXIT_WORDS[exit].means + (because ? ` (${because})` : '')];
    });

const exitNote = (command: Command): string =>
  `${exitsOf(command)
    .filter((exit) => !isOwnExit(command, exit))
    .join(', ')} as for every command: bursar help exit-codes`;
