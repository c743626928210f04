import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { envelope, startServer } from '../../../support/server.ts';

const LIST = ['yield', 'strategies', '--json'];
const ANSWER = envelope(200, 'get_yield_strategies_ok', { data: { strategies: [], sources: {} } });

const start = async () => {
  const { url, received } = await startServer(ANSWER);
  const { home, bursar } = await newHomeInProcess();
  const list = (key: string) => bursar(LIST, { env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: key } });
  return { home, list, received };
};

describe('the cache of strategies', () => {
  it('belongs to one API key, and another key reads no entry of the first key', async () => {
    const { home, list, received } = await start();
    await list('key-of-one-tenant');
    await list('key-of-one-tenant');
    expect(received).toHaveLength(1);
    expect((await list('key-of-another')).code).toBe(0);
    expect(received).toHaveLength(2);
    const folder = join(home, 'cache', 'strategies');
    const names = await readdir(folder);
    expect(names).toHaveLength(2);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    expect([...names, ...texts].join()).not.toMatch(/key-of/);
  });

  it('that cannot be written or read costs only a call', async () => {
    const { home, list, received } = await start();
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'cache'), 'a file where the folder should be');
    for (const _ of [1, 2]) expect(await list('k')).toMatchObject({ code: 0, stderr: '' });
    expect(received).toHaveLength(2);
  });
});
