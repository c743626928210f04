import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome } from '../../../support/bursar.ts';
import { runInProcess } from '../../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../../support/server.ts';

type Check = { readonly check: string; readonly state: string; readonly says: string; readonly next: string | null };

/** A home with a damaged key, a key that others can read, and a damaged journal. */
const brokenHome = async () => {
  const { home } = await newHome();
  const put = async (path: string, text: string, mode = 0o600) => {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text, { mode });
  };
  await put('keys/damaged.json', '{"version": 3');
  await put('keys/open.json', '{}', 0o644);
  await put('state/journal/20260115T093000Z-0123abcd.ndjson', 'no line\n{}\n');
  return { home, put };
};

const examine = async (home: string, env: Readonly<Record<string, string>>): Promise<readonly Check[]> => {
  const { stdout } = await runInProcess(home, ['doctor', '--json', '--timeout', '3'], {
    env: { SHELL: '/bin/bash', ...env },
  });
  return JSON.parse(stdout).checks.filter(({ state }: Check) => state === 'warn' || state === 'fail');
};

const keyTo = (url: string) => ({ BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' });

const late: Responder = (received, response) => {
  response.setHeader('date', new Date(Date.now() - 600_000).toUTCString());
  return envelope(200, 'products_listed', { data: {} })(received, response);
};

describe('doctor names a next step for each problem', () => {
  it.each<[string, Responder, string]>([
    ['refuses the key', envelope(401, 'unauthorized'), 'service'],
    ['does not have the endpoint', envelope(404, 'nothing_here_not_found'), 'service'],
    ['is broken', envelope(500, 'server_failed'), 'service'],
    ['is none', raw(200, '<html>', { 'content-type': 'text/html' }), 'service'],
    ['has another time', late, 'clock'],
  ])('with damaged files, files that others can read, and a service that %s', async (_, responder, check) => {
    const { home } = await brokenHome();
    const { url } = await startServer(responder);
    const wrong = await examine(home, keyTo(url));
    const named = wrong.map((one) => one.check);
    expect(named).toEqual(expect.arrayContaining(['files', 'keys', 'journal', 'completion', check]));
    expect(wrong.filter(({ next }) => !next)).toEqual([]);
  });

  it('with damaged profiles, and without a chosen profile', async () => {
    const { home, put } = await brokenHome();
    expect((await examine(home, {})).filter(({ next }) => !next)).toEqual([]);
    await put('profiles.json', '{');
    const wrong = await examine(home, {});
    expect(wrong.map(({ check }) => check)).toEqual(expect.arrayContaining(['profiles', 'profile']));
    expect(wrong.filter(({ next }) => !next)).toEqual([]);
  });

  it('and each bursar command among these steps succeeds', async () => {
    const { home } = await brokenHome();
    const { url } = await startServer(envelope(404, 'nothing_here_not_found'));
    const commands = (await examine(home, keyTo(url))).flatMap(
      ({ next }) => /^bursar (.*)$/.exec(next ?? '')?.[1] ?? [],
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const line of commands) expect(await runInProcess(home, line.split(' ')), line).toMatchObject({ code: 0 });
  });
});
