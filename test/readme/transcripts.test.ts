import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { DOCUMENTS, readDocument } from '../support/documents.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `<!-- transcript: COMMAND -->` before a block that is all of what a command shows, `<!-- transcript -->` before one
 * with lines of `$ bursar …` and what each shows.
 */
const BLOCK = /<!-- transcript(?:: (?<command>.+?))? -->\n\n```\n(?<text>.*?)```\n/gs;

/** What differs from run to run. The receivers of the demo are always the same. */
const DIFFERS: readonly RegExp[] = [
  /127\.0\.0\.1:\d+/g,
  /pay_[0-9a-f]{32}/g,
  /0x(?!1{40}|2{40})[0-9a-fA-F]{40,64}/g,
  / +\d+ ms\b/g,
  / +\d+(?:\.\d+)? (?:s|min)\b/g,
  /at most 0\.\d+/g,
];

const constant = (text: string): string => DIFFERS.reduce((left, differing) => left.replaceAll(differing, ''), text);

/** What commands show on a terminal of 80 columns. */
const shownBy = async (home: string, command: string): Promise<string> => {
  const terminal = openTerminal(home, { columns: 80, rows: 200 }, { BURSAR_PROFILE: 'sandbox', PS1: '' });
  terminal.run(`clear; ${command}; echo "exit=$?"`);
  const screen = await terminal.until(/^exit=\d+$/m, 60);
  const lines = screen.slice(0, screen.search(/^exit=\d+$/m)).split('\n');
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()}\n`;
};

const session = async (home: string, text: string): Promise<string> => {
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  let all = '';
  for (const command of commands) all += `${command}\n${await shownBy(home, command.slice(2))}`;
  return all;
};

const SHOWING = DOCUMENTS.filter((path) => readDocument(path).search(BLOCK) >= 0);

it('the README and a guide show what commands print', () => {
  expect(SHOWING).toContain('README.md');
  expect(SHOWING.flatMap((path) => [...readDocument(path).matchAll(BLOCK)]).length).toBeGreaterThan(2);
});

describe.runIf(hasTerminal())('the transcripts', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'bursar-readme-'));
    await runBursar(home, ['sandbox', 'start']);
  });
  afterAll(async () => {
    await runBursar(home, ['sandbox', 'stop']);
    await rm(home, { recursive: true, force: true });
  });

  it.each(SHOWING)('of %s are what the program shows; npm run transcripts writes them', async (path) => {
    let page = readDocument(path);
    for (const { 0: block, groups = {} } of page.matchAll(BLOCK)) {
      const { command, text = '' } = groups;
      const shown = command ? await shownBy(home, command) : await session(home, text);
      if (constant(shown) !== constant(text)) page = page.replace(block, () => block.replace(text, () => shown));
    }
    await expect(page).toMatchFileSnapshot(join(ROOT, path));
  });
});
