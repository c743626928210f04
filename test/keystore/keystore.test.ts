import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { secret } from '../../src/core/secret.ts';
import { addKey } from '../../src/keystore/change.ts';
import { printPrivateKey } from '../../src/keystore/import.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { testIo } from '../support/io.ts';
import { ADDRESS, cast, changeField, ethersFile, failureOf, KEY, keyBytes } from './support.ts';
import { VECTORS } from './vectors.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

const setup = async () => {
  const fake = await testIo();
  const keystore = openKeystore(fake.io);
  const writeKeyFile = async (name: string, text: string, mode = 0o600): Promise<string> => {
    await mkdir(keystore.folder, { recursive: true, mode: 0o700 });
    const path = join(keystore.folder, name);
    await writeFile(path, text);
    await chmod(path, mode);
    return path;
  };
  return { ...fake, keystore, writeKeyFile };
};

describe('a stored key', () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
  });

  it('gets mode 0600 in a folder of mode 0700 under umask 000', async () => {
    const { io, keystore } = await setup();
    const key = await addKey(io, keystore, {
      name: 'till',
      chain: 'evm',
      privateKey: keyBytes(),
      password: secret('x'),
    });
    expect(await modeOf(key.path)).toBe('600');
    expect(await modeOf(keystore.folder)).toBe('700');
  });

  it('with mode 0644 in a folder of mode 0755 is set to 0600 and 0700, with a notice once and unchanged content', async () => {
    const { keystore, writeKeyFile, said } = await setup();
    const path = await writeKeyFile('till.json', VECTORS.key31.file, 0o644);
    await chmod(keystore.folder, 0o755);
    expect((await keystore.read('till')).text).toBe(VECTORS.key31.file);
    expect([await modeOf(path), await modeOf(keystore.folder)]).toEqual(['600', '700']);
    expect(await readFile(path, 'utf8')).toBe(VECTORS.key31.file);
    expect(said.stderr.split('\n')).toEqual([
      `${keystore.folder} was open to other users; its mode is now 0700`,
      `${path} was open to other users; its mode is now 0600`,
      '',
    ]);
    await keystore.list();
    expect(said.stderr.split('\n')).toHaveLength(3);
  });
});

describe('a key folder that is a symbolic link', () => {
  it('gets mode 0700 on its target', async () => {
    const { home, keystore, said } = await setup();
    const target = join(home, 'elsewhere');
    await mkdir(target);
    await symlink(target, keystore.folder);
    await writeFile(join(target, 'till.json'), VECTORS.key31.file, { mode: 0o600 });
    await chmod(target, 0o777);
    expect((await keystore.read('till')).name).toBe('till');
    expect(await modeOf(target)).toBe('700');
    expect(said.stderr).toContain('was open to other users; its mode is now 0700');
  });
});

describe('the keystore', () => {
  it('stores plain files that cast decrypts in place', async () => {
    const { io, home, keystore } = await setup();
    await addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('x') });
    const args = ['wallet', 'decrypt-keystore', 'till.json', '-k', keystore.folder, '--unsafe-password', 'x'];
    expect(await cast(home, ...args)).toContain(KEY);
  });

  it('lists names, chains and addresses without a password, and creates no folder for a list', async () => {
    const { home, keystore, writeKeyFile } = await setup();
    expect(await keystore.list()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
    await writeKeyFile('till.json', await ethersFile('x'));
    await writeKeyFile('cast-has-no-address.json', VECTORS.key31.file);
    expect(await keystore.list()).toMatchObject([
      { status: 'usable', name: 'cast-has-no-address', chain: 'evm', address: undefined },
      { status: 'usable', name: 'till', chain: 'evm', address: ADDRESS },
    ]);
  });

  it('lists other keys beside a damaged key, names the path of the damaged key and does not change it', async () => {
    const { keystore, writeKeyFile } = await setup();
    const path = await writeKeyFile('a-torn.json', '{"version":3,"cry');
    await writeKeyFile('b-good.json', VECTORS.key31.file);
    await symlink(path, join(keystore.folder, 'c-link.json'));
    await mkdir(join(keystore.folder, 'd-folder.json'));
    await writeKeyFile(
      'e-greedy.json',
      changeField(VECTORS.key31.file, 'crypto.kdfparams.n', () => 2 ** 24),
    );
    await writeKeyFile(`b-good.json.${crypto.randomUUID()}.tmp`, 'left by a crash');
    const keys = await keystore.list();
    expect(keys.map(({ name, status }) => [name, status])).toEqual([
      ['a-torn', 'damaged'],
      ['b-good', 'usable'],
      ['c-link', 'damaged'],
      ['d-folder', 'damaged'],
      ['e-greedy', 'damaged'],
    ]);
    const failure = await failureOf(keystore.read('a-torn'));
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain(path);
    expect(await readFile(path, 'utf8')).toBe('{"version":3,"cry');
  });

  it('rejects a key file that is a symbolic link', async () => {
    const { home, keystore, writeKeyFile } = await setup();
    await writeKeyFile('till.json', VECTORS.key31.file);
    await writeFile(join(home, 'elsewhere'), VECTORS.key31.file);
    await symlink(join(home, 'elsewhere'), join(keystore.folder, 'link.json'));
    const failure = await failureOf(keystore.read('link'));
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain('symbolic link');
  });

  it('lists a file that is too large as damaged without reading it, beside the other keys', async () => {
    const { io, keystore, writeKeyFile } = await setup();
    await writeKeyFile('till.json', VECTORS.key31.file);
    await writeKeyFile('large.json', '{');
    await truncate(keystore.pathOf('large'), 3 * 1024 ** 3);
    const read = (path: string) => {
      if (path.includes('large')) throw new Error('the large file was read');
      return io.files.read(path);
    };
    const listed = await openKeystore({ ...io, files: { ...io.files, read } }).list();
    expect(listed).toMatchObject([
      { name: 'large', status: 'damaged', problem: expect.stringContaining('too large') },
      { name: 'till', status: 'usable' },
    ]);
  });

  it('finds an EVM key by name and by address in upper or lower case', async () => {
    const { keystore, writeKeyFile } = await setup();
    await writeKeyFile('till.json', await ethersFile('x'));
    for (const nameOrAddress of ['till', ADDRESS, ADDRESS.toLowerCase()]) {
      expect(await keystore.find(nameOrAddress)).toMatchObject({ name: 'till', address: ADDRESS });
    }
    for (const nameOrAddress of ['tills', `0x${'1'.repeat(40)}`]) {
      const failure = await failureOf(keystore.find(nameOrAddress));
      expect(failure).toMatchObject({ code: 'key_not_found', details: { next: nextStep('key.list') } });
    }
  });

  it('finds a Solana key only by its exact address, and does not quote an unknown address', async () => {
    const { io, keystore } = await setup();
    const seed = { chain: 'solana', privateKey: keyBytes(), password: secret('x') } as const;
    const { address = '' } = await addKey(io, keystore, { name: 'vault', ...seed });
    expect(await keystore.find(address)).toMatchObject({ name: 'vault', chain: 'solana', address });
    const swapped = address.replace(/[a-z]/, (letter) => (letter === 'i' ? 'j' : letter.toUpperCase()));
    const failure = await failureOf(keystore.find(swapped));
    expect(failure.code).toBe('key_not_found');
    expect(failure.message).not.toContain(swapped.slice(0, 8));
  });

  it('rejects a second key with the same name and keeps the first', async () => {
    const { keystore } = await setup();
    await keystore.create('till', VECTORS.key31.file);
    expect((await failureOf(keystore.create('till', VECTORS.key30.file))).code).toBe('key_exists');
    expect((await failureOf(keystore.assertFree('till'))).code).toBe('key_exists');
    expect((await keystore.read('till')).text).toBe(VECTORS.key31.file);
  });

  it('creates a key for only one of many parallel calls with the same name', async () => {
    const { io } = await setup();
    const files = Object.values(VECTORS).flatMap(({ file }) => [file, file]);
    const attempts = await Promise.allSettled(files.map((file) => openKeystore(io).create('till', file)));
    const created = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(created).toHaveLength(1);
    expect(await readFile(created[0]?.path ?? '', 'utf8')).toBe(created[0]?.text);
    expect(await readdir(openKeystore(io).folder)).toEqual(['till.json']);
  });

  it('does not store a text that is not a key file', async () => {
    const { home, keystore } = await setup();
    expect((await failureOf(keystore.create('till', '{}'))).code).toBe('damaged_key_file');
    expect(await readdir(home)).toEqual([]);
  });

  it('names the file that could not be written', async () => {
    const { home, keystore } = await setup();
    await writeFile(join(home, 'keys'), 'a file where the folder belongs');
    const failure = await failureOf(keystore.create('till', VECTORS.key31.file));
    expect(failure.code).toBe('unwritable_file');
    expect(failure.message).toContain(join(home, 'keys', 'till.json'));
  });

  it.each(['', '.hidden', '../up', 'a/b', 'a b', 'a\n', 'é', 'x'.repeat(65), ADDRESS.slice(2), KEY, `0x${KEY}`])(
    'rejects %j as a name and does not quote it, because it may be a secret',
    async (name) => {
      const { keystore } = await setup();
      for (const call of [keystore.read(name), keystore.create(name, VECTORS.key31.file), keystore.assertFree(name)]) {
        const failure = await failureOf(call);
        expect(failure.code).toBe('invalid_input');
        expect(failure.message).toBe('this is not a valid key name');
      }
    },
  );

  it('accepts names of 1 to 64 allowed characters', async () => {
    const { keystore } = await setup();
    for (const name of ['a', '9', 'Till-2.main_old', 'x-'.repeat(32)]) {
      expect((await keystore.create(name, VECTORS.key31.file)).name).toBe(name);
    }
  });
});

describe('exporting a key', () => {
  it('returns the stored file, or the private key in hex', async () => {
    const { keystore } = await setup();
    const key = await keystore.create('till', VECTORS.key31.file);
    expect(key.text).toBe(VECTORS.key31.file);
    expect(await printPrivateKey('evm', keyBytes())).toBe(`0x${KEY}\n`);
  });
});
