import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secret } from '../../src/core/secret.ts';
import { systemDerive } from '../../src/io/system.ts';
import { changePassword, removeKey, renameKey, replaceKey } from '../../src/keystore/change.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { decryptKey, unlockStored } from '../../src/keystore/unlock.ts';
import { testIo } from '../support/io.ts';
import { ADDRESS, changeField, ethersFile, failureOf, hexOf, KEY } from './support.ts';

const withKey = async (text: string) => {
  const fake = await testIo({ stdin: 'old' });
  const keystore = openKeystore(fake.io);
  return { ...fake, keystore, stored: await keystore.create('till', text) };
};

describe('changing the password of a key', () => {
  it('makes a file that only the new password unlocks, with the address and a strong scrypt cost', async () => {
    const weak = changeField(await ethersFile('old'), 'address', () => undefined);
    const { io, keystore, stored } = await withKey(weak);
    const key = await unlockStored(io, stored, { passwordStdin: true, yes: true });
    await changePassword(io, keystore, { stored, key, password: secret('new') });
    const after = await keystore.read('till');
    expect(after.address).toBe(ADDRESS);
    expect((await failureOf(decryptKey(systemDerive, after.text, secret('old')))).code).toBe('wrong_password');
    const opened = await decryptKey(systemDerive, after.text, secret('new'));
    expect({ ...opened, privateKey: hexOf(opened.privateKey) }).toMatchObject({ privateKey: KEY, warnings: [] });
    expect((await stat(after.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('fails and writes nothing when another process changed the file meanwhile', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const other = await ethersFile('other');
    await writeFile(stored.path, other);
    const failure = await failureOf(replaceKey(io, keystore, stored, stored.text));
    expect(failure).toMatchObject({ code: 'unwritable_file', message: expect.stringContaining('another process') });
    expect(await readFile(stored.path, 'utf8')).toBe(other);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('succeeds for one of six parallel writers and fails for the others', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const files = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((password) => ethersFile(password)));
    const random = { ...io.random, fraction: Math.random };
    const alive = { ...io, random, processes: { ...io.processes, liveness: async () => 'alive' as const } };
    const results = await Promise.allSettled(files.map((text) => replaceKey(alive, keystore, stored, text)));
    const written = files.filter((_, at) => results[at]?.status === 'fulfilled');
    expect(written).toEqual([await readFile(stored.path, 'utf8')]);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });

  it('succeeds despite the claim of a process that was killed', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    await writeFile(`${stored.path}.claim-0123`, '{"pid":999999,"host":"test"}');
    const dead = { ...io, processes: { ...io.processes, liveness: async () => 'dead' as const } };
    await replaceKey(dead, keystore, stored, stored.text);
    expect(await readdir(keystore.folder)).toEqual(['till.json']);
  });
});

describe('renaming a key', () => {
  it('moves the unchanged file to the new name', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    expect(await renameKey(io, keystore, ADDRESS, 'vault')).toMatchObject({ name: 'vault', address: ADDRESS });
    expect(await readFile(join(keystore.folder, 'vault.json'), 'utf8')).toBe(stored.text);
    expect(await readdir(keystore.folder)).toEqual(['vault.json']);
  });

  it('fails for a name that exists or is invalid, and changes no file', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    const vault = await keystore.create('vault', await ethersFile('other'));
    for (const to of ['vault', 'till'])
      expect((await failureOf(renameKey(io, keystore, 'till', to))).code).toBe('key_exists');
    for (const key of [stored, vault]) expect(await readFile(key.path, 'utf8')).toBe(key.text);
    expect((await failureOf(renameKey(io, keystore, 'till', '../up'))).code).toBe('invalid_input');
  });
});

describe('removing a key', () => {
  it('removes its file and no other', async () => {
    const { io, keystore, stored } = await withKey(await ethersFile('old'));
    await keystore.create('vault', stored.text);
    await removeKey(io, keystore, 'till');
    expect(await readdir(keystore.folder)).toEqual(['vault.json']);
  });
});
