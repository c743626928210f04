import { palette } from '../../output/colour.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import { areaPage, groupedLeaves } from './area-page.ts';
import { layOut } from './lay-out.ts';
import { argumentItem, type Item, items, optionItem, type Page, section, text, usageOf } from './page.ts';

/** A short page and the prompt below it fit this terminal. */
const TERMINAL = { columns: 80, rows: 24 } as const;

/** A short page has two examples. */
const MAX_EXAMPLES = 2;

const fits = (page: Page): boolean =>
  layOut(page, { columns: TERMINAL.columns, paint: palette(false) }).split('\n').length <= TERMINAL.rows;

/** The first example, and the shortest of the others. */
const twoOf = ([first, ...others]: readonly string[]): readonly string[] => {
  const [second] = others.toSorted((one, other) => one.length - other.length);
  return [first, second].flatMap((line) => (line === undefined ? [] : [`bursar ${line}`]));
};

/** The options of a command, the main ones first: of its first example, required ones, of its other examples. */
const byImportance = ({ options = [], examples }: Command): readonly Option[] => {
  const [first = [], ...others] = examples.map((line) => line.split(/[ =]/));
  const rankOf = ({ flag, isRequired }: Option): number => {
    if (first.includes(flag)) return 0;
    return isRequired ? 1 : others.flat().includes(flag) ? 2 : 3;
  };
  return options.toSorted((one, other) => rankOf(one) - rankOf(other));
};

/** The required options that a page has no room to describe, in one line. */
const othersRequired = (options: readonly Option[]): readonly string[] => {
  const flags = options.filter(({ isRequired }) => isRequired).map(({ flag }) => flag);
  return flags.length === 0 ? [] : [`Also required: ${flags.join(', ')}`];
};

/** The page of `COMMAND -h`: as many options as a terminal shows without scrolling. */
export const shortLeafPage = (command: Command): Page => {
  const name = `bursar ${command.words.join(' ')}`;
  const sorted = byImportance(command);
  const pageWith = (shown: readonly Option[]): Page => ({
    name,
    summary: `${command.summary}.`,
    usage: `${name} ${usageOf(command.arguments ?? [])}`,
    examples: twoOf(command.examples),
    sections: [
      ...section('Arguments', items((command.arguments ?? []).map(argumentItem))),
      ...section(shown.length === sorted.length ? 'Options' : 'Main options', items(shown.map(optionItem))),
      ...section(
        'More',
        ...text(
          ...othersRequired(sorted.filter((option) => !shown.includes(option))),
          `All options, rules and exit codes: ${name} --help`,
        ),
      ),
    ],
  });
  const shown: Option[] = [];
  for (const option of sorted) if (fits(pageWith([...shown, option]))) shown.push(option);
  return pageWith(shown);
};

/** The page of a command group that fits a terminal: with few lines, only the names of its commands. */
export const shortAreaPage = (area: CommandGroup, members: readonly Command[]): Page => {
  const [only] = members;
  if (only && only.words.length === 1) return shortLeafPage(only);
  const page = areaPage(area, members);
  const whole = { ...page, examples: (page.examples ?? []).slice(0, MAX_EXAMPLES) };
  if (fits(whole)) return whole;
  const groups = groupedLeaves(area.name, members).map(
    ({ heading, leaves }): Item => [heading, leaves.map(({ words }) => words[1]).join(', ')],
  );
  const more = [`Each command in a line: bursar ${area.name} --help`, `One command: bursar ${area.name} COMMAND -h`];
  return {
    ...whole,
    sections: [...section('Commands', items(groups)), ...section('More', ...text(...more))],
  };
};
