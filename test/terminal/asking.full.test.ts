import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

/** A terminal with a service that answers every call with a quote. */
const quoting = async (size = { columns: 100, rows: 40 }, env: Readonly<Record<string, string>> = {}) => {
  const { url, received } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
  const settings = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', ...env };
  return { received, terminal: openTerminal(await temporaryFolder(), size, settings) };
};

/** A live service that does not answer, for tests that only ask questions. */
const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

describe.runIf(hasTerminal())('a missing value, at a terminal', () => {
  it('is asked with its option, and the whole command is printed', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await answer(terminal, 'Asset to price, such as BTC FROM', 'BTC');
    await answer(terminal, 'Asset of the price, such as USDT TO', 'USDT');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('Equivalent command:');
    expect(screen).toMatch(/^ {2}bursar quote BTC USDT$/m);
    expect(received).toHaveLength(1);
  });

  it('is checked against the contract at once, and an empty answer is refused', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar quote BTC; echo "exit=$?"');
    await answer(terminal, 'TO', 'U S D');
    await terminal.until('must be letters, digits');
    terminal.keys('C-u', 'Enter');
    expect(await terminal.until('Required. Ctrl-C to quit.')).not.toMatch(/✔.* TO/);
    expect(received).toHaveLength(0);
    await answer(terminal, 'TO', 'USDT');
    await terminal.until('exit=0');
  });

  it('is quoted for a shell in the printed command, and a secret is a variable', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; bursar kyc verify-otp --email "a\'b@example.com"; echo "exit=$?"');
    await answer(terminal, '--code', '123456');
    const screen = await terminal.until('exit=');
    expect(screen).toContain(`bursar kyc verify-otp --email 'a'\\''b@example.com' --code "$CODE"`);
    expect(screen.split('Equivalent command')[1]).not.toContain('123456');
  });

  it.each([
    ['80 by 24', { columns: 80, rows: 24 }, {}, ''],
    ['40 columns', { columns: 40, rows: 24 }, {}, ''],
    ['zero columns', { columns: 80, rows: 24 }, {}, 'stty cols 0; '],
    ['TERM=dumb', { columns: 80, rows: 24 }, {}, 'export TERM=dumb; '],
    ['LANG=C', { columns: 80, rows: 24 }, { LANG: 'C' }, ''],
    ['NO_COLOR', { columns: 80, rows: 24 }, { NO_COLOR: '1' }, ''],
  ])('is asked with %s, and Ctrl-C ends the question with 130', async (_, size, env, before) => {
    const { terminal } = await quoting(size, env);
    terminal.run(`clear; ${before}bursar quote; echo "exit=$?"`);
    await answer(terminal, 'FROM', 'BTC');
    await terminal.until('TO');
    terminal.keys('C-c');
    const stopped = await terminal.until('exit=130');
    expect(stopped).toMatch(/^exit=130$/m);
    expect(stopped).not.toContain('    at ');
    expect(await terminal.hasCursor()).toBe(true);
    const { terminal: other } = await quoting(size, env);
    other.run(`clear; ${before}bursar quote; echo "exit=$?"`);
    await answer(other, 'FROM', 'BTC');
    await answer(other, 'TO', 'USDT');
    await other.until('exit=0');
  });

  it.each([[{}], [{ BURSAR_ACCESSIBLE: '1' }]])(
    'has a question that breaks between words on 36 columns, with %j',
    async (env) => {
      const terminal = openTerminal(await temporaryFolder(), { columns: 36, rows: 24 }, { ...LIVE, ...env });
      terminal.run('clear; bursar pay run');
      const screen = await terminal.until(/^--amount-from/m);
      expect(screen).toMatch(/Amount to pay, such as 10$/m);
      terminal.keys('C-c');
    },
  );

  it.each([
    ['CI=1 asks nothing', 'CI=1 bursar quote'],
    ['--no-input asks nothing', 'bursar quote --no-input'],
    ['a pipe into it asks nothing', 'yes | bursar quote'],
    ['BURSAR_NO_INPUT=1 asks nothing', 'BURSAR_NO_INPUT=1 bursar quote'],
  ])('%s: exit 2, and the missing values are named', async (_, line) => {
    const { terminal, received } = await quoting();
    terminal.run(`clear; ${line}; echo "exit=$?"`);
    expect(await terminal.until('exit=2')).toContain('FROM: from and to');
    expect(received).toHaveLength(0);
  });

  it.each([
    ['CI=1 bursar key new k --chain evm', 'CI is set, so bursar asks nothing'],
    ['BURSAR_NO_INPUT=1 bursar key new k --chain evm', 'BURSAR_NO_INPUT is set, so bursar asks nothing'],
    ['bursar key new k --chain evm --no-input', '--no-input is given'],
  ])('%s names the reason why nothing is asked', async (line, reason) => {
    const { terminal } = await quoting();
    terminal.run(`clear; ${line}; echo "exit=$?"`);
    expect((await terminal.until('exit=2')).replaceAll(/\s+/g, ' ')).toContain(reason);
  });

  it('has a question that $() does not capture', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; x=$(bursar quote --fields price); echo "[$x]"');
    await answer(terminal, 'FROM', 'BTC');
    await answer(terminal, 'TO', 'USDT');
    expect(await terminal.until('[price')).toMatch(/^\[price\s+1\]$/m);
  });

  it('has no Tab in its answer', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar quote BTC; echo "exit=$?"');
    await terminal.until('TO');
    terminal.keys('-l', 'US');
    terminal.keys('Tab');
    terminal.keys('-l', 'DT');
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(received[0]?.path).toContain('USDT');
  });

  it('of a payment: Ctrl-C at its question prints that nothing was sent', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar pay run --transaction-type pixcrypto; echo "exit=$?"');
    await answer(terminal, '--amount-from', '0');
    expect(await terminal.until('> must be greater than zero')).not.toContain('✔');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain('interrupted; nothing was sent');
    expect(received).toEqual([]);
  });

  it('of a passport has an example of a passport number', async () => {
    const { terminal } = await quoting();
    const words = '--amount-from 1 --from-currency-symbol BRL --payer-name Ana --payer-document-type PASSPORT';
    terminal.run(`clear; bursar pay run --transaction-type cardfiat --payer-email a@b.co ${words}`);
    expect(await terminal.until('such as')).toContain('such as AB123456');
    terminal.keys('C-c');
  });

  it('of a deposit is asked, and the result names the command that sends the transaction', async () => {
    const { url } = await startServer((request, response) =>
      envelope(200, 'ok', { data: request.method === 'POST' ? { transaction: 'AQID' } : { strategies: [] } })(
        request,
        response,
      ),
    );
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 140, rows: 30 }, env);
    const words = '--provider provider_a --chain-name solana --asset USDC --wallet 11111111111111111111111111111112';
    terminal.run(`clear; bursar yield deposit ${words}; echo "exit=$?"`);
    await answer(terminal, '--amount', '25');
    await answer(terminal, 'Review, sign and send now? (y/N)', 'n');
    expect(await terminal.until('exit=0')).toContain(`next: bursar yield deposit ${words} --amount 25 --broadcast`);
    terminal.run(`clear; bursar yield deposit ${words} --amount 25; echo "exit=$?"`);
    expect(await terminal.until('exit=0')).not.toContain('next:');
  });

  it('ends its question at Ctrl-D', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await terminal.until('FROM');
    terminal.keys('C-d');
    await terminal.until(/exit=(?:130|2)/);
  });
});

describe.runIf(hasTerminal())('choices from the service, at a terminal', () => {
  it('are read when their question comes, and once', async () => {
    const { url, received } = await startServer(envelope(400, 'invalid_parameters'));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 }, env);
    terminal.run('clear; bursar yield deposit');
    await answer(terminal, '--asset', 'USDC');
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies']);
    await answer(terminal, '--amount', '25');
    await terminal.until('--provider');
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies', '/yield/strategies/USDC']);
    terminal.keys('C-c');
  });
});

describe.runIf(hasTerminal())('a list that is longer than the terminal', () => {
  it.each([
    [24, false],
    [10, true],
  ])('on %i rows shows a note about more choices: %s', async (rows, isMore) => {
    const names = Array.from({ length: 12 }, (_, at) => `order_${String.fromCharCode(97 + at)}`);
    const service = await startOrderService(names.map((name) => storedOrder(name)));
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows }, service.env);
    terminal.run('clear; bursar order disable');
    const [more, last] = ['(13 choices, arrow keys show more)', 'order_l'];
    // The terminal does not draw the whole list at once.
    const screen = await terminal.until(isMore ? more : last);
    expect(screen).not.toContain(isMore ? last : more);
    terminal.keys('C-c');
  });
});

describe.runIf(hasTerminal())('without a key, at a terminal', () => {
  it('a payment offers a new key; a no ends the payment with the command that creates the key', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 }, { BURSAR_PROFILE: 'sandbox' });
    const given = '--amount-from 10 --from-currency-symbol USDT --transaction-type crypto';
    terminal.run(`clear; bursar pay run ${given}; echo "exit=$?"`);
    await terminal.until('No key for EVM chains yet. Create treasury with test money? (Y/n)');
    terminal.keys('n', 'Enter');
    const screen = await terminal.until(/exit=\d+/);
    expect(screen).toContain('no key was created; nothing was sent');
    expect(screen).toContain('next: bursar key new treasury --chain evm');
    expect(screen).not.toMatch(/--webhook-url|--split/);
  });
});

describe.runIf(hasTerminal())('the choice of a key without any key, at a terminal', () => {
  it.each(['key show', 'kyc wallet-prove'])('%s names the command that creates a key', async (words) => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 120, rows: 30 }, { BURSAR_PROFILE: 'sandbox' });
    terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
    // A command that uses a key offers to create a key.
    if (words === 'kyc wallet-prove') {
      await terminal.until('Create treasury with test money? (Y/n)');
      terminal.keys('n', 'Enter');
    }
    expect(await terminal.until('exit=2')).toContain('next: bursar key new treasury --chain evm');
  });
});

describe.runIf(hasTerminal())('the user of a verification, at a terminal', () => {
  it.each(['kyc status', 'kyc create', 'kyc status --wait'])(
    '%s asks for an e-mail address or a wallet, and a wallet needs no e-mail address',
    async (words) => {
      const data = { status: 'approved', approved: true };
      const { url, received } = await startServer(envelope(200, 'kyc_status_retrieved', { data }));
      const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
      const terminal = openTerminal(await temporaryFolder(), { columns: 120, rows: 30 }, env);
      terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
      const screen = await terminal.until('Choose what to enter:');
      expect(screen).toContain('(--email)');
      terminal.keys('Down', 'Enter');
      const wallet = `0x${'1'.repeat(40)}`;
      await answer(terminal, /^\? Wallet --wallet/m, wallet);
      expect(await terminal.until('exit=')).toContain(`bursar ${words} --wallet ${wallet}`);
      expect(received[0]?.path + (received[0]?.body ?? '')).toContain(wallet);
      expect(received[0]?.path + (received[0]?.body ?? '')).not.toContain('email');
    },
  );
});
