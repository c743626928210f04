import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newHome } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { RECEIVERS } from '../support/journey.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('orders, at a terminal', () => {
  const given = async () => {
    const service = await startOrderService([storedOrder('order_b', { active: false }), storedOrder('order_a')]);
    return { ...service, terminal: openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, service.env) };
  };

  it('an order to disable is chosen from a list with its currencies and its state', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order disable; echo "exit=$?"');
    const screen = await terminal.until('order_a (25.00 BRL to USDT, on)');
    expect(screen, 'a disabled order is not offered').not.toContain('order_b');
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ method: 'PATCH', path: '/order/order_a/toggle' }]);
  });

  it('an unsafe order id of the service is not offered and does not reach the terminal', async () => {
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

  it('an update without a change asks for each change, shows all changes, and sends them at once', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order update order_a; echo "exit=$?"');
    const screen = await terminal.until('Change which value?');
    expect(screen).toContain('Amount in the source currency, now 25.00 (--amount-from)');
    expect(screen).toMatch(/now crypto \(--allow\)/);
    expect(screen).not.toContain('Nothing else');
    terminal.keys('Enter');
    await answer(terminal, '--amount-from (25.00)', '30');
    const more = await terminal.until('Change another value?');
    expect(more.split('Change another')[1]).not.toContain('(--amount-from)');
    terminal.keys('Down', 'Enter');
    await terminal.until('(now BRL) --from-currency-symbol');
    terminal.keys('Down', 'Enter');
    await terminal.until(/Change another[\s\S]*Change another value\?/);
    expect(writes(), 'nothing is sent before the last answer').toEqual([]);
    terminal.keys('Enter');
    await terminal.until('Change this order ((environment), live)? (y/N)');
    expect(writes(), 'nothing is stored before the changes are shown').toEqual([]);
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

  it('a payment for an order starts its questions with the values of the order', async () => {
    const orders = [
      storedOrder('order_a', { amount_from: '49.90' }),
      storedOrder('order_b', { amount_from: '1\u001b[31m' }),
    ];
    const { env, writes } = await startOrderService(orders);
    for (const [order, shown] of [
      ['order_a', 'Amount to pay --amount-from (49.90)'],
      ['order_b', 'Amount to pay, such as'],
    ] as const) {
      const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, env);
      terminal.run(`clear; bursar pay run --order-code ${order}; echo "exit=$?"`);
      await terminal.until(shown);
      if (order === 'order_a') {
        terminal.keys('Enter');
        expect(await terminal.until('--from-currency-symbol')).toContain('❯ BRL');
      }
      terminal.keys('C-c');
      expect(await terminal.until('exit=130')).not.toContain('31m');
    }
    expect(writes()).toEqual([]);
  });

  it('an update without an order asks for the order first, with its values as defaults', async () => {
    const { terminal } = await given();
    terminal.run('clear; bursar order update; echo "exit=$?"');
    await terminal.until('order_a (25.00 BRL to USDT');
    terminal.keys('Enter');
    await terminal.until('Change which value?');
    terminal.keys('Enter');
    await terminal.until('--amount-from (25.00)');
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('an update that is not confirmed stores nothing', async () => {
    const { terminal, writes } = await given();
    terminal.run('clear; bursar order update order_a; echo "exit=$?"');
    await terminal.until('Change which value?');
    terminal.keys('Enter');
    await answer(terminal, '--amount-from (25.00)', '30');
    await terminal.until('Change another value?');
    terminal.keys('Enter');
    await terminal.until(/\+ amount_from: 30[\s\S]*Change this order/);
    terminal.keys('Enter');
    await terminal.until('❯ Stop: nothing is sent');
    terminal.keys('Enter');
    expect(await terminal.until('exit=2')).toContain('not confirmed; nothing was sent');
    expect(writes()).toEqual([]);
  });

  it('a new order is shown with the used slots before its confirmation', async () => {
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
      await answer(terminal, '40 % is left', `${receiver}=40`);
      await terminal.until('> has a share already');
      terminal.keys('C-u');
      await answer(terminal, '40 % is left', `${RECEIVERS[1]}=40`);
      return terminal.until(
        '2 of 20 slots are used, and orders cannot be deleted. Create this order ((environment), live)?',
      );
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

  it('an order with all its options is created without a question', async () => {
    const { terminal, writes } = await given();
    const words = '--from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto';
    terminal.run(`clear; bursar order create ${words}; echo "exit=$?"`);
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ method: 'POST', path: '/order/create' }]);
  });

  it('a file is applied after its plan and a question with the service; a second time changes nothing', async () => {
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
        await terminal.until('Apply this plan to the orders of (environment), live: 0 to create, 2 to change');
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
    expect(await apply('exit=0')).toContain('Nothing to do: the stored orders match the file.');
    expect(service.writes()).toHaveLength(2);
  });

  it('of the sandbox are chosen with one note about the sandbox', async () => {
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
