import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument, withoutBlocks } from '../support/documents.ts';

/** The reference that the build writes from the declarations of the program. */
const REFERENCE = readDocument('dist/reference.md');

const COMMANDS = new Set([...REFERENCE.matchAll(/^##+ bursar (.+)$/gm)].map(([, words = '']) => words));

const OPTIONS = new Set([...REFERENCE.matchAll(/^- `(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option));

const NPM_OPTIONS = new Set(['--ignore-scripts', '--include']);

const spansOf = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

/** Whether a span begins with a command: an area, and a verb if the area has verbs. */
const isCommand = (span: string): boolean => {
  const [, area = '', verb = ''] = span.split(' ');
  const hasVerbs = [...COMMANDS].some((words) => words.startsWith(`${area} `));
  return area === 'help' || (COMMANDS.has(area) && (!hasVerbs || verb === '' || COMMANDS.has(`${area} ${verb}`)));
};

describe.each([...DOCUMENTS, ...DECISIONS])('the text of %s', (path) => {
  const spans = spansOf(readDocument(path));

  it('names only commands that exist', () => {
    const named = spans.filter((span) => span.startsWith('bursar '));
    expect(named.filter((span) => !isCommand(span) && !/^bursar [A-Z-]/.test(span))).toEqual([]);
  });

  it('names only options that a command or npm has', () => {
    const named = spans.flatMap((span) => span.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []);
    expect(named.filter((option) => !OPTIONS.has(option) && !NPM_OPTIONS.has(option))).toEqual([]);
  });
});

it('docs/environment.md lists every variable of "bursar help environment"', () => {
  const [, environment = ''] = REFERENCE.split('\n## environment\n');
  const [section = ''] = environment.split('\n## ');
  const names = new Set(section.match(/\b(?:[A-Z]+_[A-Z_]+|CI|TERM|LANG|ACCESSIBLE|CLICOLOR)\b/g));
  const guide = readDocument('docs/environment.md');
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
