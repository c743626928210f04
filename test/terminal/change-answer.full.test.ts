import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChargeJourney } from '../support/charge.ts';
import { temporaryFolder } from '../support/io.ts';
import { type Journey, type Meddler, RECEIVERS } from '../support/journey.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { answer, hasTerminal, openTerminal, type Terminal } from '../support/terminal.ts';

/** Types a part of a choice, and presses Enter when the choice is marked. */
const choose = async ({ keys, until }: Terminal, part: string, marked: string): Promise<void> => {
  keys('-l', part);
  await until(`❯ ${marked}`);
  keys('Enter');
};

const TENANT = `--public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook`;

describe.runIf(hasTerminal())('answers after the last question, at a terminal', () => {
  let journey: Journey;
  let bodies: string[] = [];

  const noting: Meddler = async ({ method, path, body }, forward) => {
    if (method === 'POST' && path.startsWith('/payment')) bodies.push(body);
    return forward();
  };

  const open = () => {
    bodies = [];
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
    return openTerminal(journey.home, { columns: 110, rows: 50 }, env);
  };

  beforeAll(async () => {
    journey = await startChargeJourney();
  });

  afterAll(() => journey.end());

  /** Answers four questions of a registration, one with a value that the service refuses. */
  const answered = async (terminal: Terminal) => {
    terminal.run(`clear; bursar pay register ${TENANT} --allow crypto --split ${RECEIVERS[0]}=100; echo "exit=$?"`);
    await answer(terminal, '--amount-from', '41.50');
    await terminal.until('--from-currency-symbol');
    await choose(terminal, 'usdt', 'USDT');
    await terminal.until('--to-currency-symbol');
    await choose(terminal, 'XYZ', 'XYZ');
    expect(await terminal.until('Use it all the same? (y/N)')).toMatch(/XYZ is not in the list: [\w, ]*USDT/);
    terminal.keys('y', 'Enter');
    await terminal.until('--to-chain');
    await choose(terminal, 'poly', 'polygon');
    return terminal.until('❯ Go on');
  };

  it('are shown before anything is sent, and one answer changes without other questions', async () => {
    await journey.through(noting, async () => {
      const terminal = open();
      const shown = await answered(terminal);
      expect(shown).toContain('Amount to pay: 41.50');
      expect(shown).toContain('Currency for the receivers: XYZ');
      expect(shown).toContain('Review your answers (profile sandbox):');
      expect(bodies).toEqual([]);
      await choose(terminal, 'amount', 'Amount to pay: 41.50');
      await answer(terminal, 'Amount to pay --amount-from (41.50)', '25');
      expect(await terminal.until('Amount to pay: 25')).toContain('❯ Go on');
      expect(bodies).toEqual([]);
      await choose(terminal, 'currency for the r', 'Currency for the receivers: XYZ');
      await terminal.until('(now XYZ) --to-currency-symbol');
      await choose(terminal, 'usdc', 'USDC');
      await terminal.until('Currency for the receivers: USDC');
      terminal.keys('Enter');
      const screen = await terminal.until('exit=0');
      expect(screen.replaceAll(/\s/g, '')).toContain(
        '--amount-from25--from-currency-symbolUSDT--to-currency-symbolUSDC',
      );
      expect(bodies).toHaveLength(1);
      expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ amount_from: '25', to_currency_symbol: 'USDC' });
    });
  });

  it('show the choice to stop on 40 columns and 24 rows too', async () => {
    const terminal = openTerminal(journey.home, { columns: 40, rows: 24 }, { BURSAR_PROFILE: 'sandbox' });
    const words = '--amount-from 1 --from-currency-symbol USDT --allow crypto';
    terminal.run(`clear; bursar pay register ${words}; echo "exit=$?"`);
    for (const question of ['--to-currency-symbol', '--to-chain', '--split', '--public-client-id', '--webhook-url']) {
      await terminal.until(new RegExp(`\\? [^✔]*${question}`));
      terminal.keys('Enter');
    }
    expect(await terminal.until('❯ Go on')).toContain('  Stop: nothing is sent');
    await choose(terminal, 'stop', 'Stop');
    await terminal.until('exit=2');
  });

  it('are not sent after the choice to stop', async () => {
    await journey.through(noting, async () => {
      const terminal = open();
      await answered(terminal);
      await choose(terminal, 'stop', 'Stop: nothing is sent');
      expect(await terminal.until('exit=2')).toContain('not confirmed; nothing was sent');
      expect(bodies).toEqual([]);
    });
  });

  it('that the service refuses are asked again alone, and nothing was created', async () => {
    await journey.through(noting, async () => {
      const terminal = open();
      await answered(terminal);
      terminal.keys('Enter');
      await terminal.until('--to-currency-symbol: | no exchange of the sandbox lists XYZ');
      expect(await terminal.screen()).toContain('Nothing was created.');
      await terminal.until('❯ USDT');
      terminal.keys('Enter');
      await terminal.until('exit=0');
      expect(bodies.map((body) => JSON.parse(body).to_currency_symbol)).toEqual(['XYZ', 'USDT']);
    });
  });

  it('that belong only to the former payment method are removed', async () => {
    const terminal = open();
    const given = `${TENANT} --split ${RECEIVERS[0]}=100 --to-chain polygon --to-currency-symbol USDT --key payer`;
    terminal.run(`clear; bursar pay run ${given}; echo "exit=$?"`);
    await answer(terminal, '--amount-from', '7');
    await terminal.until('❯ USDT');
    terminal.keys('Enter');
    await terminal.until('--transaction-type');
    terminal.keys('Down');
    await terminal.until('❯ pixcrypto');
    terminal.keys('Enter');
    for (const flag of ['--payer-email', '--payer-cpf']) {
      await terminal.until(`${flag} (`);
      terminal.keys('Enter');
    }
    await terminal.until('CPF or CNPJ');
    await terminal.until('❯ Go on');
    terminal.keys('Down', 'Down', 'Down', 'Enter');
    await terminal.until('(now pixcrypto) --transaction-type');
    await terminal.until('❯ pixcrypto');
    // The order of the list stays, and the cursor is on the answer.
    expect(await terminal.screen()).toMatch(/ {2}crypto \(.*\n❯ pixcrypto \(.*\n {2}fiatcrypto/);
    terminal.keys('Up', 'Enter');
    const again = await terminal.until(/Payment method: crypto[\s\S]*/);
    expect(again.split('--transaction-type crypto').at(-1)).not.toContain('529.982');
    terminal.keys('Enter');
    await terminal.until('Pay 7 USDT on polygon');
    terminal.keys('n', 'Enter');
    const screen = await terminal.until('exit=10');
    expect(screen.split('Command so far')[1]).not.toContain('--payer-cpf');
  });

  it.each([
    ['there were few questions', '--to-chain polygon'],
    ['--yes is given', '--yes'],
  ])('are not reviewed when %s', async (_, more) => {
    const terminal = open();
    const given = `${TENANT} --allow crypto --split ${RECEIVERS[0]}=100 ${more}`;
    terminal.run(`clear; bursar pay register ${given}; echo "exit=$?"`);
    await answer(terminal, '--amount-from', '3');
    for (const flag of ['--from-currency-symbol', '--to-currency-symbol']) {
      await terminal.until(new RegExp(`${flag} *\n❯ USDT`));
      terminal.keys('Enter');
    }
    if (more === '--yes') await terminal.until('--to-chain');
    if (more === '--yes') terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(await terminal.screen()).not.toContain('Go on');
  });
});

describe.runIf(hasTerminal())('a no to a change of an order, at a terminal', () => {
  it('allows one changed answer, and shows the order again before the request', async () => {
    const { env, writes } = await startOrderService([storedOrder('order_a')]);
    const terminal = openTerminal(await temporaryFolder(), { columns: 110, rows: 50 }, env);
    terminal.run('clear; bursar order update order_a; echo "exit=$?"');
    await terminal.until('Change which value?');
    terminal.keys('Enter');
    await answer(terminal, '--amount-from (25.00)', '30');
    await terminal.until('Change another value?');
    terminal.keys('Enter');
    await terminal.until('Change this order');
    terminal.keys('Enter');
    await terminal.until('❯ Stop: nothing is sent');
    terminal.keys('Down', 'Enter');
    await answer(terminal, '--amount-from (30)', '31');
    await terminal.until(/\+ amount_from: 31\n[\s\S]*Change this order/);
    expect(writes()).toEqual([]);
    terminal.keys('y', 'Enter');
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ path: '/order/order_a', body: '{"amount_from":"31"}' }]);
  });
});
