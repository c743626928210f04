import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
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

const onlyOperation = async (one: Case): Promise<string> =>
  ((await readdir(folderOf(one))).find((name) => name.endsWith('.ndjson')) ?? '').replace('.ndjson', '');

describe('a payment is resumed', () => {
  it.each([
    ['before it is signed', 'journal:begun:synced'],
    ['after its transaction was handed over', 'journal:executing:synced'],
    ['after its end', 'journal:ended:synced'],
  ] as const)('not with another key, %s: exit 2, and no call is made', async (_, place) => {
    const one = await leftAt(place);
    await one.bursar(['key', 'new', 'other', '--chain', 'evm']);
    one.proxy.seen.length = 0;
    for (const [key, says] of [
      ['other', 'started with'],
      ['nobody', 'no key named nobody'],
    ] as const) {
      const { code, data } = await one.json(['pay', 'resume', await onlyOperation(one), '--key', key, '--yes']);
      expect({ code, data }).toMatchObject({ code: 2, data: { error: { message: expect.stringContaining(says) } } });
    }
    expect(one.proxy.seen).toEqual([]);
  });

  it('not at another deployment: exit 2 by its id, left alone and counted with --all', async () => {
    const one = await leftAt('journal:executing:synced');
    await rebegun(one.home, await onlyOperation(one), {
      kind: 'live',
      base_url: 'https://pay.example',
      profile: 'main',
    });
    const { code, data } = await one.json(['pay', 'resume', await onlyOperation(one), '--yes']);
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
    await rebegun(one.home, await onlyOperation(one), { asker: '0123456789abcdef' });
    expect(await one.json(['pay', 'resume', await onlyOperation(one), '--yes'])).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', message: expect.stringContaining('another API key') } },
    });
    expect(await one.timesPaid()).toBe(0);
  });

  describe('with another API key of a live service', () => {
    /** A payment that may have been sent, begun with a key that nobody has any more, and a login with another. */
    const withKeyOf = async (asking?: Case) => {
      const one = await leftAt('journal:executing:synced');
      const id = await onlyOperation(one);
      // Past the proxy by which this home knows the sandbox: no live profile is made of that.
      const { url } = sandbox;
      await rebegun(one.home, await onlyOperation(one), {
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
      const shown = (await one.json(['pay', 'show', id])).data as { payment_id: string };
      const refused = await resume(id);
      expect({ code: refused.code, data: JSON.parse(refused.stdout) }).toMatchObject({
        code: 2,
        data: {
          error: {
            code: 'bad_settings',
            message: 'this was started with another API key',
            next: `bursar pay resume ${shown.payment_id} --new-api-key --profile main`,
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
    await rm(join(folderOf(one), `${await onlyOperation(one)}.inputs`));
    const { code, data } = await one.json(['pay', 'resume', '--yes']);
    expect({ code, data }).toMatchObject({
      code: 2,
      data: {
        error: {
          code: 'invalid_input',
          hint: expect.stringMatching(/--amount-from.*--split.*--key/),
          next: expect.stringMatching(/^bursar pay run --amount-from .* --split 0x\S+ --key 0x\w{40}$/),
        },
      },
    });
    expect(await one.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
  });

  it('keeps what is personal beside the journal, for its owner alone, and no longer than it is of use', async () => {
    const one = await leftAt('journal:created:synced');
    const id = await onlyOperation(one);
    expect(await readFile(join(folderOf(one), `${id}.ndjson`), 'utf8')).not.toContain('payer@example.com');
    expect(await readFile(join(folderOf(one), `${id}.inputs`), 'utf8')).toContain('payer@example.com');
    for (const name of [`${id}.ndjson`, `${id}.inputs`]) expect(await modeOf(join(folderOf(one), name))).toBe(0o600);
    expect(await modeOf(folderOf(one))).toBe(0o700);
    await one.bursar(['pay', 'resume', '--yes']);
    expect(await one.leftovers()).toEqual([]);
  });
});
