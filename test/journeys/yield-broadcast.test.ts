import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SOLANA_GENESIS } from '../../src/contract/chains.ts';
import { newHomeInProcess } from '../support/in-process.ts';
import { envelope, startServer } from '../support/server.ts';
import { signedMemo } from '../support/signed-memo.ts';

const [FIRST, SECOND] = [signedMemo('first'), signedMemo('second')];
const GOOD = 'broadcast_operation_yield_strategy_ok';

/** A live service that returns the hash of the last transaction, and the journal at the time of each call. */
const start = async () => {
  const { home, bursar } = await newHomeInProcess();
  const onDisk: string[][] = [];
  const journal = async (): Promise<string[]> => {
    const folder = join(home, 'state', 'journal');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
    const lines = (await readFile(join(folder, names[0] ?? ''), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).step);
  };
  const service = await startServer(async (received, response) => {
    onDisk.push(await journal());
    const { op_signed } = JSON.parse(received.body) as { op_signed: string | string[] };
    const last = [op_signed].flat().at(-1);
    const { hash } = last === FIRST.base64 ? FIRST : SECOND;
    return envelope(200, GOOD, { data: { status: 1, transactionHash: hash } })(received, response);
  });
  const body = JSON.stringify({ chain_name: 'solana', op_signed: [FIRST.base64, SECOND.base64] });
  const run = (...more: readonly string[]) =>
    bursar(['yield', 'broadcast', '--body', '-', '--yes', ...more], {
      stdin: body,
      env: { BURSAR_BASE_URL: service.url, BURSAR_API_KEY: 'k' },
    });
  const json = async (...more: readonly string[]) => {
    const { code, stdout } = await run(...more, '--json');
    return { code, data: JSON.parse(stdout) };
  };
  const sent = () => service.received.map((each) => JSON.parse(each.body).op_signed);
  const open = async () => JSON.parse((await bursar(['yield', 'list', '--open', '--json'])).stdout);
  return { run, json, sent, onDisk, open };
};

const ACCOUNT = { lamports: 10 ** 9, owner: '11111111111111111111111111111111', data: ['', 'base64'] };

const nodeWith = async (landed: readonly string[], err: unknown = null): Promise<readonly string[]> => {
  const { url } = await startServer(({ body }, response) => {
    const { method, params } = JSON.parse(body);
    const shown = landed.includes(params[0]?.[0]) ? { confirmationStatus: 'finalized', err } : null;
    const results: Readonly<Record<string, unknown>> = {
      getGenesisHash: SOLANA_GENESIS.live,
      getMultipleAccounts: { value: [ACCOUNT] },
      simulateTransaction: { value: { err: null, accounts: [ACCOUNT] } },
      isBlockhashValid: { value: true },
      getSignatureStatuses: { value: [shown] },
    };
    response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }));
  });
  return ['--rpc-url', url];
};

test('two transactions in one call are recorded before; without a node only the returned hash has landed: exit 11', async () => {
  const { json, sent, onDisk } = await start();
  expect(await json()).toMatchObject({
    code: 11,
    data: { error: { data: { landed: [SECOND.hash], hash: FIRST.hash, live: true } } },
  });
  expect(sent()).toEqual([[FIRST.base64, SECOND.base64]]);
  const both = (step: string) => [step, step];
  expect(onDisk).toEqual([['begun', ...['reviewed', 'signed_part', 'broadcasting'].flatMap(both)]]);
});

test('with a node two landed transactions are exit 0, and one missing transaction is exit 11', async () => {
  const { json } = await start();
  expect(await json(...(await nodeWith([FIRST.hash, SECOND.hash])))).toMatchObject({
    code: 0,
    data: { status: 1, transactionHash: SECOND.hash },
  });
  const other = await start();
  expect((await other.json(...(await nodeWith([SECOND.hash])))).code).toBe(11);
});

test('--one-by-one sends the second transaction after the first has landed', async () => {
  const { json, sent, onDisk } = await start();
  expect(await json('--one-by-one')).toMatchObject({ code: 0, data: { transactionHash: SECOND.hash } });
  expect(sent()).toEqual([FIRST.base64, SECOND.base64]);
  expect(onDisk.at(-1)?.slice(-3)).toEqual(['broadcasting', 'landed', 'broadcasting']);
});

test('--one-by-one stops with exit 12 when a node shows that the first transaction failed', async () => {
  const { json, sent, onDisk, open } = await start();
  const node = await nodeWith([FIRST.hash], { InstructionError: [0, 'Custom'] });
  expect(await json('--one-by-one', ...node)).toMatchObject({
    code: 12,
    data: { error: { code: 'payment_failed', data: { hash: FIRST.hash, live: false } } },
  });
  expect(sent()).toEqual([FIRST.base64]);
  expect(onDisk.at(-1)?.at(-1)).toBe('broadcasting');
  expect(await open()).not.toContainEqual(expect.objectContaining({ state: 'in_doubt' }));
});

test('--curl prints the exact request, and sends nothing', async () => {
  const { run, sent } = await start();
  const together = (await run('--curl')).stdout;
  expect(together).toContain(`"op_signed":["${FIRST.base64}","${SECOND.base64}"]`);
  const apart = (await run('--curl', '--one-by-one')).stdout;
  expect(apart.match(/"op_signed":"/g)).toHaveLength(2);
  expect(apart).toContain("jq -e '.data.status == 1' &&");
  for (const script of [together, apart]) await promisify(execFile)('bash', ['-n', '-c', script]);
  const shown = JSON.parse((await run('--dry-run', '--one-by-one', '--json')).stdout);
  expect(shown).toHaveLength(2);
  expect(sent()).toEqual([]);
});
