import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An account whose list waits for a release, so the test can type before the question. */
const startHeldOrders = async () => {
  const orders = [storedOrder('order_1')];
  const page = envelope(200, 'orders_listed', { data: { orders, pagination: { total_pages: 1 } } });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let onList: () => void = () => undefined;
  const listed = new Promise<void>((resolve) => {
    onList = resolve;
  });
  const service = await startOrderService(orders, ({ method }) => {
    if (method !== 'GET') return undefined;
    return async (received, response) => {
      onList();
      await released;
      await page(received, response);
    };
  });
  return { ...service, listed, release };
};

describe.runIf(hasTerminal())('a yes that is typed before the question', () => {
  it.each([{}, { BURSAR_ACCESSIBLE: '1' }])('answers nothing, with %j', async (mode) => {
    const { env, writes, listed, release } = await startHeldOrders();
    const home = await temporaryFolder();
    await writeFile(join(home, 'o.json'), '{"version": 1, "orders": [{"id": "order_1", "amount_from": "30"}]}');
    const terminal = openTerminal(home, { columns: 100, rows: 40 }, { ...env, ...mode });
    terminal.run('cd; bursar order apply --file o.json; echo "exit=$?"');
    await listed;
    terminal.run('y');
    terminal.run('y');
    await terminal.typed();
    release();
    await terminal.until('Apply this plan to the orders');
    await pause(500);
    expect(await terminal.screen()).not.toMatch(/exit=\d/);
    terminal.keys('Enter');
    await terminal.until(/exit=\d/);
    expect(writes()).toEqual([]);
  });
});

describe.runIf(hasTerminal())('text that is typed during a spinner after a question', () => {
  const asked = async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const quote = envelope(200, 'quote_ok', { data: { price: '1' } });
    const { url, received } = await startServer(async (request, response) => {
      await released;
      await quote(request, response);
    });
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, env);
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await answer(terminal, 'FROM', 'BTC');
    await answer(terminal, 'TO', 'USDT');
    while (received.length === 0) await pause(20);
    await terminal.until(/[|/\\-] \w/);
    return { terminal, release };
  };

  it('is not shown, and does not reach the shell', async () => {
    const { terminal, release } = await asked();
    terminal.run('echo typed-ahead');
    await terminal.typed();
    await pause(100);
    expect(await terminal.screen()).not.toContain('typed-ahead');
    release();
    await terminal.until('exit=0');
    terminal.run('echo after');
    expect(await terminal.until(/^after$/m)).not.toContain('typed-ahead');
  });

  it('ends the command when it is Ctrl-C', async () => {
    const { terminal } = await asked();
    terminal.keys('C-c');
    await terminal.until('exit=130');
    terminal.run('echo echoes');
    await terminal.until(/^echoes$/m);
    expect(await terminal.hasCursor()).toBe(true);
  });
});
