import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../src/cli/argv/command-line.ts';
import { AREAS } from '../../src/cli/command/areas.ts';
import { type Declaration, fieldOfFlag, HEADINGS, type Option } from '../../src/cli/command/options.ts';
import { isCredential } from '../../src/core/secret.ts';

const COMMANDS = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const GLOBALS: readonly Option[] = GLOBAL_OPTIONS;
const FLAGS = new Set([...GLOBALS, ...COMMANDS.flatMap(({ options = [] }) => options)].map(({ flag }) => flag));

/** Notes on required or usual values have their own fields, and are not part of a description. */
const NOTES = /\((?:required|repeatable|default)|for stdin/;

const loadersOf = ({ suggest, validate: judge, ask }: Declaration) =>
  [suggest, judge, ask].filter((one) => one !== undefined);

describe.each(COMMANDS.map((command) => [command.words.join(' '), command] as const))('%s', (_, command) => {
  const options = command.options ?? [];
  const declared: readonly Declaration[] = [...options, ...(command.arguments ?? [])];

  it('has options and arguments with unique names', () => {
    const shorts = options.flatMap(({ short }) => short ?? []);
    const names = [
      ...[...GLOBALS, ...options].map(({ flag }) => flag.slice(2)),
      ...(command.arguments ?? []).map(({ name }) => name.toLowerCase()),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(new Set([...shorts, '-h']).size).toBe(shorts.length + 1);
  });

  it('describes each option and argument in a phrase, without notes', () => {
    for (const { description, question = description } of declared) {
      expect(description).toMatch(/^[A-Za-z].{3,}[^.]$/);
      expect(description).not.toMatch(NOTES);
      expect(question).toMatch(/^[A-Z].{2,}[^.:]$/);
      expect(question.length).toBeLessThan(110);
    }
  });

  it('has a question text for each required value', () => {
    const needed = [
      ...options.filter(({ isRequired, value }) => isRequired && value !== undefined),
      ...(command.arguments ?? []).filter(({ isOptional }) => !isOptional),
    ];
    // A value without a question and choices is asked by its description, which must contain a word.
    for (const { question, choices, description } of needed)
      expect(question ?? choices?.join() ?? description).toMatch(/\w{3}/);
  });

  it('loads functions for suggestions, checks and questions', async () => {
    for (const loader of declared.flatMap(loadersOf)) expect(await loader?.()).toBeTypeOf('function');
  });

  it('hides each secret', () => {
    // The token of sandbox fund is the symbol of a coin.
    const isPublic = (flag: string) => flag === '--token' && command.words.join(' ') === 'sandbox fund';
    for (const { flag, value, isHidden, isSecret } of options) {
      if (value === undefined || isPublic(flag) || !isCredential(fieldOfFlag(flag))) continue;
      expect([flag, isHidden === true || isSecret === true]).toEqual([flag, true]);
    }
  });

  it('names existing headings and options', () => {
    for (const { heading, follows = [] } of options) {
      if (heading !== undefined) expect(HEADINGS).toContain(heading);
      for (const flag of follows) expect(FLAGS).toContain(flag);
    }
  });
});

describe('the properties of an option', () => {
  /** A key of an object that is the name of an option or of an argument, alone or behind a command. */
  const KEYED = /^ *'(?:[a-z-]+ )*(?:--[a-z][a-z-]*|[A-Z][A-Z_=]+)': /gm;

  it.each(['argv', 'command', 'completion', 'help', 'print', 'prompt'])(
    'are in its declaration, and in no table of cli/%s',
    async (room) => {
      const folder = join('src/cli', room);
      const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
      expect(names.length).toBeGreaterThan(2);
      for (const name of names) {
        const text = await readFile(join(folder, name), 'utf8');
        expect([name, text.match(KEYED)]).toEqual([name, null]);
      }
    },
  );

  it('are not derived from texts in prompts, completion and help', async () => {
    const SEARCHED =
      /(?:message|description|question|hint|sentence)\??\.(?:match|includes|startsWith|endsWith|replace)\(/;
    for (const room of ['argv', 'command', 'completion', 'help', 'prompt', 'print']) {
      const folder = join('src/cli', room);
      for (const name of (await readdir(folder, { recursive: true })).filter((one) => /(?<!yaml)\.ts$/.test(one))) {
        expect([name, SEARCHED.exec(await readFile(join(folder, name), 'utf8'))?.[0]]).toEqual([name, undefined]);
      }
    }
  });
});
