import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, PAYMENT, startJourney } from '../support/journey.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const UPDATED = /Updated \d\d:\d\d:\d\d UTC(?: from the journal)?\.\s+Ctrl-C to quit\./g;

describe.runIf(hasTerminal())('a watched list', () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney();
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  });
  afterAll(() => journey.end());

  const register = async (): Promise<string> =>
    String((await journey.json(['pay', 'register', '--body', join(journey.home, 'payment.json')])).data['payment_id']);

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it.each([80, 40])(
    'is one screen of %i columns that is updated in place; Ctrl-C keeps the screen and shows the cursor',
    async (columns) => {
      const first = await register();
      const terminal = openTerminal(journey.home, { columns, rows: 40 }, SANDBOX_ENV);
      terminal.run('clear; bursar pay list --watch --every 0.2 --limit 2; echo "exit=$?"');
      await terminal.until(first);
      const second = await register();
      await terminal.until(second);
      await pause(800);
      terminal.keys('C-c');
      const screen = await terminal.until('exit=130');
      expect(screen.match(UPDATED)).toHaveLength(1);
      expect(screen.replaceAll(/\s+/g, ' ')).toContain('UTC from the journal. Ctrl-C');
      for (const id of [first, second]) expect(screen.split(id)).toHaveLength(2);
      expect(screen).toMatch(/Ctrl-C to quit\.\S*\nexit=130/);
      expect(await terminal.hasCursor()).toBe(true);
      // The screen joins wrapped lines, so a line that is too wide is found.
      expect(screen.split('\n').filter((line) => line.length > columns)).toEqual([]);
    },
  );

  it('on a short terminal shows the newest rows, and the number of lines that do not fit', async () => {
    for (let count = 0; count < 10; count += 1) await register();
    const terminal = openTerminal(journey.home, { columns: 80, rows: 8 }, SANDBOX_ENV);
    terminal.run('clear; bursar pay list --watch --every 0.2; echo "exit=$?"');
    await terminal.until(/\d+ more lines do not fit\./);
    const newest = await register();
    await terminal.until(newest);
    await pause(600);
    const screen = await terminal.screen();
    expect(screen.match(/more lines do not fit/g)).toHaveLength(1);
    expect(screen.match(UPDATED)).toHaveLength(1);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    expect((await terminal.scrolled()).match(/more lines do not fit/g)).toHaveLength(1);
  });

  it.each(['TERM=dumb', 'BURSAR_ACCESSIBLE=1', 'CI=1'])(
    'with %s prints a new line for each change, and moves no cursor',
    async (setting) => {
      const record = join(await temporaryFolder(), 'bytes');
      const terminal = openTerminal(journey.home, { columns: 80, rows: 24 }, SANDBOX_ENV);
      terminal.record(record);
      terminal.run(`${setting} bursar pay list --watch --every 0.2 --limit 1; echo "exit=$?"`);
      await terminal.until(/\d\d:\d\d:\d\d pay_\w+ {2}registered {2}10 USDT/);
      const next = await register();
      await terminal.until(next);
      terminal.keys('C-c');
      await terminal.until('exit=130');
      const bytes = await readFile(record, 'utf8');
      const printed = bytes.slice(bytes.indexOf('exit=$?'));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move a cursor
      expect(printed).not.toMatch(/\u001b\[\d*[A-HJK]|\r(?!\r*\n)/);
      expect(printed).not.toContain('Updated');
    },
  );

  it('of sandbox status shows its chains as they start, on 40 columns too', async () => {
    const terminal = openTerminal(journey.home, { columns: 40, rows: 40 }, SANDBOX_ENV);
    terminal.run('clear; bursar sandbox status --watch --every 0.2; echo "exit=$?"');
    await terminal.until(/Updated/);
    await journey.bursar(['sandbox', 'fund', 'payer', '--chain', 'arbitrum']);
    await terminal.until('arbitrum');
    await pause(600);
    // Under load a status may be late, and a frame may lack the address.
    const answering = await terminal.until('The sandbox answers on');
    expect(answering.match(/The sandbox answers on/g)).toHaveLength(1);
    terminal.keys('C-c');
    expect((await terminal.until('exit=130')).match(UPDATED)).toHaveLength(1);
    expect(await terminal.hasCursor()).toBe(true);
  });
});
