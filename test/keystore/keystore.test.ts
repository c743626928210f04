import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { secret } from '../../src/core/secret.ts';
import { addKey } from '../../src/keystore/change.ts';
import { printPrivateKey } from '../../src/keystore/import.ts';
import { openKeystore } from '../../src/keystore/keystore.ts';
import { testIo } from '../support/io.ts';
import { ADDRESS, cast, changed, ethersFile, failureOf, KEY, keyBytes } from './support.ts';
import { VECTORS } from './vectors.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

const given = async () => {
  const made = await testIo();
  const keystore = openKeystore(made.io);
  const put = async (name: string, text: string, mode = 0o600): Promise<string> => {
    await mkdir(keystore.folder, { recursive: true, mode: 0o700 });
    const path = join(keystore.folder, name);
    await writeFile(path, text);
    await chmod(path, mode);
    return path;
  };
  return { ...made, keystore, put };
};

describe('a key that is stored', () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
  });

  it('is 0600 in a folder of 0700 under umask 000, or other users of the machine read it', async () => {
    const { io, keystore } = await given();
    const key = await addKey(io, keystore, {
      name: 'till',
      chain: 'evm',
      privateKey: keyBytes(),
      password: secret('x'),
    });
    expect(await modeOf(key.path)).toBe('600');
    expect(await modeOf(keystore.folder)).toBe('700');
  });

  it('is tightened when it was 0644 in a folder of 0755, unchanged, and stderr says so once', async () => {
    const { keystore, put, said } = await given();
    const path = await put('till.json', VECTORS.key31.file, 0o644);
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

describe('a folder of keys that is a link', () => {
  it('is tightened where it leads', async () => {
    const { home, keystore, said } = await given();
    const elsewhere = join(home, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, keystore.folder);
    await writeFile(join(elsewhere, 'till.json'), VECTORS.key31.file, { mode: 0o600 });
    await chmod(elsewhere, 0o777);
    expect((await keystore.read('till')).name).toBe('till');
    expect(await modeOf(elsewhere)).toBe('700');
    expect(said.stderr).toContain('was open to other users; its mode is now 0700');
  });
});

describe('the keystore', () => {
  it('keeps plain files that cast opens where they lie', async () => {
    const { io, home, keystore } = await given();
    await addKey(io, keystore, { name: 'till', chain: 'evm', privateKey: keyBytes(), password: secret('x') });
    const words = ['wallet', 'decrypt-keystore', 'till.json', '-k', keystore.folder, '--unsafe-password', 'x'];
    expect(await cast(home, ...words)).toContain(KEY);
  });

  it('lists names, chains and addresses without a password, and creates nothing by looking', async () => {
    const { home, keystore, put } = await given();
    expect(await keystore.list()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
    await put('till.json', await ethersFile('x'));
    await put('cast-has-no-address.json', VECTORS.key31.file);
    expect(await keystore.list()).toMatchObject([
      { status: 'usable', name: 'cast-has-no-address', chain: 'evm', address: undefined },
      { status: 'usable', name: 'till', chain: 'evm', address: ADDRESS },
    ]);
  });

  it('goes on past a damaged key, names it by its path and leaves it as it is', async () => {
    const { keystore, put } = await given();
    const path = await put('a-torn.json', '{"version":3,"cry');
    await put('b-good.json', VECTORS.key31.file);
    await symlink(path, join(keystore.folder, 'c-link.json'));
    await mkdir(join(keystore.folder, 'd-folder.json'));
    await put(
      'e-greedy.json',
      changed(VECTORS.key31.file, 'crypto.kdfparams.n', () => 2 ** 24),
    );
    await put(`b-good.json.${crypto.randomUUID()}.tmp`, 'left by a crash');
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

  it('refuses a symbolic link, which could lead anywhere', async () => {
    const { home, keystore, put } = await given();
    await put('till.json', VECTORS.key31.file);
    await writeFile(join(home, 'elsewhere'), VECTORS.key31.file);
    await symlink(join(home, 'elsewhere'), join(keystore.folder, 'link.json'));
    const failure = await failureOf(keystore.read('link'));
    expect(failure.code).toBe('damaged_key_file');
    expect(failure.message).toContain('symbolic link');
  });

  it('does not read what is too large for a key: it is named, and hides no other', async () => {
    const { io, keystore, put } = await given();
    await put('till.json', VECTORS.key31.file);
    await put('large.json', '{');
    await truncate(keystore.pathOf('large'), 3 * 1024 ** 3);
    const read = (path: string) => {
      if (path.includes('large')) throw new Error('it was read');
      return io.files.read(path);
    };
    const listed = await openKeystore({ ...io, files: { ...io.files, read } }).list();
    expect(listed).toMatchObject([
      { name: 'large', status: 'damaged', problem: expect.stringContaining('too large') },
      { name: 'till', status: 'usable' },
    ]);
  });

  it('finds a key by name and by address in any case', async () => {
    const { keystore, put } = await given();
    await put('till.json', await ethersFile('x'));
    for (const what of ['till', ADDRESS, ADDRESS.toLowerCase()]) {
      expect(await keystore.find(what)).toMatchObject({ name: 'till', address: ADDRESS });
    }
    for (const what of ['tills', `0x${'1'.repeat(40)}`]) {
      const failure = await failureOf(keystore.find(what));
      expect(failure).toMatchObject({ code: 'key_not_found', details: { next: nextStep('key.list') } });
    }
  });

  it('finds a Solana key by its address, letter for letter, and repeats no text that might be a secret', async () => {
    const { io, keystore } = await given();
    const seed = { chain: 'solana', privateKey: keyBytes(), password: secret('x') } as const;
    const { address = '' } = await addKey(io, keystore, { name: 'vault', ...seed });
    expect(await keystore.find(address)).toMatchObject({ name: 'vault', chain: 'solana', address });
    const swapped = address.replace(/[a-z]/, (letter) => (letter === 'i' ? 'j' : letter.toUpperCase()));
    const failure = await failureOf(keystore.find(swapped));
    expect(failure.code).toBe('key_not_found');
    expect(failure.message).not.toContain(swapped.slice(0, 8));
  });

  it('never overwrites: the second of a name is refused and the first stands', async () => {
    const { keystore } = await given();
    await keystore.create('till', VECTORS.key31.file);
    expect((await failureOf(keystore.create('till', VECTORS.key30.file))).code).toBe('key_exists');
    expect((await failureOf(keystore.assertFree('till'))).code).toBe('key_exists');
    expect((await keystore.read('till')).text).toBe(VECTORS.key31.file);
  });

  it('lets one of many parallel creators win, and the file is the winner’s', async () => {
    const { io } = await given();
    const files = Object.values(VECTORS).flatMap(({ file }) => [file, file]);
    const attempts = await Promise.allSettled(files.map((file) => openKeystore(io).create('till', file)));
    const won = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(won).toHaveLength(1);
    expect(await readFile(won[0]?.path ?? '', 'utf8')).toBe(won[0]?.text);
    expect(await readdir(openKeystore(io).folder)).toEqual(['till.json']);
  });

  it('stores nothing that it could not read back', async () => {
    const { home, keystore } = await given();
    expect((await failureOf(keystore.create('till', '{}'))).code).toBe('damaged_key_file');
    expect(await readdir(home)).toEqual([]);
  });

  it('says which file it could not write', async () => {
    const { home, keystore } = await given();
    await writeFile(join(home, 'keys'), 'a file where the folder belongs');
    const failure = await failureOf(keystore.create('till', VECTORS.key31.file));
    expect(failure.code).toBe('unwritable_file');
    expect(failure.message).toContain(join(home, 'keys', 'till.json'));
  });

  it.each(['', '.hidden', '../up', 'a/b', 'a b', 'a\n', 'é', 'x'.repeat(65), ADDRESS.slice(2), KEY, `0x${KEY}`])(
    'refuses %j as a name and does not repeat it, for it may be a secret',
    async (name) => {
      const { keystore } = await given();
      for (const call of [keystore.read(name), keystore.create(name, VECTORS.key31.file), keystore.assertFree(name)]) {
        const failure = await failureOf(call);
        expect(failure.code).toBe('invalid_input');
        expect(failure.message).toBe('this is not a valid key name');
      }
    },
  );

  it('takes names up to their limits', async () => {
    const { keystore } = await given();
    for (const name of ['a', '9', 'Till-2.main_old', 'x-'.repeat(32)]) {
      expect((await keystore.create(name, VECTORS.key31.file)).name).toBe(name);
    }
  });
});

describe('an export', () => {
  it('is the file itself, or the key in hex that an import takes', async () => {
    const { keystore } = await given();
    const key = await keystore.create('till', VECTORS.key31.file);
    expect(key.text).toBe(VECTORS.key31.file);
    expect(await printPrivateKey('evm', keyBytes())).toBe(`0x${KEY}\n`);
  });
});
