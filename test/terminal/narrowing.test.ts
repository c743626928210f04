import { describe, expect, it } from 'vitest';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

const NAMES = Array.from({ length: 12 }, (_, at) => `order_${String.fromCharCode(97 + at)}`);

const withOrders = async (size = { columns: 80, rows: 24 }, env: Readonly<Record<string, string>> = {}) => {
  const rows = NAMES.map((name, at) => storedOrder(name, { amount_from: `${at}.50` }));
  const service = await startOrderService(rows);
  const terminal = openTerminal(await temporaryFolder(), size, { ...service.env, ...env });
  terminal.run('clear; bursar order disable; echo "exit=$?"');
  return { terminal, writes: service.writes };
};

describe.runIf(hasTerminal())('a list, at a terminal', () => {
  it.each([
    [80, 24],
    [40, 24],
    [80, 10],
  ])(
    'of twelve orders on %i by %i shows the matches of a typed part, and Enter takes the last match',
    async (columns, rows) => {
      const { terminal, writes } = await withOrders({ columns, rows });
      await terminal.until('❯ order_a');
      terminal.keys('-l', 'usdt 10.5');
      await terminal.until('❯ order_k');
      expect(await terminal.screen()).not.toMatch(/order_[a-jl]/);
      terminal.keys('Enter');
      await terminal.until('exit=0');
      expect(writes()).toMatchObject([{ path: '/order/order_k/toggle' }]);
    },
  );

  it('takes a pasted id with its newline, also when longer ids start with this id', async () => {
    const service = await startOrderService(['order_10', 'order_11', 'order_1'].map((name) => storedOrder(name)));
    const terminal = openTerminal(await temporaryFolder(), { columns: 80, rows: 24 }, service.env);
    terminal.run('clear; bursar order disable; echo "exit=$?"');
    await terminal.until('❯ order_10');
    // In one write, as a paste that ends with a newline.
    terminal.keys('-l', 'order_1\r');
    await terminal.until('exit=0');
    expect(service.writes()).toMatchObject([{ path: '/order/order_1/toggle' }]);
  });

  it('takes a typed text that is not in the list, after a confirmation', async () => {
    const { url, received } = await startServer(envelope(200, 'ok', { data: { transaction: 'AQID' } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 24 }, env);
    const words = '--provider provider_a --asset USDC --wallet 11111111111111111111111111111112 --amount 25';
    terminal.run(`clear; bursar yield deposit ${words}; echo "exit=$?"`);
    await terminal.until('❯ solana');
    terminal.keys('-l', 'eclipse');
    await terminal.until(/❯ eclipse\n[\s\S]*Press Enter to use this text/);
    expect(await terminal.screen()).not.toContain('solana');
    terminal.keys('Enter');
    await terminal.until('eclipse is not in the list: solana. Use it all the same? (y/N)');
    terminal.keys('Enter');
    await terminal.until(/all the same\? No[\s\S]*❯ solana/);
    terminal.keys('-l', 'eclipse');
    await terminal.until(/❯ eclipse\n[\s\S]*Press Enter to use this text/);
    terminal.keys('Enter');
    await terminal.until(/same\? No[\s\S]*\(y\/N\)/);
    terminal.keys('y', 'Enter');
    await terminal.until('Review, sign and send now?');
    terminal.keys('n', 'Enter');
    await terminal.until('exit=0');
    expect(JSON.parse(received.at(-1)?.body ?? '{}')).toMatchObject({ chain_name: 'eclipse' });
  });

  it('shows why a typed text is invalid, and takes the corrected text', async () => {
    const { url, received } = await startServer(envelope(200, 'challenge_created', { data: {} }));
    const home = await temporaryFolder();
    await newEvmKey(home, 'k');
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(home, { columns: 100, rows: 24 }, env);
    terminal.run('clear; bursar kyc challenge; echo "exit=$?"');
    await terminal.until('❯ k (0x');
    terminal.keys('-l', '0x12345');
    await terminal.until('❯ 0x12345');
    terminal.keys('Enter');
    expect(await terminal.until('must be an EVM address')).not.toContain('✔');
    expect(received).toEqual([]);
    const wallet = `0x${'1'.repeat(40)}`;
    terminal.keys('C-u');
    terminal.keys('-l', wallet);
    await terminal.until(`❯ ${wallet}`);
    terminal.keys('Enter');
    await terminal.until('exit=');
    expect(received.map(({ path, body }) => path + body).join()).toContain(wallet);
  });

  it('ignores a Tab in the typed text', async () => {
    const { terminal, writes } = await withOrders();
    await terminal.until('❯ order_a');
    terminal.keys('-l', '10.5');
    await terminal.until('❯ order_k');
    terminal.keys('Tab');
    terminal.keys('-l', '0');
    expect(await terminal.until('10.50\n')).toContain('❯ order_k');
    terminal.keys('Enter');
    await terminal.until('exit=0');
    expect(writes()).toMatchObject([{ path: '/order/order_k/toggle' }]);
  });

  it.each([{ BURSAR_ACCESSIBLE: '1' }, { TERM: 'dumb' }, { LANG: 'C' }])(
    'by lines with %j shows the matches of a typed part with their numbers, and takes a whole id',
    async (env) => {
      const { terminal, writes } = await withOrders({ columns: 80, rows: 40 }, env);
      await answer(terminal, 'Number of your choice (1-13), or part of its text:', '10.5');
      const screen = await terminal.until(/or part of its text:[\s\S]*or part of its text:/);
      expect(screen.split('10.5\n')[1]).toMatch(/^ {2}11\) order_k \(10\.50 BRL to USDT, on\)\nNumber/);
      terminal.run('order_c');
      await terminal.until('exit=0');
      expect(writes()).toMatchObject([{ path: '/order/order_c/toggle' }]);
    },
  );
});
