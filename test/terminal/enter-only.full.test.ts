import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { newKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const PASSWORD = 'correct horse battery';

const WIDTHS = [40, 80, 120, 200];

/** The flows of a new user, in an order that their inputs allow. */
const SESSION = [
  'quote',
  'pay run',
  'key new',
  'kyc challenge',
  'kyc wallet-prove',
  ...['prepare', 'send-otp', 'verify-otp', 'create', 'status'].map((verb) => `kyc ${verb}`),
  'kyc start',
  'order create',
  'order toggle',
  ...['cardcrypto', 'cardfiat', 'pixcrypto'].map((type) => `pay run --transaction-type ${type}`),
  'pay status',
  'pay register',
  'pay show',
  'yield deposit',
  'yield rebalance',
  'yield withdraw',
  'yield show',
];

/** The tests mostly wait for programs, so all run at once. On a busy machine each takes as long as all together. */
const TOGETHER = { concurrent: true, timeout: 600_000 };

/** A terminal in an empty home, and functions that answer questions with Enter. */
const openNewcomer = async (columns: number, whenFinished: TestContext['onTestFinished']) => {
  const home = await temporaryFolder();
  whenFinished(async () => {
    await runBursar(home, ['sandbox', 'stop']);
  });
  const terminal = openTerminal(home, { columns, rows: 100 }, { BROWSER: 'true' });
  const enter = async (...questions: readonly (string | RegExp)[]) => {
    for (const question of questions) {
      await terminal.until(question);
      terminal.keys('Enter');
    }
  };
  const choosePassword = async () => {
    for (const question of ['Choose a password', 'The same password again']) {
      await terminal.until(question);
      terminal.keys('-l', PASSWORD);
      terminal.keys('Enter');
    }
  };
  return { home, terminal, enter, choosePassword };
};

/** A question on one line or several lines, as the terminal breaks it. */
const broken = (text: string): RegExp => new RegExp(text.replaceAll(/[()?.]/g, '\\$&').replaceAll(' ', '\\s+'));

/** Lines wider than the terminal that fit with another break. bursar never breaks commands, Pix codes and words. */
const tooWide = (screen: string, columns: number): readonly string[] =>
  screen
    .split('\n')
    .filter((line) => line.length > columns && !/^ *(?:(?:next: )?bursar |https?:|000201)/.test(line))
    .filter((line) => line.split(' ').every((word) => word.length + 4 <= columns));

describe.runIf(hasTerminal())('only Enter, and a new password typed twice', () => {
  it('complete a payment, and the printed command pays without questions', TOGETHER, async ({ onTestFinished }) => {
    const { home, terminal, enter, choosePassword } = await openNewcomer(200, onTestFinished);
    terminal.run('clear; bursar pay run; echo "exit=$?"');
    await enter('--amount-from', '--from-currency-symbol', '--transaction-type');
    await enter(broken('Create treasury with test money?'));
    await choosePassword();
    await enter(
      '--payer-email',
      '--to-currency-symbol',
      '--to-chain',
      '--split',
      '--public-client-id',
      '--webhook-url',
    );
    await enter('Review your answers', broken('Pay 10 USDT on ethereum (sandbox)?'));
    const screen = await terminal.until('exit=0');
    expect(screen).not.toContain('Password of the key');
    expect(screen).toMatch(/^✓ page +\(1\)\n {4}\(1\) \| http:\/\//m);
    const { stdout } = await runBursar(home, ['pay', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'success' }]);
    expect(screen).toMatch(/ \| http:\/\/127\.0\.0\.1:\d+\/pay\/pay_\w+\?token=\w+/);
    // In a script the printed command does the same, with the password in the named file.
    const [, line = ''] = /Equivalent command:\n {2}bursar (.*)\n/.exec(await terminal.scrolled()) ?? [];
    expect(line).toMatch(
      / --key treasury --password-file "\$PASSWORD_FILE" --profile sandbox --intent "\$INTENT" --yes$/,
    );
    const passwordFile = join(home, 'password');
    await writeFile(passwordFile, PASSWORD, { mode: 0o600 });
    expect(await terminal.scrolled()).toMatch(/Set first: PASSWORD_FILE, a file [\s\S]*INTENT, a name of your choice/);
    const words = line.replace('"$INTENT"', 'rent').replace('"$PASSWORD_FILE"', passwordFile).split(' ');
    const paid = [await runBursar(home, [...words, '--json']), await runBursar(home, [...words, '--json'])];
    expect(paid.map((each) => [each.code, JSON.parse(each.stdout).status])).toEqual(Array(2).fill([0, 'success']));
    // The second run makes no other payment, because the intent belongs to the first.
    expect(new Set(paid.map((each) => JSON.parse(each.stdout).payment_id)).size).toBe(1);
  });

  it(
    'complete a deposit; the token is asked before the provider, with its rate',
    TOGETHER,
    async ({ onTestFinished }) => {
      const { home, terminal, enter, choosePassword } = await openNewcomer(120, onTestFinished);
      terminal.run('clear; bursar yield deposit; echo "exit=$?"');
      await enter('--asset', '--amount');
      expect(await terminal.until('--provider')).toMatch(/❯ provider_\w, [\d.]+ % a year/);
      await enter('--provider', '--chain-name', broken('Create savings with test money?'));
      await choosePassword();
      await enter(
        broken('Review, sign and send now? (Y/n)'),
        'Review your answers',
        /Deposit\s+10\s+USDC\s+with\s+provider_\w\s[\s\S]*\?\s+\(Y\/n\)/,
      );
      await terminal.until('exit=0');
      const { stdout } = await runBursar(home, ['yield', 'list', '--json']);
      expect(JSON.parse(stdout)).toMatchObject([{ state: 'settled' }]);
    },
  );

  it('fund keys that have no money, and complete a payment and a deposit', TOGETHER, async ({ onTestFinished }) => {
    const { home, terminal, enter } = await openNewcomer(120, onTestFinished);
    for (const [name, chain] of [
      ['ops', 'evm'],
      ['saver', 'solana'],
    ] as const) {
      await newKey(home, name, chain);
    }
    const passwordFile = join(home, 'password');
    await writeFile(passwordFile, 'pw', { mode: 0o600 });
    terminal.run(`clear; bursar pay run --password-file ${passwordFile}; echo "exit=$?"`);
    await enter(
      '--amount-from',
      '--from-currency-symbol',
      '--transaction-type',
      '--payer-email',
      '--to-currency-symbol',
    );
    await enter('--to-chain', '--split', '--public-client-id', '--webhook-url', 'Review your answers');
    await enter(broken('Fund ops with test money and continue? (Y/n)'), broken('Pay 10 USDT on ethereum (sandbox)?'));
    expect(await terminal.until('exit=0')).toContain('ops has 0 USDT on ethereum');
    terminal.run(`clear; bursar yield deposit --key saver --password-file ${passwordFile}; echo "exit=$?"`);
    await enter('--asset', '--amount', '--provider', '--chain-name', broken('Review, sign and send now? (Y/n)'));
    await enter('Review your answers', broken('Fund saver with test money and continue? (Y/n)'));
    await enter(/Deposit\s+10\s+USDC\s+with\s+provider_\w\s[\s\S]*\?\s+\(Y\/n\)/);
    await terminal.until('exit=0');
    const states = async (area: string) => {
      const { stdout } = await runBursar(home, [area, 'list', '--json']);
      return JSON.parse(stdout).map(({ state }: { readonly state: string }) => state);
    };
    // The payment that was refused went on. A refused deposit is over, and another one was made.
    expect([await states('pay'), await states('yield')]).toEqual([['success'], ['settled', 'refused']]);
  });

  it('complete a KYC with the code of the inbox', TOGETHER, async ({ onTestFinished }) => {
    const { home, terminal, enter } = await openNewcomer(80, onTestFinished);
    terminal.run('clear; bursar kyc start; echo "exit=$?"');
    await enter(broken('E-mail address to verify: (payer@example.com)'), /\(or\s+resend\):\s+\(\d{6}\)/);
    await enter(broken('Approve the verification, as its provider would? (Y/n)'));
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('✓ proven');
    expect(screen.match(/(?:is|kyc) +approved/g), 'the result is printed once').toEqual(['is approved']);
    expect(screen).not.toContain('next:');
    const { stdout } = await runBursar(home, [
      'kyc',
      'status',
      '--email',
      'payer@example.com',
      '--json',
      '--profile',
      'sandbox',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ approved: true });
  });

  it.for(WIDTHS)(
    'at %i columns complete each flow of a first session',
    TOGETHER,
    async (columns, { expect, ...test }) => {
      const { home, terminal } = await openNewcomer(columns, test.onTestFinished);
      /** The screen with a question after this number of answers, or with an exit code. */
      const asks = async (words: string, answered: number): Promise<string> => {
        for (let tries = 0; tries < 1_000; tries += 1) {
          const screen = await terminal.screen();
          if (/^exit=/m.test(screen)) return screen;
          const hasAnswers = screen.split('\n').filter((line) => line.startsWith('✔')).length === answered;
          if (hasAnswers && /^\?(?![\s\S]*^✔)/m.test(screen)) return screen;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        throw new Error(`${words} asks nothing after ${answered} answers:\n${await terminal.screen()}`);
      };
      /** Presses Enter at each question, types a password, and returns the last screen. */
      const enterAlone = async (words: string): Promise<string> => {
        terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
        for (let answered = 0; ; answered += 1) {
          const screen = await asks(words, answered);
          if (/^exit=/m.test(screen)) return screen;
          const question = screen.split('\n').findLast((line) => line.startsWith('?')) ?? '';
          if (/password/i.test(question)) terminal.keys('-l', PASSWORD);
          terminal.keys('Enter');
        }
      };
      for (const words of SESSION) {
        const screen = await enterAlone(words);
        expect([words, /^exit=\d+$/m.exec(screen)?.[0]], screen).toEqual([words, 'exit=0']);
        expect([words, tooWide(screen, columns)]).toEqual([words, []]);
      }
      const statesOf = async (area: string): Promise<readonly string[]> => {
        const rows: readonly { readonly state: string }[] = JSON.parse(
          (await runBursar(home, [area, 'list', '--json'])).stdout,
        );
        return rows.map(({ state }) => state).toSorted();
      };
      expect(await statesOf('pay')).toEqual(['registered', 'success', 'success', 'success', 'success']);
      // The hour decides which provider is best, so a rebalance may have nothing to do.
      const [deposited, ...others] = await statesOf('yield');
      expect(new Set([deposited, ...others])).toEqual(new Set(['settled']));
      expect(others.length).toBeGreaterThan(0);
    },
  );

  it(
    'start another verification after a decline, and send another code after an expiry',
    TOGETHER,
    async ({ onTestFinished }) => {
      const { home, terminal, enter } = await openNewcomer(100, onTestFinished);
      const decline = () => runBursar(home, ['sandbox', 'kyc', 'payer@example.com', '--decline']);
      terminal.run('clear; bursar kyc start --no-wait; echo "exit=$?"');
      await enter('E-mail address to verify:');
      await terminal.until('or resend');
      await runBursar(home, ['sandbox', 'advance', '11m']);
      terminal.keys('Enter');
      await enter('Send another code to payer@example.com? (Y/n)', /code sent[\s\S]*code sent[\s\S]*or resend/);
      await terminal.until('exit=0');
      await decline();
      terminal.run('clear; bursar kyc start; echo "exit=$?"');
      await enter('E-mail address to verify:', 'Start another one? (Y/n)', 'Approve the verification');
      expect(await terminal.until('exit=0')).toContain('KYC is approved');
      terminal.run('clear; bursar kyc start; echo "exit=$?"');
      await enter('E-mail address to verify:');
      const known = await terminal.until('exit=0');
      expect(known.match(/(?:is|kyc) +approved/g), 'the result is printed once').toEqual(['is approved']);
    },
  );

  it(
    'with a no to the last question print that nothing moved, and the command that sends the deposit',
    TOGETHER,
    async ({ onTestFinished }) => {
      const { home, terminal, enter, choosePassword } = await openNewcomer(120, onTestFinished);
      terminal.run('clear; bursar yield deposit; echo "exit=$?"');
      await enter('--asset', '--amount', '--provider', '--chain-name', 'Create savings with test money?');
      await choosePassword();
      await terminal.until('Review, sign and send now?');
      terminal.keys('n', 'Enter');
      await enter('Review your answers');
      const screen = await terminal.until('exit=0');
      expect(screen).toContain('Nothing has moved: the transaction is built, not signed.');
      // A terminal does not show the bytes.
      expect(screen).toContain('Built, not signed: Deposit 10');
      expect(screen).not.toMatch(/[A-Za-z0-9+/]{100}/);
      expect(screen.replaceAll('\n', '')).toMatch(/next: bursar yield deposit .*--broadcast/);
      expect(JSON.parse((await runBursar(home, ['yield', 'list', '--json'])).stdout)).toEqual([]);
    },
  );
});
