import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { folderWithProgram, hasShell } from '../support/shells.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const FOLDER = fileURLToPath(new URL('../../completions', import.meta.url));

const zshIn = async (load: string) => {
  const home = await temporaryFolder();
  const bin = await folderWithProgram(home);
  await mkdir(join(home, 'keys'));
  await writeFile(join(home, 'keys', 'treasury.json'), '{}');
  await writeFile(join(home, 'aliases.json'), '{"aliases":{"nightly":["pay","run"]}}');
  const chains = ['polygon', 'base'].map((name) => ({ name, enabled: name === 'base' }));
  await mkdir(join(home, 'sandbox'));
  await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify({ pid: process.pid, chains, providers: [] }));
  const terminal = openTerminal(home, { columns: 100, rows: 30 });
  terminal.run('exec zsh -f');
  terminal.run(`PS1='> '; path=(${bin} $path); ${load}; clear; echo ready`);
  await terminal.until(/^ready$/m);
  return { home, terminal };
};

const LOADS = [
  ['sourced twice', `autoload -U compinit; compinit -u; source ${FOLDER}/_bursar; source ${FOLDER}/_bursar`],
  ['found in fpath', `fpath=(${FOLDER} $fpath); autoload -U compinit; compinit -u -D`],
] as const;

describe.runIf(hasTerminal() && hasShell('zsh')).each(LOADS)('the completion of zsh, %s', (_, load) => {
  it('completes commands with descriptions, options, keys, files, and the value after an equals sign', async () => {
    const { home, terminal } = await zshIn(load);
    const typed = async (line: string, shown: string | RegExp) => {
      terminal.keys('-l', line);
      terminal.keys('Tab');
      const screen = await terminal.until(shown);
      terminal.keys('C-u');
      terminal.run('clear');
      return screen;
    };
    expect(await typed('bursar pay re', /resume +-- /)).toMatch(/register +-- Register a payment/);
    await typed('bursar nig', '> bursar nightly ');
    await typed('bursar pay sign --unsig', '> bursar pay sign --unsigned ');
    await typed('bursar pay sign --key ', '> bursar pay sign --key treasury');
    await typed('bursar pay sign --key=tr', '> bursar pay sign --key=treasury');
    await typed(`bursar review ${FOLDER}/bursar.ba`, 'completions/bursar.bash');
    await typed('bursar sandbox chain enable ', '> bursar sandbox chain enable polygon');
    // The words before the cursor are passed to bursar, and not run.
    await typed("bursar pay sign --unsigned '$(touch pwned)' --key ", '--key treasury');
    expect(existsSync(join(home, 'pwned'))).toBe(false);
    expect(await typed('bursar profile s', /show +-- /)).not.toMatch(/_bursar|error|not found/);
  });
});
