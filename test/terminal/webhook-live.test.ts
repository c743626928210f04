import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_PAYMENT_ID } from '../../src/contract/pay/shared.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, raw, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';
import { paid, post } from '../support/webhook.ts';

/** A receiver in a terminal, and its address. */
const openListener = async (args: string, columns: number, env: Readonly<Record<string, string>> = {}) => {
  const terminal = openTerminal(await temporaryFolder(), { columns, rows: 30 }, env);
  terminal.run(`clear; bursar webhook listen ${args}; echo "exit=$?"`);
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+\/[\w-]{24})/.exec(await terminal.until(/^time .*$/m)) ?? [];
  return { ...terminal, url };
};

const payload = (id: string, status: string): string =>
  JSON.stringify({ event: 'payment.status_changed', data: { id, status } });

describe.runIf(hasTerminal())('webhook listen at a terminal', () => {
  it('is a table under one header, with a row for each delivery and no control characters of theirs', async () => {
    const terminal = await openListener('', 100);
    await post(terminal.url, paid('suc\u001b[2Jcess'));
    await post(terminal.url, paid('success'));
    await post(terminal.url, paid('success'));
    await post(terminal.url, 'no json');
    const screen = await terminal.until(/^\d\d:\d\d:\d\d {2}- {11}- {26}.*-$/m);
    expect(screen).toContain('Register this webhook_url');
    const [header = '', ...rows] = screen.slice(screen.indexOf('time ')).trim().split('\n');
    expect(header).toBe('time      status      payment                    duplicate  event');
    expect(rows.map((row) => row.slice(10))).toEqual([
      'suc\\u{1b}…  pay_1                                 payment.status_changed',
      'success     pay_1                                 payment.status_changed',
      'success     pay_1                      duplicate  payment.status_changed',
      '-           -                                     -',
    ]);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it.each([120, 80, 40])(
    'of %i columns has no wider row, and shows the check and the forwards that fit',
    async (columns) => {
      const service = await startServer(
        envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'processing', tid_hash: null } }),
      );
      const { url: target } = await startServer(raw(200, ''));
      const env = { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'key-of-the-test' };
      const terminal = await openListener(`--verify --forward-to ${target}`, columns, env);
      await post(terminal.url, paid('processing'));
      await post(terminal.url, paid('success'));
      const ended = columns < 80 ? /^\S+ {2}success +pay_1/m : /processing +pay_1 .* ms[\s\S]*success +pay_1 .* ms/;
      const screen = await terminal.until(ended);
      const table = screen
        .slice(screen.search(/^time /m))
        .trim()
        .split('\n');
      expect(table).toHaveLength(3);
      for (const line of table) expect(line.length).toBeLessThanOrEqual(columns);
      if (columns < 80) return expect(table[0]).toBe('time      status      payment');
      expect(table[0]).toMatch(/^time {6}status {6}payment {20}service {7}forwards/);
      expect(table[1]).toMatch(/pay_1 {22}✓ processing {2}200 \d+ ms/);
      expect(table[2]).toMatch(/pay_1 {22}✗ processing {2}200 \d+ ms/);
      expect((table[0] ?? '').includes('event')).toBe(columns === 120);
    },
  );

  it('shows a long payment id whole, and a short one of a hostile sender in its column', async () => {
    const terminal = await openListener('', 40);
    const id = `pay_${'x'.repeat(26)}`;
    await post(terminal.url, payload(id, 'success'));
    await post(terminal.url, payload('p'.repeat(4000), 'success'));
    expect(await terminal.until(/^\d\d:\d\d:\d\d {2}success {5}-$/m)).toContain(id);
  });

  it('has the ids of the service under their heading, and a duplicate under its own', async () => {
    const terminal = await openListener('', 100);
    for (const _ of [1, 2]) await post(terminal.url, payload(EXAMPLE_PAYMENT_ID, 'success'));
    const screen = await terminal.until(/^.* duplicate {2}payment.*$/m);
    const [header = '', , row = ''] = screen
      .slice(screen.search(/^time /m))
      .trim()
      .split('\n');
    for (const [name, value] of [
      ['payment', EXAMPLE_PAYMENT_ID],
      ['duplicate', 'duplicate'],
      ['event', 'payment.status_changed'],
    ] as const)
      expect([name, row.indexOf(value)]).toEqual([name, header.indexOf(name)]);
  });

  it.each(['tmux', 'dumb'])(
    'on %s shows a delivery at once, and the fault of its forward when it is known',
    async (term) => {
      const { url: up, received } = await startServer((request, response) => {
        const again = JSON.parse(request.body).data.id === 'pay_slow' && received.length < 3;
        return raw(again ? 500 : 204, '')(request, response);
      });
      const down = 'http://127.0.0.1:9/';
      const terminal = await openListener(`--forward-to ${up} --forward-to ${down}`, 100, { TERM: term });
      await post(terminal.url, payload('pay_slow', 'processing'));
      await post(terminal.url, payload('pay_fast', 'success'));
      const rowOf = (id: string, end: string) => new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}\\w+ +${id} +${end}`, 'm');
      const waiting = await terminal.until(rowOf('pay_fast', '\\.\\.\\. '));
      expect(waiting).toMatch(rowOf('pay_slow', '\\.\\.\\. '));
      const screen = await terminal.until(rowOf('pay_fast', '204 \\d+ ms, refused \\d+ ms'), 20);
      const whole = await terminal.until(rowOf('pay_slow', '204 \\d+ ms, refused \\d+ ms'), 20);
      expect(screen).toContain('pay_slow');
      const rows = whole.split('\n').filter((row) => /^\d\d:\d\d:\d\d /.test(row));
      expect(rows.map((row) => row.includes('...'))).toEqual(
        term === 'dumb' ? [true, true, false, false] : [false, false],
      );
      terminal.keys('C-c');
      await terminal.until('2 deliveries are kept and were not forwarded');
    },
  );

  it('writes each row once, also where the terminal cannot redraw', async () => {
    const folder = await temporaryFolder();
    const terminal = openTerminal(folder, { columns: 80, rows: 30 }, { TERM: 'dumb', BURSAR_ACCESSIBLE: '1' });
    terminal.record(join(folder, 'bytes'));
    terminal.run('bursar webhook listen --count 1; echo "exit=$?"');
    const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+\/[\w-]{24})/.exec(await terminal.until(/^time .*$/m)) ?? [];
    await post(url, paid('success'));
    await terminal.until('exit=0');
    const bytes = await readFile(join(folder, 'bytes'), 'utf8');
    expect(bytes.match(/payment\.status_/g)).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that move a cursor
    expect(bytes.slice(bytes.indexOf('Listening'))).not.toMatch(/\u001b\[\d*[A-HJK]/);
  });
});
