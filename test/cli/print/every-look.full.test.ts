import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ENV } from '../../support/cheap-key.ts';
import { COMMANDS, lineOf } from '../../support/every-command.ts';
import { startWorld, type World } from '../../support/recipes.ts';
import { couldBreak, type Look, showInProcess } from '../../support/shown-in-process.ts';

/** Commands that print a text for another program, without line breaks for a terminal. */
const PRINTS_TEXT = ['completion', 'openapi', 'smoke record'];

const ESCAPE = '\u001b';
const COLOR = new RegExp(`${ESCAPE}\\[(?:3|4|9)\\d`);
const SEQUENCE = new RegExp(`${ESCAPE}\\[[\\d;?]*[A-Za-z]`, 'g');
/** Sequences that move the cursor back. */
const DRAWS = new RegExp(`\\r|\\u0008|${ESCAPE}(?!\\[[\\d;]*m)`);

/** The lines that stay on the screen: a redrawn line shows only its last text. */
const linesOf = (text: string): readonly string[] =>
  text
    .replaceAll(`\r${ESCAPE}[K`, `${ESCAPE}[1G`)
    .split('\n')
    .map((line) => (line.split(`${ESCAPE}[1G`).at(-1) ?? '').replaceAll(SEQUENCE, ''));

/** Lines that may be wider: commands to copy, signed texts, and a word longer than half of the line. */
const isCopied = (line: string): boolean =>
  /^\s*(?:next: |\$ |bursar |\| )/.test(line) || (line.split(' ').at(-1) ?? '').length > 20;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

const shown = async (name: string, look: Partial<Look>, ...more: readonly string[]) => {
  const { args, stdin, env: own } = await lineOf(world, name);
  const env = { ...SANDBOX_ENV, ...own, ...look.env };
  const ended = await showInProcess(world.home, [...args, ...more], {
    columns: 80,
    ...look,
    env,
    ...(stdin !== undefined && { stdin }),
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended;
};

describe.each(COMMANDS)('bursar %s', (name) => {
  it('on a terminal of 80 columns prints no wider line, and no colour with NO_COLOR', async () => {
    const { stdout, stderr } = await shown(name, { env: { NO_COLOR: '1' } });
    expect(stdout + stderr).not.toMatch(COLOR);
    const wide = linesOf(stdout + stderr).filter((line) => line.length > 80 && couldBreak(line));
    if (!PRINTS_TEXT.includes(name)) expect(wide).toEqual([]);
  });

  it('on 40 columns prints no wider line that could be broken', async () => {
    const { stdout, stderr } = await shown(name, { columns: 40, env: { NO_COLOR: '1' } });
    const wide = linesOf(PRINTS_TEXT.includes(name) ? stderr : stdout + stderr).filter((line) => line.length > 40);
    expect(wide.filter((line) => !isCopied(line))).toEqual([]);
  });

  it('on a dumb terminal without Unicode prints only printable ASCII', async () => {
    const { stdout, stderr } = await shown(name, { env: { TERM: 'dumb', LANG: 'C' } });
    expect(stdout + stderr).toMatch(/^[\n\t -~]*$/);
  });

  it('on a terminal of CI redraws nothing', async () => {
    const { stdout, stderr } = await shown(name, { env: { CI: '1' } });
    expect(stdout + stderr).not.toMatch(DRAWS);
  });

  it('with --quiet prints nothing on stderr, also at zero columns', async () => {
    const { stderr } = await shown(name, { columns: 0 }, '--quiet');
    expect(stderr).toBe('');
  });
});
