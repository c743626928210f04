import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { type Meddler, startJourney } from '../support/journey.ts';
import { canRunPostgres, newDatabase } from '../support/postgres.ts';

const ROWS = 12;
const RECEIVER = `0x${'7'.repeat(40)}`;
const HEADER =
  'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';
const line = (row: number): string =>
  `slow-${row},1,USDT,USDT,polygon,${RECEIVER}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;

/** Each transaction takes longer than half of the time after which a job is visible again. */
const slowly: Meddler = async ({ path }, forward) => {
  if (path.endsWith('on-chain')) await setTimeout(2_000);
  return forward();
};

it.skipIf(!canRunPostgres('two workers with slow rows'))(
  'a row that waits too long at its worker is not failed by another worker with another wallet',
  async () => {
    const journey = await startJourney(runBursar);
    onTestFinished(() => journey.end());
    const { address } = await newEvmKey(journey.home, 'second');
    await journey.ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
    const { url } = await newDatabase();
    const settings = { env: { BURSAR_JOURNAL: url } };
    const path = join(journey.home, 'rows.csv');
    await writeFile(path, `${[HEADER, ...Array.from({ length: ROWS }, (_, at) => line(at + 1))].join('\n')}\n`);
    const limit = ['--max-total', `${ROWS}=USDT`, '--yes'];
    const policyOf = (key: string) => ['key', 'policy', 'set', key, 'most_per_transaction.USDT=100', '--yes'];
    const put = ['pay', 'bulk', path, '--queue', url, '--batch', 'b', '--key', 'payer,second', ...limit];
    for (const command of [['journal', 'init', '--lease', '3'], policyOf('payer'), policyOf('second'), put])
      expect(await journey.bursar(command, settings)).toMatchObject({ code: 0 });
    const work = (key: string) => journey.bursar(['worker', '--key', key, ...limit, '--until-empty'], settings);
    const ends = await journey.through(slowly, async () => {
      const first = work('payer');
      await setTimeout(3_000);
      return Promise.all([first, work('second')]);
    });
    // A row that was given back to the other worker is pending for this one.
    for (const { code, stdout } of ends) {
      expect([0, 8]).toContain(code);
      expect(stdout).not.toContain('"status":"failed"');
    }
    const { data } = await journey.json(['pay', 'bulk-status', 'b'], settings);
    expect(data).toMatchObject({ paid: ROWS, failed: 0, pending: 0, in_doubt: 0 });
    expect(await journey.balance(RECEIVER)).toBe(ROWS);
  },
);
