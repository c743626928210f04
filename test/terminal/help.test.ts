import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('help on a narrow terminal', () => {
  it('has no line wider than 40 columns', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 40, rows: 90 });
    terminal.run('clear; bursar order list --help; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('Exit codes:');
    expect(screen.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });
});
