import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { changePassword, removeKey, renameKey, replaceKey } from '../../src/keystore/change.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { decryptKey, unlockStored } from '../../src/keystore/unlock.ts';
import { testIo } from '../support/io.ts';
import { ADDRESS, changed, ethersFile, failureOf, hexOf, KEY } from './support.ts';

const withKey = async (text: string) => {
  const made = await testIo({ stdin: 'old' });
  const keystore = openKeystore(made.io);
  return { ...made, keystore, stored: await keystore.create('till', text) };
};

describe('a key that gets another password', () => {
  it('opens with the new one alone, and a weak file without an address is mended', async () => {
    const weak = changed(await ethersFile('old'), 'address', () => undefined);
    const { io, keystore, stored } = await withKey(weak);
    const key = await unlockStored(io, stored, { passwordStdin: true, yes: true });
    await changePassword(io, keystore, { stored, key, password: secret('new') });
    const now = await keystore.read('till');
    expect(now.address).toBe(ADDRESS);
    expect((await failureOf(decryptKey(systemDerive, now.text, secret('old')))).code).toBe('wrong_password');
    const opened = await decryptKey(systemDerive, now.text, secret('new'));
    expect({ ...opened, privateKey: hexOf(opened.privateKey) }).toMatchObject({ privateKey: KEY, warnings: [] });
    expect((await stat(now.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('stays as it is when another process changed it meanwhile', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const other = await ethersFile('other');
    await writeFile(stored.path, other);
    const failure = await failureOf(replaceKey(io, keystore, stored, stored.text));
    expect(failure).toMatchObject({ code: 'unwritable_file', message: expect.stringContaining('another process') });
    expect(await readFile(stored.path, 'utf8')).toBe(other);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('lets one of many parallel writers win, and tells the others', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const files = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((password) => ethersFile(password)));
    const random = { ...io.random, fraction: Math.random };
    const running = { ...io, random, processes: { ...io.processes, liveness: async () => 'alive' as const } };
    const results = await Promise.allSettled(files.map((text) => replaceKey(running, keystore, stored, text)));
    const won = files.filter((_, at) => results[at]?.status === 'fulfilled');
    expect(won).toEqual([await readFile(stored.path, 'utf8')]);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('is not held up by a lock whose owner was killed', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    await writeFile(`${stored.path}.claim-0123`, '{"pid":999999,"host":"test"}');
    const ended = { ...io, processes: { ...io.processes, liveness: async () => 'dead' as const } };
    await replaceKey(ended, keystore, stored, stored.text);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });
});

describe('a key that is renamed', () => {
  it('is the same file, byte for byte, under its new name alone', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    expect(await renameKey(io, keystore, ADDRESS, 'vault')).toMatchObject({ name: 'vault', address: ADDRESS });
    expect(await readFile(join(keystore.folder, 'vault.json'), 'utf8')).toBe(stored.text);
    expect(await readdir(keystore.folder)).toEqual(['vault.json']);
  });

  it('never takes the place of another', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const vault = await keystore.create('vault', await ethersFile('other'));
    for (const to of ['vault', 'till'])
      expect((await failureOf(renameKey(io, keystore, 'till', to))).code).toBe('key_exists');
    for (const key of [stored, vault]) expect(await readFile(key.path, 'utf8')).toBe(key.text);
    expect((await failureOf(renameKey(io, keystore, 'till', '../up'))).code).toBe('invalid_input');
  });
});

describe('a key that is removed', () => {
  it('is gone, and the others stay', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    await keystore.create('vault', stored.text);
    await removeKey(io, keystore, 'till');
    expect(await readdir(keystore.folder)).toEqual(['vault.json']);
  });
});
