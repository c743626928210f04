import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runBursar } from '../../../support/bursar.ts';
import { newSolanaKey, withoutCost } from '../../../support/cheap-key.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';

/** Loaded before the program: kills it with SIGKILL at one moment of writing a key file. `half`: after a part of the bytes. */
const DEATH = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const die = () => { process.kill(process.pid, 'SIGKILL'); for (;;); };
const isKey = (path) => /\\.json\\.[0-9a-f-]+\\.tmp$/.test(String(path));
const [call, when] = process.env.DIE_AT.split(' ');
const [calls, name] = call === 'open' ? [fs, 'openSync'] : [fs.promises, call];
const real = calls[name];
calls[name] = (path, ...rest) => {
  if (!isKey(path)) return real(path, ...rest);
  if (when === 'before') die();
  const done = real(path, ...rest);
  if (when === 'half') { fs.writeSync(done, '{"version": 3, "crypto": {'); die(); }
  return when === 'after' ? done.then(die) : done;
};
syncBuiltinESMExports();
`;

const given = async () => {
  const { home, bursar } = await newHomeInProcess();
  const preload = join(home, 'death.mjs');
  await writeFile(preload, DEATH);
  await writeFile(join(home, 'old'), 'an old password', { mode: 0o600 });
  await writeFile(join(home, 'new'), 'a new password', { mode: 0o600 });
  const dying = (args: readonly string[], at: string) =>
    runBursar(home, args, { env: { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`, DIE_AT: at } });
  const opensWith = async (password: string): Promise<boolean> => {
    const args = ['key', 'export', 'till', '--format', 'bursar', '--out', '-', '--password-file', password];
    return (await bursar(args)).code === 0;
  };
  return { home, bursar, dying, opensWith };
};

const MOMENTS = [
  ['open before', 'old'],
  ['open half', 'old'],
  ['rename before', 'old'],
  ['rename after', 'new'],
] as const;

describe('kill -9 while a password is changed', () => {
  it.each(MOMENTS)('at %s leaves a whole key, which unlocks with the %s password', async (moment, password) => {
    const { home, bursar, dying, opensWith } = await given();
    await newSolanaKey(home, 'till', { password: 'an old password' });
    const before = await readFile(join(home, 'keys/till.json'), 'utf8');
    const change = ['key', 'passwd', 'till', '--password-file', 'old', '--new-password-file', 'new'];
    expect((await dying(change, moment)).code).toBe(null);
    expect(await opensWith(password)).toBe(true);
    expect((await readFile(join(home, 'keys/till.json'), 'utf8')) === before).toBe(password === 'old');
    expect((await bursar(['key', 'list'])).stdout.split('\n')).toHaveLength(2);
    const again = ['key', 'passwd', 'till', '--password-file', password, '--new-password-file', 'new'];
    const { code, stderr } = await bursar(again);
    expect([code, withoutCost(stderr)], 'leftover files of the killed process do not block the next change').toEqual([
      0,
      '',
    ]);
  });
});

describe('kill -9 while a key is created', () => {
  it.each(['open half', 'link before'])('at %s leaves no key, and the name is free', async (moment) => {
    const { home, bursar, dying } = await given();
    const make = ['key', 'new', 'till', '--chain', 'evm', '--password-file', 'old'];
    expect((await dying(make, moment)).code).toBe(null);
    expect((await readdir(join(home, 'keys'))).includes('till.json')).toBe(false);
    expect(await bursar(make)).toMatchObject({ code: 0, stderr: '' });
  });
});
