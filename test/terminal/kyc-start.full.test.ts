import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, PAYMENT, startJourney } from '../support/journey.ts';
import { hasTerminal, openTerminal, type Terminal } from '../support/terminal.ts';

type Size = Parameters<typeof openTerminal>[1];

/** A browser that records the addresses that it opens. */
const withBrowser = async (folder: string) => {
  const opened = join(folder, 'opened');
  const browser = join(folder, 'browser.sh');
  await writeFile(browser, `printf '%s\\n' "$*" >> '${opened}'\n`);
  return { env: { BROWSER: `sh ${browser}` }, opened: () => readFile(opened, 'utf8').catch(() => '') };
};

const expectFits = (screen: string, columns: number): void => {
  // bursar never breaks an address or a command: the terminal wraps both, and both can still be copied.
  const lines = screen.split('\n').filter((line) => !/https?:|^ +bursar |\$ /.test(line));
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns);
};

const hasNoStack = (screen: string): void => {
  expect(screen).not.toContain('    at ');
};

describe.runIf(hasTerminal())('kyc start on a terminal', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney();
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  });

  afterAll(() => journey.end());

  const open = async (size?: Size, more: Readonly<Record<string, string>> = {}) => {
    const browser = await withBrowser(await temporaryFolder());
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw', ...browser.env, ...more };
    return { terminal: openTerminal(journey.home, size, env), ...browser };
  };

  const codeOf = async (email: string): Promise<string> => {
    const { data } = await journey.json(['sandbox', 'inbox', email]);
    return (data as unknown as { code: string }[])[0]?.code ?? '';
  };

  const start = (terminal: Terminal, words: string): void =>
    terminal.run(`clear; bursar kyc start ${words}; echo "exit=$?"`);

  /** Types the received code, and returns when the page is printed. */
  const prove = async (terminal: Terminal, email: string): Promise<string> => {
    await terminal.until('or resend');
    terminal.run(await codeOf(email));
    return terminal.until('/kyc/sessions/');
  };

  const approve = (email: string) => journey.bursar(['sandbox', 'kyc', email, '--approve']);

  it.each<readonly [string, Size, Readonly<Record<string, string>>]>([
    ['80 by 24', { columns: 80, rows: 24 }, {}],
    ['40 columns', { columns: 40, rows: 40 }, {}],
    ['TERM=dumb', { columns: 80, rows: 30 }, { TERM: 'dumb' }],
  ])(
    '%s: asks for the user, proves the address, opens the page, waits, and prints the result',
    async (name, size, more) => {
      const email = `walk${name.replace(/\W/g, '').toLowerCase()}@example.com`;
      const { terminal, opened } = await open(size, more);
      start(terminal, '');
      await terminal.until('Verify which user?');
      // On a dumb terminal choices have numbers.
      terminal.keys(...(name === 'TERM=dumb' ? ['1', 'Enter'] : ['Enter']));
      await terminal.until('E-mail address to verify:');
      terminal.run(email);
      await prove(terminal, email);
      const shown = async () => (await terminal.screen()).replace(/\s/g, '');
      await expect.poll(shown, { timeout: 5000 }).toContain(`bursarsandboxkyc${email}--approve`);
      await expect
        .poll(opened, { timeout: 5000 })
        .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/kyc\/sessions\/kyc_[0-9a-f]+\n$/);
      await approve(email);
      const screen = await terminal.until('exit=0', 30);
      expect(screen).toMatch(/KYC is approved/);
      expectFits(screen, size?.columns ?? 80);
      expect(await terminal.hasCursor()).toBe(true);
    },
  );

  it('by the wallet of a key: shows the challenge and its review, then the signature and each state', async () => {
    const { terminal, opened } = await open({ columns: 100, rows: 60 });
    start(terminal, '');
    await terminal.until(`The wallet of payer (${journey.address})`);
    terminal.keys('Down', 'Enter');
    const screen = await terminal.until('Approve the verification, as its provider would?');
    const order = ['challenged', 'reviewed', '  | ', 'signed', 'prepared', 'session', '/kyc/sessions/'];
    const places = order.map((text) => screen.indexOf(text));
    expect(places, order.join(', ')).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(screen).toMatch(new RegExp(`^  \\| .*${journey.address}`, 'm'));
    expect(screen).toMatch(/✓ reviewed +\d+ checks pass/);
    expect(screen.match(/✓/g), 'a check that passes has no line of its own').toHaveLength(order.length - 2);
    await expect.poll(opened, { timeout: 5000 }).toMatch(/\/kyc\/sessions\/kyc_[0-9a-f]+\n$/);
    await journey.bursar(['sandbox', 'kyc', journey.address, '--review']);
    await terminal.until(/^\S* *kyc +in_review/m, 30);
    await approve(journey.address);
    const end = await terminal.until('exit=0', 30);
    expect(end.match(/(?:kyc|is) +approved/g), 'the result is printed once').toEqual(['is approved']);
    expect(end).toContain('KYC is approved: payments that wait for this user can continue');
  });

  it('Esc at the e-mail address asks again which user', async () => {
    const { terminal } = await open({ columns: 80, rows: 40 });
    start(terminal, '');
    await terminal.until('Verify which user?');
    terminal.keys('Enter');
    await terminal.until('E-mail address to verify:');
    terminal.keys('Escape');
    await terminal.until(/❯ An e-mail address/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('the equivalent command by a key has the source of the password', async () => {
    const { terminal } = await open({ columns: 200, rows: 60 }, { BURSAR_KEY_PASSWORD: '' });
    const { address } = await newEvmKey(journey.home, 'second');
    start(terminal, '--key second --no-open');
    await terminal.until('Password of');
    terminal.run('pw');
    await terminal.until('Approve the verification, as its provider would?');
    await approve(address);
    const screen = await terminal.until('exit=0', 30);
    expect(screen).toContain('bursar kyc start --key second --no-open --password-file "$PASSWORD_FILE"');
    expect(screen).toContain('Set first: PASSWORD_FILE, a file with the password of the key.');
  });

  it('step by step: each command names the next command, and the last ends with the approval', async () => {
    const { terminal } = await open({ columns: 100, rows: 60 });
    const follow = async (line: string, isAsked = false): Promise<string> => {
      terminal.run(`clear; ${line}; echo "exit=$?"`);
      if (isAsked) {
        await terminal.until('Code from the e-mail');
        terminal.keys('Enter');
      }
      return /next: (bursar .*)/.exec(await terminal.until('exit=0'))?.[1] ?? '';
    };
    const first = await follow('bursar kyc prepare --email steps@example.com');
    expect(first).toBe('bursar kyc send-otp --email steps@example.com');
    const second = await follow(first);
    const third = await follow(second, true);
    expect(third).toContain('bursar kyc create ');
    const last = await follow(third);
    await approve('steps@example.com');
    terminal.run(`clear; ${last}; echo "exit=$?"`);
    expect(await terminal.until('exit=0')).toContain('KYC is approved');
    const proof = await follow(`bursar kyc challenge --wallet ${journey.address}`);
    expect(proof).toBe('bursar kyc start --key payer');
    expect((await journey.bursar(['kyc', 'prepare', '--email', 'piped@example.com'])).stderr).not.toContain('next');
  });

  it('kyc status names kyc start without a session, --wait with a session, and nothing after the approval', async () => {
    const { terminal } = await open({ columns: 100, rows: 60 });
    const email = 'reader@example.com';
    const read = async (): Promise<string | undefined> => {
      terminal.run(`clear; bursar kyc status --email ${email}; echo "exit=$?"`);
      return /next: (bursar .*)/.exec(await terminal.until('exit=0'))?.[1];
    };
    await journey.bursar(['kyc', 'prepare', '--email', email]);
    expect(await read()).toBe(`bursar kyc start --email ${email}`);
    terminal.run(`clear; bursar kyc status --email ${email} --wait --timeout 3; echo "exit=$?"`);
    const waited = await terminal.until('exit=8');
    expect(waited.match(/No session is open/g), 'the note is printed once').toHaveLength(1);
    expect(waited).toContain(`next: bursar kyc start --email ${email}`);
    start(terminal, `--email ${email} --no-wait --no-open`);
    await prove(terminal, email);
    await terminal.until('exit=0');
    expect(await read()).toBe(`bursar kyc status --email ${email} --wait`);
    await approve(email);
    expect(await read()).toBeUndefined();
  });

  it('--no-wait ends with the command that waits', async () => {
    const { terminal } = await open();
    start(terminal, '--email later@example.com --no-wait --no-open');
    await prove(terminal, 'later@example.com');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('bursar kyc status --email later@example.com --wait');
    terminal.run('clear; bursar kyc status --email \'later@example.com\' --wait; echo "exit=$?"');
    await terminal.until(/The page for the user:\s+http:\S+\/kyc\/sessions\//);
    await terminal.until('bursar sandbox kyc later@example.com --approve');
    await approve('later@example.com');
    const end = await terminal.until('exit=0', 30);
    expect(end.match(/(?:kyc|is) +approved/g), 'the result is printed once').toEqual(['is approved']);
  });

  it('the code of the inbox is offered, a wrong code shows the remaining tries, and resend sends another', async () => {
    const { terminal } = await open();
    start(terminal, '--email codes@example.com --no-wait --no-open');
    const offered = await terminal.until(/or resend\): \(\d{6}\)/);
    const first = await codeOf('codes@example.com');
    expect(offered).toContain(`(or resend): (${first})`);
    terminal.run(first === '000000' ? '000001' : '000000');
    await terminal.until('4 tries are left');
    terminal.run('resend');
    await terminal.until(/code sent[\s\S]*code sent/);
    terminal.run(await codeOf('codes@example.com'));
    expect(await terminal.until('exit=0')).toContain('/kyc/sessions/');
  });

  it('after too many wrong codes a no sends no code: exit 7', async () => {
    const { terminal } = await open({ columns: 80, rows: 50 });
    start(terminal, '--email spent@example.com');
    await terminal.until('or resend');
    const wrong = (await codeOf('spent@example.com')) === '000000' ? '000001' : '000000';
    terminal.run('wrong');
    await terminal.until('must be the 6 digits of the e-mail');
    terminal.keys('C-u');
    for (let count = 0; count < 5; count += 1) {
      await terminal.until(new RegExp(`(?:or resend[\\s\\S]*){${count + 1}}`));
      terminal.run(wrong);
      await terminal.until(new RegExp(`(?:otp_\\w+:[\\s\\S]*){${count + 1}}`));
    }
    const last = await terminal.until('Send another code');
    expect(last.match(/or resend/g), 'no code is asked after the last try').toHaveLength(5);
    terminal.keys('n', 'Enter');
    const screen = await terminal.until('exit=7');
    expect(screen).toContain('otp_max_attempts');
    hasNoStack(screen);
  });

  it('after an expired code a yes sends another code, which is accepted', async () => {
    const { terminal } = await open({ columns: 80, rows: 40 });
    start(terminal, '--email late@example.com --no-wait --no-open');
    await terminal.until('or resend');
    const old = await codeOf('late@example.com');
    await journey.bursar(['sandbox', 'advance', '11m']);
    terminal.run(old);
    await terminal.until('Send another code');
    terminal.run('y');
    await terminal.until(/code sent[\s\S]*code sent[\s\S]*or resend/);
    terminal.run(await codeOf('late@example.com'));
    await terminal.until('exit=0');
  });

  const atPrompt: readonly (readonly [string, string, string | RegExp])[] = [
    ['the user', '', 'Verify which user?'],
    ['the code', '--email stop@example.com', 'or resend'],
  ];

  it.each(atPrompt)(
    'Ctrl-C at the question for %s: 130 at once, without a stack trace, and the cursor is visible',
    async (_, words, text) => {
      const { terminal } = await open();
      start(terminal, words);
      await terminal.until(text);
      const begun = performance.now();
      terminal.keys('C-c');
      const screen = await terminal.until('exit=130');
      expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
      hasNoStack(screen);
      expect(await terminal.hasCursor()).toBe(true);
    },
  );

  it('Ctrl-C at the code names a command without another e-mail, and that command works', async () => {
    const { terminal } = await open();
    start(terminal, '--email pause@example.com --no-wait --no-open');
    await terminal.until('or resend');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain('bursar kyc start --email pause@example.com --otp-sent');
    start(terminal, '--email pause@example.com --otp-sent --no-wait --no-open');
    await prove(terminal, 'pause@example.com');
    await terminal.until('exit=0');
    expect((await journey.json(['sandbox', 'inbox', 'pause@example.com'])).data).toHaveLength(1);
  });

  it('after Ctrl-C at the code, the same command asks before a second mail, and Enter sends none', async () => {
    const email = 'again@example.com';
    const { terminal } = await open({ columns: 100, rows: 30 });
    start(terminal, `--email ${email} --no-wait --no-open`);
    await terminal.until('or resend');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    start(terminal, `--email ${email} --no-wait --no-open`);
    await terminal.until(/A code was sent to again@example\.com .*(?:ago|just now)\. Send a new code\?/);
    terminal.keys('Enter');
    await prove(terminal, email);
    await terminal.until('exit=0');
    expect((await journey.json(['sandbox', 'inbox', email])).data).toHaveLength(1);
    expect(
      await readFile(join(journey.home, 'state/codes-sent.json'), 'utf8'),
      'the address is not stored',
    ).not.toContain('again@');
  });

  it.each([
    ['by an option', 'sent@example.com', (email: string) => ['--email', email.toUpperCase()], ''],
    ['by a body', 'body@example.com', () => ['--body', '-'], '{"email":"Body@Example.com"}'],
  ])(
    'after a code of kyc send-otp %s the command asks too, and a yes sends another code',
    async (_, email, words, stdin) => {
      await journey.bursar(['kyc', 'prepare', '--email', email]);
      await journey.bursar(['kyc', 'send-otp', ...words(email)], { stdin });
      const { terminal } = await open({ columns: 100, rows: 30 });
      start(terminal, `--email ${email} --no-wait --no-open`);
      await terminal.until('Send a new code?');
      terminal.run('y');
      await prove(terminal, email);
      await terminal.until('exit=0');
      expect((await journey.json(['sandbox', 'inbox', email])).data).toHaveLength(2);
    },
  );

  it('the end of the input at the code is no answer: 130, without a stack trace', async () => {
    const { terminal } = await open();
    start(terminal, '--email eof@example.com');
    await terminal.until('or resend');
    terminal.keys('C-d');
    hasNoStack(await terminal.until('exit=130'));
  });

  it('Ctrl-C during the wait: 130 at once, with a visible cursor and the next command', async () => {
    const { terminal } = await open();
    start(terminal, '--email wait@example.com --no-open');
    await prove(terminal, 'wait@example.com');
    await terminal.until('Approve the verification');
    terminal.keys('n', 'Enter');
    await terminal.until('Waiting for the verification');
    const begun = performance.now();
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
    expect(screen).toMatch(/^next: bursar kyc status --email wait@example\.com --wait$/m);
    hasNoStack(screen);
    expect(await terminal.hasCursor()).toBe(true);
  });

  it.each(['--no-open', '--quiet'])('%s opens no browser', async (option) => {
    const email = `no${option.slice(2)}@example.com`;
    const { terminal, opened } = await open();
    start(terminal, `--email ${email} --no-wait ${option}`);
    await terminal.until('or resend');
    terminal.run(await codeOf(email));
    await terminal.until('exit=0');
    expect(await opened()).toBe('');
  });

  it('without a browser the address is printed, and the wait continues', async () => {
    const { terminal } = await open(undefined, { BROWSER: '/nowhere/browser' });
    start(terminal, '--email bare@example.com');
    await prove(terminal, 'bare@example.com');
    await terminal.until('Open the address yourself');
    await approve('bare@example.com');
    await terminal.until('exit=0', 30);
  });

  it('yes | at a terminal answers nothing: exit 2, no mail', async () => {
    const { terminal } = await open();
    terminal.run('clear; yes | bursar kyc start --email piped@example.com; echo "exit=$?"');
    expect(await terminal.until('exit=2')).toContain('--code-stdin');
    expect((await journey.json(['sandbox', 'inbox', 'piped@example.com'])).data).toHaveLength(0);
  });

  it('CI=1 on a terminal asks nothing and opens nothing: exit 2', async () => {
    const { terminal, opened } = await open(undefined, { CI: '1' });
    start(terminal, '');
    expect(await terminal.until('exit=2')).toContain('--email');
    expect(await opened()).toBe('');
  });

  it('the captured output is data; questions and the address stay on the screen', async () => {
    const { terminal } = await open({ columns: 80, rows: 40 });
    terminal.run(
      'x=$(bursar kyc start --email kept@example.com --no-wait --no-open --json --fields status); echo "got=$x"',
    );
    await prove(terminal, 'kept@example.com');
    expect(await terminal.until('"status": "pending"')).toContain('got={');
  });

  it('a no starts no new session after a declined verification', async () => {
    const { terminal } = await open({ columns: 80, rows: 40 });
    start(terminal, '--email no@example.com --no-wait --no-open');
    await prove(terminal, 'no@example.com');
    await terminal.until('exit=0');
    await journey.bursar(['sandbox', 'kyc', 'no@example.com', '--decline']);
    start(terminal, '--email no@example.com --no-wait --no-open');
    await terminal.until('Start another one?');
    terminal.keys('n', 'Enter');
    await terminal.until('exit=6');
  });

  it.each(['decline', 'expire'])('%s elsewhere ends the question and the wait, and is printed once', async (end) => {
    const email = `${end}@example.com`;
    const { terminal } = await open({ columns: 80, rows: 40 });
    start(terminal, `--email ${email} --no-open`);
    await prove(terminal, email);
    await terminal.until('Approve the verification');
    await journey.bursar(['sandbox', 'kyc', email, `--${end}`]);
    const screen = await terminal.until('exit=6', 10);
    expect(screen.match(/(?:declined|expired)/g)).toEqual([`${end}d`]);
    expect(screen.match(/next: .*/g)).toEqual([`next: bursar kyc start --email ${email}`]);
    expect(await terminal.hasCursor()).toBe(true);
    hasNoStack(screen);
  });

  it('a no to the approval waits for the page; Ctrl-C at that question names the next command', async () => {
    const email = 'page@example.com';
    const { terminal } = await open({ columns: 80, rows: 40 });
    start(terminal, `--email ${email} --no-open`);
    await prove(terminal, email);
    await terminal.until('Approve the verification');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain(`next: bursar kyc start --email ${email}`);
    start(terminal, `--email ${email} --no-open`);
    await terminal.until('Approve the verification');
    terminal.keys('n', 'Enter');
    await terminal.until('Waiting for the verification');
    await approve(email);
    expect(await terminal.until('exit=0', 10)).toContain('KYC is approved');
  });

  describe('pay run, when the service requires the identity of the payer', () => {
    const pay = async (intent: string, more = '') => {
      await journey.bursar(['sandbox', 'fault', '--clear']);
      await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'kyc_verification_required']);
      const { terminal } = await open({ columns: 100, rows: 60 });
      terminal.run(
        `clear; bursar pay run --body '${join(journey.home, 'payment.json')}' --key payer --intent ${intent} ${more}; echo "exit=$?"`,
      );
      await terminal.until('Verify payer@example.com now?', 30);
      return terminal;
    };

    it('a no verifies no payer: exit 6 with the next commands', async () => {
      const terminal = await pay('no');
      terminal.keys('n', 'Enter');
      const screen = await terminal.until('exit=6');
      expect(screen).toMatch(/^next: bursar kyc start --key 0x\w{40} --email payer@example\.com$/m);
      expect(screen.replaceAll(/\s+/g, ' ')).toContain('Once the payer is approved: bursar pay resume ');
    });

    it('a payer with an open session gets an explanation, and continues at that session', async () => {
      const email = 'pending@example.com';
      await journey.bursar(['sandbox', 'fault', '--clear']);
      await journey.bursar(['sandbox', 'fault', 'pay.transaction', 'kyc_not_approved']);
      const { terminal } = await open({ columns: 100, rows: 60 });
      start(terminal, `--email ${email} --no-wait --no-open`);
      await prove(terminal, email);
      await terminal.until('exit=0');
      const body = join(journey.home, 'payment.json');
      terminal.run(
        `clear; bursar pay run --body '${body}' --key payer --intent pending --payer-email ${email}; echo "exit=$?"`,
      );
      const asked = await terminal.until(`Verify ${email} now?`, 30);
      expect(asked.replaceAll(/\s+/g, ' ')).toContain('before it takes this payment (kyc_not_approved): ');
      terminal.run('y');
      const page = await terminal.until('/kyc/sessions/');
      expect(page, 'no other mail, because the address is proven').not.toContain('or resend');
      await approve(email);
      await terminal.until('on polygon (sandbox)?', 30);
      terminal.keys('n', 'Enter');
      await terminal.until('exit=10');
    });

    it('Ctrl-C at the question: 130 with the resume command', async () => {
      const terminal = await pay('stop');
      terminal.keys('C-c');
      const screen = await terminal.until('exit=130');
      expect(screen).toContain('bursar pay resume');
      hasNoStack(screen);
    });

    it('a yes verifies the payer and completes the same payment', async () => {
      const terminal = await pay('yes');
      expect((await terminal.screen()).replaceAll(/\s+/g, ' ')).toMatch(
        /The service asks who the payer is before it takes this payment \(kyc_verification_required\): .* The payment names its payer by the e-mail payer@example\.com and the wallet 0x/,
      );
      terminal.keys('Enter');
      await prove(terminal, 'payer@example.com');
      await approve('payer@example.com');
      await terminal.until('on polygon (sandbox)?', 30);
      terminal.run('y');
      const screen = await terminal.until('exit=0', 30);
      expect(screen.match(/registered +pay_/g)).toHaveLength(1);
      expect(screen).toMatch(/Payment of .*: success/);
    });

    it('--yes applies to the payment, and starts no new verification after a decline', async () => {
      await journey.bursar(['sandbox', 'kyc', 'payer@example.com', '--decline']);
      const terminal = await pay('declined', '--yes');
      terminal.run('y');
      await terminal.until('Start another one?');
      terminal.keys('n', 'Enter');
      await terminal.until('exit=6');
    });
  });
});
