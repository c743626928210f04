import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { type Meddler, startJourney } from '../support/journey.ts';
import { canRunPostgres, newDatabase } from '../support/postgres.ts';

const ROWS = 6;
const HEADER =
  'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';
const line = (row: number): string =>
  `standby-${row},1,USDT,USDT,polygon,0x${'7'.repeat(39)}${row}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;

/** Each transaction takes a second to execute. */
const slowly: Meddler = async ({ path }, forward) => {
  if (path.endsWith('on-chain')) await setTimeout(1_000);
  return forward();
};

it.skipIf(!canRunPostgres('a worker that waits for a wallet'))(
  'a worker with --until-empty waits while another one pays from its wallet',
  async () => {
    const journey = await startJourney(runBursar);
    onTestFinished(() => journey.end());
    const { url } = await newDatabase();
    const settings = { env: { BURSAR_JOURNAL: url } };
    const path = join(journey.home, 'rows.csv');
    await writeFile(path, `${[HEADER, ...Array.from({ length: ROWS }, (_, at) => line(at + 1))].join('\n')}\n`);
    const limit = ['--key', 'payer', '--max-total', `${ROWS}=USDT`, '--yes'];
    const policy = ['key', 'policy', 'set', 'payer', 'most_per_transaction.USDT=100', '--yes'];
    const put = ['pay', 'bulk', path, '--queue', url, '--batch', 'b', ...limit];
    for (const command of [['journal', 'init'], policy, put]) {
      const { code, stderr } = await journey.bursar(command, settings);
      expect([code, stderr]).toEqual([0, expect.anything()]);
    }
    await journey.through(slowly, async () => {
      const work = () => journey.bursar(['worker', ...limit, '--until-empty'], settings);
      const ended: string[] = [];
      const first = work().then(({ code }) => ended.push(`first ${code}`));
      await setTimeout(2_500);
      const second = work().then(({ code }) => ended.push(`second ${code}`));
      await Promise.race([first, second]);
      const { data } = await journey.json(['pay', 'bulk-status', 'b'], settings);
      expect(data).toMatchObject({ paid: ROWS });
      await Promise.all([first, second]);
      expect(ended.toSorted()).toEqual(['first 0', 'second 0']);
    });
  },
);
