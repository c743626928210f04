import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGate, recordReviews } from '../../../src/flows/policy/gate.ts';
import type { Io, JournalName } from '../../../src/io/io.ts';
import { beginOperation } from '../../../src/journal/operation.ts';
import { initJournal, joinJournal } from '../../../src/journal/postgres/setup.ts';
import { PAYER } from '../../chain/evm/given.ts';
import { testIo } from '../../support/io.ts';
import { canRunPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SIGNING = { chain: 'evm', address: PAYER, kind: 'live' } as const;
const INTENT = { operation: 'sign', chain: 'polygon', wallet: PAYER } as const;
const OF = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example' } as const;

/** A home of its own machine. */
const machine = async (url: string, pid: number): Promise<Io> => {
  const self = async () => ({ pid, host: `${hostname()}-${pid}` });
  const processes = { self, liveness: async () => 'unknown' as const };
  const random = { bytes: (count: number) => randomBytes(count), fraction: Math.random };
  const { io } = await testIo({ env: { BURSAR_JOURNAL: url }, io: { random } });
  return { ...io, processes: { ...io.processes, ...processes }, spin: (_, work) => work };
};

/** Two machines that share a new journal. */
const machines = async (url: string): Promise<readonly [Io, Io, string]> => {
  const name: JournalName = { url, source: 'BURSAR_JOURNAL' };
  const [one, other] = await Promise.all([machine(url, 1), machine(url, 2)]);
  const { journal, keyFile } = await initJournal(one, name, 30_000);
  const key = new TextDecoder().decode(await one.files.read(keyFile));
  await joinJournal(other, name, key);
  return [one, other, journal];
};

/** Records the review of a payment of 6 USDT under a limit of 10 a day. */
const pass = async (io: Io, journal: string, digest: string) => {
  const policy = { most_per_day: { USDT: '10' }, journal };
  const gate = openGate({ io, service: { ...OF }, policies: [{ profile: 'acme', baseUrl: OF.baseUrl, policy }] });
  const operation = await beginOperation(io, { ...OF, intent: INTENT });
  try {
    const moves = [{ token: 'USDT', amount: '6' }];
    await recordReviews({ operation, gate }, SIGNING, [{ verdict: 'pass', digest, allowed: [], moves }]);
    return operation.state().reviewed.length;
  } finally {
    await operation.close();
  }
};

describe.runIf(canRunPostgres('daily limits of a shared journal'))(
  'a daily limit of two machines that share a journal',
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());

    it('allows one of two payments at the same moment, and never none', async () => {
      const [one, other, journal] = await machines(await server.database());
      for (let round = 0; round < 12; round += 1) {
        const settled = await Promise.allSettled([
          pass(one, journal, `a-${round}`),
          pass(other, journal, `b-${round}`),
        ]);
        const passed = settled.filter(({ status }) => status === 'fulfilled');
        const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
        expect(passed, `round ${round}: ${reasons.map(String).join('; ')}`).toHaveLength(1);
        expect(reasons).toMatchObject([{ code: 'refused_by_review' }]);
        // A day later, by the clock of the server.
        await server.query(`postgres://postgres@127.0.0.1:${server.port}/journal_1`, 'DELETE FROM bursar.entries');
        await server.query(
          `postgres://postgres@127.0.0.1:${server.port}/journal_1`,
          'UPDATE bursar.operations SET is_removed = true, changed_by = pg_current_xact_id()',
        );
      }
    });

    it('follows the clock of the server: a machine whose clock is a day ahead has no fresh day', async () => {
      const [one, other, journal] = await machines(await server.database());
      const ahead: Io = { ...other, clock: { ...other.clock, now: () => Date.now() + 2 * DAY_MS } };
      expect(await pass(one, journal, 'a')).toBe(1);
      await expect(pass(ahead, journal, 'b')).rejects.toMatchObject({ code: 'refused_by_review' });
    });
  },
);
