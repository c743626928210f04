import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { newKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { startOrderService, storedOrder } from '../support/order-service.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const processing = envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'processing', tid_hash: null } });
const silent: Responder = () => undefined;

const terminalWith = async (responder: Responder) => {
  const { url, received } = await startServer(responder);
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
  return { received, terminal: openTerminal(await temporaryFolder(), { columns: 80, rows: 24 }, env) };
};

const untilAsked = async (received: readonly unknown[]) => {
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe.runIf(hasTerminal())('Ctrl-C', () => {
  it.each([
    ['while waiting for a payment', processing, 'bursar pay status pay_1 --wait'],
    ['while a spinner turns', silent, 'bursar quote BTC USDT'],
  ])('%s: exit 130 at once, without a stack trace, and the cursor is visible', async (_, responder, command) => {
    const { received, terminal } = await terminalWith(responder);
    terminal.run(`${command}; echo "exit=$?"`);
    await untilAsked(received);
    const start = performance.now();
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(screen).not.toContain('    at ');
    expect(await terminal.hasCursor()).toBe(true);
  });
});

describe.runIf(hasTerminal())('Ctrl-C at a question of the command itself', () => {
  it.each([{}, { BURSAR_ACCESSIBLE: '1' }])('prints that nothing was done or sent: exit 130, with %j', async (mode) => {
    const home = await temporaryFolder();
    await newKey(home, 'till', 'evm');
    const { env } = await startOrderService([storedOrder('order_1')]);
    await writeFile(join(home, 'o.json'), '{"version": 1, "orders": [{"id": "order_1", "amount_from": "30"}]}');
    const terminal = openTerminal(home, { columns: 100, rows: 24 }, { ...env, ...mode });
    for (const [command, question, effect] of [
      ['key remove till', 'Type till to remove it:', 'done'],
      ['order apply --file o.json', 'Apply this plan to the orders', 'sent'],
    ] as const) {
      terminal.run(`clear; cd; bursar ${command}; echo "exit=$?"`);
      await terminal.until(question);
      terminal.keys('C-c');
      expect(await terminal.until('exit=130')).toContain(`error: interrupted; nothing was ${effect}\n`);
    }
  });

  it('prints that nothing more was sent, after an earlier call', async () => {
    const home = await temporaryFolder();
    const wallet = await newKey(home, 'till', 'evm');
    const challenge = {
      wallet,
      wallet_chain: 'evm',
      message: 'Prove that it is yours.\nExpires: tomorrow',
      expires_at: null,
    };
    const { url } = await startServer(envelope(200, 'challenge_created', { data: challenge }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', BURSAR_KEY_PASSWORD: 'pw' };
    const terminal = openTerminal(home, { columns: 100, rows: 40 }, env);
    terminal.run('clear; bursar kyc wallet-prove --key till; echo "exit=$?"');
    await terminal.until('Sign this challenge?');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toContain('error: interrupted; nothing more was sent\n');
  });
});

describe.runIf(hasTerminal())('a terminal without colour or width', () => {
  it('with TERM=dumb prints no colour and no spinner', async () => {
    const { terminal } = await terminalWith(envelope(200, 'quote_ok', { data: { price: '1' } }));
    terminal.run('TERM=dumb bursar quote BTC USDT --fields price | cat -v; echo "exit=$?"');
    expect(await terminal.until('exit=0')).not.toContain('^[');
  });

  it.each([
    ['TERM=dumb', '', /Waiting \(Ctrl-C stops only the wait\)\.\.\.\n/],
    ['TERM=dumb', '--quiet', undefined],
    ['CI=1', '', /Waiting \(Ctrl-C stops only the wait\)\.\.\.\n/],
  ])('with %s %s prints plain lines for a wait and for each state, without a spinner', async (env, quiet, line) => {
    const states = ['processing', 'processing', 'processing', 'processing', 'received', 'success'];
    const { terminal, received } = await terminalWith((request, response) =>
      envelope(200, 'payment_found', { data: { id: 'pay_1', status: states.shift() ?? 'success' } })(request, response),
    );
    const record = join(await temporaryFolder(), 'bytes');
    terminal.record(record);
    terminal.run(`${env} bursar pay status pay_1 --wait ${quiet}; echo "exit=$?"`);
    await untilAsked(received);
    const screen = await terminal.until('exit=0', 30);
    if (line) expect(screen).toMatch(line);
    else expect(screen).not.toContain('Waiting');
    expect(/payment +received/.test(screen)).toBe(line !== undefined);
    const bytes = await readFile(record, 'utf8');
    expect(bytes.slice(bytes.indexOf('exit=$?'))).not.toMatch(/\r(?!\r*\n)/);
  });

  it('of zero columns does not hang', async () => {
    const { terminal } = await terminalWith(envelope(200, 'quote_ok', { data: { price: '1' } }));
    terminal.run('stty cols 0; bursar quote BTC USDT; echo "exit=$?"');
    await terminal.until('exit=0');
  });
});
