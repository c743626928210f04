import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const SIZE = { columns: 80, rows: 24 };

/** Escape sequences other than colours, backspaces, and carriage returns without a line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move the cursor
const MOVES = /\u001b(?!\[[\d;]*m)|\u0008|\r(?!\r*\n)/;

/** The bytes that the terminal received during a command: from the echo of its line to the mark after the command. */
const bytesOf = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8');
  return text.slice(text.indexOf('\n', text.indexOf('exit=$?')), text.lastIndexOf('exit='));
};

const open = async (env: Readonly<Record<string, string>>) => {
  const home = await temporaryFolder();
  onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
  const terminal = openTerminal(home, SIZE, env);
  const record = join(home, 'record');
  terminal.record(record);
  return { ...terminal, bytes: () => bytesOf(record) };
};

const MODES = [{ BURSAR_ACCESSIBLE: '1' }, { ACCESSIBLE: '1' }, { TERM: 'dumb' }, { LANG: 'C' }];

describe.runIf(hasTerminal())('questions by lines', () => {
  it.each(MODES)(
    'with %j have numbered choices, repeat after a wrong number, and never move the cursor',
    async (env) => {
      const terminal = await open(env);
      terminal.run('bursar key import k --chain evm; echo "exit=$?"');
      await terminal.until('2) ');
      await terminal.until('Number of your choice (1-');
      terminal.run('9');
      await terminal.until('Type a number from 1 to');
      terminal.run('2');
      await terminal.until(/mnemonic|Mnemonic|words/);
      await terminal.until('input is hidden');
      terminal.keys('C-c');
      await terminal.until('exit=130');
      expect(await terminal.bytes()).not.toMatch(MOVES);
    },
  );

  it('hide a password, accept a backspace, and the password unlocks the key', async () => {
    const terminal = await open({ BURSAR_ACCESSIBLE: '1' });
    terminal.run('bursar key new k --chain evm; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.keys('hunterX', 'BSpace', '2', 'Enter');
    await terminal.until('same password again');
    terminal.run('hunter2');
    const screen = await terminal.until('exit=0');
    expect(screen).not.toMatch(/hunter/);
    expect(await terminal.bytes()).not.toMatch(MOVES);
    terminal.run('clear; bursar key export k --format v3 --out - > /dev/null; echo "exit=$?"');
    await terminal.until('Password of the key');
    terminal.run('hunter2');
    await terminal.until('exit=0');
  });

  it('end with 130 at Ctrl-D', async () => {
    const terminal = await open({ BURSAR_ACCESSIBLE: '1' });
    terminal.run('bursar key new k --chain solana; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.keys('C-d');
    await terminal.until('exit=130');
  });

  it('show no spinner while a sandbox starts', async () => {
    const terminal = await open({ BURSAR_ACCESSIBLE: '1' });
    terminal.run('bursar --profile sandbox quote BTC USDT; bursar sandbox stop; echo "exit=$?"');
    await terminal.until('exit=0', 60);
    expect(await terminal.bytes()).not.toMatch(MOVES);
  });
});
