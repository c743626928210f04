import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sandbox as commands } from '../../src/cli/commands/sandbox/index.ts';
import { startEphemeral } from './sandbox.ts';

const SOURCES = fileURLToPath(new URL('../../src/sandbox/', import.meta.url));

const callsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, method, path]) => `${method} ${path}`);

const routes = async (): Promise<readonly string[]> => {
  const names = await readdir(`${SOURCES}control`);
  const texts = await Promise.all(names.map((name) => readFile(`${SOURCES}control/${name}`, 'utf8')));
  return callsIn(texts.join('\n'), /\[\s*'(GET|POST|DELETE)',\s*'([\w/-]+)',/g).toSorted();
};

/** What the commands call. */
const called = async (): Promise<readonly string[]> => {
  const names = ['control-client.ts', 'control/money-client.ts'];
  const texts = await Promise.all(names.map((name) => readFile(`${SOURCES}${name}`, 'utf8')));
  return [...callsIn(texts.join('\n'), /'(GET|POST|DELETE)', [`']([\w/-]+)/g)].toSorted();
};

test('what can be done over HTTP can be done from the command line, and the other way round', async () => {
  const served = await routes();
  expect(served.length).toBeGreaterThan(20);
  expect(await called()).toEqual(served);
});

test('every call of the control is there behind its key, and its README lists it', async () => {
  const sandbox = await startEphemeral();
  const readme = await readFile(`${SOURCES}README.md`, 'utf8');
  for (const route of await routes()) {
    const [method = '', path = ''] = route.split(' ');
    const { http } = await sandbox.call(method, `/_sandbox/${path}`, { headers: { 'x-control-key': 'wrong' } });
    expect([route, http]).toEqual([route, 401]);
    expect(readme, `${route} is not in the README`).toContain(route);
  }
});

test('the README of the sandbox names every command', async () => {
  const readme = await readFile(`${SOURCES}README.md`, 'utf8');
  for (const { words } of commands) expect(readme, words.join(' ')).toContain(`\`${words[1]}\``);
});
