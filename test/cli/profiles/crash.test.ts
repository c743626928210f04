import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newHome } from '../../support/bursar.ts';

/** Loaded before the program: kills it with SIGKILL at one moment of writing the profiles. */
const DEATH = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const die = () => { process.kill(process.pid, 'SIGKILL'); for (;;); };
const [call, when] = process.env.DIE_AT.split(' ');
let opened;
const open = fs.openSync;
fs.openSync = (path, ...rest) => {
  const fd = open(path, ...rest);
  if (/profiles\\.json\\.tmp/.test(String(path))) opened = fd;
  return fd;
};
const real = fs[call];
fs[call] = (first, ...rest) => {
  const isOurs = first === opened || /profiles\\.json/.test(String(first));
  if (isOurs && when === 'before') die();
  if (isOurs && when === 'half') { real(first, String(rest[0]).slice(0, 10)); die(); }
  const done = real(first, ...rest);
  if (isOurs && when === 'after') die();
  return done;
};
syncBuiltinESMExports();
`;

const MOMENTS = [
  ['writeSync half', 'old'],
  ['renameSync before', 'old'],
  ['renameSync after', 'new'],
] as const;

describe('kill -9 while profiles are written', () => {
  it.each(MOMENTS)('at %s leaves the whole %s profiles, and does not block the next change', async (moment, whole) => {
    const { home, bursar } = await newHome();
    const preload = join(home, 'death.mjs');
    await writeFile(preload, DEATH);
    const set = ['profile', 'set', 'prod', 'webhook_url=https://new.example/h'];
    await bursar(['profile', 'set', 'prod', 'base_url=https://a.example', 'webhook_url=https://old.example/h']);
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`, DIE_AT: moment };
    expect((await bursar(set, { env })).code).toBe(null);
    const { profiles } = JSON.parse(await readFile(join(home, 'profiles.json'), 'utf8'));
    expect(profiles.prod.webhook_url).toBe(`https://${whole}.example/h`);
    expect(await bursar(set)).toMatchObject({ code: 0, stderr: '' });
  });
});
