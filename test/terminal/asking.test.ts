import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newHome } from '../support/bursar.ts';
import { CARD_FIELDS, RAW_CARD, startChargeJourney } from '../support/charge.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS } from '../support/journey.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

/** A terminal whose service answers everything with a quote. */
const quoting = async (size = { columns: 100, rows: 40 }, env: Readonly<Record<string, string>> = {}) => {
  const { url, received } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
  const settings = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', ...env };
  return { received, terminal: openTerminal(await temporaryFolder(), size, settings) };
};

describe.runIf(hasTerminal())('what is missing, at a terminal', () => {
  it('is asked for with the option that would have answered, and the whole command line is told', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await answer(terminal, 'Asset to price, such as BTC FROM', 'BTC');
    await answer(terminal, 'Asset to price it in, such as USDT TO', 'USDT');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('The same without questions:');
    expect(screen).toMatch(/^ {2}bursar quote BTC USDT$/m);
    expect(received).toHaveLength(1);
  });

  it('is held against the contract at once, and asked for again with the reason; a bare newline is no answer', async () => {
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

  it('an answer that a shell would take apart is quoted, and no secret is in the line', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; bursar kyc verify-otp --email "a\'b@example.com"; echo "exit=$?"');
    await answer(terminal, '--code', '123456');
    const screen = await terminal.until('exit=');
    expect(screen).toContain(`bursar kyc verify-otp --email 'a'\\''b@example.com' --code "$CODE"`);
    expect(screen.split('The same without questions')[1]).not.toContain('123456');
  });

  it.each([
    ['80 by 24', { columns: 80, rows: 24 }, {}, ''],
    ['40 columns', { columns: 40, rows: 24 }, {}, ''],
    ['zero columns', { columns: 80, rows: 24 }, {}, 'stty cols 0; '],
    ['TERM=dumb', { columns: 80, rows: 24 }, {}, 'export TERM=dumb; '],
    ['LANG=C', { columns: 80, rows: 24 }, { LANG: 'C' }, ''],
    ['NO_COLOR', { columns: 80, rows: 24 }, { NO_COLOR: '1' }, ''],
  ])('is asked for with %s, and Ctrl-C ends the question with 130', async (_, size, env, before) => {
    const { terminal } = await quoting(size, env);
    terminal.run(`clear; ${before}bursar quote; echo "exit=$?"`);
    await answer(terminal, 'FROM', 'BTC');
    await terminal.until('TO');
    terminal.keys('C-c');
    const stopped = await terminal.until('exit=130');
    expect(stopped).toMatch(/^exit=130$/m);
    expect(stopped).not.toContain('    at ');
    expect(terminal.hasCursor()).toBe(true);
    const { terminal: other } = await quoting(size, env);
    other.run(`clear; ${before}bursar quote; echo "exit=$?"`);
    await answer(other, 'FROM', 'BTC');
    await answer(other, 'TO', 'USDT');
    await other.until('exit=0');
  });

  it.each([[{}], [{ BURSAR_ACCESSIBLE: '1' }]])(
    'a question breaks between words where 40 columns are too few, with %j',
    async (env) => {
      const terminal = openTerminal(await temporaryFolder(), { columns: 40, rows: 24 }, env);
      terminal.run('clear; bursar pay run');
      const screen = await terminal.until(/^--amount-from/m);
      expect(screen).toMatch(/Amount of the payment, such as 10$/m);
      terminal.keys('C-c');
    },
  );

  it.each([
    ['CI=1 asks nothing', 'CI=1 bursar quote'],
    ['--no-input asks nothing', 'bursar quote --no-input'],
    ['a pipe into it asks nothing', 'yes | bursar quote'],
    ['BURSAR_NO_INPUT=1 asks nothing', 'BURSAR_NO_INPUT=1 bursar quote'],
  ])('%s: exit 2, and all that is missing is named', async (_, line) => {
    const { terminal, received } = await quoting();
    terminal.run(`clear; ${line}; echo "exit=$?"`);
    expect(await terminal.until('exit=2')).toContain('FROM: from and to');
    expect(received).toHaveLength(0);
  });

  it('what is captured is the answer, not the questions', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; x=$(bursar quote --fields price); echo "[$x]"');
    await answer(terminal, 'FROM', 'BTC');
    await answer(terminal, 'TO', 'USDT');
    expect(await terminal.until('[price')).toMatch(/^\[price\s+1\]$/m);
  });

  it('a Tab is no part of an answer', async () => {
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

  it('a payment that is broken off in its questions says that nothing was sent', async () => {
    const { terminal, received } = await quoting();
    terminal.run('clear; bursar pay run --transaction-type pixcrypto; echo "exit=$?"');
    await answer(terminal, '--amount-from', '0');
    expect(await terminal.until('> must be greater than zero')).not.toContain('✔');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain('interrupted; nothing was sent');
    expect(received).toEqual([]);
  });

  it('a passport is not asked for by the number of a CPF', async () => {
    const { terminal } = await quoting();
    const words = '--amount-from 1 --from-currency-symbol BRL --payer-name Ana --payer-document-type PASSPORT';
    terminal.run(`clear; bursar pay run --transaction-type cardfiat --payer-email a@b.co ${words}`);
    expect(await terminal.until('such as')).toContain('such as AB123456');
    terminal.keys('C-c');
  });

  it('a deposit that was asked for says what to do with the transaction that it prints', async () => {
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
    expect(await terminal.until('exit=0')).toContain(`next: bursar yield deposit ${words} --amount 25 --broadcast`);
    terminal.run(`clear; bursar yield deposit ${words} --amount 25; echo "exit=$?"`);
    expect(await terminal.until('exit=0')).not.toContain('next:');
  });

  it('the end of the input ends the question', async () => {
    const { terminal } = await quoting();
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await terminal.until('FROM');
    terminal.keys('C-d');
    await terminal.until(/exit=(?:130|2)/);
  });
});

describe.runIf(hasTerminal())('choices that the service has, at a terminal', () => {
  it('are asked for when their question comes, and once', async () => {
    const { url, received } = await startServer(envelope(400, 'invalid_parameters'));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 }, env);
    terminal.run('clear; bursar yield deposit');
    await terminal.until('--provider');
    expect(received, 'nothing is asked before it is needed').toHaveLength(0);
    terminal.keys('Enter');
    await terminal.until('--chain-name');
    terminal.keys('Enter');
    await terminal.until('--asset');
    expect(received.map(({ path }) => path)).toEqual(['/yield/strategies']);
    terminal.keys('C-c');
  });
});

describe.runIf(hasTerminal())('a list that is longer than the terminal is high, at a terminal', () => {
  it.each([
    [24, false],
    [10, true],
  ])('on %i rows says that there is more: %s', async (rows, isMore) => {
    const names = Array.from({ length: 12 }, (_, at) => `order_${String.fromCharCode(97 + at)}`);
    const service = await startOrderService(names.map((name) => storedOrder(name)));
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows }, service.env);
    terminal.run('clear; bursar order disable');
    const screen = await terminal.until('Which order?');
    expect(screen.includes('(13 choices, the arrows show more)')).toBe(isMore);
    expect(screen.includes('order_l')).toBe(!isMore);
    terminal.keys('C-c');
  });
});

describe.runIf(hasTerminal())('what nobody can answer, at a terminal', () => {
  it('is told alone and at once: a payment without a key to sign it asks nothing in vain', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 30 }, { BURSAR_PROFILE: 'sandbox' });
    const given = '--amount-from 10 --from-currency-symbol USDT --transaction-type crypto';
    terminal.run(`clear; bursar pay run ${given}; echo "exit=$?"`);
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('there is no key for EVM chains: bursar key new treasury --chain evm');
    expect(screen).toContain('next: bursar key new treasury --chain evm');
    expect(screen).not.toMatch(/--webhook-url|--split/);
  });
});

describe.runIf(hasTerminal())('a key that is to be chosen, at a terminal', () => {
  it.each(['key show', 'kyc wallet-prove'])('%s says that there is none, and how to make one', async (words) => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 120, rows: 30 }, { BURSAR_PROFILE: 'sandbox' });
    terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
    expect(await terminal.until('exit=2')).toContain('next: bursar key new treasury --chain evm');
  });
});

describe.runIf(hasTerminal())('whose verification, at a terminal', () => {
  it.each(['kyc status', 'kyc create', 'kyc status --wait'])(
    '%s asks by what first: who has only a wallet is asked for no e-mail address',
    async (words) => {
      const data = { status: 'approved', approved: true };
      const { url, received } = await startServer(envelope(200, 'kyc_status_retrieved', { data }));
      const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
      const terminal = openTerminal(await temporaryFolder(), { columns: 120, rows: 30 }, env);
      terminal.run(`clear; bursar ${words}; echo "exit=$?"`);
      const screen = await terminal.until('Which of these do you have?');
      expect(screen).toContain('(--email)');
      terminal.keys('Down', 'Enter');
      const wallet = `0x${'1'.repeat(40)}`;
      await answer(terminal, /^\? Which wallet\?.* --wallet/m, wallet);
      expect(await terminal.until('exit=')).toContain(`bursar ${words} --wallet ${wallet}`);
      expect(received[0]?.path + (received[0]?.body ?? '')).toContain(wallet);
      expect(received[0]?.path + (received[0]?.body ?? '')).not.toContain('email');
    },
  );
});

describe.runIf(hasTerminal())('orders, at a terminal', () => {
  const given = async () => {
    const service = await startOrderService([storedOrder('order_b', { active: false }), storedOrder('order_a')]);
    return { ...service, terminal: openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, service.env) };
  };

  it('an order to switch off is chosen by what it is for, and by whether it is on', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order disable; echo "exit=$?"');
    const screen = await terminal.until('order_a (25.00 BRL to USDT, on)');
    expect(screen, 'what is off already is not offered').not.toContain('order_b');
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ method: 'PATCH', path: '/order/order_a/toggle' }]);
  });

  it('an id of the service that would act on the terminal is not offered, and nothing of it gets there', async () => {
    const service = await startOrderService([storedOrder('cm\u001b]0;PWNED\u0007abc'), storedOrder('order_a')]);
    const home = await temporaryFolder();
    const terminal = openTerminal(home, { columns: 100, rows: 40 }, service.env);
    const record = join(home, 'record');
    terminal.record(record);
    terminal.run('clear; bursar order disable; echo "exit=$?"');
    await terminal.until('order_a (25.00 BRL to USDT, on)');
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(await readFile(record, 'utf8')).not.toContain('PWNED');
    expect(service.writes()).toMatchObject([{ path: '/order/order_a/toggle' }]);
  });

  it('an update without a change asks what to change, and what else; all of it is shown and sent at once', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order update order_a; echo "exit=$?"');
    const screen = await terminal.until('What is to change?');
    expect(screen).toContain('Amount in the source currency, now 25.00 (--amount-from)');
    expect(screen).toMatch(/now crypto \(--allow\)/);
    expect(screen).not.toContain('Nothing else');
    terminal.keys('Enter');
    await answer(terminal, 'now 25.00 --amount-from', '30');
    const more = await terminal.until('What else is to change?');
    expect(more.split('What else')[1]).not.toContain('(--amount-from)');
    terminal.keys('Down', 'Enter');
    await terminal.until('(now BRL)? --from-currency-symbol');
    terminal.keys('Down', 'Enter');
    await terminal.until(/What else[\s\S]*What else is to change\?/);
    expect(writes(), 'nothing is sent before all is said').toEqual([]);
    terminal.keys('Enter');
    await terminal.until('Change the order ((environment), live)? (y/N)');
    expect(writes(), 'nothing is stored before the difference was seen').toEqual([]);
    terminal.keys('y', 'Enter');
    const end = await terminal.until('exit=0');
    expect(end).toContain('bursar order update order_a --amount-from 30 --from-currency-symbol USD');
    expect(end).toMatch(
      /- from_currency_symbol: BRL\n\+ from_currency_symbol: USD\n- amount_from: 25\.00\n\+ amount_from: 30\n/,
    );
    expect(writes()).toMatchObject([
      { path: '/order/order_a', body: '{"from_currency_symbol":"USD","amount_from":"30"}' },
    ]);
  });

  it('an update that was asked for and is not wanted after all stores nothing', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order update order_a; echo "exit=$?"');
    await terminal.until('What is to change?');
    terminal.keys('Enter');
    await answer(terminal, 'now 25.00 --amount-from', '30');
    await terminal.until('What else is to change?');
    terminal.keys('Enter');
    await terminal.until(/\+ amount_from: 30[\s\S]*Change the order/);
    terminal.keys('Enter');
    await terminal.until('❯ Stop: nothing is sent');
    terminal.keys('Enter');
    expect(await terminal.until('exit=2')).toContain('not confirmed; nothing was sent');
    expect(writes()).toEqual([]);
  });

  it('an order that is asked for is shown, with the slots that are left, before one is taken for good', async () => {
    const { terminal, writes } = await given();
    const receiver = '0x1111111111111111111111111111111111111111';
    const create = async () => {
      terminal.run('clear; bursar order create; echo "exit=$?"');
      await answer(terminal, '--amount-from', '25');
      await terminal.until('❯ BRL');
      terminal.keys('Enter');
      await terminal.until('--allow');
      terminal.keys('Enter');
      await terminal.until('❯ No other');
      terminal.keys('Down', 'Enter');
      await terminal.until(/Another one\?[\s\S]*Another one\?/);
      terminal.keys('Enter');
      await terminal.until('❯ USDT');
      terminal.keys('Enter');
      await answer(terminal, '--split', `${receiver}=60`);
      await answer(terminal, '60 of 100', `${receiver}=40`);
      await terminal.until('> has a share already');
      terminal.keys('C-u');
      await answer(terminal, '60 of 100', `${RECEIVERS[1]}=40`);
      return terminal.until('2 of 20 slots are used, and an order is never deleted. Create it ((environment), live)?');
    };
    const shown = await create();
    expect(shown).toMatch(/\+ amount_from: 25\n/);
    expect(shown).toContain(`+ split_payment_config: [{"receiver_wallet":"${receiver}","receiver_percent":60}`);
    terminal.keys('Enter');
    await terminal.until('❯ Stop: nothing is sent');
    terminal.keys('Enter');
    expect(await terminal.until('exit=2')).toContain('not confirmed; nothing was sent');
    expect(writes()).toEqual([]);
    await create();
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    const [sent] = writes();
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
      amount_from: '25',
      payment_method_allowed: { pixcrypto: true, cardcrypto: true, crypto: false },
      split_payment_config: [{ receiver_percent: 60 }, { receiver_percent: 40 }],
    });
  });

  it('an order that options say whole is created without a question', async () => {
    const { terminal, writes } = await given();
    const words = '--from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto';
    terminal.run(`clear; bursar order create ${words}; echo "exit=$?"`);
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ method: 'POST', path: '/order/create' }]);
  });

  it('a file is applied after its plan was shown and asked about with the service; a second time nothing is to do', async () => {
    const service = await startOrderService([storedOrder('order_b', { active: false }), storedOrder('order_a')]);
    const home = await temporaryFolder();
    const orders = [
      { id: 'order_a', amount_from: '30' },
      { id: 'order_b', active: true },
    ];
    await writeFile(join(home, 'o.json'), JSON.stringify({ version: 1, orders }));
    const apply = async (end: string, ...keys: readonly string[]) => {
      const terminal = openTerminal(home, { columns: 100, rows: 40 }, service.env);
      terminal.run('clear; cd; bursar order apply -f o.json; echo "exit=$?"');
      if (keys.length > 0)
        await terminal.until('Apply it to the orders of (environment), live: 0 to create, 2 to change');
      if (keys.length > 0) terminal.keys(...keys);
      return terminal.until(end);
    };
    const refused = await apply('exit=2', 'Enter');
    expect(refused).toMatch(
      /~ update order_a \(orders\.0\)\n +- amount_from: 25\.00\n +\+ amount_from: 30\n~ enable order_b \(orders\.1\)/,
    );
    expect(service.writes()).toEqual([]);
    await apply('exit=0', 'y', 'Enter');
    expect(service.writes().map(({ path }) => path)).toEqual(['/order/order_a', '/order/order_b/toggle']);
    expect(await apply('exit=0')).toContain('Nothing to do: the orders are as the file says.');
    expect(service.writes()).toHaveLength(2);
  });

  it('of the sandbox are asked for with the sandbox named once, though a question opened it first', async () => {
    const { home, bursar } = await newHome();
    onTestFinished(async () => void (await bursar(['sandbox', 'stop'])));
    const words = ['--from-currency-symbol', 'BRL', '--amount-from', '25', '--to-currency-symbol', 'USDT', '--allow'];
    await bursar(['order', 'create', ...words, 'crypto', '--profile', 'sandbox']);
    const terminal = openTerminal(home, { columns: 100, rows: 40 });
    terminal.run('clear; bursar order disable; echo "exit=$?"');
    await terminal.until('(25 BRL to USDT, on)');
    terminal.keys('Enter');
    const screen = await terminal.until('exit=0');
    expect(screen.match(/using the sandbox on this machine/g)).toHaveLength(1);
  });
});

describe.runIf(hasTerminal())('choices, at a terminal', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startChargeJourney();
    await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
    await journey.bursar(['key', 'new', 'other', '--chain', 'evm']);
    await journey.bursar(['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes']);
  });

  afterAll(() => journey.end());

  const open = () =>
    openTerminal(journey.home, { columns: 140, rows: 60 }, { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' });

  /** A service that is only asked about: nothing listens there. */
  const openLive = () =>
    openTerminal(
      journey.home,
      { columns: 140, rows: 60 },
      { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'key' },
    );

  it('of payments are those of this machine, with what they were', async () => {
    const terminal = open();
    terminal.run('clear; bursar pay status --fields status; echo "exit=$?"');
    const screen = await terminal.until('something else');
    expect(screen).toMatch(/pay_[0-9a-f]{32} \(sandbox, 10 USDT on polygon, success, (?:just now|\d+ \w+ ago)\)/);
    terminal.keys('Enter');
    expect(await terminal.until('exit=0')).toMatch(/bursar pay status --fields status pay_[0-9a-f]{32}/);
  });

  it('of tokens to deposit are those that a strategy takes', async () => {
    const terminal = open();
    terminal.run('clear; bursar yield deposit --provider provider_a --chain-name solana; echo "exit=$?"');
    expect(await terminal.until('--asset')).toMatch(/❯ \w+\n(?: {2}\w+\n)* {2}EURC$/m);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('of keys are one’s own: nothing else can sign', async () => {
    const terminal = open();
    terminal.run('clear; bursar key show; echo "exit=$?"');
    const screen = await terminal.until(/payer \(0x[0-9a-fA-F]{40}\)/);
    expect(screen).toMatch(/other \(0x[0-9a-fA-F]{40}\)/);
    expect(screen).not.toContain('something else');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('pay run without an argument: how much and how first, the tenant last; what is wrong is said at once and never looks taken', async () => {
    const terminal = open();
    const wrong = async (question: string, text: string, problem: string) => {
      await answer(terminal, question, text);
      const line = (await terminal.until(`> ${problem}`)).split('\n').find((one) => one.includes(text));
      expect(line).not.toContain('✔');
      terminal.keys('C-u');
    };
    terminal.run('clear; bursar pay run --no-wait; echo "exit=$?"');
    await wrong('such as 10 --amount-from', '4x', 'must be a decimal');
    await answer(terminal, '--amount-from', '41.50');
    await terminal.until('--from-currency-symbol');
    terminal.keys('-l', 'brl');
    await terminal.until('❯ BRL');
    terminal.keys('Enter');
    // What is paid in reais is paid by Pix before all else.
    await terminal.until('❯ pixcrypto');
    terminal.keys('Enter');
    await terminal.until('--payer-email (payer@example.com)');
    terminal.keys('Enter');
    await wrong('--payer-cpf (529.982.247-25)', '529.982.247-24', 'must be a CPF or a CNPJ');
    await answer(terminal, '--payer-cpf', '529.982.247-25');
    await terminal.until('❯ USDT');
    terminal.keys('Enter');
    await terminal.until('--to-chain');
    terminal.keys('Down');
    await terminal.until('❯ polygon');
    terminal.keys('Enter');
    await wrong('--split', '0x12=100', 'must be an EVM address');
    await wrong('--split', `${RECEIVERS[0]}=170`, 'percentages sum to 170');
    await answer(terminal, '--split', `${RECEIVERS[0]}=70`);
    await wrong('70 of 100 per cent are given', `${RECEIVERS[1]}=40`, 'percentages sum to 110');
    await answer(terminal, '70 of 100', `${RECEIVERS[1]}=30`);
    await terminal.until('--public-client-id (client_');
    terminal.keys('Enter');
    await terminal.until('--webhook-url (https://shop.example/webhook)');
    terminal.keys('Enter');
    await terminal.until('❯ Go on');
    terminal.keys('Enter');
    const screen = await terminal.until('exit=0');
    const [, line = ''] = /The same without questions:\n {2}bursar (pay run .*)/.exec(screen) ?? [];
    expect(line).toContain('--transaction-type pixcrypto');
    const again = await journey.json([...line.split(' '), '--yes']);
    expect(again).toMatchObject({ code: 0, data: { pix_amount: '41.50', to_chain: 'polygon' } });
  });

  it('a card is asked for by token or file; the token is not shown while it is typed, nor in the line', async () => {
    await writeFile(join(journey.home, 'raw.json'), JSON.stringify(RAW_CARD));
    const terminal = open();
    const fields = CARD_FIELDS.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
    const payer = '--payer-name Ana --payer-document 52998224725 --payer-document-type CPF';
    const record = join(journey.home, 'record');
    terminal.run('clear');
    terminal.record(record);
    terminal.run(
      `cd; bursar pay run --body reais.json --amount-from 43 --transaction-type cardfiat ${payer} ${fields}; echo "exit=$?"`,
    );
    await terminal.until('Which of these do you have?');
    terminal.keys('Enter');
    await answer(terminal, /^\? Tokenized card;/m, 'tok_hidden');
    await answer(terminal, 'card token --payer-ip', '203.0.113');
    await terminal.until('> must be an IP address');
    terminal.keys('C-u');
    await answer(terminal, 'card token --payer-ip', '203.0.113.7');
    await answer(terminal, 'card token --session-id', 's1');
    await terminal.until('Charge 43 BRL to the card (sandbox)?');
    terminal.keys('y', 'Enter');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('--card-token "$CARD_TOKEN"');
    expect(await readFile(record, 'utf8')).not.toContain('tok_hidden');
  });

  it('payer and address of a card are asked for one by one, each by its option, and sent as they were answered', async () => {
    const bodies: string[] = [];
    const noting: Meddler = async ({ path, body }, forward) => {
      if (path.endsWith('intents-create-transaction')) bodies.push(body);
      return forward();
    };
    const screen = await journey.through(noting, async () => {
      const terminal = open();
      terminal.run(
        'clear; cd; bursar pay run --body reais.json --amount-from 45 --transaction-type cardfiat; echo "exit=$?"',
      );
      await answer(terminal, '--payer-name (Ana Maria Souza)', 'Rui Lima');
      await terminal.until('❯ PASSPORT');
      terminal.keys('Down', 'Enter');
      await answer(terminal, '--payer-document', '529.982.247-24');
      await terminal.until('Which of these do you have?');
      terminal.keys('Down', 'Enter');
      await answer(terminal, /^\? .*--card-file/m, 'card.json');
      await answer(terminal, '--statement-descriptor (SHOP)', 'LOJA');
      for (const part of ['country', 'state', 'city', 'neighborhood', 'street', 'number']) {
        await terminal.until(`--address-${part} (`);
        terminal.keys('Enter');
      }
      await answer(terminal, '--address-zipcode (01310-100)', '01001-000');
      await terminal.until('❯ Go on');
      terminal.keys('Enter');
      await terminal.until('Charge 45 BRL to the card (sandbox)?');
      terminal.keys('y', 'Enter');
      return terminal.until('exit=0');
    });
    const { payer_name, payer_document, payer_document_type, card_data } = JSON.parse(bodies[0] ?? '');
    expect({ payer_name, payer_document, payer_document_type }).toEqual({
      payer_name: 'Rui Lima',
      payer_document: '529.982.247-24',
      payer_document_type: 'CPF',
    });
    expect(card_data).toMatchObject({ statement_descriptor: 'LOJA', card: RAW_CARD });
    expect(JSON.stringify(card_data)).toMatch(/01001-?000/);
    expect(JSON.stringify(card_data)).toContain('São Paulo');
    expect(screen).toContain('--card-file card.json');
    expect(screen).not.toContain('4111');
  });

  it.each([
    ['a bare newline on a live service', ['Enter'], true],
    ['n', ['n', 'Enter'], false],
  ])('%s does not charge a card', async (_, keys, isLive) => {
    const terminal = isLive ? openLive() : open();
    const payer = '--payer-name Ana --payer-document 52998224725 --payer-document-type CPF --card-file card.json';
    const fields = CARD_FIELDS.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
    terminal.run(
      `clear; cd; bursar pay run --body reais.json --amount-from 44 --transaction-type cardfiat ${payer} ${fields}; echo "exit=$?"`,
    );
    await terminal.until(
      `Charge 44 BRL to the card (${isLive ? '(environment), live' : 'sandbox'})? (${isLive ? 'y/N' : 'Y/n'})`,
    );
    terminal.keys(...keys);
    expect(await terminal.until('exit=2')).toContain('nothing was sent');
  });
});
