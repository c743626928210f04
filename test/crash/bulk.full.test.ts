import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { newEvmKey, SANDBOX_ENV } from '../support/cheap-key.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { killedAt, type Place } from '../support/kill-at.ts';

const ROWS = 6;
const HEADER =
  'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';

/** The places where the first run is killed, and those of the second. */
const PLACES: readonly (readonly [Place, Place])[] = [
  ['journal:begun:torn', 'journal:begun:synced'],
  ['call:intents-create-order:before', 'call:intents-create-order:answered'],
  ['journal:registered:torn', 'call:intents-create-transaction:answered'],
  ['journal:reviewed:synced', 'journal:signed:torn'],
  ['journal:signed:synced', 'journal:executing:torn'],
  ['journal:executing:synced', 'call:execute/on-chain:before'],
  ['call:execute/on-chain:answered', 'journal:executing:synced'],
  ['journal:executed:torn', 'call:/status:answered'],
  ['journal:executed:synced', 'journal:ended:torn'],
  ['journal:ended:synced', 'call:execute/on-chain:answered'],
];

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney(runBursar);
});

afterAll(() => journey.end());

describe('pay bulk that is killed twice', () => {
  it.each(PLACES.map(([first, second], at) => ({ first, second, at })))(
    'at $first and $second pays each row once',
    async ({ first, second, at }) => {
      const { home, ask } = journey;
      const { address } = await newEvmKey(home, `payer-${at}`);
      await ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
      const to = getAddress(`0x${String(at + 1).padStart(40, '7')}`);
      const path = join(home, `rows-${at}.csv`);
      const line = (row: number): string =>
        `kill-${at}-${row},1,USDT,USDT,polygon,${to}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;
      await writeFile(path, `${[HEADER, ...Array.from({ length: ROWS }, (_, row) => line(row))].join('\n')}\n`);
      const command = [
        ...['pay', 'bulk', path, '--key', `payer-${at}`, '--max-total', `${ROWS}=USDT`, '--yes'],
        ...['--results', join(home, `results-${at}.ndjson`)],
      ];
      for (const place of [first, second]) {
        const settings = killedAt(place);
        const { code } = await runBursar(home, command, { env: { ...SANDBOX_ENV, ...settings.env } });
        expect(code).toBe(null);
      }
      const last = await runBursar(home, command, { env: SANDBOX_ENV });
      expect(last.code).toBe(0);
      expect(await journey.balance(to)).toBe(ROWS);
    },
  );
});
