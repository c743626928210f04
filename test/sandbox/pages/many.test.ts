import { expect, test } from 'vitest';
import { create, PIX, withLedger } from '../money.ts';
import { sandboxIo, startTestSandbox } from '../sandbox.ts';

const MANY = 2_000;

test('opens the dashboard at once with 2,000 payments, and lists each payment once, newest first', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  const { id } = await create(first, PIX);
  await first.stop();
  await withLedger(io, async (ledger) => {
    const row = await ledger.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const at = Date.parse(row.created_at);
    const rows = Array.from({ length: MANY - 1 }, (_, index) => ({
      ...row,
      id: `pay_${String(index).padStart(32, '0')}`,
      // Seven payments share each millisecond, so that their order is by id.
      created_at: new Date(at - 1_000_000 + Math.floor(index / 7)).toISOString(),
    }));
    for (let from = 0; from < rows.length; from += 500) {
      await ledger
        .insertInto('payments')
        .values(rows.slice(from, from + 500))
        .execute();
    }
  });
  const { address } = await startTestSandbox(io);
  await fetch(`${address.url}/`);
  const startedAt = performance.now();
  const overview = await (await fetch(`${address.url}/`)).text();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(overview).toContain('2000');
  expect(overview.length).toBeLessThan(40_000);
  const ids: string[] = [];
  let path: string | undefined = '/?list=payments';
  while (path) {
    const page: string = await (await fetch(address.url + path)).text();
    ids.push(...[...page.matchAll(/id="payment-(pay_\w+)"/g)].map(([, one]) => one ?? ''));
    path = /id="older" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
  }
  expect([ids.length, new Set(ids).size, ids[0]]).toEqual([MANY, MANY, id]);
  expect(ids.slice(1)).toEqual(ids.slice(1).toSorted().toReversed());
});
