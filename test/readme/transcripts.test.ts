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
 * `<!-- transcript: COMMAND -->` marks a block with the whole output of a command. `<!-- transcript -->` marks a block with
 * lines of `$ bursar …`, each followed by its output.
 */
const BLOCK = /<!-- transcript(?:: (?<command>.+?))? -->\n\n```\n(?<text>.*?)```\n/gs;

/** Parts that change from run to run. The receivers of the demo are always the same. */
const VARIABLE_PARTS: readonly RegExp[] = [
  /127\.0\.0\.1:\d+/g,
  /pay_[0-9a-f]{32}/g,
  /0x(?!1{40}|2{40})[0-9a-fA-F]{40,64}/g,
  / +\d+ ms\b/g,
  / +\d+(?:\.\d+)? (?:s|min)\b/g,
  /at most 0\.\d+/g,
];

const withoutVariableParts = (text: string): string =>
  VARIABLE_PARTS.reduce((rest, part) => rest.replaceAll(part, ''), text);

/** The output of a command on a terminal of 80 columns. */
const outputOf = async (home: string, command: string): Promise<string> => {
  const terminal = openTerminal(home, { columns: 80, rows: 200 }, { BURSAR_PROFILE: 'sandbox', PS1: '' });
  terminal.run(`clear; ${command}; echo "exit=$?"`);
  const screen = await terminal.until(/^exit=\d+$/m, 60);
  const lines = screen.slice(0, screen.search(/^exit=\d+$/m)).split('\n');
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()}\n`;
};

const runSession = async (home: string, text: string): Promise<string> => {
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  let transcript = '';
  for (const command of commands) transcript += `${command}\n${await outputOf(home, command.slice(2))}`;
  return transcript;
};

const PAGES = DOCUMENTS.filter((path) => readDocument(path).search(BLOCK) >= 0);

it('the README contains a transcript, and all documents together at least three', () => {
  expect(PAGES).toContain('README.md');
  expect(PAGES.flatMap((path) => [...readDocument(path).matchAll(BLOCK)]).length).toBeGreaterThan(2);
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

  it.each(PAGES)('of %s match the output of the program (npm run transcripts updates them)', async (path) => {
    let page = readDocument(path);
    for (const { 0: block, groups = {} } of page.matchAll(BLOCK)) {
      const { command, text = '' } = groups;
      const output = command ? await outputOf(home, command) : await runSession(home, text);
      if (withoutVariableParts(output) !== withoutVariableParts(text)) {
        page = page.replace(block, () => block.replace(text, () => output));
      }
    }
    await expect(page).toMatchFileSnapshot(join(ROOT, path));
  });
});
