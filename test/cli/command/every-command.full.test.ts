import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { shellQuote } from '../../../src/core/next.ts';
import { startBursar } from '../../support/bursar.ts';
import { SANDBOX_ENV } from '../../support/cheap-key.ts';
import { type Line, RECIPES, recipeOf, startWorld, type World } from '../../support/recipes.ts';
import { couldBreak } from '../../support/shown-in-process.ts';
import { hasTerminal, startTerminal } from '../../support/terminal.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const nameOf = ({ words }: Command): string => words.join(' ');

/** The commands that stop or empty the sandbox come last. */
const LAST = ['sandbox reset', 'sandbox stop'];
const inOrder = leaves.toSorted((one, other) => LAST.indexOf(nameOf(one)) - LAST.indexOf(nameOf(other)));
const commands = inOrder.map((leaf) => [nameOf(leaf), leaf] as const);

/** Commands that print a text for another program, also with --json. */
const PRINTS_TEXT = ['completion', 'openapi'];
/** Commands that print one document a line. */
const STREAMS: readonly string[] = ['sandbox logs', 'webhook listen'];

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const documents = (stdout: string, name: string): readonly unknown[] =>
  (STREAMS.includes(name) ? stdout.split('\n').filter(Boolean) : [stdout]).map((text) => JSON.parse(text));

const isSeen = hasTerminal();

let world: World;
let terminal: ReturnType<typeof startTerminal>;
beforeAll(async () => {
  world = await startWorld();
  if (isSeen) terminal = startTerminal(world.home, { columns: 80, rows: 24 }, { ...SANDBOX_ENV, NO_COLOR: '1' });
});
afterAll(async () => {
  if (isSeen) await terminal.end();
  await world.end();
});

it('each command has a recipe or an example, and each recipe names an existing command', () => {
  const names = leaves.map(nameOf);
  expect(Object.keys(RECIPES).filter((name) => !names.includes(name))).toEqual([]);
  for (const leaf of leaves) expect(RECIPES[nameOf(leaf)] ?? leaf.examples[0], nameOf(leaf)).toBeDefined();
});

/** The lines on the screen: after a return to the start of a line only the last text is visible. */
const shownBy = (record: string): readonly string[] =>
  record
    .split('\r\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of the line
    .map((line) => line.split(/\r|\u001b\[1G/).at(-1) ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences without a width
    .map((line) => line.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, ''));

describe.each(commands)('bursar %s, with valid input', (name, command) => {
  const lineOf = async (): Promise<Line> => {
    if (name === 'sandbox stop') await world.here({ args: ['sandbox', 'start'] });
    return recipeOf(command)(world);
  };

  /** Only commands with an empty recipe lose their reader: all others behave in the same way. */
  const losesReader = RECIPES[name]?.length === 0;

  it('prints one document with --json, and no terminal control characters to a pipe', async () => {
    const { args, ...piped } = await lineOf();
    const json = await world.here({ args: [...args, '--json'], ...piped });
    expect(json.code, json.stdout + json.stderr).toBe(0);
    if (name !== 'openapi') documents(json.stdout, name);
    // The tests below start a process for some commands: on a terminal, or with a pipe that closes.
    const plain = await world.here(await lineOf(), { ...SANDBOX_ENV, CI: '1' });
    expect(plain.code, plain.stderr).toBe(0);
    expect(plain.stdout + plain.stderr).not.toMatch(ACTING);
  });

  /** One command of each area runs on a real terminal; `every-look` runs all of them on a terminal in its process. */
  const isFirstOfArea = leaves.find(({ words }) => words[0] === command.words[0]) === command;

  if (losesReader) {
    it('ends with 0 and without a stack trace when the reader closes the pipe', async () => {
      const { args, stdin = '', env } = await lineOf();
      const { child, ended } = startBursar(world.home, args, { env: { ...SANDBOX_ENV, ...env }, stdin });
      child.stdout?.destroy();
      const { code, stderr } = await ended;
      expect(stderr).not.toMatch(/\n {4}at |EPIPE/);
      expect(code, stderr).toBe(0);
    });
  }

  if (isFirstOfArea) {
    it.runIf(isSeen)('on a terminal of 80 by 24 prints no wider line, and no colour with NO_COLOR', async () => {
      const { args, stdin, env = {} } = await lineOf();
      const set = Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)} `);
      const given = stdin === undefined ? '' : ` < ${await world.file(stdin)}`;
      const record = join(world.home, world.fresh('record'));
      const script = await world.file(
        `clear; ${set.join('')}bursar ${args.map(shellQuote).join(' ')}${given}; echo "${basename(record)}=$?"`,
      );
      terminal.record(record);
      terminal.run(`. ${script}`);
      const ended = `${basename(record)}=`;
      // The test reads the record, because each look at the screen starts a process.
      const text = await vi.waitFor(async () => {
        const shown = await readFile(record, 'utf8');
        expect(shown).toMatch(new RegExp(`${ended}\\d`));
        return shown;
      }, 20_000);
      expect(text).toContain(`${ended}0`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
      expect(text).not.toMatch(/\u001b\[(?:3|4|9)\d/);
      const wide = shownBy(text).filter((line) => line.length > 80 && couldBreak(line));
      if (!PRINTS_TEXT.includes(name)) expect(wide).toEqual([]);
    });
  }
});
