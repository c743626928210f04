import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { type Journey, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('the same payment again, at a terminal', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney(runBursar);
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
    expect((await journey.bursar(run)).code).toBe(0);
  });

  afterAll(() => journey.end());

  const open = () =>
    openTerminal(journey.home, { columns: 160, rows: 50 }, { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' });

  const RUN = `cd; bursar pay run --body payment.json --key payer; echo "exit=$?"`;

  it.each([
    ['n', ['n', 'Enter'], 'exit=2'],
    ['a bare newline', ['Enter'], 'exit=2'],
    ['Ctrl-C', ['C-c'], 'exit=130'],
  ])('%s creates no second payment', async (_, keys, exit) => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(RUN);
    const question = await terminal.until('Make another (sandbox)?');
    expect(question).toMatch(/The same payment was started (?:just now|\d+ \w+ ago) \(pay_\S+\) and\s+was made\./);
    expect(question.replaceAll(/\s+/g, ' ')).toMatch(
      /\((pay_[0-9a-f]{32})\) and was made\. bursar pay show \1 shows it\./,
    );
    terminal.keys(...keys);
    await terminal.until(exit);
    expect(await journey.balance(RECEIVERS[0])).toBe(before);
  });

  it('y asks about the new payment, and creates it', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(RUN);
    await terminal.until('Make another (sandbox)?');
    terminal.keys('y', 'Enter');
    await terminal.until(/Pay 10 USDT \(7 \+ 3\) on polygon .*\?/);
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('a question may be answered later than --timeout, which does not include the time of questions', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(RUN.replace('payer;', 'payer --timeout 15;'));
    for (const question of ['Make another (sandbox)?', /Pay 10 USDT \(7 \+ 3\) on polygon .*\?/]) {
      await terminal.until(question);
      await new Promise((resolve) => setTimeout(resolve, 15_500));
      terminal.keys('y', 'Enter');
    }
    await terminal.until('exit=0');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('a resume asks before it sends bytes that were signed and not sent', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--intent', 'signed'];
    await journey.bursar(run, killedAt('journal:signed:synced'));
    const terminal = open();
    terminal.run('bursar pay resume; echo "first=$?"');
    await terminal.until(/was reviewed and signed \(0x[0-9a-f]{64}\)\. Send it \(sandbox\)\?/);
    terminal.keys('n', 'Enter');
    await terminal.until('first=2');
    terminal.run('clear; bursar pay resume; echo "second=$?"');
    await terminal.until('Send it (sandbox)?');
    terminal.keys('y', 'Enter');
    await terminal.until('second=0');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('for an unfinished payment the question and a no both name the resume command', async () => {
    const terminal = open();
    const other = RUN.replace('pay run', 'pay run --amount-from 12');
    terminal.run(other);
    await terminal.until(/Pay 12 USDT \(8\.4 \+ 3\.6\) on polygon .*\?/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    terminal.run(`clear; ${other}`);
    const asked = await terminal.until('Make another (sandbox)?');
    expect(asked).toMatch(/and\s+is not finished; nothing was sent\./);
    const [, id = ''] = /bursar pay resume\s+(\S+)\s+resumes it/.exec(asked) ?? [];
    terminal.keys('n', 'Enter');
    expect(await terminal.until('exit=2')).toContain(`next: bursar pay resume ${id}\n`);
  });

  it('across chains the question names the bridge', async () => {
    const terminal = open();
    const across = '--amount-from 61 --to-chain base --chain-name polygon';
    terminal.run(RUN.replace('pay run', `pay run ${across}`));
    const whom = "to the sandbox's bridge, which pays the receivers on base (sandbox)?";
    await terminal.until(`Pay 61 USDT on polygon ${whom}`);
    terminal.keys('n', 'Enter');
    await terminal.until('exit=10');
  });
});
