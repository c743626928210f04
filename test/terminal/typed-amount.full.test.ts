import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEvmChain } from '../../src/contract/chains.ts';
import { ANNA, cryptoTxJson, transferData } from '../chain/evm/given.ts';
import { runBursar } from '../support/bursar.ts';
import { useEntry } from '../support/entry.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('a live profile without a policy, on a terminal of 80 by 24', () => {
  const program = useEntry('with-profile');

  it('signs only for the typed amount: y, an empty line and another amount are exit 10', async () => {
    const home = await temporaryFolder();
    const env = { BURSAR_KEY_PASSWORD: 'pw' };
    await runBursar(home, ['key', 'new', 'k', '--chain', 'evm'], { env });
    const { stdout } = await runBursar(home, ['key', 'show', 'k', '--json']);
    const request = {
      from: JSON.stringify(JSON.parse(stdout).address),
      to: JSON.stringify(findEvmChain('polygon')?.tokens.USDT.address),
      data: JSON.stringify(transferData(ANNA, 1_500_000_000n)),
      value: '0',
      chainId: '137',
      gasLimit: '"300000"',
    };
    await writeFile(join(home, 'tx.json'), cryptoTxJson(request));
    const settings = JSON.stringify({ type_amount_above: { USDT: '1000' } });
    const terminal = openTerminal(home, { columns: 80, rows: 24 }, { ...env, TEST_SETTINGS: settings });
    const command = `"${process.execPath}" "${program()}" --unsigned="${home}/tx.json" --key=k`;
    for (const [typed, code] of [
      ['y', 10],
      ['', 10],
      ['1500.1', 10],
      ['1500.00', 0],
    ] as const) {
      terminal.run(`clear; ${command}; echo "exit=$?"`);
      const question = await terminal.until(/Type the amount of USDT to sign\s+it:/);
      expect(question.replaceAll(/\s+/g, ' ')).toContain('1500 USDT on polygon (acme, live) will leave.');
      terminal.run(typed);
      const screen = await terminal.until(`exit=${code}`, 30);
      expect(screen.includes('signed_transaction')).toBe(code === 0);
    }
  });
});
