import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { type Journey, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('the equivalent command', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney(runBursar);
    const { payer_email: _, ...asked } = PAYMENT;
    await writeFile(join(journey.home, 'asked.json'), JSON.stringify(asked));
    await writeFile(join(journey.home, 'reais.json'), JSON.stringify({ ...asked, from_currency_symbol: 'BRL' }));
  });

  afterAll(() => journey.end());

  const ENV = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
  const open = () => openTerminal(journey.home, { columns: 160, rows: 60 }, ENV);
  const commandIn = (screen: string, title = 'Equivalent command'): string =>
    new RegExp(`${title}:\\n {2}(bursar .*(?:\\n(?!Set first|exit|error).*)*)`)
      .exec(screen)?.[1]
      ?.replaceAll('\n', '') ?? '';
  const start = async (file: string, more = '') => {
    const terminal = open();
    terminal.run(`cd; bursar pay run --body ${file} --key payer ${more}; echo "exit=$?"`);
    await terminal.until('E-mail');
    terminal.keys('Enter');
    return terminal;
  };

  it('has --yes only after a yes to the last question', async () => {
    const first = await start('asked.json');
    await first.until('on polygon (sandbox)?');
    first.keys('y', 'Enter');
    expect(commandIn(await first.until('exit=0'))).toContain(' --yes');
    const second = await start('asked.json');
    await second.until('Make another (sandbox)?');
    second.keys('y', 'Enter');
    await second.until('on polygon (sandbox)?');
    second.keys('n', 'Enter');
    expect(commandIn(await second.until('exit=10'), 'Command so far')).toMatch(/^bursar pay run (?!.*--yes)/);
    const third = await start('asked.json');
    await third.until('Make another (sandbox)?');
    third.keys('y', 'Enter');
    await third.until('on polygon (sandbox)?');
    third.keys('C-c');
    expect(commandIn(await third.until('exit=130'), 'Command so far')).toMatch(/^bursar pay run (?!.*--yes)/);
  });

  it('has a variable with an explanation for a confirmed value, and makes the same payment', async () => {
    const terminal = await start('reais.json', '--payer-token-symbol USDT');
    await terminal.until('as the service says');
    terminal.keys('y', 'Enter');
    const screen = await terminal.until('exit=0');
    const line = commandIn(screen);
    expect(line).toContain('--pay-at-most "$PAY_AT_MOST"');
    expect(screen.replaceAll('\n', ' ')).toMatch(/Set first: .*PAY_AT_MOST, \S+ \S+/);
    const before = await journey.balance(RECEIVERS[0]);
    terminal.run(`clear; PAY_AT_MOST=100 INTENT=again; CI=1 ${line}; echo "second=$?"`);
    await terminal.until('second=0');
    expect(await journey.balance(RECEIVERS[0])).toBeGreaterThan(before);
  });
});
