import { describe, expect, it } from 'vitest';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

/** A terminal with a service that answers every call with a quote. */
const quoting = async (env: Readonly<Record<string, string>> = {}) => {
  const { url, received } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
  const settings = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', ...env };
  const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, settings);
  return { terminal, received };
};

/** A live service that does not answer, for tests that only ask questions. */
const SILENT = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

describe.runIf(hasTerminal())('Esc at a question', () => {
  it.each([
    ['drawn', {}, ['Escape'], 'Esc goes back one question, Ctrl-C stops.', /FROM \(BTC\) *$/m],
    [
      'plain',
      { BURSAR_ACCESSIBLE: '1' },
      ['Escape', 'Enter'],
      'Esc and Enter go back one question',
      /FROM \[BTC\] *$/m,
    ],
  ])('asks the previous question again, with its answer as the default: %s', async (_, env, back, explained, kept) => {
    const { terminal, received } = await quoting(env);
    terminal.run('clear; bursar quote; echo "exit=$?"');
    await answer(terminal, 'FROM', 'BTC');
    expect(await terminal.until('TO')).toContain(explained);
    terminal.keys(...back);
    await terminal.until(kept);
    // At the first question Esc asks the first question again.
    if (kept.source.includes('\\[')) {
      terminal.keys(...back);
      await terminal.until(/(?:FROM \[BTC\][\s\S]*){2}/);
    }
    await answer(terminal, 'FROM', 'ETH');
    await terminal.until(/TO *$/m);
    terminal.keys(...back);
    await terminal.until(kept.source.includes('\\[') ? /FROM \[ETH\]/ : /FROM \(ETH\)/);
    terminal.keys('Enter');
    await answer(terminal, /TO *$/m, 'USDT');
    const screen = await terminal.until('exit=0');
    expect(screen).toMatch(/Equivalent command:\n {2}bursar quote ETH USDT\n/);
    expect(received.map(({ path }) => path)).toEqual([expect.stringContaining('ETH')]);
  });

  it('leaves a command that names the sandbox, which no script has by default', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 110, rows: 50 });
    terminal.run('clear; bursar pay register; echo "exit=$?"');
    await answer(terminal, '--amount-from', '');
    await terminal.until('--from-currency-symbol');
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(screen).toMatch(/Command so far:\n {2}bursar pay register --amount-from 10 --profile sandbox\n/);
  });

  it('reaches questions of an earlier round, and at the review returns to the last question', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 110, rows: 50 }, SILENT);
    const tenant = `--public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook`;
    terminal.run(`clear; bursar pay register ${tenant} --allow crypto; echo "exit=$?"`);
    await answer(terminal, '--amount-from', '41');
    await terminal.until('❯ USDT');
    terminal.keys('Enter');
    await terminal.until('--to-currency-symbol');
    terminal.keys('Down', 'Enter');
    await terminal.until('--to-chain');
    terminal.keys('Escape');
    await terminal.until('(now USDC) --to-currency-symbol');
    terminal.keys('Enter');
    // The screen no longer shows the question that Esc left.
    const after = await terminal.until(/(?:to-currency-symbol USDC\n[\s\S]*){2}--to-chain *\n❯/);
    expect(after.match(/--to-chain/g)).toHaveLength(1);
    terminal.keys('Enter');
    await answer(terminal, '--split', '0x1111111111111111111111111111111111111111=100');
    await terminal.until('❯ Go on');
    terminal.keys('Escape');
    await terminal.until(/--split\s+\(0x1{40}=100\)/);
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(screen).toMatch(/Command so far:\n {2}bursar pay register .*--amount-from 41 .*--to-currency-symbol USDC/);
    expect(screen).toContain('interrupted; nothing was sent');
  });

  it('twice, across an optional question, asks the optional question again and keeps its answer', async () => {
    const home = await temporaryFolder();
    await newEvmKey(home, 'payer');
    const terminal = openTerminal(home, { columns: 110, rows: 50 }, SILENT);
    terminal.run('clear; bursar pay run; echo "exit=$?"');
    await answer(terminal, '--amount-from', '41');
    await terminal.until('❯ USDT');
    terminal.keys('Enter');
    await terminal.until('❯ crypto');
    terminal.keys('Down', 'Enter');
    await terminal.until('--payer-email');
    terminal.keys('Escape');
    await terminal.until('(now pixcrypto) --transaction-type');
    terminal.keys('Escape');
    await terminal.until('(now USDT) --from-currency-symbol');
    terminal.keys('Enter');
    await terminal.until(/\(now USDT\) --from-currency-symbol USDT[\s\S]*❯ pixcrypto/);
    terminal.keys('Enter');
    await answer(terminal, '--payer-email', 'payer@example.com');
    await terminal.until('--payer-cpf');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).toMatch(/bursar pay run .*--transaction-type pixcrypto/);
  });

  it('keeps a typed value that is not in the list', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 110, rows: 50 }, SILENT);
    const tenant = `--public-client-id client_${'0'.repeat(32)} --webhook-url https://shop.example/hook`;
    const known = `--allow crypto --amount-from 9 --from-currency-symbol USDT`;
    terminal.run(`clear; bursar pay register ${tenant} ${known}; echo "exit=$?"`);
    await terminal.until('--to-currency-symbol');
    terminal.keys('-l', 'XYZ');
    await terminal.until('❯ XYZ');
    terminal.keys('Enter');
    await answer(terminal, 'Use it all the same? (y/N)', 'y');
    await terminal.until('--to-chain');
    terminal.keys('Escape');
    await terminal.until(/\(now XYZ\) --to-currency-symbol[\s\S]*❯ XYZ/);
    terminal.keys('Enter');
    await terminal.until(/(?:all the same\?[\s\S]*){2}\(y\/N\)/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('at the password of a first key asks again whether to create the key', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 110, rows: 50 }, SILENT);
    const known = '--amount-from 9 --from-currency-symbol USDT --transaction-type crypto';
    terminal.run(`clear; bursar pay run ${known}; echo "exit=$?"`);
    await terminal.until('Create treasury?');
    terminal.keys('Enter');
    await terminal.until('Choose a password');
    terminal.keys('Escape');
    await terminal.until(/Create treasury\?[^✔]*\(Y\/n\)\s*$/);
    terminal.keys('n', 'Enter');
    expect(await terminal.until('exit=2')).toContain('no key was created; nothing was sent');
  });

  it('has no effect at a question without an earlier question', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 100, rows: 40 }, SILENT);
    terminal.run('clear; bursar key new k --chain evm; echo "exit=$?"');
    await terminal.until('Choose a password');
    terminal.keys('Escape');
    terminal.run('hunter2');
    await terminal.until('same password again');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).not.toContain('Command so far');
  });
});
