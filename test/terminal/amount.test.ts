import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { PAYMENT } from '../support/journey.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

/** A terminal with a key, and with a body file that has no amount and no chain. */
const open = async () => {
  const { url, received } = await startServer(envelope(503, 'unavailable'));
  const home = await temporaryFolder();
  await newKey(home, 'payer', 'evm');
  const { amount_from: _, to_chain: __, ...body } = PAYMENT;
  await writeFile(join(home, 'body.json'), JSON.stringify(body));
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k', BURSAR_KEY_PASSWORD: 'pw' };
  return { received, terminal: openTerminal(home, { columns: 100, rows: 40 }, env) };
};

describe.runIf(hasTerminal())('an amount with more decimals than its token', () => {
  it('is refused at its question when the token and the chain are known', async () => {
    const { terminal, received } = await open();
    const money = '--from-currency-symbol USDT --to-chain polygon';
    terminal.run(`clear; cd; bursar pay run --body body.json ${money}; echo "exit=$?"`);
    await answer(terminal, 'Amount to pay', '1.1234567');
    await terminal.until('must have at most 6 decimals: USDT on polygon has no more');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    expect(received).toEqual([]);
  });

  it('is asked again when the chain is known, before anything is sent', async () => {
    const { terminal, received } = await open();
    terminal.run('clear; cd; bursar pay run --body body.json --from-currency-symbol USDT; echo "exit=$?"');
    await answer(terminal, 'Amount to pay', '1.1234567');
    await answer(terminal, 'Chain of the receivers', 'polygon');
    await terminal.until('--amount-from: must have at most 6 decimals: USDT on polygon has no more');
    expect(received).toEqual([]);
    terminal.keys('C-u');
    await answer(terminal, /\? Amount to pay --amount-from/, '1.123456');
    expect(await terminal.until('exit=5')).toContain('--amount-from 1.123456 --to-chain polygon');
  });
});
