import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { canRunPostgres } from '../support/postgres.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';
import { postgresJournal } from '../support/test-journal.ts';

const isRun = hasTerminal() && canRunPostgres('journal join on a terminal');

describe.runIf(isRun)('journal join on a terminal', () => {
  it('asks for the line of the key file, and shows no part of it', async () => {
    const [first, home] = [await temporaryFolder(), await temporaryFolder()];
    const { env } = await postgresJournal(first);
    const terminal = openTerminal(home, { columns: 120, rows: 30 }, env);
    terminal.record(join(home, 'record'));
    // The command that other commands print as their next one.
    terminal.run('bursar journal join --key-stdin; echo "exit=$?"');
    await terminal.until('The line of the key file');
    const keys = join(first, 'state', 'journal-keys');
    const name = (await readdir(keys)).find((each) => each.endsWith('.key')) ?? '';
    const line = (await readFile(join(keys, name), 'utf8')).trim();
    terminal.run(line);
    expect(await terminal.until('exit=0')).toContain(name.replace('.key', ''));
    expect(await readFile(join(home, 'record'), 'utf8')).not.toContain(line.split(' ')[2]?.slice(0, 8));
  });
});
