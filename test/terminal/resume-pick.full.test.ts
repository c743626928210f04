import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { PIX_ARGS, startChargeJourney } from '../support/charge.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, PAYMENT } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { drawnLines } from '../support/qr.ts';
import { envelope, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

type Listed = { readonly payment_id: string };

const PAY = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];

describe.runIf(hasTerminal())('several open payments, at a terminal', () => {
  let journey: Journey;
  const ids = { done: '', pix: '' };

  beforeAll(async () => {
    journey = await startChargeJourney();
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    ids.done = String((await journey.json([...PAY, '--amount-from', '9'])).data['payment_id']);
    ids.pix = String((await journey.json([...PIX_ARGS, '--no-wait'])).data['payment_id']);
    const { env } = killedAt('journal:executing:synced');
    await runBursar(journey.home, PAY, { env: { ...SANDBOX_ENV, ...env } });
  });

  afterAll(() => journey.end());

  const open = () => openTerminal(journey.home, { columns: 160, rows: 60 }, SANDBOX_ENV);

  it('are listed by their facts, doubts first, and the picked payment is printed before a question', async () => {
    const terminal = open();
    terminal.run('clear; bursar pay resume; echo "exit=$?"');
    const screen = await terminal.until('Resume which payment?');
    const [first, second] = screen.split('\n').filter((line) => / ago|just now/.test(line));
    expect(first).toMatch(/10 USDT on polygon to 0x1{40} and 1 more, in doubt, .*\(pay_[0-9a-f]{32}\)/);
    expect(second).toMatch(/10 BRL by Pix to 0x1{40} and 1 more, payable, /);
    expect(second).toContain(ids.pix);
    terminal.keys('Down', 'Enter');
    const shown = await terminal.until("Pay it, as the payer's bank would?");
    expect(shown).toMatch(new RegExp(`Resuming 10 BRL by Pix \\(sandbox\\), started .*, payable: ${ids.pix}`));
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('are listed by pay show and pay forget with their payment ids', async () => {
    const terminal = open();
    for (const verb of ['show', 'forget']) {
      terminal.run(`clear; bursar pay ${verb}; echo "exit=$?"`);
      const screen = await terminal.until('something else');
      expect(screen).toContain(`${ids.pix} (open, 10 BRL by Pix, payable, `);
      expect(screen).toContain(`${ids.done} (9 USDT on polygon, success, `);
      expect(screen).not.toMatch(/\d{8}T\d{6}Z-/);
      terminal.keys('C-c');
      await terminal.until('exit=130');
    }
  });

  it('of sandbox pix are only the waiting payments; an invalid id is not repeated in a command', async () => {
    const terminal = open();
    terminal.run('clear; bursar sandbox pix; echo "exit=$?"');
    const screen = await terminal.until('something else');
    expect(screen).toContain(`${ids.pix} (sandbox, 10 BRL by Pix, payable, `);
    expect(screen).not.toContain(ids.done);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    terminal.run('clear; bursar sandbox pix \'bursar sandbox card\'; echo "no=$?"');
    const refused = await terminal.until('no=3');
    expect(refused.replaceAll(/\s+/g, ' ')).toContain(`next: bursar sandbox pix ${ids.pix} --pay --profile sandbox`);
  });

  it('without a waiting card: sandbox card names the command that creates one, without a question', async () => {
    const terminal = open();
    terminal.run('clear; bursar sandbox card; echo "exit=$?"');
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('error: no card of this machine waits');
    expect(screen).toMatch(/^next: bursar pay run --transaction-type cardcrypto --card-token tok_pending/m);
  });

  it('are named by sandbox fund when the funded wallet pays them', async () => {
    const [unfinished] = (await journey.json(['pay', 'list', '--state', 'in_doubt'])).data as unknown as Listed[];
    const terminal = open();
    terminal.run('clear; bursar sandbox fund payer --chain polygon; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain(`next: bursar pay resume ${unfinished?.payment_id}\n`);
  });

  it('are all resumed without a wait or a QR code for a Pix, doubts first', async () => {
    const terminal = open();
    const from = performance.now();
    terminal.run('clear; bursar pay resume --all; echo "exit=$?"');
    const screen = await terminal.until(/exit=\d+/, 40);
    expect(performance.now() - from).toBeLessThan(40_000);
    expect(screen).toContain('exit=8');
    expect(screen.indexOf('Resuming 10 USDT')).toBeLessThan(screen.indexOf('Resuming 10 BRL by Pix'));
    expect(screen).toMatch(new RegExp(`Pix of ${ids.pix}: it can be paid until \\S+`));
    expect(drawnLines(screen)).toEqual([]);
    expect(screen).not.toContain('Copy and paste');
  });

  it('that have all ended: the command prints that, and a script gets an empty list', async () => {
    await journey.bursar(['sandbox', 'pix', ids.pix, '--pay']);
    await journey.bursar(['pay', 'resume', '--all', '--timeout', '20']);
    const terminal = open();
    for (const words of ['pay resume --all', 'pay resume']) {
      terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
      expect(await terminal.until('exit=0')).toContain('Nothing is open.');
    }
    expect(await journey.json(['pay', 'resume', '--all'])).toEqual({ code: 0, data: [] });
  });

  it('a paid Pix is shown without its code, and its payer as a named hash', async () => {
    const terminal = open();
    terminal.run(`clear; bursar pay show ${ids.pix}; echo "exit=$?"`);
    const screen = await terminal.until('exit=0');
    expect(screen).toMatch(/from +[0-9a-f]{16} \(a hash of the payer's e-mail address\)/);
    expect(screen).not.toMatch(/br\.gov\.bcb\.pix|expires/);
  });
});

describe.runIf(hasTerminal())('the service of pay run', () => {
  it('is named before the first question when it is live', async () => {
    const { url } = await startServer(envelope(400, 'invalid_parameters'));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 }, env);
    terminal.run('clear; bursar pay run');
    const screen = await terminal.until('--amount-from');
    expect(screen.split('\n')[0]).toContain(`live, at ${new URL(url).host}`);
    terminal.keys('C-c');
  });

  it('is announced once before the first question when it is the default sandbox', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 });
    terminal.run('clear; bursar pay run; echo "exit=$?"');
    const screen = await terminal.until('--amount-from');
    expect(screen.split('\n')[0]).toContain('using the sandbox on this machine');
    terminal.run('10');
    const later = await terminal.until('--from-currency-symbol', 30);
    expect(later.match(/using the sandbox/g)).toHaveLength(1);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });
});
