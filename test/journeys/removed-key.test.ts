import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Journey, PAYMENT, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

describe('a key with an unfinished payment', () => {
  it('is removed with a warning; a resume names its wallet, and completes after the key is back', async () => {
    await journey.bursar(['sandbox', 'fault', 'pay.execute', 'unavailable']);
    const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
    await journey.bursar(['sandbox', 'fault', 'pay.transaction', '500']);
    const failed = await journey.json(run);
    expect(failed.code).not.toBe(0);
    const { next } = failed.data['error'] as unknown as { next: string };
    const file = join(journey.home, 'keys', 'payer.json');
    const kept = await readFile(file, 'utf8');
    const removed = await journey.bursar(['key', 'remove', 'payer', '--yes']);
    expect(removed.stderr).toContain('this key signs what is not finished: 1 (bursar pay list --open)');
    const resume = [...next.split(' ').slice(1), '--yes'];
    const lost = await journey.bursar(resume);
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain(journey.address);
    expect(lost.stderr).toContain('bursar key import');
    await writeFile(file, kept, { mode: 0o600 });
    expect(await journey.json(resume)).toMatchObject({ code: 0, data: { status: 'success' } });
    expect((await journey.bursar(['key', 'remove', 'payer', '--yes'])).stderr).not.toContain('not finished');
    await writeFile(file, kept, { mode: 0o600 });
  });

  it('is removed with a warning too when a transaction waits for its signature', async () => {
    const { data } = await journey.json(['pay', 'register', '--body', 'payment.json']);
    const payer = ['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
    const step = ['pay', 'transaction', String(data['payment_id']), '--transaction-type', 'crypto'];
    expect((await journey.bursar([...step, '--payer-email', 'payer@example.com', ...payer])).code).toBe(0);
    const removed = await journey.bursar(['key', 'remove', 'payer', '--yes']);
    expect(removed.stderr).toContain('this key signs what is not finished: 1 (bursar pay list --state created)');
  });
});
