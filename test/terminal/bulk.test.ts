import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, RECEIVERS, startJourney } from '../support/journey.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

/** Writes a file with payments of 1 USDT each. Returns its path. */
const rowsFile = async (name: string, count: number): Promise<string> => {
  const header =
    'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';
  const row = (at: number): string =>
    `${name}-${at},1,USDT,USDT,polygon,${RECEIVERS[0]}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;
  await writeFile(
    join(journey.home, name),
    `${[header, ...Array.from({ length: count }, (_, at) => row(at))].join('\n')}\n`,
  );
  return join(journey.home, name);
};

const open = (columns = 80) => openTerminal(journey.home, { columns, rows: 24 }, SANDBOX_ENV);

describe.runIf(hasTerminal())('pay bulk on a terminal', () => {
  it('shows totals, wallets and the largest row, and pays nothing after a no', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const file = await rowsFile('no.csv', 3);
    const terminal = open();
    terminal.run(`clear; bursar pay bulk ${file} --key payer; echo "exit=$?"`);
    const screen = await terminal.until('Pay 3 rows');
    expect(screen).toMatch(/crypto\s+polygon\s+3\s+3 USDT/);
    expect(screen).toContain(`payer ${journey.address}`);
    expect(screen).toContain('Largest row: 1 (no.csv-0), 1 USDT');
    terminal.keys('n', 'Enter');
    expect(await terminal.until('exit=2')).toContain('not confirmed; nothing was sent');
    expect(await journey.balance(RECEIVERS[0])).toBe(before);
  });

  it('asks once, shows the progress on one line, and leaves no trace of it', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const file = await rowsFile('yes.csv', 12);
    const terminal = open();
    terminal.run(`clear; bursar pay bulk ${file} --key payer; echo "exit=$?"`);
    await terminal.until('Pay 12 rows');
    terminal.keys('y', 'Enter');
    await terminal.until(/\d+ of 12 rows/);
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('All rows are done: 12 paid.');
    expect(screen).not.toMatch(/of 12 rows/);
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 12);
  });

  it('lists a row that failed with each reason', async () => {
    const file = await rowsFile('fees.csv', 1);
    const terminal = open(160);
    terminal.run(
      `clear; bursar pay bulk ${file} --key payer --yes --max-total 1=USDT --fee-at-most 0.0000001; echo "exit=$?"`,
    );
    const screen = await terminal.until('exit=13');
    expect(screen).toMatch(/row 1, fees\.csv-0 \(pay_\w+\): failed: .*fee.*0\.0000001/s);
  });

  it('after Ctrl-C starts no further row, loses none, and goes on with the same command', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const file = await rowsFile('stop.csv', 30);
    const terminal = open(120);
    terminal.run(`clear; bursar pay bulk ${file} --key payer --yes --max-total 30=USDT; echo "exit=$?"`);
    await terminal.until(/[1-9]\d* of 30 rows/);
    terminal.keys('C-c');
    const screen = await terminal.until(/exit=\d+/);
    expect(screen).toContain('exit=130');
    expect(screen).toMatch(/interrupted: \d+ paid, \d+ pending/);
    terminal.run(`clear; bursar pay bulk ${file} --key payer --yes --max-total 30=USDT; echo "exit=$?"`);
    await terminal.until('exit=0');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 30);
  });
});
