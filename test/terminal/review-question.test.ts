import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { type Journey, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';
import { register } from '../support/prepared-payment.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('the question of the review of a payment', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  });

  afterAll(() => journey.end());

  const open = () =>
    openTerminal(journey.home, { columns: 160, rows: 50 }, { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' });

  const RUN = 'cd; bursar pay run --body payment.json --key payer --intent';
  const QUESTION = /Pay 10 USDT \(7 \+ 3\) on polygon .*\?/;

  it('Ctrl-C: exit 130 at once, the cursor is visible, nothing is signed, and a resume completes the payment', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(`${RUN} interrupted; echo "exit=$?"`);
    await terminal.until(QUESTION);
    const start = performance.now();
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(await terminal.hasCursor()).toBe(true);
    expect(screen).not.toMatch(/\n {4}at /);
    const [, payment = ''] = /Payment (\S+) is registered, and nothing was signed or sent for it/.exec(screen) ?? [];
    expect(screen).toContain(`next: bursar pay resume ${payment}\n`);
    const { data } = await journey.json(['pay', 'show', payment]);
    expect(data).toMatchObject({ payment_id: payment, state: 'unfinished', transactions: [] });
    expect(await journey.balance(RECEIVERS[0])).toBe(before);

    const resumed = await journey.json(['pay', 'resume', payment, '--yes']);
    expect(resumed).toMatchObject({ code: 0, data: { payment_id: payment, status: 'success' } });
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('an empty line is a yes in the sandbox; a line typed before the question is no answer', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(`${RUN} newline; echo "exit=$?"`);
    terminal.keys('Enter', 'Enter');
    expect(await terminal.until(/Pay 10 USDT \(7 \+ 3\) on polygon .*\? \(Y\/n\)/)).not.toMatch(/^exit=/m);
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('shows only the number of checks that all pass; --verbose prints each check', async () => {
    const terminal = open();
    terminal.run(`${RUN} brief; echo "exit=$?"`);
    await terminal.until(QUESTION);
    const brief = await terminal.screen();
    expect(brief).toMatch(/^✓ reviewed +\d+ checks pass/m);
    expect(brief).not.toMatch(/^ {2}✓ /m);
    expect(brief).toMatch(/^ {2}7 USDT +to 0x/m);
    terminal.keys('n', 'Enter');
    await terminal.until('exit=10');
    terminal.run(`clear; ${RUN} whole --verbose`);
    await terminal.until(QUESTION);
    expect((await terminal.screen()).match(/^ {2}✓ /gm)?.length).toBeGreaterThan(8);
    terminal.keys('n', 'Enter');
  });

  it('is not asked without money; the resume command has no --yes, because a resume asks', async () => {
    await newEvmKey(journey.home, 'broke');
    const terminal = open();
    terminal.run(`cd; bursar pay run --body payment.json --key broke; echo "exit=$?"`);
    await terminal.until(/Fund broke with test money and\s+continue\? \(Y\/n\)/);
    terminal.keys('n', 'Enter');
    const screen = await terminal.until('exit=10');
    expect(screen.replace(/\s+/g, ' ')).toMatch(
      / on polygon, then: bursar pay resume pay_\w+ next: bursar sandbox fund/,
    );
    terminal.run(`clear; bursar pay run --body payment.json --key broke --yes; echo "exit=$?"`);
    const confirmed = await terminal.until('exit=10');
    expect(confirmed.replace(/\s+/g, ' ')).toMatch(/ on polygon, then: bursar pay resume pay_\w+ --yes /);
  });

  it('Ctrl-D is no yes: exit 130, nothing is signed, and no money moves', async () => {
    const [before, signed] = [await journey.balance(RECEIVERS[0]), await journey.signatures()];
    const terminal = open();
    terminal.run(`${RUN} ended; echo "exit=$?"`);
    await terminal.until(QUESTION);
    terminal.keys('C-d');
    await terminal.until('exit=130');
    expect([await journey.balance(RECEIVERS[0]), await journey.signatures()]).toEqual([before, signed]);
  });

  it('n: exit 10, nothing is signed, and a resume asks again', async () => {
    const before = await journey.balance(RECEIVERS[0]);
    const terminal = open();
    terminal.run(`${RUN} no; echo "exit=$?"`);
    await terminal.until(QUESTION);
    terminal.keys('n', 'Enter');
    const screen = await terminal.until('exit=10');
    expect(screen).toContain('error: not signed; nothing was sent\n');
    const [, id = ''] = /next: bursar pay resume (pay_[0-9a-f]{32})\n/.exec(screen) ?? [];
    const { data } = await journey.json(['pay', 'show', id]);
    expect(data).toMatchObject({ payment_id: id, state: 'declined', transactions: [] });
    terminal.run(`clear; bursar pay resume ${id}; echo "again=$?"`);
    await terminal.until(QUESTION);
    terminal.keys('y', 'Enter');
    const resumed = await terminal.until('again=0');
    expect(resumed).toMatch(/^✓ read back +registered/m);
    expect(resumed).not.toContain('unclear');
    expect(await journey.balance(RECEIVERS[0])).toBe(before + 7);
  });

  it('for a payment of another machine marks each fact "as the service says", and a yes states these facts', async () => {
    const id = await register(journey.ask, PAYMENT);
    await journey.ask('POST', '/payment/register/intents-create-transaction', {
      ...{ payment_id: id, transaction_type: 'crypto', payer_email: PAYMENT.payer_email, chain_name: 'polygon' },
      ...{ payer_wallet: journey.address, payer_token_symbol: 'USDT' },
    });
    const terminal = open();
    terminal.run(`cd; clear; bursar pay sign ${id} --key payer; echo "exit=$?"`);
    await terminal.until(/checks need your confirmation\. \(y\/N\)/);
    const screen = await terminal.screen();
    const marked = [...screen.matchAll(/^ *\? The (.+) (?:is|are) .+, as the service says\.$/gm)].map(
      ([, fact]) => fact,
    );
    expect(marked).toEqual([
      ...['amount', 'currency of the amount', 'token that the payer pays in', 'chain that the payer pays on'],
      ...['chain of the receivers', 'currency that the receivers get', 'receivers with their shares'],
    ]);
    expect(screen).not.toContain('as requested');
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    const [row] = (await journey.json(['pay', 'list', '--state', 'signed'])).data as unknown as { movement: string }[];
    const lines = await readFile(join(journey.home, 'state', 'journal', `${row?.movement}.ndjson`), 'utf8');
    const stated = JSON.parse(lines.split('\n').find((line) => line.includes('"step":"stated"')) ?? '{}').stated;
    expect(stated.facts).toMatchObject({
      amount: { value: '10', from: 'confirmed' },
      receivers: { value: RECEIVERS.map((wallet, at) => ({ wallet, percent: ['70', '30'][at] })), from: 'confirmed' },
    });
    expect(
      (await journey.json(['pay', 'execute', id, '--key', 'payer', '--yes'])).code,
      'the facts are stated now',
    ).toBe(0);
  });

  it('Ctrl-C during execute: a spinner turns, exit 11 at once, and the cursor is visible', async () => {
    await journey.ask('POST', '/_sandbox/fault', { endpoint: 'pay.execute', kind: 'hang' });
    const terminal = open();
    terminal.run(`${RUN} outstanding; echo "exit=$?"`);
    await terminal.until(QUESTION);
    terminal.keys('y', 'Enter');
    await terminal.until(/[|/\\-] Sending the payment/);
    // The fault is removed when the service has the call.
    const waiting = async () => (await journey.ask('GET', '/_sandbox/fault'))['faults'];
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000);
    const start = performance.now();
    terminal.keys('C-c');
    const screen = await terminal.until('exit=11');
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(await terminal.hasCursor()).toBe(true);
    expect(screen).toContain('10 USDT may have been sent. Do not pay again.');
  });
});
