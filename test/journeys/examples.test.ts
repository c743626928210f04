import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../../src/cli/command/areas.ts';
import { exitsOf } from '../../src/cli/help/command-page.ts';
import { type Ended, runBursar } from '../support/bursar.ts';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import { ENDLESS } from '../support/endless.ts';
import { runInProcess } from '../support/in-process.ts';
import { typeInShell } from '../support/shell.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const all = leaves.flatMap((leaf) => leaf.examples.map((example) => [example, exitsOf(leaf)] as const));

const RECEIVER = '0x1111111111111111111111111111111111111111';
const PAYMENT = {
  tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  payment_method_allowed: { crypto: true },
  split_payment_config: [{ receiver_wallet: RECEIVER, receiver_percent: 100 }],
  from_currency_symbol: 'USDT',
  amount_from: '10',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  payer_email: 'payer@example.com',
};

describe('the examples of help', () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'bursar-test-'));
    await runBursar(home, ['sandbox', 'start']);
    await newEvmKey(home, 'treasury');
    await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
    await writeFile(join(home, 'password'), 'pw', { mode: 0o600 });
    return async () => {
      await runBursar(home, ['sandbox', 'stop']);
      await rm(home, { recursive: true, force: true });
    };
  });

  /** A line without shell syntax needs no process of its own. */
  const type = (typed: string): Promise<Ended> => {
    const line = typed.replace(/--timeout \d+/, '--timeout 2');
    return /[|<>$'"*\\]/.test(line)
      ? typeInShell(home, [`bursar ${line}`], SANDBOX_ENV)
      : runInProcess(home, line.split(/ +/), { env: SANDBOX_ENV });
  };

  it.each(all.filter(([line]) => !ENDLESS.test(line)))(
    'bursar %s is parsed, and ends with an exit code that its help lists',
    async (line, exits) => {
      const { code, stderr } = await type(line);
      expect(stderr).not.toMatch(
        /unknown (?:option|command)|too many arguments|is not a whole command|fault in bursar/,
      );
      // The shell itself ends so when this home lacks a file that an example names.
      if (/No such file/.test(stderr) && code === 1) return;
      expect(exits, stderr).toContain(code);
      expect(code, stderr).not.toBe(1);
    },
  );
});
