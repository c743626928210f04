import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bulkIn,
  changesIn,
  FULL_DISK,
  HEADER,
  lastOf,
  lineOf,
  newReceiver,
  onesTo,
  REFUSED,
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

  it('is skipped with a note if it was paid with other values beside the payment', async () => {
    const to = newReceiver();
    const header = `${HEADER},webhook_url,allow`;
    const line = (email: string, more: string): string =>
      lineOf({ id: 'note-1', amount: '1', to, more }).replace('payer@example.com', email);
    const path = await fileOf([header, line('payer@example.com', ',https://shop.example/a,crypto')]);
    expect((await bulk(path)).statuses).toEqual(['note-1 paid']);
    const noteOf = async (email: string, more: string): Promise<unknown> => {
      const { changes } = await bulk(await fileOf([header, line(email, more)]));
      expect(changes).toMatchObject([{ status: 'skipped' }]);
      return changes[0]?.['note'];
    };
    expect(await noteOf('Payer@Example.com', ',https://shop.example/a,crypto')).toBeUndefined();
    expect(await noteOf('other@example.com', ',https://shop.example/a,crypto')).toBe(
      'payer_email differs from what was paid',
    );
    expect(await noteOf('payer@example.com', ',https://shop.example/b,crypto;pixcrypto')).toBe(
      'webhook_url, allow differ from what was paid',
    );
    expect(await journey.balance(to)).toBe(1);
    const folder = join(journey.home, 'state', 'journal');
    const names = await readdir(folder);
    const texts = await Promise.all(
      names.filter((name) => name.endsWith('.ndjson')).map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(texts.join('')).toMatch(/"others":\{"payer_email":"[0-9a-f]{16}",/);
    expect(texts.join('')).not.toMatch(/payer@example\.com|shop\.example\/a/);
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

describe('a row whose payment ended in error', () => {
  it('is counted apart, is not asked for, and has no next command when nothing else is left', async () => {
    const to = newReceiver();
    const rows = rowsTo('ended', to, ['1', '2']);
    const path = await csvOf(rows.slice(0, 1));
    await journey.bursar(['sandbox', 'fault', 'pay.execute', 'finalizer_payment_order_on_chain_failed']);
    const first = await bulk(path);
    expect([first.code, first.statuses]).toEqual([13, ['ended-1 failed']]);
    const id = String(first.changes[0]?.['payment_id']);
    // Nothing is left to confirm.
    const again = await journey.bursar([...TENANT, 'pay', 'bulk', path, '--key', 'payer']);
    expect([again.code, changesIn(again.stdout)]).toMatchObject([13, [{ status: 'failed', exit: 12, payment_id: id }]]);
    for (const { stderr } of [first, again]) {
      expect(inOneLine(stderr)).toContain('If no money moved, give its row another id.');
      expect(stderr).toContain(`next: bursar pay show ${id} --profile sandbox\n`);
      expect(stderr).not.toContain('The same command');
    }
    const checked = await bulk(await csvOf(rows), '--check', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ...{ rows: 2, to_pay: 1, failed_before: 1, already_paid: 0 },
      totals: [{ rows: 1, amount: '2' }],
    });
    // Another row that failed is tried again.
    const refusing: Meddler = async ({ path: called }, forward) =>
      called.includes('create-order') ? { status: 400, body: REFUSED } : forward();
    const both = await journey.through(refusing, async () => bulk(await csvOf(rows)));
    expect(both.code).toBe(13);
    expect(inOneLine(both.stderr)).toMatch(
      /pay show pay_.* give its row another id. The same command tries the others/,
    );
    expect(both.stderr).toMatch(/next: bursar --profile sandbox pay bulk /);
  });
});

describe('many rows that ended in error in an earlier run', () => {
  it('do not keep later runs from the rows behind them', async () => {
    const to = newReceiver();
    const path = await csvOf(onesTo('behind', to, 24));
    await journey.bursar('sandbox fault pay.execute finalizer_payment_order_on_chain_failed --count 20'.split(' '));
    const first = await bulk(path, '--concurrency', '1');
    expect([first.code, first.stderr]).toEqual([13, expect.stringContaining('20 rows failed or are in doubt')]);
    const again = await bulk(path);
    expect([again.code, again.stderr]).toEqual([13, expect.not.stringContaining('one after another')]);
    expect(await journey.balance(to)).toBe(4);
  });
});

describe('a run that stops', () => {
  it('ends with 8 if a payment was started before, and names the same command', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('part', to, ['1', '1', '1']));
    const results = join(journey.home, 'part.ndjson');
    const args = [...TENANT, 'pay', 'bulk', path, '--key', 'payer', '--yes', '--max-total', '9=USDT'];
    const env = { NODE_OPTIONS: `--import=${FULL_DISK}`, BURSAR_TEST_FULL: results };
    const { code, stderr } = await journey.bursar([...args, '--results', results], { env });
    expect(code).toBe(8);
    expect(inOneLine(stderr)).toMatch(/the run stopped: .*part\.ndjson.*\(\d paid/);
    expect(stderr).toMatch(/next: bursar --profile sandbox pay bulk /);
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(3);
  });

  it('ends with 2 if nothing was started', async () => {
    const path = await csvOf(rowsTo('unstarted', newReceiver(), ['1']));
    const args = [...TENANT, 'pay', 'bulk', path, '--key', 'payer', '--yes', '--max-total', '1=USDT'];
    const { code, stderr } = await journey.bursar(args, { env: { BURSAR_KEY_PASSWORD: 'wrong' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('password')]);
  });

  it('names the same command, not the resume of one payment', async () => {
    const path = await csvOf(rowsTo('limited', newReceiver(), ['1', '1']));
    const limiting: Meddler = async ({ path: called }, forward, response) => {
      if (!called.includes('create-transaction')) return forward();
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'text/plain' }).end('slow down');
      return undefined;
    };
    const { stderr } = await journey.through(limiting, () => bulk(path));
    expect(inOneLine(stderr)).toContain('the run stopped');
    expect(stderr).toMatch(/next: bursar --profile sandbox pay bulk /);
    expect((await bulk(path)).code).toBe(0);
  });
});

describe('rows that are held', () => {
  it('are in the data by wallet, and the message counts the other doubts', async () => {
    const to = newReceiver();
    const rows = rowsTo('held', to, ['1', '1', '1', '1']).map((row, at) => ({
      ...row,
      more: at < 2 ? ',payer' : ',second',
    }));
    const path = await fileOf([`${HEADER},key`, ...rows.map(lineOf)]);
    const all = ['--key', 'payer,second', '--doubt-wait', '1'];
    const { code, stdout } = await journey.through(
      refusingExecute(() => true),
      () => bulk(path, ...all, '--json'),
    );
    expect(code).toBe(11);
    const { message, data, hint } = JSON.parse(
      stdout.split('\n').find((line) => line.startsWith('{"error"')) ?? '',
    ).error;
    expect(message).toMatch(/row \d \(held-\d, payment pay_\w+\) is in doubt, and so is 1 other payment\. /);
    expect(hint).toContain('2 rows are held behind them, in 2 wallets.');
    expect(data.doubtful).toHaveLength(2);
    expect(data.held).toBe(2);
    const wallets = data.held_rows.map(({ wallet, rows: own }: { wallet: string; rows: object[] }) => [
      wallet,
      own.length,
    ]);
    expect(wallets).toHaveLength(2);
    expect(wallets).toContainEqual([journey.address, 1]);
    expect((await bulk(path, ...all)).code).toBe(0);
    expect(await journey.balance(to)).toBe(4);
  });
});

describe('the names of chains in a file', () => {
  it('are warned of once each, as by pay run', async () => {
    const to = newReceiver();
    const lines = rowsTo('name', to, ['1', '1', '1']).map((row) => lineOf(row).replace('polygon', 'polgon'));
    const { code, stderr } = await bulk(await fileOf([HEADER, ...lines]), '--check');
    expect(code).toBe(0);
    expect(inOneLine(stderr).match(/polgon is not a known name\. Did you mean polygon\?/g)).toHaveLength(1);
    expect(inOneLine(stderr)).toContain('row 1: --to-chain: polgon');
  });
});
