import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const STATES = ['processing', 'processing', 'received', 'success'];

describe.runIf(hasTerminal())('pay status --wait on a terminal', () => {
  it('prints each change of state once on its own line, and then the result', async () => {
    const left = [...STATES];
    const { url } = await startServer((received, response) => {
      const status = left.length > 1 ? left.shift() : left[0];
      return envelope(200, 'payment_found', { data: { id: 'pay_1', status, tid_hash: null } })(received, response);
    });
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 80, rows: 24 }, env);
    terminal.run('clear; bursar pay status pay_1 --wait --fields id; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    const told = screen.split('\n').filter((line) => STATES.some((state) => line.includes(state)));
    expect(told.map((line) => STATES.find((state) => line.includes(state)))).toEqual([
      'processing',
      'received',
      'success',
    ]);
    expect(screen.indexOf('pay_1')).toBeGreaterThan(-1);
  });

  it('without a final state prints one next command', async () => {
    const data = { id: 'pay_1', status: 'registered', to_chain: 'polygon', tid_hash: null };
    const { url } = await startServer(envelope(200, 'payment_found', { data }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 120, rows: 24 }, env);
    terminal.run('clear; bursar pay status pay_1 --wait --timeout 1; echo "exit=$?"');
    const screen = await terminal.until('exit=8');
    expect(screen).toContain('registered');
    expect(screen.match(/next: bursar pay transaction pay_1.*/g)).toHaveLength(1);
  });
});

describe.runIf(hasTerminal())('smoke run on a terminal', () => {
  it('shows the step that runs until it ends, and Ctrl-C leaves the terminal as it was', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await startServer(async (received, response) => {
      if (received.path === '/config/products') {
        await held;
        return envelope(200, 'products_listed', { data: {} })(received, response);
      }
      return undefined;
    });
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key_0123456789abcdef0123' };
    const terminal = openTerminal(await temporaryFolder(), { columns: 80, rows: 24 }, env);
    terminal.run('clear; bursar smoke run reads --live; echo "exit=$?"');
    await terminal.until(/[|/\\-] reads {2}products/);
    release();
    const running = await terminal.until(/[|/\\-] reads {2}quote/);
    expect(running).toMatch(/✓ reads {2}products {2}200/);
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(screen).not.toMatch(/[|/\\-] reads {2}quote/);
    expect(await terminal.hasCursor()).toBe(true);
  });
});
