import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { startLaggingNode } from '../support/lagging-node.ts';
import { rebegun } from '../support/rebegun.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

const leftAt = async (place: Place, ...more: readonly string[]): Promise<Case> => {
  const one = await sandbox.newCase();
  await one.bursar([...RUN, ...more], killedAt(place));
  return one;
};

const folderOf = ({ home }: Case) => join(home, 'state', 'journal');

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

const onlyMovement = async (one: Case): Promise<string> =>
  ((await readdir(folderOf(one))).find((name) => name.endsWith('.ndjson')) ?? '').replace('.ndjson', '');

describe('a resume without --yes and without a terminal', () => {
  it.each<Place>(['journal:registered:synced', 'journal:created:synced', 'journal:signed:synced'])(
    'left at %s waits for the word of the user: exit 8, and the command that gives it',
    async (place) => {
      const one = await leftAt(place);
      const { code, data } = await one.json(['pay', 'resume']);
      expect({ code, data }).toMatchObject({
        code: 8,
        data: { error: { code: 'not_final', next: expect.stringMatching(/^bursar pay resume \S+ --yes$/) } },
      });
      expect(await one.timesPaid()).toBe(0);
    },
  );

  it('does not let one that waits keep the others: what may have been sent first, the worst exit, a row for each with the same fields', async () => {
    const one = await leftAt('journal:created:synced', '--intent', 'a');
    await one.bursar([...RUN, '--intent', 'b'], killedAt('journal:executing:synced'));
    const { code, data } = await one.json(['pay', 'resume', '--all']);
    const rows = data as readonly Record<string, unknown>[];
    expect({ code, rows }).toMatchObject({
      code: 8,
      rows: [
        { status: 'success', code: null, tid_hash: expect.any(String) },
        { status: 'unfinished', code: 'not_final', tid_hash: null },
      ],
    });
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(rows[1] ?? {}));
    expect(await one.timesPaid()).toBe(1);
  });
});

describe('a payment to which a person said no', () => {
  it('is left alone by --all --yes and by a script that names none, and goes on by its id', async () => {
    const one = await leftAt('journal:created:synced');
    const id = await onlyMovement(one);
    const no = {
      v: 1,
      at: new Date().toISOString(),
      movement: id,
      step: 'failed',
      code: 'declined',
      is_unknown: false,
    };
    await appendFile(join(folderOf(one), `${id}.ndjson`), `${JSON.stringify(no)}\n`);
    for (const args of [['--all', '--yes'], ['--yes']]) {
      const { code, stdout, stderr } = await one.bursar(['pay', 'resume', ...args, '--json']);
      expect({ code, found: JSON.parse(stdout) }).toEqual({ code: 0, found: [] });
      expect(stderr).toContain(`${id} waits for your confirmation, and is left alone: bursar pay resume ${id}`);
    }
    expect(await one.timesPaid()).toBe(0);
    expect((await one.json(['pay', 'list', '--open'])).data).toMatchObject([{ state: 'declined' }]);
    expect((await one.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
    expect(await one.timesPaid()).toBe(1);
  });
});

describe('a payment is taken up', () => {
  it('not with another key of a payer: exit 2, and nothing is registered or signed', async () => {
    const one = await leftAt('journal:begun:synced');
    await one.bursar(['key', 'new', 'other', '--chain', 'evm']);
    one.proxy.seen.length = 0;
    const { code, data } = await one.json(['pay', 'resume', '--key', 'other', '--yes']);
    expect({ code, data }).toMatchObject({
      code: 2,
      data: { error: { message: expect.stringContaining('begun with') } },
    });
    expect(one.proxy.seen).toEqual([]);
  });

  it('not at another deployment: exit 2 by its id, left alone and counted with --all', async () => {
    const one = await leftAt('journal:executing:synced');
    await rebegun(one.home, await onlyMovement(one), {
      kind: 'live',
      base_url: 'https://pay.example',
      profile: 'main',
    });
    const { code, data } = await one.json(['pay', 'resume', await onlyMovement(one), '--yes']);
    expect({ code, data }).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', next: expect.stringContaining('--profile main') } },
    });
    const all = await one.bursar(['pay', 'resume', '--all', '--yes', '--json', '--quiet']);
    const warning = 'warning: 1 unfinished of other services or API keys were left alone, 1 of them in doubt';
    expect(all).toMatchObject({ code: 0, stdout: '[]\n', stderr: expect.stringContaining(warning) });
    expect(await one.timesPaid()).toBe(0);
  });

  it('not with another API key of the sandbox, or after a reset: exit 2', async () => {
    const one = await leftAt('journal:executing:synced');
    await rebegun(one.home, await onlyMovement(one), { asker: '0123456789abcdef' });
    expect(await one.json(['pay', 'resume', await onlyMovement(one), '--yes'])).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', message: expect.stringContaining('another API key') } },
    });
    expect(await one.timesPaid()).toBe(0);
  });

  describe('with another API key of a live service', () => {
    /** A payment that may have been sent, begun with a key that nobody has any more, and a login with another. */
    const withKeyOf = async (asking?: Case) => {
      const one = await leftAt('journal:executing:synced');
      const id = await onlyMovement(one);
      // Past the proxy by which this home knows the sandbox: no live profile is made of that.
      const { url } = sandbox;
      await rebegun(one.home, await onlyMovement(one), {
        kind: 'live',
        base_url: url,
        profile: 'main',
        asker: '0123456789abcdef',
      });
      const login = ['login', '--profile', 'main', '--base-url', url, '--api-key-stdin', '--insecure-storage'];
      expect((await one.bursar(login, { stdin: (asking ?? one).apiKey })).code).toBe(0);
      const resume = (...more: readonly string[]) =>
        one.bursar(['pay', 'resume', ...more, '--profile', 'main', '--yes', '--json']);
      return { one, id, resume };
    };

    it('only when it is said to have taken the place of the first: exit 2 with that way out, then it is paid once', async () => {
      const { one, id, resume } = await withKeyOf();
      const refused = await resume(id);
      expect({ code: refused.code, data: JSON.parse(refused.stdout) }).toMatchObject({
        code: 2,
        data: {
          error: {
            code: 'bad_settings',
            message: 'this was begun with another API key',
            next: `bursar pay resume ${id} --new-api-key --profile main`,
          },
        },
      });
      expect(await resume('--all')).toMatchObject({
        code: 0,
        stdout: '[]\n',
        stderr: expect.stringContaining('1 unfinished'),
      });
      expect(await one.timesPaid()).toBe(0);
      expect(await resume(id, '--new-api-key')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"success"'),
      });
      expect(await one.timesPaid()).toBe(1);
    });

    it('not where the service does not show it the payment: exit 2, whatever is said', async () => {
      const stranger = await sandbox.newCase({ isFunded: false });
      const { one, id, resume } = await withKeyOf(stranger);
      const { code, stdout } = await resume(id, '--new-api-key');
      expect({ code, hint: JSON.parse(stdout).error.hint }).toMatchObject({
        code: 2,
        hint: expect.stringContaining('it is of another tenant'),
      });
      expect(await one.timesPaid()).toBe(0);
    });
  });

  it('by its payment’s id too, and the second time tells how it ended', async () => {
    const one = await leftAt('journal:executed:synced');
    const first = await one.json(['pay', 'resume']);
    expect(first).toMatchObject({ code: 0, data: { status: 'success', profile: 'sandbox', kind: 'sandbox' } });
    const { payment_id, tid_hash } = first.data as { payment_id: string; tid_hash: string };
    expect(await one.json(['pay', 'resume', payment_id])).toMatchObject({
      code: 0,
      data: { status: 'success', tid_hash },
    });
  });

  it('whose inputs are gone is given up where nothing was sent: the options to give again are named', async () => {
    const one = await leftAt('journal:begun:synced');
    await rm(join(folderOf(one), `${await onlyMovement(one)}.inputs`));
    const { code, data } = await one.json(['pay', 'resume', '--yes']);
    expect({ code, data }).toMatchObject({
      code: 2,
      data: {
        error: {
          code: 'invalid_input',
          hint: expect.stringMatching(/--amount-from.*--split.*--key/),
          next: 'bursar pay run',
        },
      },
    });
    expect(await one.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
  });

  it('keeps what is personal beside the journal, for its owner alone, and no longer than it is of use', async () => {
    const one = await leftAt('journal:created:synced');
    const id = await onlyMovement(one);
    expect(await readFile(join(folderOf(one), `${id}.ndjson`), 'utf8')).not.toContain('payer@example.com');
    expect(await readFile(join(folderOf(one), `${id}.inputs`), 'utf8')).toContain('payer@example.com');
    for (const name of [`${id}.ndjson`, `${id}.inputs`]) expect(await modeOf(join(folderOf(one), name))).toBe(0o600);
    expect(await modeOf(folderOf(one))).toBe(0o700);
    await one.bursar(['pay', 'resume', '--yes']);
    expect(await one.leftovers()).toEqual([]);
  });
});

describe('bytes whose nonce another transaction has used', () => {
  const replaced = async () => {
    const one = await leftAt('journal:executing:synced');
    // The same amount would make the same bytes, and they would be paid.
    await one.bursar([...RUN, '--amount-from', '20']);
    expect(await one.timesPaid()).toBe(2);
    return one;
  };

  it('are dead by the word of a node alone: of a silent one exit 11', async () => {
    const one = await replaced();
    const unsure = await one.json(['pay', 'resume', '--yes', '--rpc-url', 'http://127.0.0.1:9']);
    expect(unsure).toMatchObject({
      code: 11,
      data: { error: { code: 'outcome_unknown', hint: expect.stringContaining('may have been sent') } },
    });
    expect(await one.timesPaid()).toBe(2);
  });

  it.each(['the sandbox, which nobody names', 'the user'])(
    'are dead by a node of %s: another is signed and paid once',
    async (whose) => {
      const one = await replaced();
      const node = whose === 'the user' ? ['--rpc-url', one.rpcUrl] : [];
      const sure = await one.json(['pay', 'resume', '--yes', ...node]);
      expect(sure, JSON.stringify(sure.data)).toMatchObject({ code: 0 });
      expect(await one.timesPaid()).toBe(3);
      expect(await one.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    },
  );

  it('wait for the word of the user before another is signed: exit 8', async () => {
    const one = await replaced();
    expect((await one.json(['pay', 'resume', '--rpc-url', one.rpcUrl])).code).toBe(8);
    expect(await one.timesPaid()).toBe(2);
  });

  it('that the service refuses as stale at the first try are in doubt too: no other is signed without a node', async () => {
    const one = await sandbox.newCase();
    const { id } = await one.prepare();
    await one.bursar(RUN);
    // A node that lags behind: the sandbox's own would stop it before it is signed.
    const stated = ['--body', 'payment.json', '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
    const execute = ['pay', 'execute', id, '--key', 'payer', ...stated, '--yes'];
    expect((await one.json(execute)).code).toBe(10);
    const refused = await one.json([...execute, '--rpc-url', await startLaggingNode(one.rpcUrl)]);
    expect(refused).toMatchObject({ code: 9, data: { error: { status: 'stale_transaction_nonce' } } });
    expect((refused.data as { error: { next: string } }).error.next).toMatch(/^bursar pay resume/);
    expect((await one.json(['pay', 'list', '--open'])).data).toMatchObject([{ state: 'in_doubt', payment_id: id }]);
    expect(await one.timesPaid()).toBe(1);
  });
});
