import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));

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

describe.runIf(hasTerminal())('the README', () => {
  it('shows what the program shows; npm run transcripts writes it', { timeout: 120_000 }, async () => {
    const home = await temporaryFolder();
    await runBursar(home, ['sandbox', 'start']);
    onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
    let readme = await readFile(README, 'utf8');
    const blocks = [...readme.matchAll(BLOCK)];
    expect(blocks.length).toBeGreaterThan(1);
    for (const { 0: block, groups = {} } of blocks) {
      const { command, text = '' } = groups;
      const shown = command ? await shownBy(home, command) : await session(home, text);
      if (constant(shown) !== constant(text)) readme = readme.replace(block, () => block.replace(text, () => shown));
    }
    await expect(readme).toMatchFileSnapshot(README);
  });
});
