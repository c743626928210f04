import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

it.runIf(hasTerminal())(
  'a body that is typed at the terminal is read once: missing fields are named, not asked',
  async () => {
    const terminal = openTerminal(await temporaryFolder(), undefined, { BURSAR_PROFILE: 'sandbox' });
    terminal.run('bursar order create --body -; echo "exit=$?"');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    terminal.run('{"amount_from": "5"}');
    terminal.keys('C-d');
    const screen = await terminal.until(/exit=\d/);
    expect(screen).toContain('exit=2');
    expect(screen).toContain('--to-currency-symbol: required');
  },
);
