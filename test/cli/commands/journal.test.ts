import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newEvmKey } from '../../support/cheap-key.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';

const AT = '2026-01-15T09:30:00.000Z';
const STARTED = {
  step: 'begun',
  profile: 'sandbox',
  kind: 'sandbox',
  base_url: 'http://127.0.0.1:1',
  intent: {
    amount: '10',
    currency: 'USDT',
    chain: 'polygon',
    token: 'USDT',
    receivers: [{ wallet: '0x1111111111111111111111111111111111111111', percent: '100' }],
    payer: '0x2222222222222222222222222222222222222222',
  },
};
const SIGNED = { step: 'signed', payment_id: 'pay_1', hash: '0xfeed', from: STARTED.intent.payer };

const idAt = (at: number): string => `20260115T09${String(at).padStart(4, '0')}Z-0000000${at % 10}`;

/** A home with operations of which each has a name, signed bytes and inputs. */
const homeWith = async (count: number) => {
  const home = await newHomeInProcess();
  const folder = join(home.home, 'state', 'journal');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let at = 0; at < count; at += 1) {
    const steps = [
      { ...STARTED, intent_key: `name-${at}` },
      { ...SIGNED, signed_transaction: `0x02f8dead${at}` },
    ];
    const lines = steps.map((step) => `${JSON.stringify({ v: 2, at: AT, movement: idAt(at), ...step })}\n`);
    await writeFile(join(folder, `${idAt(at)}.ndjson`), lines.join(''), { mode: 0o600 });
    await writeFile(join(folder, `${idAt(at)}.inputs`), `{"register":{"payer_email":"payer${at}@example.com"}}\n`);
  }
  const json = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { code, stdout } = await home.bursar([...args, '--json'], { env });
    return { code, data: JSON.parse(stdout) };
  };
  return { ...home, folder, json };
};

/** The same with a journal in a database that the home has joined. */
const withDatabase = async (count: number) => {
  const [home, { url, server }] = await Promise.all([homeWith(count), newDatabase()]);
  const { code, data } = await home.json(['journal', 'init'], { BURSAR_JOURNAL: url });
  expect(code, JSON.stringify(data)).toBe(0);
  return { ...home, url, server, keyFile: data.key_file as string, journal: data.journal as string };
};

const isRun = canRunPostgres('the commands of the journal');

describe('journal verify', () => {
  it('counts the operations of the folder, and names each that cannot be read', async () => {
    const { json, folder } = await homeWith(3);
    expect(await json(['journal', 'verify'])).toMatchObject({
      code: 0,
      data: { journal: 'folder', operations: 3, entries: 6, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    await writeFile(join(folder, `${idAt(1)}.ndjson`), '{"v":2\n');
    const { code, data } = await json(['journal', 'verify']);
    expect([code, data.error.code, data.error.errors.map(({ field }: { field: string }) => field)]).toEqual([
      2,
      'journal_damaged',
      [idAt(1)],
    ]);
  });
});

describe('journal export', () => {
  it('writes every entry to a new private file, and replaces none', async () => {
    const { json, home } = await homeWith(2);
    const path = join(home, 'out.ndjson');
    const { code, data } = await json(['journal', 'export', path]);
    expect([code, data]).toMatchObject([0, { operations: 2, entries: 4, file: path }]);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).step)).toEqual(['begun', 'signed', 'begun', 'signed']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await json(['journal', 'export', path])).data.error.code).toBe('file_exists');
  });
});

describe.runIf(isRun)('journal init and join', () => {
  it('give the key to one home, and by a pipe to another', async () => {
    const { keyFile, url, journal } = await withDatabase(0);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    const other = await newHomeInProcess();
    const env = { BURSAR_JOURNAL: url, BURSAR_PROFILE: 'sandbox' };
    const refused = await other.bursar(['pay', 'resume', 'pay_1'], { env });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('next: bursar journal join --key-stdin'),
    ]);
    const stdin = await readFile(keyFile, 'utf8');
    const joined = await other.bursar(['journal', 'join', '--key-stdin', '--json'], { env, stdin });
    expect([joined.code, JSON.parse(joined.stdout).journal]).toEqual([0, journal]);
    // Joined once more, it is the same.
    expect((await other.bursar(['journal', 'join', '--key-stdin'], { env, stdin })).code).toBe(0);
    expect((await other.bursar(['pay', 'list'], { env })).code).toBe(0);
    // A key file with wrong bytes is refused, and the command that is named replaces it.
    const wrong = stdin.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    const file = JSON.parse(joined.stdout).key_file;
    await writeFile(file, wrong);
    const damaged = await other.bursar(['pay', 'list'], { env });
    expect([damaged.code, damaged.stderr]).toEqual([
      2,
      expect.stringMatching(/is not the key of the journal[\s\S]*next: bursar journal join --key-stdin/),
    ]);
    expect((await other.bursar(['journal', 'join', '--key-stdin'], { env, stdin })).code).toBe(0);
    expect([await readFile(file, 'utf8'), (await other.bursar(['pay', 'list'], { env })).code]).toEqual([stdin, 0]);
  });

  it('wait for a database that accepts connections and never answers no longer than --timeout', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const closed = once(silent, 'connection').then(async ([socket]) => {
      const connectedAt = performance.now();
      socket.resume();
      await once(socket, 'close');
      return performance.now() - connectedAt;
    });
    const { port } = silent.address() as AddressInfo;
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_JOURNAL: `postgres://postgres@127.0.0.1:${port}/bursar`, BURSAR_PROFILE: 'sandbox' };
    const { code, stderr } = await bursar(['pay', 'list', '--timeout', '1'], { env });
    expect([code, stderr]).toEqual([5, expect.stringContaining('cannot be reached')]);
    // Without the option it is 10 s.
    expect(await closed).toBeLessThan(8_000);
  });

  it('refuse a second journal, another key, and a text that is no key, without printing it', async () => {
    const { json, bursar, url, keyFile } = await withDatabase(0);
    const env = { BURSAR_JOURNAL: url };
    const error = { code: 'file_exists', hint: expect.stringContaining('This home has its key too') };
    expect(await json(['journal', 'init'], env)).toMatchObject({ code: 2, data: { error } });
    const other = await withDatabase(0);
    const key = await readFile(other.keyFile, 'utf8');
    for (const stdin of [key, key.slice(0, 40), '']) {
      const { code, stderr, stdout } = await bursar(['journal', 'join', '--key-stdin'], { env, stdin });
      expect(code).toBe(2);
      expect(stderr + stdout).not.toContain(key.split(' ')[2]?.slice(0, 20));
    }
    await rm(keyFile);
    await writeFile(keyFile, 'damaged', { mode: 0o600 });
    expect((await bursar(['pay', 'list'], { env })).stderr).toContain('the file is damaged');
  });
});

describe.runIf(isRun)('journal migrate', () => {
  it('copies every operation with its name, bytes and inputs, and ends the use of the folder', async () => {
    const { json, bursar, url, server, folder, journal } = await withDatabase(40);
    const before = await json(['journal', 'verify']);
    const moved = await json(['journal', 'migrate', '--to', url]);
    expect(moved).toMatchObject({
      code: 0,
      data: { journal, operations: 40, entries: 80, sha256: before.data.sha256 },
    });
    const env = { BURSAR_JOURNAL: url };
    expect((await json(['journal', 'verify'], env)).data).toMatchObject({ journal, sha256: before.data.sha256 });
    expect((await json(['pay', 'list', '--limit', '50'], env)).data).toHaveLength(40);
    for (const args of [
      ['pay', 'list'],
      ['pay', 'resume', '--all'],
      ['journal', 'verify'],
      ['pay', 'status', 'pay_1'],
      ['pay', 'sign', 'pay_1', '--key', 'any'],
    ]) {
      const { code, stderr } = await bursar(args, { env: { BURSAR_PROFILE: 'sandbox' } });
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining('has moved to postgres://')]);
    }
    // Nothing secret is legible there.
    const tables = ['journal', 'operations', 'entries', 'keys', 'names', 'inputs'];
    const rows = await Promise.all(tables.map((name) => server.query(url, `SELECT * FROM bursar.${name}`)));
    expect(JSON.stringify(rows)).not.toMatch(/0x02f8dead|name-\d|payer\d+@/);
    expect((await server.query(url, 'SELECT count(*)::int AS n FROM bursar.inputs'))[0]).toEqual({ n: 40 });
    // The claims of the move are gone.
    expect((await readdir(folder)).filter((name) => name.includes('.claim-'))).toEqual([]);
  });

  it('is finished by the same command after it was cut, and leaves no operation half', async () => {
    const { json, url, server, folder, journal } = await withDatabase(30);
    const before = await json(['journal', 'verify']);
    // The tenth operation cannot be written.
    await server.query(
      url,
      `CREATE FUNCTION bursar.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(DISTINCT operation) FROM bursar.entries) > 9 THEN RAISE EXCEPTION 'cut'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER cut BEFORE INSERT ON bursar.entries FOR EACH ROW EXECUTE FUNCTION bursar.cut()`,
    );
    expect(await json(['journal', 'migrate', '--to', url])).toMatchObject({ code: 2 });
    // Until it is finished, nothing uses the folder: the database has a part of it. Nothing uses the database from here either.
    for (const env of [{}, { BURSAR_JOURNAL: url }]) {
      const { code, data } = await json(['pay', 'list'], env);
      expect([code, data.error.message]).toEqual([2, expect.stringContaining('is moving to postgres://')]);
      expect(data.error.next).toBe(`bursar journal migrate --to ${url}`);
    }
    await server.query(url, 'DROP TRIGGER cut ON bursar.entries');
    const moved = await json(['journal', 'migrate', '--to', url]);
    expect(moved).toMatchObject({ code: 0, data: { operations: 30, sha256: before.data.sha256 } });
    expect((await json(['pay', 'list', '--limit', '50'], { BURSAR_JOURNAL: url })).data).toHaveLength(30);
    expect(JSON.parse(await readFile(join(folder, '.moved-to'), 'utf8'))).toMatchObject({ journal, moved: true });
  });

  it('needs a journal with its key, and waits for no process that works in the folder', async () => {
    const { json, folder } = await homeWith(2);
    const { url } = await newDatabase();
    const missing = await json(['journal', 'migrate', '--to', url]);
    expect([missing.code, missing.data.error.hint]).toEqual([2, expect.stringContaining('bursar journal init')]);
    await json(['journal', 'init'], { BURSAR_JOURNAL: url });
    const claim = join(folder, `${idAt(1)}.ndjson.claim-0000000000000000`);
    await writeFile(claim, JSON.stringify({ pid: 1, host: 'another-machine' }));
    expect(await json(['journal', 'migrate', '--to', url])).toMatchObject({
      code: 8,
      data: { error: { code: 'not_final' } },
    });
    // Nothing has moved, so the folder is used on.
    expect((await json(['pay', 'list'])).data).toHaveLength(2);
    await rm(claim);
    expect((await json(['journal', 'migrate', '--to', url])).code).toBe(0);
  });
});

describe.runIf(isRun)('journal migrate beside another process', () => {
  it('takes what a killed process left for no process', async () => {
    const { json, url, folder } = await withDatabase(2);
    const name = `${idAt(1)}.ndjson.claim-0000000000000000`;
    // Its number belongs to no process.
    await writeFile(join(folder, name), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    await writeFile(join(folder, `${idAt(0)}.ndjson.claim-0000000000000001.x.tmp`), '');
    const moved = await json(['journal', 'migrate', '--to', url]);
    expect([moved.code, moved.data.operations], JSON.stringify(moved.data)).toEqual([0, 2]);
  });

  it('waits for no operation that is claimed and has no file yet', async () => {
    const { json, url, folder } = await withDatabase(1);
    const claim = join(folder, '20260115T100000Z-00000009.ndjson.claim-0000000000000000');
    await writeFile(claim, JSON.stringify({ pid: 1, host: 'another-machine' }));
    expect(await json(['journal', 'migrate', '--to', url])).toMatchObject({ code: 8 });
    expect((await json(['pay', 'list'])).data).toHaveLength(1);
    await rm(claim);
    expect((await json(['journal', 'migrate', '--to', url])).code).toBe(0);
  });

  it('takes no password on the command line', async () => {
    const { json } = await homeWith(0);
    const { code, data } = await json(['journal', 'migrate', '--to', 'postgres://me:secret@localhost/j']);
    expect([code, JSON.stringify(data)]).toEqual([2, expect.not.stringContaining('secret')]);
  });
});

describe.runIf(isRun)('entries whose time was changed in the database', () => {
  it('are damaged: an earlier time would take them out of a day', async () => {
    const { json, url, server } = await withDatabase(2);
    await json(['journal', 'migrate', '--to', url]);
    const env = { BURSAR_JOURNAL: url };
    expect((await json(['journal', 'verify'], env)).code).toBe(0);
    await server.query(url, 'ALTER TABLE bursar.entries DISABLE TRIGGER refuse_change');
    await server.query(url, "UPDATE bursar.entries SET at = at - interval '2 days'");
    expect(await json(['journal', 'verify'], env)).toMatchObject({
      code: 2,
      data: { error: { code: 'journal_damaged' } },
    });
  });
});

describe('a profile of a service whose journal is in a database', () => {
  it('is not replaced by another profile or an address of the same service', async () => {
    const { bursar, home, json } = await homeWith(1);
    const journal = 'journal=postgres://me@localhost/j';
    await bursar(['profile', 'set', 'prod', 'base_url=https://pay.example', journal]);
    await bursar(['profile', 'set', 'other', 'base_url=https://pay.example/']);
    expect((await bursar(['profile', 'set', 'bad', 'base_url=https://x.example', `${journal}?password=p`])).code).toBe(
      2,
    );
    await writeFile(join(home, 'bursar.json'), '{"profile":"other"}');
    for (const env of [{ BURSAR_PROFILE: 'other' }, { BURSAR_BASE_URL: 'https://pay.example', BURSAR_API_KEY: 'k' }]) {
      const { code, data } = await json(['pay', 'list'], env);
      expect([code, data.error.message]).toEqual([2, expect.stringContaining('the profile prod keeps the journal')]);
    }
  });
});

describe.runIf(isRun)('journal upgrade', () => {
  it('changes no journal of this version, and knows no other', async () => {
    const { json, url, server } = await withDatabase(0);
    const env = { BURSAR_JOURNAL: url };
    expect(await json(['journal', 'upgrade'], env)).toMatchObject({
      code: 0,
      data: { from: 1, to: 1, changed: false },
    });
    await server.query(url, 'UPDATE bursar.journal SET version = 2');
    for (const args of [
      ['journal', 'upgrade'],
      ['pay', 'list'],
    ])
      expect((await json(args, env)).data.error.hint, args.join(' ')).toContain('Install a newer bursar');
  });
});

describe.runIf(isRun)('a daily limit of a key', () => {
  it('belongs to the journal of its first use, and another journal is exit 10', async () => {
    const { json, home, url, journal } = await withDatabase(0);
    await newEvmKey(home, 'treasury');
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };
    const shared = { ...env, BURSAR_JOURNAL: url };
    const set = (edit: string, of: Readonly<Record<string, string>>) =>
      json(['key', 'policy', 'set', 'treasury', edit], of);
    expect((await set('most_per_day.USDT=100', shared)).data.policy).toEqual({
      most_per_day: { USDT: '100' },
      journal,
    });
    // A lower limit of another command changes no journal.
    expect((await set('most_per_day.USDT=90', env)).data.policy).toMatchObject({ journal });
    const pay = ['--amount-from', '1', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'];
    const where = ['--to-chain', 'polygon', '--split', `0x${'1'.repeat(40)}=100`, '--chain-name', 'polygon'];
    const payer = ['--payer-email', 'a@example.com', '--payer-token-symbol', 'USDT', '--key', 'treasury'];
    const tenant = ['--public-client-id', `client_${'0'.repeat(32)}`, '--webhook-url', 'https://shop.example/hook'];
    const run = ['pay', 'run', ...pay, ...where, ...payer, ...tenant, '--yes'];
    const refused = await json(run, env);
    expect([refused.code, refused.data.error.errors[0].field]).toEqual([10, 'policy.journal']);
    // Without the password the journal does not change: it would make a fresh day.
    const { BURSAR_KEY_PASSWORD: _, ...without } = env;
    expect((await set('journal=folder', without)).code).not.toBe(0);
    expect((await set('journal=folder', env)).data.policy).toMatchObject({ journal: 'folder' });
    // It cannot be named before there is a limit, for a later first limit to belong to it.
    await newEvmKey(home, 'spare');
    expect((await json(['key', 'policy', 'set', 'spare', `journal=${journal}`], env)).code).toBe(2);
  });
});
