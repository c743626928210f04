import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD_FIELDS, RAW_CARD, startChargeJourney } from '../support/charge.ts';
import { type Journey, type Meddler, PAYMENT, RECEIVERS } from '../support/journey.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

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

  /** A terminal with a live service on which nothing listens. */
  const openLive = () =>
    openTerminal(
      journey.home,
      { columns: 140, rows: 60 },
      { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'key' },
    );

  it('of payments are the payments of this machine, with their facts', async () => {
    const terminal = open();
    terminal.run('clear; bursar pay status --fields status; echo "exit=$?"');
    const screen = await terminal.until('something else');
    expect(screen).toMatch(/pay_[0-9a-f]{32} \(sandbox, 10 USDT on polygon, success, (?:just now|\d+ \w+ ago)\)/);
    terminal.keys('Enter');
    expect(await terminal.until('exit=0')).toMatch(/bursar pay status --fields status pay_[0-9a-f]{32}/);
  });

  it('of methods are the methods that the registration allows', async () => {
    const allowed = { pixcrypto: true, cardcrypto: true, cardfiat: false, cryptopix: false, crypto: false };
    const body = { ...PAYMENT, payment_method_allowed: allowed, from_currency_symbol: 'BRL' };
    await writeFile(join(journey.home, 'fiat.json'), JSON.stringify(body));
    const { data } = await journey.json(['pay', 'register', '--body', 'fiat.json']);
    const terminal = open();
    terminal.run(`clear; bursar pay transaction ${data['payment_id']}; echo "exit=$?"`);
    const screen = await terminal.until('card to crypto');
    expect(screen.match(/\w+(?= \((?:crypto|Pix|fiat|card) to )/g)).toEqual(['pixcrypto', 'fiatcrypto', 'cardcrypto']);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('a payment without a doubt is signed, and the named command sends it and prints the amounts', async () => {
    const { data } = await journey.json(['pay', 'register', '--body', 'payment.json']);
    const payer = ['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
    const step = ['pay', 'transaction', String(data['payment_id']), '--transaction-type', 'crypto'];
    await journey.bursar([...step, '--payer-email', 'payer@example.com', ...payer]);
    const terminal = open();
    terminal.run(`clear; bursar pay sign ${data['payment_id']} --key payer; echo "exit=$?"`);
    const next = /next: (bursar pay execute \w+)/.exec(await terminal.until('exit=0'))?.[1];
    terminal.run(`clear; ${next} --key payer --yes; echo "exit=$?"`);
    expect(await terminal.until('exit=0')).toMatch(
      /Payment of 10 USDT on polygon: payment_confirmed\n +to +0x\w+ +7 USDT\n +to +0x\w+ +3 USDT\n +from +0x\w+\n +fee +[\d.]+ POL\n/,
    );
  });

  it('of tokens to deposit are the tokens of the strategies', async () => {
    const terminal = open();
    terminal.run('clear; bursar yield deposit --provider provider_a --chain-name solana; echo "exit=$?"');
    expect(await terminal.until('--asset')).toMatch(/❯ \w+\n(?: {2}\w+\n)* {2}EURC$/m);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('of keys are only the keys of the user', async () => {
    const terminal = open();
    terminal.run('clear; bursar key show; echo "exit=$?"');
    const screen = await terminal.until(/payer \(0x[0-9a-fA-F]{40}\)/);
    expect(screen).toMatch(/other \(0x[0-9a-fA-F]{40}\)/);
    expect(screen).not.toContain('something else');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('pay run without an argument asks amount and method first, the tenant last, and shows errors at once', async () => {
    const terminal = open();
    const wrong = async (question: string, text: string, problem: string) => {
      await answer(terminal, question, text);
      const line = (await terminal.until(`> ${problem}`)).split('\n').find((one) => one.includes(text));
      expect(line).not.toContain('✔');
      terminal.keys('C-u');
    };
    terminal.run('clear; bursar pay run --no-wait; echo "exit=$?"');
    await wrong('Amount to pay --amount-from (10)', '4x', 'must be a decimal');
    await answer(terminal, '--amount-from', '41.50');
    await terminal.until('--from-currency-symbol');
    terminal.keys('-l', 'brl');
    await terminal.until('❯ BRL');
    terminal.keys('Enter');
    // Pix is the first method for a payment in BRL.
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
    await wrong('Next receiver (30 % is left)', `${RECEIVERS[1]}=40`, 'percentages sum to 110');
    await answer(terminal, 'Next receiver (30 % is left)', `${RECEIVERS[1]}=30%`);
    await terminal.until('--public-client-id (client_');
    terminal.keys('Enter');
    await terminal.until('--webhook-url (https://shop.example/webhook)');
    terminal.keys('Enter');
    await terminal.until('❯ Go on');
    terminal.keys('Enter');
    const screen = await terminal.until('exit=0');
    const [, line = ''] = /Equivalent command:\n {2}bursar (pay run .*)/.exec(screen) ?? [];
    expect(line).toContain('--transaction-type pixcrypto');
    const again = await journey.json([...line.split(' '), '--yes']);
    expect(again).toMatchObject({ code: 0, data: { pix_amount: '41.50', to_chain: 'polygon' } });
  });

  it('a card is asked by token or file; the token is hidden in the question and in the command', async () => {
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
    await terminal.until('Choose what to enter:');
    terminal.keys('Enter');
    await terminal.until('❯ tok_approved');
    terminal.keys('Up');
    await terminal.until('❯ something else');
    terminal.keys('Enter');
    await answer(terminal, /something else\n\? Tokenized card;/m, 'tok_hidden');
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

  it('the payer and the address of a card are asked one by one by option, and sent as answered', async () => {
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
      await terminal.until('Choose what to enter:');
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
