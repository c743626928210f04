import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAM, runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { type StoredOrder, startOrderService, storedOrder } from '../support/order-service.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const ROWS = [
  storedOrder('cmb1x2y3z0000abcd1234efgh', {
    created_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    note: 'José → ok',
  }),
  storedOrder('cmb1x2y3z0001abcd1234efgh', { active: false }),
];

const open = async (
  size: { columns: number; rows: number },
  env: Readonly<Record<string, string>> = {},
  rows: readonly StoredOrder[] = ROWS,
) => {
  const service = await startOrderService(structuredClone([...rows]));
  const home = await temporaryFolder();
  const terminal = openTerminal(home, size, { ...service.env, ...env });
  const bytes = join(home, 'bytes');
  terminal.record(bytes);
  return { ...terminal, ...service, bytes: () => readFile(bytes, 'utf8') };
};

describe.runIf(hasTerminal())('orders on a terminal', () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 40, rows: 60 },
  ])('of %j: no line is wider, and the free slots are printed last', async (size) => {
    const terminal = await open(size);
    terminal.run('clear; bursar order list --all; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('2 of 20 orders; 18 slots left.');
    expect(screen.indexOf('18 slots')).toBeGreaterThan(screen.indexOf('cmb1x2y3z0001'));
    if (size.columns === 80) expect(screen).toMatch(/^id +state +amount +for +methods +gateway/m);
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(size.columns);
  });

  it('times are relative to now', async () => {
    const terminal = await open({ columns: 400, rows: 24 });
    terminal.run('clear; bursar order list --all; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toContain('3 hours ago');
  });

  it.each([
    ['a terminal that takes links', 'env -u TMUX TERM_PROGRAM=WezTerm', '', 1],
    ['a pipe on it', 'env -u TMUX TERM_PROGRAM=WezTerm', '| cat', 0],
    ['an unknown terminal', 'env -u TMUX -u TERM_PROGRAM TERM=xterm', '', 0],
  ])('an address on %s is a link to the whole address, or plain', async (_, env, pipe, links) => {
    const address = 'https://shop.example/a?b=c';
    const terminal = await open({ columns: 80, rows: 24 }, {}, [storedOrder('cmb1', { note: address })]);
    terminal.run(
      `clear; ${env} "${process.execPath}" "${PROGRAM}" order list --fields id,note ${pipe}; echo "exit=$?"`,
    );
    await terminal.until('exit=0');
    const bytes = await terminal.bytes();
    expect(
      bytes.slice(bytes.indexOf('exit=$?')).split(`\u001b]8;;${address}\u001b\\${address}\u001b]8;;`),
    ).toHaveLength(links + 1);
    expect(bytes.split('\u001b]8').length - 1).toBe(2 * links);
  });

  it.each([{ TERM: 'dumb' }, { NO_COLOR: '1' }, { LANG: 'C' }])(
    'with %j: no unsupported sequence or character',
    async (env) => {
      const terminal = await open({ columns: 80, rows: 60 }, env);
      terminal.run(
        'bursar order list --jq ".orders[0].note"; bursar order update cmb1x2y3z0000abcd1234efgh --amount-from 9; echo "exit=$?"',
      );
      await terminal.until('exit=0');
      const shown = await terminal.bytes();
      const ours = shown.slice(shown.indexOf('exit=$?') + 7);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
      if ('TERM' in env) expect(ours).not.toMatch(/\u001b/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
      if ('NO_COLOR' in env) expect(ours).not.toMatch(/\u001b\[[\d;]+m/);
      if ('LANG' in env) expect(ours).toMatch(/^\p{ASCII}*$/u);
    },
  );

  it('a plan is shown with a question; Enter sends nothing, and y sends the changes', async () => {
    const terminal = await open({ columns: 80, rows: 40 });
    terminal.run(
      'bursar order export | sed s/25.00/26.00/ > "$HOME/o.yaml"; clear; bursar order apply -f "$HOME/o.yaml"; echo "exit=$?"',
    );
    const plan = await terminal.until('Apply this plan to the orders of');
    expect(plan).toMatch(/- amount_from: 25\.00\n +\+ amount_from: 26\.00/);
    terminal.keys('Enter');
    await terminal.until('exit=2');
    expect(terminal.writes()).toEqual([]);
    terminal.run('clear; bursar order apply -f "$HOME/o.yaml"; echo "exit=$?"');
    await terminal.until('Apply this plan to the orders of');
    terminal.run('y');
    await terminal.until('exit=0');
    expect(terminal.writes()).toHaveLength(2);
  });

  it('with CI set the plan is not applied: exit 2', async () => {
    const terminal = await open({ columns: 80, rows: 40 }, { CI: '1' });
    terminal.run(
      'bursar order export | sed s/25.00/26.00/ > "$HOME/o.yaml"; clear; bursar order apply -f "$HOME/o.yaml"; echo "exit=$?"',
    );
    await terminal.until('exit=2');
    expect(terminal.writes()).toEqual([]);
  });
});

describe.runIf(hasTerminal())('quote --watch at a terminal', () => {
  it('redraws one line, and leaves the cursor on the next line', async () => {
    const home = await temporaryFolder();
    onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
    const terminal = openTerminal(home, { columns: 60, rows: 24 });
    const record = join(home, 'bytes');
    terminal.run('bursar --profile sandbox quote BTC USDT; clear');
    await terminal.until(/^\$ *$/m, 40);
    terminal.record(record);
    terminal.run('bursar --profile sandbox quote BTC USDT --watch --every 0.2; echo "exit=$?"');
    await terminal.until(/BTC\/USDT {2}64000/, 30);
    await pause(1500);
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toMatch(/exchange_a {2}\d\d:\d\d:\d\d\S*\nexit=130/);
    expect((await readFile(record, 'utf8')).match(/\rBTC\/USDT/g)?.length).toBeGreaterThan(1);
    terminal.run('clear; bursar --profile sandbox yield strategies; bursar sandbox stop; echo "exit=$?"');
    expect(await terminal.until('exit=0', 40)).toMatch(/█{6}/);
  });
});
