import { expect, it, onTestFinished } from 'vitest';
import { type Job, openJobs } from '../../../src/bulk/queue/jobs.ts';
import { systemFiles } from '../../../src/io/files/files.ts';
import { clockFrom } from '../../../src/io/system.ts';
import { checkJournalAddress } from '../../../src/journal/postgres/address.ts';
import { connect } from '../../../src/journal/postgres/connection.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';

const JOBS = 5_000;
const QUEUE = 'rows.q';
const EXPIRE_S = 1;

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random };
const clock = clockFrom(Date.now, () => performance.now());

const open = async () => {
  const { url } = await newDatabase();
  const { sql } = await connect({ random, files: systemFiles }, checkJournalAddress(url, 'test'));
  const jobs = await openJobs({ clock }, sql, { expireS: EXPIRE_S, retryS: 10 }, true);
  onTestFinished(async () => {
    await jobs.end();
    await sql.end();
  });
  await jobs.makeQueue(QUEUE);
  return { sql, jobs };
};

const jobAt = (at: number): Job => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  queue: QUEUE,
  batch: 'b',
  row: `r${at}`,
});
const jobsTo = (count: number): readonly Job[] => Array.from({ length: count }, (_, at) => jobAt(at));

it.skipIf(!canRunPostgres('the jobs of a queue'))(
  'finds the next of many jobs by an index, in their order',
  async () => {
    const { sql, jobs } = await open();
    await jobs.add(sql.query, jobsTo(JOBS));
    await sql.query('ANALYZE');
    const plan = await sql.query(
      `EXPLAIN SELECT id FROM bursar_jobs.job WHERE name = '${QUEUE}' AND state < 'active' AND start_after < now()
     ORDER BY priority DESC, created_on, id LIMIT 8 FOR UPDATE SKIP LOCKED`,
    );
    const text = JSON.stringify(plan);
    expect(text).toContain('Index Scan using');
    expect(text).not.toContain('Sort');
    expect((await jobs.fetch(QUEUE, 2)).map(({ row }) => row)).toEqual(['r0', 'r1']);
  },
);

it.skipIf(!canRunPostgres('the jobs of a queue'))(
  'a job is there until it is removed, and comes back in time',
  async () => {
    const { sql, jobs } = await open();
    await jobs.add(sql.query, jobsTo(2));
    const taken = await jobs.fetch(QUEUE, 2);
    expect(taken).toHaveLength(2);
    expect(await jobs.isEmpty(QUEUE)).toBe(false);
    await jobs.remove(QUEUE, [jobAt(0).id]);
    expect(await jobs.isEmpty(QUEUE)).toBe(false);
    // Its worker ended: it is visible again after its time and the pause of a job that was given back.
    await expect.poll(() => jobs.fetch(QUEUE, 2), { timeout: 25_000, interval: 500 }).toEqual([jobAt(1)]);
    await jobs.remove(QUEUE, [jobAt(1).id]);
    expect(await jobs.isEmpty(QUEUE)).toBe(true);
    expect(await sql.query('SELECT id FROM bursar_jobs.job')).toEqual([]);
  },
);
