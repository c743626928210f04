import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { documentsIn, newQueue, newRows } from '../../support/queue.ts';

const canRun = canRunPostgres('workers whose rows wait');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const PIX =
  'id,transaction_type,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,payer_cpf';

describe.runIf(canRun)('a worker', () => {
  it('with --until-empty does not wait for the payer of a Pix, and ends with 8', async () => {
    const { put, work, status, journal, testCase } = await newQueue(sandbox);
    const email = 'pix.queue@example.com';
    await testCase.bursar(['kyc', 'prepare', '--email', email]);
    await testCase.bursar(['sandbox', 'kyc', email, '--approve']);
    const rows = newRows('crypto', 2);
    const path = join(testCase.home, 'pix.csv');
    const line = `pix-1,pixcrypto,10.00,BRL,USDT,polygon,${rows[0]?.to}=100,${email},529.982.247-25`;
    await writeFile(path, `${PIX}\n${line}\n`);
    const to = ['--queue', journal.url, '--batch', 'May', '--key', 'payer', '--yes', '--json'];
    const first = await testCase.bursar(['pay', 'bulk', path, ...to]);
    expect(first.code, first.stderr).toBe(0);
    await put('June', rows);
    const shown = await work();
    expect([shown.code, shown.stderr]).toEqual([8, expect.stringContaining('Pix rows that wait for their payers: 1')]);
    const pix = documentsIn(shown.stdout).findLast(({ id }) => id === 'pix-1');
    expect(pix).toMatchObject({ status: 'pending', exit: 8, pix_code: expect.stringMatching(/^000201/) });
    expect(await status('June')).toMatchObject({ paid: 2 });
    // A worker that did not show the code does not wait either.
    expect((await work()).code).toBe(8);
    await testCase.bursar(['sandbox', 'pix', String(pix?.['payment_id']), '--pay']);
    const last = await work();
    expect([last.code, (await status('May'))['paid']], last.stdout + last.stderr).toEqual([0, 1]);
  });

  it('gives the rows back once that were started with a wallet in doubt, and pays the others with another wallet', async () => {
    const { put, start, work, names, testCase, status, receivedBy } = await newQueue(sandbox, { wallets: 2 });
    const [rows, others] = [newRows('both', 8), newRows('one', 8)];
    let first: string | undefined;
    testCase.proxy.set({
      faultOf: ({ path, text }) => {
        if (!path.includes('on-chain')) return undefined;
        first ??= text.split('\r\n\r\n')[1];
        return text.endsWith(first ?? '') ? 'HTML 502 before' : undefined;
      },
    });
    await put('May', rows);
    const worker = start(testCase, ['--doubt-wait', '1', '--timeout', '20']);
    await worker.until(/"status":"in_doubt"/);
    // Only the wallet in doubt may pay some of them.
    for (const name of names)
      await put(name, others.slice(name === 'payer' ? 0 : 4, name === 'payer' ? 4 : 8), '--key', name);
    await worker.until(/(?:"status":"paid"[\s\S]*){8}/);
    // A job that was given back is visible again after a second.
    await sleep(5_000);
    worker.child.kill('SIGINT');
    const { code, stdout, stderr } = await worker.ended;
    expect(code, stderr).toBe(11);
    const changes = documentsIn(stdout).filter(({ status: state }) => state === 'held' || state === 'in_doubt');
    expect(new Set(changes.map(({ id }) => id)).size, stdout).toBe(changes.length);
    expect(Number((await status('May'))['paid'])).toBeGreaterThan(3);
    testCase.proxy.set({});
    expect((await work()).code).toBe(0);
    expect(await receivedBy([...rows, ...others])).toEqual([...rows, ...others].map(() => 1));
  });

  it('with --until-empty gives the rows of a wallet in doubt back once, and ends with 11', async () => {
    const { put, work, testCase, status, receivedBy } = await newQueue(sandbox, { wallets: 2 });
    const rows = newRows('doubt', 8);
    testCase.proxy.set({ faultOf: ({ path }) => (path.includes('on-chain') ? 'HTML 502 before' : undefined) });
    await put('May', rows, '--key', 'payer');
    const { code, stdout, stderr } = await work(['--doubt-wait', '1', '--timeout', '20']);
    expect(code, stderr).toBe(11);
    const held = documentsIn(stdout).filter((each) => each['status'] === 'held');
    expect(held.length).toBeGreaterThan(0);
    expect(new Set(held.map(({ id }) => id)).size).toBe(held.length);
    expect(await status('May')).toMatchObject({ in_doubt: 1, paid: 0 });
    testCase.proxy.set({});
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual(rows.map(() => 1));
  });
});
