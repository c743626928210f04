import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { PIX_ARGS, startChargeJourney } from '../support/charge.ts';
import type { Journey } from '../support/journey.ts';
import { drawnLines, readHalfBlocks, readPairs } from '../support/qr.ts';
import { hasTerminal, openTerminal, type Terminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('pay run by Pix at a terminal', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startChargeJourney();
  });

  afterAll(() => journey.end());

  let cents = 0;
  const command = (): string => {
    cents += 1;
    return `bursar ${PIX_ARGS.join(' ')} --amount-from 30.${String(cents).padStart(2, '0')}; echo "exit=$?"`;
  };

  const open = (columns: number, rows: number, env: Readonly<Record<string, string>> = {}) =>
    openTerminal(journey.home, { columns, rows }, { BURSAR_PROFILE: 'sandbox', ...env });

  /** Declines to act as the bank, so the run waits. */
  const waiting = async ({ until, keys }: Terminal, seconds?: number): Promise<string> => {
    await until("Pay it, as the payer's bank would?", seconds);
    keys('n', 'Enter');
    return until(/Waiting for the payer, 59:\d\d left/);
  };

  const newest = async () => {
    const { data } = await journey.json(['pay', 'list', '--limit', '1']);
    const [row] = data as unknown as { payment_id: string }[];
    const charge = await journey.json(['sandbox', 'pix', row?.payment_id ?? '']);
    return { id: row?.payment_id ?? '', code: String(charge.data['code']) };
  };

  it('draws a QR code that scans as the code below, counts the time down, and ends after the payment', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    const screen = await waiting(terminal);
    const { id, code } = await newest();
    expect(readHalfBlocks(drawnLines(screen), true)).toBe(code);
    expect(screen.replaceAll('\n', '')).toContain(code);
    expect(screen).toMatch(
      /Pix: 30\.\d\d BRL\. It expires in (?:1:00:00|59:59)\. It is paid to:\s+\| BURSAR SANDBOX, SAO PAULO\n/,
    );
    const [, before = ''] = /, (59:\d\d) left/.exec(screen) ?? [];
    await sleep(1500);
    expect(await terminal.screen()).not.toContain(before);
    await journey.bursar(['sandbox', 'pix', id, '--pay']);
    const last = await terminal.until('exit=0');
    expect(last, 'each state is printed').toMatch(/✓ payment +success/);
    expect(last).toMatch(/Payment of .*: success/);
    expect(last).not.toContain('Waiting for');
    expect(await terminal.hasCursor()).toBe(true);
  });

  it('Enter pays in the place of the bank', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    const screen = await terminal.until("Pay it, as the payer's bank would? (Y/n)");
    const { id, code } = await newest();
    expect(readHalfBlocks(drawnLines(screen), true)).toBe(code);
    expect(screen).toContain(`bursar sandbox pix ${id} --pay`);
    terminal.keys('Enter');
    expect(await terminal.until('exit=0')).toMatch(/✓ payment +success/);
  });

  it('a payment elsewhere removes the question; Ctrl-C at the question is 130 with the resume command', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    await terminal.until("Pay it, as the payer's bank would?");
    const first = await newest();
    await journey.bursar(['sandbox', 'pix', first.id, '--pay']);
    expect(await terminal.until('exit=0')).toMatch(/✓ payment +success/);
    terminal.run(`clear; cd; ${command()}`);
    await terminal.until("Pay it, as the payer's bank would?");
    const second = await newest();
    terminal.keys('C-c');
    const stopped = await terminal.until('exit=130');
    expect(stopped).toContain(`bursar pay resume ${second.id}`);
    expect(stopped).not.toContain('    at ');
  });

  it('Esc at the question is a no: the command waits for the payer', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    await terminal.until("Pay it, as the payer's bank would?");
    terminal.keys('Escape');
    const screen = await terminal.until(/Waiting for the payer, 59:\d\d left/);
    expect(screen).not.toContain("as the payer's bank would?");
    await journey.bursar(['sandbox', 'pix', (await newest()).id, '--pay']);
    await terminal.until('exit=0');
  });

  it('--yes asks no question and waits', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command().replace(';', ' --yes;')}`);
    expect(await terminal.until('Waiting for the payer')).not.toContain("as the payer's bank would");
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('Ctrl-C during the wait is 130 with the resume command, which shows the code again', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    await waiting(terminal);
    const { id, code } = await newest();
    const start = performance.now();
    terminal.keys('C-c');
    const stopped = await terminal.until('exit=130');
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(stopped).toContain(`bursar pay resume ${id}`);
    expect(stopped).toContain('Its Pix expires at');
    expect(stopped).not.toContain('    at ');
    expect(await terminal.hasCursor()).toBe(true);
    terminal.run(`clear; bursar pay resume ${id}; echo "resumed=$?"`);
    const again = await waiting(terminal);
    expect(readHalfBlocks(drawnLines(again), true)).toBe(code);
    await journey.bursar(['sandbox', 'pix', id, '--pay']);
    await terminal.until('resumed=0');
  });

  it('on 80 columns by 40 rows the QR code, the amount, the code and the command are on the screen', async () => {
    const terminal = open(80, 40);
    terminal.run(`clear; cd; ${command()}`);
    await waiting(terminal);
    const { id, code } = await newest();
    const screen = await terminal.screen();
    expect(readHalfBlocks(drawnLines(screen), true)).toBe(code);
    expect(screen).toMatch(/Pix: 30\.\d\d BRL\./);
    expect(screen.replaceAll('\n', '')).toContain(code);
    expect(screen).toContain(`bursar sandbox pix ${id} --pay`);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('on 80 columns by 24 rows there is no QR code, but the number of rows that a QR code needs', async () => {
    const terminal = open(80, 24);
    terminal.run(`clear; cd; ${command()}`);
    await waiting(terminal);
    const { id, code } = await newest();
    const screen = await terminal.screen();
    expect(drawnLines(await terminal.scrolled())).toEqual([]);
    expect(screen).toMatch(/Pix: 30\.\d\d BRL\./);
    expect(screen.replaceAll('\n', '')).toContain(code);
    const [, rows] = /takes a terminal of (\d\d) rows, and\s+there\s+are\s+24/.exec(screen) ?? [];
    expect(screen).toContain(`bursar pay resume ${id}`);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    const higher = open(80, Number(rows));
    higher.run(`clear; cd; bursar pay resume ${id}; echo "exit=$?"`);
    await waiting(higher);
    expect(readHalfBlocks(drawnLines(await higher.scrolled()), true)).toBe(code);
    higher.keys('C-c');
    await higher.until('exit=130');
  });

  it('an expired Pix has the mark of a failure, and a command for a new payment', async () => {
    const terminal = open(100, 60);
    terminal.run(`clear; cd; ${command()}`);
    await waiting(terminal);
    const { id } = await newest();
    await journey.bursar(['sandbox', 'pix', id, '--expire']);
    const screen = await terminal.until('exit=12');
    expect(screen).toMatch(/^✗ payment +error/m);
    expect(screen).not.toMatch(/✓ payment/);
    expect(screen).toMatch(
      /^hint: A new payment has a new Pix\.\nnext: bursar pay run --body reais\.json --transaction-type pixcrypto /m,
    );
  });

  it.each([
    [40, {}, /it takes \d\d columns, and there are 40\./],
    [80, { LANG: 'C' }, /it takes \d\d columns, or \d\d in a locale of UTF-8, and there are 80\./],
  ])('on %i columns with %j there is only the code, with the width that a QR code needs', async (columns, env, why) => {
    const terminal = open(columns, 40, env);
    terminal.run(`clear; cd; ${command()}`);
    const screen = await terminal.until('The code above pays as well.');
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(why);
    expect(drawnLines(screen)).toEqual([]);
    expect(screen.replaceAll('\n', '')).toContain((await newest()).code);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('on zero columns the command does not hang', async () => {
    const terminal = open(100, 60);
    terminal.run(`stty cols 0; cd; ${command()}`);
    await terminal.until('Copy and paste');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('with LANG=C and NO_COLOR the QR code is drawn in ASCII, and scans', async () => {
    const terminal = open(130, 70, { LANG: 'C', NO_COLOR: '1' });
    terminal.run(`clear; cd; ${command()}`);
    const screen = await terminal.until('Copy and paste');
    const lines = screen.split('\n').filter((line) => /^(?:##| {2})*$/.test(line) && line.includes('##'));
    expect(readPairs(lines, '  ')).toBe((await newest()).code);
    expect(drawnLines(screen)).toEqual([]);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('with TERM=dumb the QR code scans without escape sequences, and the wait is one line', async () => {
    const terminal = open(100, 70, { TERM: 'dumb' });
    const record = join(journey.home, 'dumb');
    terminal.run('clear; cd; export TERM=dumb; echo ready');
    await terminal.until(/^ready/m);
    terminal.record(record);
    terminal.run(command());
    const screen = await terminal.until('Copy and paste');
    expect(readHalfBlocks(drawnLines(screen), false)).toBe((await newest()).code);
    await waiting(terminal);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect((await terminal.screen()).match(/Waiting/g)).toHaveLength(1);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    expect(await readFile(record, 'utf8')).toContain('Waiting');
    expect(await readFile(record, 'utf8')).not.toContain('\u001b');
  });

  it('verifies the payer, and continues with the same payment to its code', async () => {
    const email = 'walk@example.com';
    const terminal = open(100, 70, { BROWSER: 'true' });
    terminal.run(`clear; cd; ${command().replace(';', ` --payer-email ${email};`)}`);
    await terminal.until(`Verify ${email} now?`);
    terminal.keys('y', 'Enter');
    await terminal.until('or resend');
    const { data } = await journey.json(['sandbox', 'inbox', email]);
    terminal.run((data as unknown as { code: string }[])[0]?.code ?? '');
    await terminal.until('/kyc/sessions/');
    await journey.bursar(['sandbox', 'kyc', email, '--approve']);
    const screen = await waiting(terminal, 30);
    const { id, code } = await newest();
    expect(readHalfBlocks(drawnLines(screen), true)).toBe(code);
    await journey.bursar(['sandbox', 'pix', id, '--pay']);
    await terminal.until('exit=0');
  });
});
