import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { RECEIVERS } from '../support/journey.ts';
import { startOrderService } from '../support/order-service.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('a question, at a terminal', () => {
  it('for a receiver accepts a wallet alone, then asks for the share with the rest as the default', async () => {
    const { env, writes } = await startOrderService([]);
    const terminal = openTerminal(await temporaryFolder(), { columns: 80, rows: 40 }, env);
    const words = '--from-currency-symbol BRL --to-currency-symbol USDT --allow crypto';
    terminal.run(`clear; bursar order create ${words}`);
    await answer(terminal, '--amount-from', '25');
    await answer(terminal, /--split\n/, RECEIVERS[0]);
    const wrong = async (typed: string, why: string) => {
      terminal.keys('C-u');
      terminal.keys('-l', typed);
      terminal.keys('Enter');
      await terminal.until(why);
    };
    await answer(terminal, 'Share in % --split (100)', '101');
    await terminal.until('is too much: 100 % is left');
    await wrong('0 %', 'must be above 0');
    await wrong('half', 'must be a number, such as 100');
    terminal.keys('C-u');
    terminal.keys('-l', '60.5%');
    terminal.keys('Enter');
    await answer(terminal, 'Next receiver (39.5 % is left)', `${RECEIVERS[1]}=0`);
    await terminal.until('must be above 0');
    await wrong(`${RECEIVERS[1]}=half`, 'which is no percentage');
    terminal.keys('C-u');
    terminal.run(RECEIVERS[1]);
    await terminal.until('Share in % --split (39.5)');
    terminal.keys('Enter');
    await terminal.until('Create this order');
    terminal.keys('y', 'Enter');
    await terminal.until('order_1');
    expect(JSON.parse(writes().at(-1)?.body ?? '{}')).toMatchObject({
      split_payment_config: [
        { receiver_wallet: RECEIVERS[0], receiver_percent: 60.5 },
        { receiver_wallet: RECEIVERS[1], receiver_percent: 39.5 },
      ],
    });
  });

  it('for a setting shows the current value; a profile without a service starts with its address', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 80, rows: 40 });
    const begin = async () => {
      terminal.run('clear; bursar profile set prod; echo "exit=$?"');
      await terminal.until('KEY=VALUE');
      terminal.keys('Enter');
    };
    await begin();
    await answer(terminal, 'base_url, such as https://api.example.com:', 'api.example.org');
    await terminal.until('did you mean https://api.example.org?');
    terminal.keys('C-u');
    terminal.keys('Enter');
    await terminal.until('Required. Ctrl-C to quit.');
    await answer(terminal, 'base_url', 'https://api.example.org');
    await terminal.until('exit=0');
    await begin();
    await terminal.until('❯ base_url');
    terminal.keys('-l', 'rpc');
    await terminal.until('❯ rpc_urls.CHAIN');
    terminal.keys('Enter');
    await answer(terminal, 'CHAIN:', 'polygon');
    await answer(terminal, 'rpc_urls.polygon:', 'https://node.example/SECRET');
    await terminal.until('exit=0');
    await begin();
    await terminal.until('❯ base_url');
    terminal.keys('-l', 'rpc');
    await terminal.until('❯ rpc_urls.CHAIN');
    terminal.keys('Enter');
    await answer(terminal, 'CHAIN:', 'polygon');
    const asked = await terminal.until('rpc_urls.polygon, now https://node.example (press Enter to remove it):');
    expect(asked).not.toContain('SECRET');
    terminal.keys('Enter');
    await terminal.until('exit=0');
  });

  it('of pay transaction starts with the payment id, and an error breaks between words', async () => {
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 40, rows: 24 }, env);
    terminal.run('clear; bursar pay transaction; echo "exit=$?"');
    await terminal.until('PAYMENT_ID');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    // In the sandbox bursar finds no payment, and names the command that creates one.
    terminal.run('clear; BURSAR_BASE_URL= bursar pay transaction --profile sandbox; echo "exit=$?"');
    expect(await terminal.until('exit=2')).toContain('next: bursar pay run');
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await answer(terminal, 'FROM', 'U S D');
    const wrong = (await terminal.until('> ')).split('> ')[1] ?? '';
    expect(wrong.split('\n')[0]?.length).toBeLessThanOrEqual(38);
    terminal.keys('C-c');
  });
});
