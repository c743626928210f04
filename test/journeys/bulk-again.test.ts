import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bulkIn,
  HEADER,
  lastOf,
  lineOf,
  newReceiver,
  refusingExecute,
  rowsTo,
  startBulkJourney,
  TENANT,
} from '../support/bulk.ts';
import type { Journey, Meddler } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startBulkJourney();
});

afterAll(() => journey.end());

const { fileOf, csvOf, bulk } = bulkIn(() => journey);

/** An output without the line ends of a narrow terminal. */
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('a corrected row whose payment exists', () => {
  it('is advised to go back to what may have been sent, with both values', async () => {
    const to = newReceiver();
    const rows = rowsTo('sent', to, ['1.50']);
    const path = await csvOf(rows);
    await journey.through(
      refusingExecute(() => true),
      () => bulk(path, '--doubt-wait', '0'),
    );
    const other = newReceiver();
    const { code, stderr } = await bulk(await csvOf(rows.map((row) => ({ ...row, amount: '1.51', to: other }))));
    expect(code).toBe(2);
    expect(inOneLine(stderr)).toContain(
      `which may have been sent, with amount_from 1.50, split ${to}=100; the row now has amount_from 1.51, split ${other}=100. ` +
        `Put amount_from 1.50, split ${to}=100 back. Another id pays the receiver a second time`,
    );
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(1.5);
  });

  it('may have another id only if the payment moved nothing', async () => {
    const to = newReceiver();
    const rows = rowsTo('open', to, ['1']);
    const refusing: Meddler = async ({ path }, forward) =>
      path.includes('create-transaction') ? { status: 503, body: 'no' } : forward();
    await journey.through(refusing, async () => bulk(await csvOf(rows)));
    const { code, stderr } = await bulk(await csvOf(rows.map((row) => ({ ...row, amount: '2' }))));
    expect(code).toBe(2);
    expect(inOneLine(stderr)).toContain(
      'which moved nothing yet, with amount_from 1; the row now has amount_from 2. Put amount_from 1 back, or give the row another id',
    );
  });
});

describe('a row that is paid', () => {
  it('is skipped without the key of its wallet, and a row that is not paid needs it', async () => {
    const to = newReceiver();
    const rows = rowsTo('keyless', to, ['1', '1']);
    expect((await bulk(await csvOf(rows.slice(0, 1)))).code).toBe(0);
    const { code, statuses, stdout } = await bulk(await csvOf(rows.slice(0, 1)), '--key', 'second');
    expect([code, statuses, stdout]).toEqual([0, ['keyless-1 skipped'], expect.stringContaining('"skipped":1')]);
    const none = await journey.bursar([...TENANT, 'pay', 'bulk', await csvOf(rows.slice(0, 1)), '--yes']);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('"status":"skipped"')]);
    const named = await fileOf([`${HEADER},key`, ...rows.slice(0, 1).map((row) => lineOf({ ...row, more: ',payer' }))]);
    expect((await bulk(named, '--key', 'second')).statuses).toEqual(['keyless-1 skipped']);
    // Its content is compared as before.
    const other = await bulk(await csvOf(rows.map((row) => ({ ...row, amount: '2' }))), '--key', 'second');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('was paid on')]);

    const path = await csvOf(rows.slice(1));
    await journey.through(
      refusingExecute(() => true),
      () => bulk(path, '--doubt-wait', '0'),
    );
    const open = await bulk(path, '--key', 'second');
    expect([open.code, inOneLine(open.stderr)]).toEqual([2, expect.stringContaining('add the key of that wallet')]);
    expect((await bulk(await csvOf(rows))).code).toBe(0);
    expect(await journey.balance(to)).toBe(2);
  });

  it('is skipped while its wallet is held', async () => {
    const to = newReceiver();
    const rows = rowsTo('free', to, ['1', '1']);
    expect((await bulk(await csvOf(rows.slice(0, 1)))).code).toBe(0);
    const path = await csvOf(rows.toReversed());
    const { changes } = await journey.through(
      refusingExecute(() => true),
      () => bulk(path, '--doubt-wait', '0'),
    );
    expect(lastOf(changes, 'free-1')?.status).toBe('skipped');
    expect((await bulk(path)).code).toBe(0);
  });
});
