import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, type Meddler, RECEIVERS, startJourney } from '../support/journey.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

/** Writes a file with payments of 1 USDT each, or of other amounts, tokens and chains. Returns its path. */
const rowsFile = async (name: string, count: number, others: readonly string[] = []): Promise<string> => {
  const header =
    'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';
  const row = (at: number): string =>
    `${name}-${at},${others[at] ?? '1,USDT,USDT,polygon'},${RECEIVERS[0]}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;
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

  it('shows the largest row of each token, its total over all chains, and what was paid before', async () => {
    const rows = ['1,USDT,USDT,polygon', '2,USDT,USDT,polygon', '5,USDC,USDC,polygon', '3,USDT,USDT,base'];
    const terminal = open(160);
    const first = await rowsFile('mixed.csv', 1, rows);
    terminal.run(`clear; bursar pay bulk ${first} --key payer --yes --max-total 1=USDT; echo "exit=$?"`);
    await terminal.until('exit=0');
    await journey.ask('POST', '/_sandbox/fund', { address: journey.address, chain: 'base' });
    terminal.run(`clear; bursar pay bulk ${await rowsFile('mixed.csv', 4, rows)} --key payer; echo "exit=$?"`);
    const screen = await terminal.until('Pay 3 rows');
    const day = new Date().toISOString().slice(0, 10);
    expect(screen).toContain(`1 of 4 rows were paid by earlier runs, the last one on ${day}, and are skipped.`);
    expect(screen).toContain('Over all chains: 5 USDT, 5 USDC');
    expect(screen).toContain('Largest row: 4 (mixed.csv-3), 3 USDT; 3 (mixed.csv-2), 5 USDC');
    terminal.keys('n', 'Enter');
    await terminal.until('exit=2');
  });

  it('counts skipped rows with other values in one line', async () => {
    const terminal = open(160);
    const command = (file: string) =>
      `clear; bursar pay bulk ${file} --key payer --yes --max-total 2=USDT; echo "exit=$?"`;
    terminal.run(command(await rowsFile('other.csv', 2)));
    await terminal.until('exit=0');
    const file = await rowsFile('other.csv', 2);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('payer@', 'other@'));
    terminal.run(command(file));
    const screen = await terminal.until('exit=0');
    expect(screen).toMatch(
      /2 skipped rows have other values: row \d, other\.csv-\d: payer_email differs from what was paid/,
    );
  });

  it('lists the rows that are held', async () => {
    const file = await rowsFile('held.csv', 3);
    const terminal = open(160);
    const refusing: Meddler = async ({ path }, forward) =>
      path.includes('/execute/') ? { status: 502, body: 'bad gateway' } : forward();
    const command = `bursar pay bulk ${file} --key payer --yes --max-total 3=USDT --doubt-wait 0`;
    await journey.through(refusing, async () => {
      terminal.run(`clear; ${command}; echo "exit=$?"`);
      const screen = await terminal.until('exit=11');
      expect(screen.match(/row \d, held\.csv-\d( \(pay_\w+\))?: held/g)).toHaveLength(2);
    });
    terminal.run(`clear; ${command}; echo "exit=$?"`);
    await terminal.until('exit=0');
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
