import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument, withoutBlocks } from '../support/documents.ts';

/** What the build writes from the program's own declarations. */
const REFERENCE = readDocument('dist/reference.md');

const COMMANDS = new Set([...REFERENCE.matchAll(/^##+ bursar (.+)$/gm)].map(([, words = '']) => words));

const OPTIONS = new Set([...REFERENCE.matchAll(/^- `(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option));

/** Options of npm. */
const OF_OTHERS = new Set(['--ignore-scripts', '--include']);

const spansOf = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

/** The words of a command line up to its arguments: an area, and a verb where the area has some. */
const isCommand = (span: string): boolean => {
  const [, area = '', verb = ''] = span.split(' ');
  const hasVerbs = [...COMMANDS].some((words) => words.startsWith(`${area} `));
  return area === 'help' || (COMMANDS.has(area) && (!hasVerbs || verb === '' || COMMANDS.has(`${area} ${verb}`)));
};

describe.each([...DOCUMENTS, ...DECISIONS])('what the text of %s names', (path) => {
  const spans = spansOf(readDocument(path));

  it('are commands that the program has', () => {
    const named = spans.filter((span) => span.startsWith('bursar '));
    expect(named.filter((span) => !isCommand(span) && !/^bursar [A-Z-]/.test(span))).toEqual([]);
  });

  it('are options that a command has', () => {
    const named = spans.flatMap((span) => span.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []);
    expect(named.filter((option) => !OPTIONS.has(option) && !OF_OTHERS.has(option))).toEqual([]);
  });
});

it('the table of variables has every variable that help environment lists', () => {
  const [, environment = ''] = REFERENCE.split('\n## environment\n');
  const [section = ''] = environment.split('\n## ');
  const names = new Set(section.match(/\b(?:[A-Z]+_[A-Z_]+|CI|TERM|LANG|ACCESSIBLE|CLICOLOR)\b/g));
  const guide = readDocument('docs/environment.md');
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
