import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atStep } from '../support/at-step.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import type { Meddler } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { overriding } from '../support/overriding.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';
import { asked, isBroadcast, startYieldJourney, type YieldJourney, yielding } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  if (hasTerminal()) journey = await startYieldJourney();
});

afterAll(() => journey?.end());

const open = () => openTerminal(journey.home, { columns: 120, rows: 60 }, SANDBOX_ENV);

const held = async () => Number(await journey.held('USDC'));

const line = (words: readonly string[]): string => `bursar ${words.join(' ')}; echo "exit=$?"`;

const DEPOSIT = [...asked('deposit', 'USDC', '1'), '--broadcast'];
const QUESTION = 'Deposit 1 USDC with provider_a on solana (sandbox)?';

/** A service whose broadcast fails. */
const silent: Meddler = async ({ path }, forward) =>
  isBroadcast(path) ? { status: 500, body: '{"success":false,"status":"internal_error"}' } : forward();

describe.runIf(hasTerminal())('the question before a deposit', () => {
  it('with y deposits, and the deposit lands', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(line(DEPOSIT));
    await terminal.until(QUESTION);
    terminal.run('y');
    expect(await terminal.until('exit=0')).toMatch(/Deposit of .* on solana: landed/);
    expect(await held()).toBe(before - 1);
  });

  it('comes before the password of the key', async () => {
    const before = await held();
    const env = { BURSAR_PROFILE: SANDBOX_ENV.BURSAR_PROFILE };
    const terminal = openTerminal(journey.home, { columns: 120, rows: 60 }, env);
    terminal.run(line([...asked('deposit', 'USDC', '0.5'), '--broadcast']));
    expect(await terminal.until(QUESTION.replace('1', '0.5'))).not.toContain('Password of the key');
    terminal.run('y');
    await terminal.until('Password of the key saver');
    terminal.run(SANDBOX_ENV.BURSAR_KEY_PASSWORD);
    await terminal.until('exit=0');
    expect(await held()).toBe(before - 0.5);
  });

  it('is a question about a second deposit after an equal deposit, and Enter deposits nothing', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(line(DEPOSIT));
    expect(await terminal.until('Make another (sandbox)?')).toMatch(
      /The same operation was started (?:just now|\d+ \w+ ago) \(\S+\)\s+and was done\./,
    );
    terminal.keys('Enter');
    await terminal.until('exit=2');
    expect(await held()).toBe(before);
  });

  it('with Enter is a yes in the sandbox, and the deposit lands', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(line([...asked('deposit', 'USDC', '3'), '--broadcast']));
    await terminal.until(`${QUESTION.replace('1', '3')} (Y/n)`);
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(await held()).toBe(before - 3);
  });

  it.each([
    ['n', ['n', 'Enter'], 10, '2'],
    ['Ctrl-C', ['C-c'], 130, '4'],
  ])('with %s signs and sends nothing, without a stack trace', async (_, keys, exit, amount) => {
    const before = await held();
    const terminal = open();
    terminal.run(line([...asked('deposit', 'USDC', amount), '--broadcast']));
    await terminal.until(QUESTION.replace('1', amount));
    terminal.keys(...keys);
    const screen = await terminal.until(`exit=${exit}`);
    expect(screen).not.toMatch(/\n {4}at /);
    expect(screen).not.toMatch(/signed {2}/);
    expect(screen).toMatch(/next: bursar yield resume \S+/);
    expect(await held()).toBe(before);
  });

  it('with Ctrl-C names the operation, and a resume asks again', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(line([...asked('deposit', 'USDC', '5'), '--broadcast']));
    await terminal.until(QUESTION.replace('1', '5'));
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    const [, id = ''] = /next: bursar yield resume (\S+)/.exec(screen) ?? [];
    expect(await terminal.hasCursor()).toBe(true);
    terminal.run(`clear; bursar yield resume ${id}; echo "again=$?"`);
    await terminal.until('Go on with "Deposit 5 USDC');
    terminal.run('y');
    expect(await terminal.until('again=0')).toMatch(/landed/);
    expect(await held()).toBe(before - 5);
  });

  it('about a second deposit sends nothing when a resume has sent the first in the meantime', async () => {
    const before = await held();
    const deposit = [...asked('deposit', 'USDC', '6'), '--broadcast'];
    const failing: Meddler = async ({ path }, forward) =>
      path === '/yield/deposit' ? { status: 400, body: '{"success":false,"status":"invalid_parameters"}' } : forward();
    expect((await journey.through(failing, () => journey.json([...deposit, '--yes']))).code).not.toBe(0);
    const terminal = open();
    terminal.run(line(deposit));
    await terminal.until('Make another (sandbox)?');
    const [first] = (await journey.json(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    const resume = ['yield', 'resume', first?.movement ?? '', '--yes'];
    expect((await journey.through(silent, () => journey.json([...resume, '--timeout', '5']))).code).toBe(11);
    terminal.run('y');
    expect(await terminal.until('exit=8')).toContain('has changed since it was read');
    expect((await journey.json(resume)).code).toBe(0);
    expect(await held()).toBe(before - 6);
  });

  it('sends nothing when its claim lapsed and another deposit is in doubt, and leaves nothing open', async () => {
    const before = await held();
    const deposit = (name: string) => [...asked('deposit', 'USDC', '7'), '--broadcast', '--intent', name];
    const terminal = open();
    terminal.run(line([...deposit('first'), '--timeout', '15']));
    await terminal.until(QUESTION.replace('1', '7'));
    const second = [...deposit('second'), '--yes', '--timeout', '60'];
    const { code, data } = await journey.through(silent, () => journey.json(second));
    expect(code).toBe(11);
    terminal.run('y');
    expect(await terminal.until(/exit=\d+/)).toMatch(/may have landed[\s\S]*exit=11/);
    const { next } = data['error'] as unknown as { next: string };
    expect((await journey.json([...next.split(' ').slice(1), '--yes'])).code).toBe(0);
    expect(await held()).toBe(before - 7);
    const all = (await journey.json(['yield', 'list'])).data as unknown as {
      movement: string;
      amount: string;
      state: string;
    }[];
    const ofSeven = all.filter(({ amount }) => amount === '7');
    expect(ofSeven.map(({ state }) => state).toSorted()).toEqual(['set_aside', 'settled']);
    const refused = ofSeven.find(({ state }) => state === 'set_aside')?.movement ?? '';
    const lines = await readFile(join(journey.home, 'state', 'journal', `${refused}.ndjson`), 'utf8');
    // The signed bytes no longer count for a day.
    expect(
      lines
        .split('\n')
        .map((text) => (text ? JSON.parse(text).step : 'end'))
        .slice(-3),
    ).toEqual(['dead', 'set_aside', 'end']);
  });

  it('of a resume sends nothing after a manual deposit of the missing half, and a resume ends the operation', async () => {
    const rebalance = [...asked('rebalance', 'EURC', '5'), '--one-by-one', '--broadcast', '--yes'];
    await journey.json([...asked('deposit', 'EURC', '9'), '--broadcast', '--yes']);
    expect((await journey.bursar(rebalance, killedAt('journal:landed:synced'))).code).toBeNull();
    const unfinished = (await journey.json(['yield', 'list', '--open'])).data as unknown as {
      movement: string;
      operation: string;
    }[];
    const id = unfinished.find(({ operation }) => operation === 'rebalance')?.movement ?? '';
    const terminal = open();
    terminal.run(`bursar yield resume ${id}; echo "exit=$?"`);
    await terminal.until('Send it (sandbox)?');
    const byHand = overriding([...asked('deposit', 'EURC', '5'), '--broadcast', '--yes'], ['--provider', 'provider_b']);
    expect((await journey.json(byHand)).code).toBe(0);
    const before = Number(await journey.held('EURC'));
    terminal.run('y');
    expect(await terminal.until('exit=8')).toMatch(/has done what was\s+missing/);
    expect(Number(await journey.held('EURC'))).toBe(before);
    expect((await journey.json(['yield', 'resume', id, '--yes'])).code).toBe(0);
    expect(Number(await journey.held('EURC'))).toBe(before);
  });

  it('may be answered later than --timeout, which excludes the time of questions', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(line([...asked('deposit', 'USDC', '8'), '--broadcast', '--timeout', '15']));
    await terminal.until(QUESTION.replace('1', '8'));
    await new Promise((resolve) => setTimeout(resolve, 15_500));
    terminal.run('y');
    await terminal.until('exit=0');
    expect(await held()).toBe(before - 8);
  });

  it('is not answered by `yes |`: exit 2, nothing is sent', async () => {
    const before = await held();
    const terminal = open();
    terminal.run(`yes | ${line([...asked('deposit', 'USDC', '1.5'), '--broadcast'])}`);
    expect(await terminal.until('exit=2')).toContain('there is no terminal');
    expect(await held()).toBe(before);
  });
});

describe.runIf(hasTerminal())('the rates of a rebalance', () => {
  it('are a warning when the named provider yields less', async () => {
    const warning = 'this rebalance lowers the yield: provider_b yields 5 % a year';
    for (const [rate, isWarned] of [
      [5, true],
      [12.5, false],
    ] as const) {
      await journey.through(yielding({ provider_a: 6, provider_b: rate }), async () => {
        const terminal = open();
        // More than any test deposits.
        terminal.run(line([...asked('rebalance', 'USDC', '900'), '--broadcast']));
        const screen = await terminal.until('exit=9');
        expect(screen.includes(warning), String(rate)).toBe(isWarned);
        terminal.run(`clear; ${line([...asked('rebalance', 'USDC', '900'), '--broadcast', '--dry-run'])}`);
        expect(await terminal.until('exit=0'), 'a dry run reads no rates').not.toContain(warning);
      });
    }
  });

  const UNNAMED = asked('rebalance', 'USDC', '1').filter((word) => !['--provider-in', 'provider_b'].includes(word));

  it.each([
    ['the sandbox', 'sandbox', '(Y/n)'],
    ['a live service', '(environment), live', '(y/N)'],
  ])('of %s are shown without a named provider, and a no moves nothing', async (_, service, keys) => {
    await journey.through(yielding({ provider_a: 5, provider_b: 12.5 }), async () => {
      const { url, api_key } = JSON.parse(await readFile(join(journey.home, 'sandbox', 'server.json'), 'utf8'));
      const live = { BURSAR_PROFILE: '', BURSAR_BASE_URL: url, BURSAR_API_KEY: api_key };
      const env = service === 'sandbox' ? SANDBOX_ENV : { ...SANDBOX_ENV, ...live };
      const terminal = openTerminal(journey.home, { columns: 120, rows: 60 }, env);
      terminal.run(line([...UNNAMED, '--broadcast']));
      const question = await terminal.until(`Move it to provider_b (${service})? ${keys}`);
      expect(question).toContain('provider_b yields 12.5 % a year');
      terminal.keys('n', 'Enter');
      expect(await terminal.until('exit=10')).toContain('nothing was signed or sent');
    });
  });
});

describe.runIf(hasTerminal())('the question about an earlier deposit that may have landed', () => {
  const LOOKED = 'Have you looked, and is this to be done all the same (sandbox)?';

  it('is asked also with --yes; only y continues, and then the question is not asked again', async () => {
    const before = await held();
    await journey.bursar([...DEPOSIT, '--yes'], atStep('broadcasting', 'after'));
    for (const [keys, exit] of [
      [['Enter'], 11],
      [['C-c'], 130],
    ] as const) {
      const terminal = open();
      terminal.run(line([...DEPOSIT, '--yes']));
      expect(await terminal.until(LOOKED)).toContain('may have landed');
      terminal.keys(...keys);
      await terminal.until(`exit=${exit}`);
    }
    const terminal = open();
    terminal.run(`clear; yes | ${line([...DEPOSIT, '--yes'])}`);
    await terminal.until('exit=11');
    expect(await held()).toBe(before);
    terminal.run(`clear; ${line([...DEPOSIT, '--yes'])}`);
    await terminal.until(LOOKED);
    terminal.run('y');
    await terminal.until('exit=0');
    expect((await journey.json([...DEPOSIT, '--yes'])).code).toBe(0);
    expect(await held()).toBe(before - 2);
  });
});

describe.runIf(hasTerminal())('a challenge that needs a confirmation', () => {
  const doubtful: Meddler = async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith('/challenge')) return answer;
    const body = JSON.parse(answer.body);
    body.data.message = DOUBTFUL;
    return { status: answer.status, body: JSON.stringify(body) };
  };
  const DOUBTFUL = 'Prove that it is yours.\nExpires: tomorrow';
  const PROVE = ['kyc', 'wallet-prove', '--key', 'payer', '--yes'];
  const ASKED = 'Sign this challenge?';

  it.each([
    ['a bare newline', ['Enter'], 10],
    ['Ctrl-C', ['C-c'], 130],
    ['n', ['n', 'Enter'], 10],
  ])('has a question also with --yes; %s signs nothing', async (_, keys, exit) => {
    await journey.through(doubtful, async () => {
      const terminal = open();
      terminal.run(line(PROVE));
      await terminal.until(ASKED);
      terminal.keys(...keys);
      expect(await terminal.until(`exit=${exit}`)).not.toMatch(/signed {2}| {4}at /);
    });
  });

  it('is signed only with y, and not with `yes |`', async () => {
    await journey.through(doubtful, async () => {
      const terminal = open();
      terminal.run(`yes | ${line(PROVE)}`);
      expect(await terminal.until('exit=10')).toContain('this needs your confirmation');
      terminal.run(`clear; ${line(PROVE)}`);
      await terminal.until(ASKED);
      terminal.run('y');
      // The sandbox accepts only its own challenges, so its refusal shows that bursar signed and sent this challenge.
      expect(await terminal.until('exit=4')).toContain('invalid_signature');
    });
  });
});
