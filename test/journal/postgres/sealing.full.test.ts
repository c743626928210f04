import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Charger, newCharger } from '../../support/charge-crash.ts';
import { type CaseWith, type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { killedAt } from '../../support/kill-at.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { secondHome } from '../../support/second-home.ts';
import { type PostgresJournal, postgresJournal } from '../../support/test-journal.ts';

const canRun = canRunPostgres('the sealed tables of a journal');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

type PostgresCase = CaseWith<PostgresJournal>;

const makeJournal = (home: string) => postgresJournal(home);

const newCase = (): Promise<PostgresCase> => sandbox.newCase({ makeJournal });

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];
const NAME = 'rent of the third floor';
const NAMED = [...RUN, '--intent', NAME];
const RESUME = ['pay', 'resume', '--all', '--yes', '--json'];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the service received as signed bytes. */
const signedIn = ({ proxy }: Pick<PostgresCase, 'proxy'>): readonly string[] =>
  proxy.seen.flatMap(({ text }) => [...text.matchAll(/0x[0-9a-f]{200,}/g)].map(([bytes]) => bytes));

describe.runIf(canRun)('the tables of a journal in PostgreSQL', () => {
  it('contain no signed transaction, no name and no API key of a payment', async () => {
    const testCase = await newCase();
    expect((await testCase.bursar(NAMED)).code).toBe(0);
    const text = await testCase.journal.text();
    const [signed = ''] = signedIn(testCase);
    expect(signed.length).toBeGreaterThan(200);
    expect(text).toContain('"step":"executing"');
    const secrets = [signed, signed.slice(2, 80), NAME, testCase.apiKey, sha256(testCase.apiKey)];
    for (const secret of [...secrets, sha256(testCase.apiKey).slice(0, 16), sha256(NAME), 'payer@example.com'])
      expect(text).not.toContain(secret);
    expect(await testCase.timesPaid()).toBe(1);
  });

  it.each(['pix', 'card'] as const)('contain no payer of a payment by %s, and none of its inputs', async (method) => {
    let journal: PostgresJournal | undefined;
    const charger: Charger = await newCharger(sandbox, method, async (home) => {
      journal = await postgresJournal(home);
      return journal;
    });
    const killed = await charger.bursar([...charger.pay, '--intent', NAME], killedAt('journal:created:synced'));
    expect(killed.code).toBeNull();
    const text = await charger.journal.text();
    const body = JSON.parse(await readFile(`${charger.home}/reais.json`, 'utf8')) as { payer_email: string };
    const personal = [body.payer_email, sha256(body.payer_email), '52998224725', '529.982.247-25', 'Ana Souza'];
    const card = ['4111 1111', '4111111111111111', 'ANA SOUZA', '"737"', 'numero', 'Santos', 'cus-'];
    for (const secret of [...personal, ...card, NAME, charger.apiKey, sha256(charger.apiKey)])
      expect(text, secret).not.toContain(secret);
    expect(text).toContain('"step":"created"');
    expect(text).toMatch(/"payer":"sealed1\./);
    expect(await journal?.sql('SELECT count(*)::int AS count FROM bursar.inputs')).toEqual([{ count: 1 }]);
    expect(await charger.keepsCard()).toBe(false);
  });
});

/** A payment that was killed with its bytes in the journal, and nothing sent. */
const leftSigned = async (): Promise<PostgresCase> => {
  const testCase = await newCase();
  await testCase.bursar(NAMED, killedAt('journal:signed:synced'));
  return testCase;
};

const executes = ({ proxy }: PostgresCase): number => proxy.seen.filter(({ path }) => path.includes('on-chain')).length;

/** Changes rows as an administrator does, past the trigger that refuses it. */
const tamper = async ({ journal }: PostgresCase, ...statements: readonly string[]): Promise<void> => {
  await journal.sql('ALTER TABLE bursar.entries DISABLE TRIGGER refuse_change');
  for (const statement of statements) await journal.sql(statement);
};

const LINE = `SELECT seq FROM bursar.entries WHERE line LIKE '%"step":"signed"%'`;

const swapped = (table: string, column: string, key: string): readonly string[] => [
  `UPDATE bursar.${table} a SET ${column} = b.${column} FROM bursar.${table} b WHERE a.${key} <> b.${key}`,
];

describe.runIf(canRun)('a journal that somebody without its key changed', () => {
  const CHANGES: Readonly<Record<string, readonly string[]>> = {
    'a line that was changed': [`UPDATE bursar.entries SET line = replace(line, '"amount":"10"', '"amount":"9"')`],
    'signed bytes of another line': [
      `UPDATE bursar.entries SET line = regexp_replace(line, '"sealed1\\.[^"]*"',
        (SELECT substring(line from '"sealed1\\.[^"]*"') FROM bursar.entries WHERE seq = 1)) WHERE seq = (${LINE})`,
    ],
    'two lines that were swapped': [
      'UPDATE bursar.entries SET seq = 100 WHERE seq = 2',
      'UPDATE bursar.entries SET seq = 2 WHERE seq = 3',
      'UPDATE bursar.entries SET seq = 3 WHERE seq = 100',
    ],
    'a line that is missing between others': ['DELETE FROM bursar.entries WHERE seq = 3'],
    'a last line that is missing': ['DELETE FROM bursar.entries WHERE seq = (SELECT max(seq) FROM bursar.entries)'],
    'a MAC that was changed': [`UPDATE bursar.entries SET mac = md5(mac) WHERE seq = 2`],
    'keys that were changed': [`UPDATE bursar.operations SET head = left(head, -4) || 'AAAA'`],
    'keys that are not sealed': [`UPDATE bursar.operations SET head = '7 open name:x '`],
    'inputs that were changed': [`UPDATE bursar.inputs SET sealed = left(sealed, -4) || 'AAAA'`],
    'an end that it does not have': ['UPDATE bursar.operations SET has_ended = true'],
    'an end without an effect': ['UPDATE bursar.operations SET has_ended = true, moved_nothing = true'],
  };

  it.each(Object.entries(CHANGES))('with %s sends nothing (exit 2)', async (name, statements) => {
    const testCase = await leftSigned();
    await tamper(testCase, ...statements);
    // An operation that is hidden from a resume is found by its name.
    const isHidden = name.startsWith('an end');
    for (const args of isHidden ? [NAMED] : [NAMED, RESUME]) {
      const { code, stdout } = await testCase.bursar(args);
      expect([code, stdout], args.join(' ')).toEqual([2, expect.stringContaining('"journal_damaged"')]);
    }
    await testCase.bursar(RESUME);
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([0, 0]);
  });

  it.each(['entries', 'operations', 'inputs', 'keys'])(
    'with %s of two operations swapped sends nothing (exit 2)',
    async (table) => {
      const testCase = await leftSigned();
      await testCase.bursar([...RUN, '--intent', 'another', '--amount-from', '20'], killedAt('journal:signed:synced'));
      const statements: Readonly<Record<string, readonly string[]>> = {
        entries: [
          `UPDATE bursar.entries SET operation = 'x' || operation`,
          `UPDATE bursar.entries e SET operation = (SELECT max(id) FROM bursar.operations WHERE 'x' || id <> e.operation)`,
        ],
        operations: swapped('operations', 'head', 'id'),
        inputs: swapped('inputs', 'sealed', 'operation'),
        keys: [
          `UPDATE bursar.keys SET operation = 'x' || operation`,
          `UPDATE bursar.keys k SET operation = (SELECT max(id) FROM bursar.operations WHERE 'x' || id <> k.operation)`,
        ],
      };
      await tamper(testCase, ...(statements[table] ?? []));
      const { code, stdout } = await testCase.bursar(NAMED);
      expect([code, stdout]).toEqual([2, expect.stringContaining('"journal_damaged"')]);
      if (table !== 'keys') await testCase.bursar(RESUME);
      expect([executes(testCase), await testCase.timesPaid()]).toEqual([0, 0]);
    },
  );
});

describe.runIf(canRun)('a home without the key of the journal', () => {
  it('lists it, and neither starts nor resumes (exit 2)', async () => {
    const testCase = await leftSigned();
    const other = await secondHome(testCase, testCase.journal, false);
    const listed = await other.bursar(['pay', 'list', '--json']);
    expect({ code: listed.code, rows: JSON.parse(listed.stdout) }).toMatchObject({
      code: 0,
      rows: [{ state: 'unfinished', amount: '10' }],
    });
    for (const args of [RUN, NAMED, RESUME]) {
      const { code, stdout } = await other.bursar(args);
      expect({ code, error: JSON.parse(stdout).error }, args.join(' ')).toMatchObject({
        code: 2,
        error: { code: 'bad_settings', message: expect.stringContaining('has no key of the journal') },
      });
    }
    for (const args of [
      ['journal', 'verify', '--json'],
      ['journal', 'export', 'journal.ndjson', '--json'],
    ]) {
      const { code, stdout } = await other.bursar(args);
      expect({ code, error: JSON.parse(stdout).error }, args.join(' ')).toMatchObject({
        code: 2,
        error: { next: 'bursar journal join --key-stdin' },
      });
    }
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([0, 0]);
    await testCase.journal.join(other.home);
    expect((await other.bursar(RESUME)).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('with the key of another journal under the same id starts nothing (exit 2)', async () => {
    const testCase = await leftSigned();
    await testCase.journal.sql(`UPDATE bursar.journal SET key_check = md5(key_check)`);
    const { code, stdout } = await testCase.bursar(RESUME);
    expect([code, stdout]).toEqual([2, expect.stringContaining('is not the key of the journal')]);
    expect(executes(testCase)).toBe(0);
  });
});
