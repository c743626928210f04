import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declarations } from '../../src/kit/declare.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const HEAD = `import { type Client, createClient, type PayTransactionResult } from './client.js';
import { startSandbox } from './sandbox.js';
const client: Client = createClient({ baseUrl: 'https://pay.example.com', apiKey: 'key' });
`;

let folder = '';

const compile = async (name: string, code: string): Promise<string> => {
  await writeFile(join(folder, name), HEAD + code);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom'];
  const modules = ['--module', 'nodenext', '--ignoreConfig', '--types', ''];
  return spawnSync(process.execPath, [TSC, ...options, ...modules, name], { cwd: folder, encoding: 'utf8' }).stdout;
};

describe('the declarations of the kit', () => {
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bursar-declarations-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const { client, sandbox } = declarations();
    await Promise.all([
      writeFile(join(folder, 'client.d.ts'), client),
      writeFile(join(folder, 'sandbox.d.ts'), sandbox),
    ]);
  });

  it('name no library and import nothing', () => {
    for (const text of Object.values(declarations())) {
      expect(text).not.toMatch(/\bimport\b|\brequire\b|Zod|zod|LosslessNumber|undefined \| undefined/);
    }
  });

  it('are those of the build', async () => {
    for (const [name, text] of Object.entries(declarations())) {
      for (const ending of ['d.ts', 'd.cts']) {
        expect(await readFile(join(ROOT, `dist/kit/${name}.${ending}`), 'utf8')).toBe(text);
      }
    }
  });

  it('let a program use data by status, wei as bigint, and the errors of the endpoint', async () => {
    const output = await compile(
      'good.ts',
      `export const value = (result: PayTransactionResult): bigint | undefined => {
  if (!result.ok) {
    const known: boolean = result.error.status === 'kyc_not_approved';
    throw new Error(String(known) + result.error.errors.map(({ field }) => field).join());
  }
  const { crypto_tx } = result.data;
  if (typeof crypto_tx !== 'object' || !('transactionRequest' in crypto_tx)) return undefined;
  const wei: bigint = (crypto_tx as { transactionRequest: { value: bigint } }).transactionRequest.value;
  return wei;
};
export const work = async (): Promise<string> => {
  const paid = await client.pay.execute({ executor_id: 'api_transaction', payment_id: 'p', signed_transaction: '0x02' });
  if (!paid.ok) return paid.error.message;
  const hash: string = paid.status === 'payment_confirmed' ? paid.data.tid_hash : paid.data.tx_hash;
  await using sandbox = await startSandbox({ chains: ['polygon'] });
  const { emails } = await sandbox.inbox({ to: 'a@example.com' });
  await sandbox.fault({ endpoint: 'pay.execute', kind: '503' });
  const { status } = await sandbox.trigger({ state: 'success' });
  return hash + (emails[0]?.code ?? '') + status;
};
`,
    );
    expect(output).toBe('');
  });

  it.each([
    { name: 'a misspelt field', code: "void client.quote.market({ form: 'ETH' });" },
    { name: 'a missing field', code: "void client.pay.execute({ payment_id: 'p' });" },
    {
      name: 'an undocumented word',
      code: "void client.pay.transaction({ payment_id: 'p', transaction_type: 'cash', payer_email: 'a@b.c' });",
    },
    { name: 'data before the check of ok', code: 'void client.quote.market({}).then((result) => result.data.price);' },
    {
      name: 'an unknown state of the sandbox',
      code: "void startSandbox().then((one) => one.trigger({ state: 'lost' }));",
    },
  ])('refuse $name', async ({ code }) => {
    expect(await compile('bad.ts', code)).toMatch(/^bad\.ts\(4,/);
  });

  it('compile by themselves, without the check of libraries switched off', async () => {
    expect(await compile('empty.ts', 'export { client, startSandbox };\nexport type { PayTransactionResult };')).toBe(
      '',
    );
  });
});
