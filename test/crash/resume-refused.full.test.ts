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
  const testCase = await sandbox.newCase();
  await testCase.bursar([...RUN, ...more], killedAt(place));
  return testCase;
};

const folderOf = ({ home }: Case) => join(home, 'state', 'journal');

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

const onlyOperation = async (testCase: Case): Promise<string> =>
  ((await readdir(folderOf(testCase))).find((name) => name.endsWith('.ndjson')) ?? '').replace('.ndjson', '');

describe('the resume of a payment', () => {
  it.each([
    ['before it is signed', 'journal:begun:synced'],
    ['after its execute was recorded', 'journal:executing:synced'],
    ['after its end', 'journal:ended:synced'],
  ] as const)('with another key is refused with exit 2 and without a call, %s', async (_, place) => {
    const testCase = await leftAt(place);
    await testCase.bursar(['key', 'new', 'other', '--chain', 'evm']);
    testCase.proxy.seen.length = 0;
    for (const [key, message] of [
      ['other', 'started with'],
      ['nobody', 'no key named nobody'],
    ] as const) {
      const { code, data } = await testCase.json([
        'pay',
        'resume',
        await onlyOperation(testCase),
        '--key',
        key,
        '--yes',
      ]);
      expect({ code, data }).toMatchObject({ code: 2, data: { error: { message: expect.stringContaining(message) } } });
    }
    expect(testCase.proxy.seen).toEqual([]);
  });

  it('at another service is refused with exit 2 by its id; --all skips the payment and counts it', async () => {
    const testCase = await leftAt('journal:executing:synced');
    await rebegun(testCase.home, await onlyOperation(testCase), {
      kind: 'live',
      base_url: 'https://pay.example',
      profile: 'main',
    });
    const { code, data } = await testCase.json(['pay', 'resume', await onlyOperation(testCase), '--yes']);
    expect({ code, data }).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', next: expect.stringContaining('--profile main') } },
    });
    const all = await testCase.bursar(['pay', 'resume', '--all', '--yes', '--json', '--quiet']);
    const warning = 'warning: 1 unfinished of other services or API keys were left alone, 1 of them in doubt';
    expect(all).toMatchObject({ code: 0, stdout: '[]\n', stderr: expect.stringContaining(warning) });
    expect(await testCase.timesPaid()).toBe(0);
  });

  it('with another API key of the sandbox, or after a reset, is refused with exit 2', async () => {
    const testCase = await leftAt('journal:executing:synced');
    await rebegun(testCase.home, await onlyOperation(testCase), { asker: '0123456789abcdef' });
    expect(await testCase.json(['pay', 'resume', await onlyOperation(testCase), '--yes'])).toMatchObject({
      code: 2,
      data: { error: { code: 'bad_settings', message: expect.stringContaining('another API key') } },
    });
    expect(await testCase.timesPaid()).toBe(0);
  });

  describe('with another API key of a live service', () => {
    /** A payment that may have been sent with a lost API key, and a login with the API key of `owner`. */
    const withKeyOf = async (owner?: Case) => {
      const testCase = await leftAt('journal:executing:synced');
      const id = await onlyOperation(testCase);
      // The URL of the sandbox without the proxy: a live profile cannot have the URL of this home's sandbox.
      const { url } = sandbox;
      await rebegun(testCase.home, await onlyOperation(testCase), {
        kind: 'live',
        base_url: url,
        profile: 'main',
        asker: '0123456789abcdef',
      });
      const login = ['login', '--profile', 'main', '--base-url', url, '--api-key-stdin', '--insecure-storage'];
      expect((await testCase.bursar(login, { stdin: (owner ?? testCase).apiKey })).code).toBe(0);
      const resume = (...more: readonly string[]) =>
        testCase.bursar(['pay', 'resume', ...more, '--profile', 'main', '--yes', '--json']);
      return { testCase, id, resume };
    };

    it('is refused with exit 2 and the option --new-api-key; with that option the payment is made once', async () => {
      const { testCase, id, resume } = await withKeyOf();
      const shown = (await testCase.json(['pay', 'show', id])).data as { payment_id: string };
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
      expect(await testCase.timesPaid()).toBe(0);
      expect(await resume(id, '--new-api-key')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"success"'),
      });
      expect(await testCase.timesPaid()).toBe(1);
    });

    it('is refused with exit 2, even with --new-api-key, if the service does not show the payment to that key', async () => {
      const stranger = await sandbox.newCase({ isFunded: false });
      const { testCase, id, resume } = await withKeyOf(stranger);
      const { code, stdout } = await resume(id, '--new-api-key');
      expect({ code, hint: JSON.parse(stdout).error.hint }).toMatchObject({
        code: 2,
        hint: expect.stringContaining('it is of another tenant'),
      });
      expect(await testCase.timesPaid()).toBe(0);
    });
  });

  it('also accepts the payment id, and returns the same receipt the second time', async () => {
    const testCase = await leftAt('journal:executed:synced');
    const first = await testCase.json(['pay', 'resume']);
    expect(first).toMatchObject({ code: 0, data: { status: 'success', profile: 'sandbox', kind: 'sandbox' } });
    const { payment_id, tid_hash } = first.data as { payment_id: string; tid_hash: string };
    expect(await testCase.json(['pay', 'resume', payment_id])).toMatchObject({
      code: 0,
      data: { status: 'success', tid_hash },
    });
  });

  it('without its stored inputs ends a payment that sent nothing, and names the options to enter again', async () => {
    const testCase = await leftAt('journal:begun:synced');
    await rm(join(folderOf(testCase), `${await onlyOperation(testCase)}.inputs`));
    const { code, data } = await testCase.json(['pay', 'resume', '--yes']);
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
    expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
  });

  it('finds personal data beside the journal, with mode 0600, and removes the data at the end', async () => {
    const testCase = await leftAt('journal:created:synced');
    const id = await onlyOperation(testCase);
    expect(await readFile(join(folderOf(testCase), `${id}.ndjson`), 'utf8')).not.toContain('payer@example.com');
    expect(await readFile(join(folderOf(testCase), `${id}.inputs`), 'utf8')).toContain('payer@example.com');
    for (const name of [`${id}.ndjson`, `${id}.inputs`])
      expect(await modeOf(join(folderOf(testCase), name))).toBe(0o600);
    expect(await modeOf(folderOf(testCase))).toBe(0o700);
    await testCase.bursar(['pay', 'resume', '--yes']);
    expect(await testCase.leftovers()).toEqual([]);
  });
});
