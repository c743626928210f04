import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bulkIn,
  changesIn,
  FULL_DISK,
  HEADER,
  isExecute,
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
import { startBursar } from '../support/bursar.ts';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import type { Journey, Meddler } from '../support/journey.ts';
import { interruptedAt } from '../support/kill-at.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startBulkJourney();
});

afterAll(() => journey.end());

const { fileOf, csvOf, bulk } = bulkIn(() => journey);

describe('pay bulk', () => {
  it('pays each row once, and skips it afterwards, however the file is sorted and written', async () => {
    const to = newReceiver();
    const rows = rowsTo('once', to, ['1', '2', '3']);
    const path = await csvOf(rows);
    const results = join(journey.home, 'once.ndjson');
    const first = await bulk(path, '--results', results);
    expect(first.code).toBe(0);
    expect(first.statuses).toEqual(['once-1 paid', 'once-2 paid', 'once-3 paid']);
    expect(first.stdout).toContain(
      '{"summary":{"rows":3,"paid":3,"skipped":0,"failed":0,"in_doubt":0,"held":0,"pending":0}}',
    );
    expect(await journey.balance(to)).toBe(6);
    const written = changesIn(await readFile(results, 'utf8'));
    expect(written).toHaveLength(3);
    const [one] = written;
    expect(Object.keys(one ?? {})).toEqual(['row', 'id', 'status', 'payment_id', 'tid_hash', 'exit', 'error']);
    expect(one).toMatchObject({
      exit: 0,
      error: null,
      payment_id: expect.stringMatching(/^pay_/),
      tid_hash: expect.stringMatching(/^0x/),
    });

    const quoted = rows.map((row) =>
      lineOf(row)
        .split(',')
        .map((cell) => `"${cell}"`)
        .join(','),
    );
    const again = await bulk(await fileOf([HEADER, ...quoted.toReversed()], 'csv', '\r\n'), '--results', results);
    expect(again.code).toBe(0);
    expect(again.statuses).toEqual(['once-1 skipped', 'once-2 skipped', 'once-3 skipped']);
    expect(again.changes[0]?.['paid_at']).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(await journey.balance(to)).toBe(6);

    const json = rows.map(({ id, amount }) =>
      JSON.stringify({
        split: [`${to}=100`],
        payer_email: 'payer@example.com',
        to_chain: 'polygon',
        amount_from: Number(amount),
        from_currency_symbol: 'USDT',
        to_currency_symbol: 'USDT',
        id,
      }),
    );
    const asJson = await bulk(await fileOf(json, 'ndjson'));
    expect(asJson.statuses).toEqual(again.statuses);
    expect(await journey.balance(to)).toBe(6);
  });

  it('keeps the ids of batches apart', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('batch', to, ['1']));
    expect((await bulk(path, '--batch', 'a')).statuses).toEqual(['batch-1 paid']);
    expect((await bulk(path, '--batch', 'b')).statuses).toEqual(['batch-1 paid']);
    expect((await bulk(path, '--batch', 'a')).statuses).toEqual(['batch-1 skipped']);
    expect(await journey.balance(to)).toBe(2);
  });

  it('refuses a row whose id was paid with other content', async () => {
    const to = newReceiver();
    const [row] = rowsTo('other', to, ['1']);
    if (row === undefined) throw new Error('no row');
    await bulk(await csvOf([row]));
    const { code, stderr, stdout } = await bulk(await csvOf([{ ...row, amount: '2' }]));
    expect(code).toBe(2);
    expect(stdout).toBe('');
    const day = new Date().toISOString().slice(0, 10);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `line 2, other-1, id: is the id of payment pay_\\w+, which was paid on ${day}, with amount_from 1; the row now has amount_from 2. ` +
          'Put amount_from 1 back. Another id pays the receiver a second time',
      ),
    );
    expect(stderr).not.toContain('give the row another id');
    expect(await journey.balance(to)).toBe(1);
  });

  it('names each wrong row with its line and column, and sends nothing', async () => {
    const to = newReceiver();
    const path = await fileOf([
      HEADER,
      lineOf({ id: 'good', amount: '1', to }),
      lineOf({ id: 'amount', amount: '-1', to }),
      lineOf({ id: 'to', amount: '1', to: '0x12' }),
      lineOf({ id: 'good', amount: '1', to }),
      lineOf({ id: 'a/b', amount: '1', to }),
      lineOf({ id: 'fine', amount: '1.0000001', to }),
      lineOf({ id: 'zero', amount: '0.00', to }),
    ]);
    const results = join(journey.home, 'wrong.ndjson');
    const { code, stderr } = await bulk(path, '--results', results);
    expect(code).toBe(2);
    expect(stderr).toContain('nothing was sent: 6 of 7 rows are wrong');
    expect(stderr).toMatch(/line 3, amount, amount_from: /);
    expect(stderr).toMatch(/line 4, to, split: /);
    expect(stderr).toContain('line 5, good, id: the id is that of row 1');
    expect(stderr).toContain('line 6, a/b, id: must have no slash');
    expect(stderr).toMatch(/line 7, fine, amount_from: must have at most 6 decimals/);
    expect(stderr).toContain('line 8, zero, amount_from: must be above 0');
    const written = changesIn(await readFile(results, 'utf8'));
    expect(written.map(({ row, status }) => [row, status])).toEqual([2, 3, 4, 5, 6, 7].map((row) => [row, 'invalid']));
    expect(await journey.balance(to)).toBe(0);
  });

  it('names a missing key once, not for each row', async () => {
    const path = await csvOf(rowsTo('no-key', newReceiver(), ['1', '1']));
    const { code, stderr } = await journey.bursar([...TENANT, 'pay', 'bulk', path, '--check']);
    expect(code).toBe(2);
    expect(stderr.match(/required, for there are several/g)).toHaveLength(1);
    expect(stderr).toContain('no key signs the rows');
  });

  it('checks without sending, and shows totals and the largest row', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('check', to, ['1', '2.5']));
    const { code, stdout } = await bulk(path, '--check', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      to_pay: 2,
      already_paid: 0,
      failed_before: 0,
      totals: [{ method: 'crypto', chain: 'polygon', token: 'USDT', rows: 2, amount: '3.5' }],
      largest: [{ row: 2, id: 'check-2', amount: '2.5', token: 'USDT' }],
      keys: ['payer'],
    });
    expect(await journey.balance(to)).toBe(0);
  });

  it('needs a limit for each token and --yes outside a terminal, and pays nothing above a limit', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('limit', to, ['1', '2']));
    const run = (...options: readonly string[]) =>
      journey.bursar([...TENANT, 'pay', 'bulk', path, '--key', 'payer', ...options]);
    const none = await run('--yes');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--max-total: required: the rows pay 3 USDT');
    expect(none.stderr).not.toContain('--yes: required');
    expect(none.stderr).toMatch(/next: bursar --profile sandbox pay bulk .* --yes --max-total 3=USDT\n/);
    const neither = await run();
    expect(neither.code).toBe(2);
    expect(neither.stderr).toContain('--max-total: required: the rows pay 3 USDT');
    expect(neither.stderr).toContain('--yes: required: confirms the payments');
    expect(neither.stderr).toMatch(/next: .* --max-total 3=USDT --yes\n/);
    for (const options of [
      ['--check', '--max-total', '2.99=USDT'],
      ['--check', '--max-total', '2.99=usdt', '--yes'],
    ])
      expect((await run(...options)).code).toBe(10);
    expect((await run('--check', '--max-total', '3=USDT')).code).toBe(0);
    const low = await run('--yes', '--max-total', '2.99=USDT');
    expect(low.code).toBe(10);
    expect(low.stderr).toContain('the rows pay 3 USDT, and --max-total is 2.99 USDT');
    const unsure = await run('--max-total', '3=USDT');
    expect(unsure.code).toBe(2);
    expect(unsure.stderr).toContain('confirmation');
    expect(await journey.balance(to)).toBe(0);
    expect((await run('--yes', '--max-total', '3=usdt')).code).toBe(0);
    expect(await journey.balance(to)).toBe(3);
  });

  it('takes the limit of the fees from the command line only', async () => {
    const to = newReceiver();
    const [row] = rowsTo('fee', to, ['1']);
    if (row === undefined) throw new Error('no row');
    const raised = await bulk(await fileOf([`${HEADER},fee_at_most`, lineOf({ ...row, more: ',1000' })]));
    expect(raised.code).toBe(2);
    expect(raised.stderr).toContain('unknown column fee_at_most');
    const low = await bulk(await csvOf([row]), '--fee-at-most', '0.0000001');
    expect(low.code).toBe(13);
    expect(lastOf(low.changes, 'fee-1')).toMatchObject({
      status: 'failed',
      exit: 10,
      payment_id: expect.stringMatching(/^pay_/),
      tid_hash: null,
      error: { errors: [{ field: expect.stringMatching(/fee/), message: expect.stringContaining('0.0000001') }] },
    });
    expect(await journey.balance(to)).toBe(0);
  });

  it('refuses rows that the wallet cannot pay', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('poor', to, ['1', '50000']));
    const { code, stderr } = await bulk(path, '--max-total', '60000=USDT');
    expect(code).toBe(10);
    expect(stderr).toMatch(/payer hold \S+ USDT on polygon, and the rows pay 50001 USDT/);
    expect(stderr).toContain('next: bursar sandbox fund payer --chain polygon --token USDT --amount');
    expect(await journey.balance(to)).toBe(0);
  });

  it('counts a token of a similar name apart, and checks the balances of the others', async () => {
    const to = newReceiver();
    const similar = (id: string, amount: string) =>
      `${id},${amount},U\u017fDT,U\u017fDT,polygon,${to}=100,payer@example.com`;
    const path = await fileOf([HEADER, similar('similar-1', '1000')]);
    const { code, stderr } = await bulk(path, '--max-total', '1=USDT');
    expect(code).toBe(2);
    expect(stderr).toContain('--max-total: required: the rows pay 1000 U\u017fDT');
    const both = await fileOf([HEADER, similar('similar-1', '1'), lineOf({ id: 'similar-2', amount: '50000', to })]);
    const poor = await bulk(both, '--check');
    expect(poor.code).toBe(10);
    expect(poor.stderr).toContain('and the rows pay 50000 USDT');
  });

  it('refuses rows that a policy of the key forbids, one by one and in sum', async () => {
    const { home, ask, bursar } = journey;
    const { address } = await newEvmKey(home, 'limited');
    await ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    await bursar(['key', 'policy', 'set', 'limited', 'most_per_transaction.USDT=2', 'most_per_day.USDT=3']);
    const to = newReceiver();
    const one = await bulk(await csvOf(rowsTo('policy', to, ['1', '2.5'])), '--key', 'limited');
    expect(one.code).toBe(10);
    expect(one.stderr).toMatch(/line 3, policy-2.*most_per_transaction/);
    const sum = await bulk(await csvOf(rowsTo('policy', to, ['2', '1.5'])), '--key', 'limited');
    expect(sum.code).toBe(10);
    expect(sum.stderr).toContain('the rows pay 3.5 USDT from limited; most_per_day.USDT is 3');
    expect(await journey.balance(to)).toBe(0);
    const fits = await bulk(await csvOf(rowsTo('policy', to, ['2', '1'])), '--key', 'limited');
    expect(fits.code).toBe(0);
    expect(await journey.balance(to)).toBe(3);
  });

  it('stops when a row changes after the check', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('change', to, ['1', '1', '1', '1', '1', '1', '1', '1']));
    let isChanged = false;
    const changing: Meddler = async (_, forward) => {
      if (!isChanged) {
        isChanged = true;
        await appendFile(path, `${lineOf({ id: 'late', amount: '9', to })}\n`);
      }
      return forward();
    };
    const { code, stderr } = await journey.through(changing, () => bulk(path));
    expect(code).toBe(2);
    expect(stderr).toContain('chang');
    expect(await journey.balance(to)).toBeLessThan(9);
  });

  it('settles a row whose answer was lost by reading back, and pays it once', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('lost', to, ['1', '2']));
    await journey.bursar(['sandbox', 'fault', 'pay.execute', 'drop_after']);
    const { code, statuses } = await bulk(path);
    expect(code).toBe(0);
    expect(statuses).toEqual(['lost-1 paid', 'lost-2 paid']);
    expect(await journey.balance(to)).toBe(3);
  });

  it('reports a payment that shows another transaction as in doubt', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('shown', to, ['1']));
    const lying: Meddler = async ({ path: called, method }, forward) => {
      const answer = await forward();
      const isRead = method === 'GET' && called.includes('pay_');
      return isRead
        ? { ...answer, body: answer.body.replace(/"tid_hash":"0x\w+"/, `"tid_hash":"0x${'ab'.repeat(32)}"`) }
        : answer;
    };
    const { code, changes, stderr } = await journey.through(lying, () => bulk(path, '--doubt-wait', '1'));
    expect(code).toBe(11);
    expect(lastOf(changes, 'shown-1')).toMatchObject({ status: 'in_doubt', exit: 11 });
    expect(stderr).toContain('money may have moved');
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(1);
  });

  it('ends with the doubt when the results cannot be written', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('full', to, ['1', '1', '1', '1']));
    const results = join(journey.home, 'full.ndjson');
    let doubtful = '';
    const meddler = refusingExecute((body) => {
      const id = String(JSON.parse(body).payment_id);
      doubtful ||= id;
      return id === doubtful;
    });
    const { code, stderr } = await journey.through(meddler, () => {
      const args = [...TENANT, 'pay', 'bulk', path, '--key', 'payer', '--yes', '--max-total', '900=USDT'];
      const env = { NODE_OPTIONS: `--import=${FULL_DISK}`, BURSAR_TEST_FULL: results };
      return journey.bursar([...args, '--results', results], { env });
    });
    expect(code).toBe(11);
    expect(stderr).toContain(`payment ${doubtful}) is in doubt`);
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(4);
  });

  it('holds the wallet of a row in doubt, lets other wallets go on, and settles it first in the next run', async () => {
    const to = newReceiver();
    const rows = rowsTo('doubt', to, ['1', '1', '1', '1', '1', '1']).map((row, at) => ({
      ...row,
      more: at < 4 ? ',payer' : ',second',
    }));
    const path = await fileOf([`${HEADER},key`, ...rows.map(lineOf)]);
    const all = ['--key', 'payer,second', '--doubt-wait', '1'];
    const before = await journey.signatures();
    let doubtful = '';
    const meddler = refusingExecute((body) => {
      const id = String(JSON.parse(body).payment_id);
      if (doubtful === '') doubtful = id;
      return id === doubtful;
    });
    const { code, stderr, changes } = await journey.through(meddler, () => bulk(path, ...all));
    expect(code).toBe(11);
    const states = rows.map(({ id }) => lastOf(changes, id)?.status);
    const ofPayer = states.slice(0, 4);
    const ofSecond = states.slice(4);
    const [blocked, free] = ofPayer.includes('in_doubt') ? [ofPayer, ofSecond] : [ofSecond, ofPayer];
    expect(blocked.filter((state) => state === 'in_doubt')).toHaveLength(1);
    expect(blocked.filter((state) => state === 'held')).toHaveLength(blocked.length - 1);
    expect(free.every((state) => state === 'paid')).toBe(true);
    expect(stderr).toContain(`payment ${doubtful}) is in doubt`);
    expect(stderr).toMatch(/next: bursar --profile sandbox pay bulk \S+ /);
    // One signature for the doubtful row, and one for each of the other wallet.
    expect((await journey.signatures()) - before).toBe(free.length + 1);

    const again = await bulk(path, ...all);
    expect(again.code).toBe(0);
    const [first] = again.changes.filter(({ status }) => status !== 'skipped');
    expect(first).toMatchObject({ payment_id: doubtful, status: 'paid' });
    expect(await journey.balance(to)).toBe(6);
  });

  it('signs nothing for a row of another file, whose total is not confirmed', async () => {
    const to = newReceiver();
    const other = await csvOf(rowsTo('else-a', to, ['5']));
    const refused = await journey.through(
      refusingExecute(() => true),
      () => bulk(other, '--doubt-wait', '1'),
    );
    expect(refused.code).toBe(11);
    // It takes the nonce of the row in doubt, whose bytes can never land then.
    const args = ['pay', 'run', '--amount-from', '1', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'];
    const receiver = ['--to-chain', 'polygon', '--split', `${newReceiver()}=100`, '--payer-email', 'payer@example.com'];
    const taking = await journey.bursar([...args, ...receiver, '--allow', 'crypto', '--key', 'payer', '--yes']);
    expect(taking.code).toBe(0);
    const { code } = await bulk(await csvOf(rowsTo('else-b', to, ['1'])), '--max-total', '1=USDT');
    expect(code).toBe(0);
    expect(await journey.balance(to)).toBe(1);
    expect((await bulk(other)).code).toBe(0);
    expect(await journey.balance(to)).toBe(6);
  });

  it('shares rows among the keys of --key, and goes on with the others when one is held', async () => {
    const to = newReceiver();
    const path = await csvOf(onesTo('pool', to, 8));
    const signers = new Set<string>();
    let doubtful = '';
    const meddler = refusingExecute((body) => {
      const { payment_id: id, signed_transaction: bytes } = JSON.parse(body);
      signers.add(String(bytes).slice(0, 20));
      doubtful ||= String(id);
      return id === doubtful;
    });
    const pool = ['--key', 'payer,second', '--doubt-wait', '2'];
    const { code, changes } = await journey.through(meddler, () => bulk(path, ...pool));
    expect(code).toBe(11);
    const last = new Map(changes.map(({ id, status }) => [id, status]));
    const states = [...last.values()];
    expect(states.filter((state) => state === 'in_doubt')).toHaveLength(1);
    // At most those that were prepared for the held wallet wait behind it.
    expect(states.filter((state) => state === 'held').length).toBeLessThanOrEqual(2);
    expect(states.filter((state) => state === 'paid').length).toBeGreaterThanOrEqual(5);
    expect((await bulk(path, ...pool)).code).toBe(0);
    expect(await journey.balance(to)).toBe(8);
  });

  it('gives a row to a key whose policy and balance cover it', async () => {
    const { home, ask, bursar } = journey;
    for (const name of ['poor', 'strict']) {
      const { address } = await newEvmKey(home, name);
      await ask('POST', '/_sandbox/fund', { address, chain: 'polygon', token: 'USDT', amount: '2' });
      if (name === 'strict') await ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    }
    await bursar(['key', 'policy', 'set', 'strict', 'most_per_transaction.USDT=1']);
    const to = newReceiver();
    const path = await csvOf(rowsTo('cover', to, ['5', '5', '5', '5', '1', '5']));
    const { code, changes } = await bulk(path, '--key', 'poor,strict,payer');
    expect([code, changes.filter(({ status }) => status !== 'paid')]).toEqual([0, []]);
    expect(await journey.balance(to)).toBe(26);
  });

  it('sends the same bytes again after HTTP 429, and waits as long as the service asks', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('limited', to, ['1', '1']));
    const before = await journey.signatures();
    const bytes: string[] = [];
    const limiting: Meddler = async ({ path: called, body }, forward, response) => {
      if (!isExecute(called)) return forward();
      bytes.push(String(JSON.parse(body).signed_transaction));
      if (bytes.length > 1) return forward();
      response.writeHead(429, { 'retry-after': '1', 'content-type': 'text/plain' }).end('slow down');
      return undefined;
    };
    const { code } = await journey.through(limiting, () => bulk(path));
    expect(code).toBe(0);
    expect(bytes[1]).toBe(bytes[0]);
    expect((await journey.signatures()) - before).toBe(2);
    expect(await journey.balance(to)).toBe(2);
  });

  it('reports a row in doubt and stops when the service asks for a long pause', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('pause', to, ['1', '1', '1']));
    const limiting: Meddler = async ({ path: called }, forward, response) => {
      if (!isExecute(called)) return forward();
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'text/plain' }).end('slow down');
      return undefined;
    };
    const { code, changes } = await journey.through(limiting, () => bulk(path, '--doubt-wait', '1'));
    expect(code).toBe(11);
    expect(changes.filter(({ status }) => status === 'in_doubt')).toHaveLength(1);
    expect(changes.filter(({ status }) => status === 'paid')).toHaveLength(0);
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(3);
  });

  it('ends with the doubt after two interrupts, and soon after one during a long pause', async () => {
    const to = newReceiver();
    const interrupted = async (path: string, meddler: Meddler, ...afterMs: readonly number[]) =>
      journey.through(meddler, async () => {
        let called = (): void => undefined;
        const executing = new Promise<void>((resolve) => {
          called = resolve;
        });
        const args = [...TENANT, 'pay', 'bulk', path, '--key', 'payer', '--yes', '--max-total', '900=USDT'];
        const { child, ended } = startBursar(journey.home, args, { env: SANDBOX_ENV });
        onExecute = called;
        await executing;
        for (const ms of afterMs) {
          await setTimeout(ms);
          child.kill('SIGINT');
        }
        return ended;
      });
    let onExecute = (): void => undefined;
    const slow: Meddler = async ({ path: called }, forward) => {
      if (isExecute(called)) {
        onExecute();
        await setTimeout(5000);
      }
      return forward();
    };
    const twice = await csvOf(rowsTo('twice', to, ['1', '1']));
    const forced = await interrupted(twice, slow, 200, 100, 600);
    expect(forced.code).toBe(11);
    expect(forced.stderr).toMatch(/money may have moved: row \d \(twice-\d, payment pay_\w+\) is in doubt/);
    expect(forced.stderr).toMatch(/Waiting for 1 row that is being sent\. Ctrl-C again ends at once\./);
    expect((await bulk(twice)).code).toBe(0);

    const doubled = await csvOf(rowsTo('doubled', to, ['1']));
    expect((await interrupted(doubled, slow, 200, 100)).code).toBe(130);
    expect((await bulk(doubled)).code).toBe(0);

    const pausing: Meddler = async ({ path: called }, forward, response) => {
      if (!isExecute(called)) return forward();
      onExecute();
      response.writeHead(429, { 'retry-after': '300', 'content-type': 'text/plain' }).end('slow down');
      return undefined;
    };
    const paused = await csvOf(rowsTo('paused', to, ['1', '1']));
    const begun = performance.now();
    expect((await interrupted(paused, pausing, 500)).code).toBe(11);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect((await bulk(paused)).code).toBe(0);
    expect(await journey.balance(to)).toBe(5);
  });

  it('needs a bound for a row that is priced in another currency, and counts it', async () => {
    const to = newReceiver();
    const header = `${HEADER},payer_token_symbol,pay_at_most`;
    const row = (bound: string) => `priced-1,10,BRL,USDT,polygon,${to}=100,payer@example.com,USDT,${bound}`;
    const without = await bulk(await fileOf([header, row('')]));
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('line 2, priced-1, pay_at_most: required: the row is priced in BRL');
    const path = await fileOf([header, row('5')]);
    const low = await bulk(path, '--max-total', '4.99=USDT');
    expect(low.code).toBe(10);
    expect(low.stderr).toContain('the rows pay 5 USDT');
    expect((await bulk(path, '--max-total', '5=USDT')).code).toBe(0);
    expect(await journey.balance(to)).toBeGreaterThan(0);
  });

  it('pays by card and Pix, and never charges a card in doubt again', async () => {
    const to = newReceiver();
    const header = `id,transaction_type,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,payer_cpf,card_token,payer_ip,session_id,payer_name,payer_document_type,payer_document,${[
      'address_country,address_state,address_city,address_neighborhood,address_street,address_number,address_zipcode,statement_descriptor',
    ]}`;
    const common = (id: string, type: string) => `${id},${type},10.00,BRL,USDT,polygon,${to}=100,bulk@example.com`;
    const pix = `${common('pix-1', 'pixcrypto')},529.982.247-25,,,,,,,,,,,,,,`;
    const card = `${common('card-1', 'cardcrypto')},,tok_approved,203.0.113.7,session-1,Ana Souza,CPF,529.982.247-25,BR,SP,Sao Paulo,Se,Rua A,1,01001000,SHOP`;
    const path = await fileOf([header, pix, card]);
    const email = 'bulk@example.com';
    await journey.bursar(['kyc', 'prepare', '--email', email]);
    await journey.bursar(['sandbox', 'kyc', email, '--approve']);
    let charges = 0;
    const losing: Meddler = async ({ path: called, body }, forward) => {
      if (!called.includes('create-transaction') || !body.includes('cardcrypto')) return forward();
      charges += 1;
      return { status: 502, body: 'bad gateway' };
    };
    const limits = ['--max-total', '10=BRL', '--doubt-wait', '1'];
    const lost = await journey.through(losing, () => bulk(path, ...limits));
    expect(lost.code).toBe(11);
    expect(lastOf(lost.changes, 'card-1')).toMatchObject({ status: 'in_doubt', exit: 11 });
    const pending = lastOf(lost.changes, 'pix-1');
    expect(pending).toMatchObject({ status: 'pending', exit: 8, pix_code: expect.stringMatching(/^000201/) });
    const startedAt = performance.now();
    const waiting = await journey.through(losing, () => bulk(path, ...limits));
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(lastOf(waiting.changes, 'pix-1')).toEqual(pending);
    await journey.bursar(['sandbox', 'pix', String(pending?.['payment_id']), '--pay']);
    const again = await journey.through(losing, () => bulk(path, ...limits));
    expect(again.code).toBe(11);
    expect(lastOf(again.changes, 'card-1')?.status).toBe('in_doubt');
    expect(lastOf(again.changes, 'pix-1')?.status).toBe('paid');
    expect(charges).toBe(1);
  });

  it('goes on with the rows that are left after an unreachable service', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('down', to, ['1', '1', '1']));
    const refusing: Meddler = async ({ path: called }, forward) =>
      called.includes('create-order')
        ? { status: 401, body: '{"success":false,"status":"unauthorized","statusCode":401,"message":"no","data":null}' }
        : forward();
    const { code, stderr } = await journey.through(refusing, () => bulk(path));
    expect(code).toBe(4);
    expect(stderr).toContain('the run stopped');
    expect(stderr).toContain('next: ');
    expect(await journey.balance(to)).toBe(0);
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(3);
  });

  it('stops after 20 rows that failed one after another', async () => {
    const to = newReceiver();
    const path = await csvOf(onesTo('many', to, 60));
    const refusing: Meddler = async ({ path: called }, forward) =>
      called.includes('create-order') ? { status: 400, body: REFUSED } : forward();
    const { code, changes, stderr } = await journey.through(refusing, () => bulk(path));
    expect(code).toBe(13);
    expect(stderr).toContain('20 rows failed or are in doubt, one after another');
    expect(changes.length).toBeLessThan(30);
    expect((await bulk(path)).code).toBe(0);
    expect(await journey.balance(to)).toBe(60);
  });

  it('reports a row that the service refuses, pays the others, and ends with 13', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('refused', to, ['1', '77', '1']));
    const refusing: Meddler = async ({ path: called, body }, forward) =>
      called.includes('create-order') && body.includes('"77"') ? { status: 400, body: REFUSED } : forward();
    const { code, changes, stderr } = await journey.through(refusing, () => bulk(path));
    expect(code).toBe(13);
    expect(lastOf(changes, 'refused-2')).toMatchObject({
      status: 'failed',
      exit: 9,
      error: { code: 'rejected', status: 'validation_error' },
    });
    expect(stderr).toContain('1 of 3 rows failed');
    expect(await journey.balance(to)).toBe(2);
    const corrected = await csvOf(rowsTo('refused', to, ['1', '7', '1']));
    expect((await bulk(corrected)).code).toBe(0);
    expect(await journey.balance(to)).toBe(9);
  });

  it('ends with the real result when an interrupt comes after the last row has ended', async () => {
    const to = newReceiver();
    const path = await csvOf(rowsTo('late', to, ['1']));
    const args = [...TENANT, 'pay', 'bulk', path, '--key', 'payer', '--yes', '--max-total', '9=USDT'];
    const { code, stdout } = await journey.bursar(args, interruptedAt('ended'));
    expect([code, changesIn(stdout).map(({ status }) => status)]).toEqual([0, ['paid']]);
    expect(await journey.balance(to)).toBe(1);
  });

  it('counts no row that an earlier run paid against the balance of a wallet', async () => {
    const { home, ask } = journey;
    const [six, none] = [await newEvmKey(home, 'six'), await newEvmKey(home, 'none')];
    await ask('POST', '/_sandbox/fund', { address: six.address, chain: 'polygon', token: 'USDT', amount: '6' });
    for (const { address } of [six, none])
      await ask('POST', '/_sandbox/fund', { address, chain: 'polygon', amount: '1' });
    const to = newReceiver();
    const rows = rowsTo('again', to, ['1', '1', '1', '1', '1', '1']);
    expect((await bulk(await csvOf(rows.slice(0, 3)), '--key', 'six')).code).toBe(0);
    const { code, changes } = await bulk(await csvOf(rows), '--key', 'six,none');
    expect([code, changes.filter(({ status }) => status === 'failed')]).toEqual([0, []]);
    expect(await journey.balance(to)).toBe(6);
  });

  it('names a doubt of another file by its id, without a row', async () => {
    const to = newReceiver();
    const other = await csvOf(rowsTo('far', to, ['1']));
    const { stderr, code } = await journey.through(
      refusingExecute(() => true),
      async () => {
        await bulk(other, '--doubt-wait', '0');
        return bulk(await csvOf(rowsTo('near', to, ['1'])), '--doubt-wait', '0');
      },
    );
    expect(code).toBe(11);
    expect(stderr).toMatch(/money may have moved: bulk\/far-1 \(payment pay_\w+\) is in doubt/);
    expect((await bulk(other)).code).toBe(0);
  });

  it('refuses a file without rows, also with --check', async () => {
    for (const path of [await csvOf([]), await fileOf([], 'ndjson')]) {
      const { code, stderr } = await bulk(path, '--check');
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} has no rows`)]);
    }
  });

  it('refuses a wrong file, batch and results path before it reads the service', async () => {
    const path = await csvOf([]);
    for (const [options, text] of [
      [[join(journey.home, 'none.csv')], 'none.csv'],
      [[journey.home], 'folder'],
      [[path, '--batch', 'a/b'], '--batch'],
      [[path, '--rate', 'fast'], '--rate'],
      [[path, '--max-total', '5'], '--max-total'],
      [[path, '--results', path], 'is the file with the rows'],
      [[path, '--results', ''], '--results is empty'],
      [[path, '--results='], '--results is empty'],
    ] as const) {
      const { code, stderr } = await journey.bursar([...TENANT, 'pay', 'bulk', ...options]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    }
    await rm(path);
  });
});
