import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../../src/cli/areas.ts';
import { exitsOf } from '../../src/cli/help/exits.ts';
import { PROGRAM, runBursar } from '../support/bursar.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();
const all = leaves.flatMap((leaf) => leaf.examples.map((example) => [example, exitsOf(leaf)] as const));

/** What goes on until somebody ends it, and what ends the sandbox that the others use. */
const ENDLESS = /--follow|--foreground|--watch|^sandbox (?:stop|reset)|^webhook listen|^kyc start --key/;

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
    await runBursar(home, ['key', 'new', 'treasury', '--chain', 'evm'], { env: { BURSAR_KEY_PASSWORD: 'pw' } });
    await writeFile(join(home, 'payment.json'), JSON.stringify(PAYMENT));
    await writeFile(join(home, 'password'), 'pw', { mode: 0o600 });
    return async () => {
      await runBursar(home, ['sandbox', 'stop']);
      await rm(home, { recursive: true, force: true });
    };
  });

  /** As a user types it, with nobody there to be asked; the variables are those that examples use. */
  const type = (line: string) =>
    new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
      const script = `bursar() { "$NODE" "$PROGRAM" "$@"; }\nbursar ${line.replace(/--timeout \d+/, '--timeout 2')}`;
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        BURSAR_HOME: home,
        BURSAR_PROFILE: 'sandbox',
        LANG: 'C.UTF-8',
      };
      const child = spawn('bash', ['-c', script], {
        cwd: home,
        env: { ...env, NODE: process.execPath, PROGRAM, BURSAR_KEY_PASSWORD: 'pw' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stderr }));
    });

  it.each(all.filter(([line]) => !ENDLESS.test(line)))(
    'bursar %s: the parser takes it, and it ends as its help says it can',
    async (line, exits) => {
      const { code, stderr } = await type(line);
      expect(stderr).not.toMatch(
        /unknown (?:option|command)|too many arguments|is not a whole command|fault in bursar/,
      );
      // A file that an example names and this home has not: the shell itself ends so.
      if (/No such file/.test(stderr) && code === 1) return;
      expect(exits, stderr).toContain(code);
      expect(code, stderr).not.toBe(1);
    },
  );
});
