import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../../src/cli/areas.ts';
import type { Leaf } from '../../src/cli/command.ts';
import { exitsOf } from '../../src/cli/help/exits.ts';
import { runInProcess } from '../support/in-process.ts';
import { RECIPES, startWorld, type World } from '../support/recipes.ts';
import { envelope, startServer } from '../support/server.ts';
import { type Look, showInProcess } from '../support/shown-in-process.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const nameOf = ({ words }: Leaf): string => words.join(' ');

/** Those that end what the others work with come last. */
const LAST = ['sandbox reset', 'sandbox stop'];
const commands = leaves
  .toSorted((one, other) => LAST.indexOf(nameOf(one)) - LAST.indexOf(nameOf(other)))
  .map((leaf) => [nameOf(leaf), leaf] as const);

/** What prints a text for another program, which is not broken into lines. */
const PRINTS_TEXT = ['completion', 'openapi'];

const ENV = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };

const ESCAPE = '\u001b';
const SEQUENCE = new RegExp(`${ESCAPE}\\[[\\d;?]*[A-Za-z]`, 'g');
/** What goes back on its line, or anywhere else. */
const DRAWS = new RegExp(`\\r|\\u0008|${ESCAPE}(?!\\[[\\d;]*m)`);

/** What is left on the screen: a line that is drawn again shows only its last text. */
const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line) => (line.split(`${ESCAPE}[1G`).at(-1) ?? '').replaceAll(SEQUENCE, ''));

/** A command is there to be copied, a text was signed as it is, and a word stays whole that takes half of a line. */
const isCopied = (line: string): boolean =>
  /^\s*(?:next: |\$ |bursar |\| )/.test(line) || (line.split(' ').at(-1) ?? '').length > 20;

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.end());

const lineFor = async (name: string) => {
  const recipe = RECIPES[name];
  if (!recipe) throw new Error(`test/support/recipes.ts has no line for ${name}`);
  if (name === 'sandbox stop') await world.bursar(['sandbox', 'start']);
  return recipe(world);
};

const shown = async (name: string, look: Partial<Look>, ...more: readonly string[]) => {
  const { args, stdin } = await lineFor(name);
  const env = { ...ENV, ...look.env };
  const ended = await showInProcess(world.home, [...args, ...more], {
    columns: 80,
    ...look,
    env,
    ...(stdin !== undefined && { stdin }),
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  return ended;
};

describe.each(commands)('bursar %s', (name, leaf) => {
  it('on 40 columns has no line that is wider and could be broken', async () => {
    const { stdout, stderr } = await shown(name, { columns: 40, env: { NO_COLOR: '1' } });
    const wide = linesOf(PRINTS_TEXT.includes(name) ? stderr : stdout + stderr).filter((line) => line.length > 40);
    expect(wide.filter((line) => !isCopied(line))).toEqual([]);
  });

  it('on a dumb terminal without Unicode is printable ASCII, line by line', async () => {
    const { stdout, stderr } = await shown(name, { env: { TERM: 'dumb', LANG: 'C' } });
    expect(stdout + stderr).toMatch(/^[\n\t -~]*$/);
  });

  it('on a terminal of CI draws nothing again', async () => {
    const { stdout, stderr } = await shown(name, { env: { CI: '1' } });
    expect(stdout + stderr).not.toMatch(DRAWS);
  });

  it('with --quiet says nothing on stderr, be the terminal of zero columns', async () => {
    const { stderr } = await shown(name, { columns: 0 }, '--quiet');
    expect(stderr).toBe('');
  });

  it.runIf(leaf.calls?.length)(
    'with --json is one document where the service refuses, and ends as its help says',
    async () => {
      const { args, stdin } = await lineFor(name);
      const { url } = await startServer(envelope(404, 'nothing_here_not_found'));
      const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BURSAR_KEY_PASSWORD: 'pw' };
      const { code, stdout } = await showInProcess(world.home, [...args, '--json', '--quiet', '--timeout', '5'], {
        columns: 80,
        env,
        ...(stdin !== undefined && { stdin }),
      });
      expect(exitsOf(leaf)).toContain(code);
      expect(JSON.parse(stdout)).toBeDefined();
      // What doctor finds is its answer.
      if (code !== 0 && name !== 'doctor') {
        expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.any(String) } });
      }
    },
  );
});

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

describe.each(commands)('bursar %s, typed wrong', (name, leaf) => {
  it('with --json is one document, and names the help of just that command', async () => {
    const { code, stdout, stderr } = await runInProcess(
      world.home,
      [...leaf.words, '--json', '--no-such-option'],
      LIVE,
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('--no-such-option'), next: `bursar help ${name}` },
    });
  });

  const needed = [
    ...(leaf.arguments ?? []).filter(({ isOptional }) => !isOptional).map((argument) => argument.name),
    ...(leaf.options ?? []).filter(({ says }) => says.endsWith('(required)')).map(({ flag }) => flag),
  ];

  it.runIf(needed.length > 0)(
    'with nothing given is exit 2 at once, and every thing that it needs is named',
    async () => {
      const { code, stdout } = await runInProcess(world.home, [...leaf.words, '--json'], LIVE);
      expect(code).toBe(2);
      const { errors } = JSON.parse(stdout).error;
      expect(errors.map(({ option, field }: Record<string, string>) => option ?? field)).toEqual(
        expect.arrayContaining(needed),
      );
    },
  );

  it('with a word too many is exit 2 before anything is done', async () => {
    if ((leaf.arguments ?? []).some(({ isRepeatable }) => isRepeatable)) return;
    const words = [...leaf.words, ...(leaf.arguments ?? []).map(() => 'x'), 'one-too-many'];
    const { code, stdout } = await runInProcess(world.home, [...words, '--json'], LIVE);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage', next: `bursar help ${name}` } });
  });
});
