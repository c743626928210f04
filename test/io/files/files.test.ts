import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, systemDisk } from '../../../src/io/files/disk.ts';
import { systemFiles as files, filesOn } from '../../../src/io/files/files.ts';
import { temporaryFolder } from '../../support/io.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('under a umask that gives everything away', () => {
  let before: number;
  beforeEach(() => {
    before = process.umask(0);
  });
  afterEach(() => void process.umask(before));

  it('private files are 0600 and new folders 0700', async () => {
    const home = join(await temporaryFolder(), 'a', 'b');
    await files.createPrivate(join(home, 'one'), 'x');
    await files.replacePrivate(join(home, 'two'), 'x');
    await files.appendDurably(join(home, 'three'), 'x');
    for (const name of ['one', 'two', 'three']) expect(await modeOf(join(home, name))).toBe(0o600);
    expect([await modeOf(home), await modeOf(join(home, '..'))]).toEqual([0o700, 0o700]);
  });

  it('a folder of the user keeps its mode when a file is written into it', async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o755);
    await files.createPrivate(join(home, 'export.json'), 'x');
    expect(await modeOf(home)).toBe(0o755);
  });
});

describe('a private file', () => {
  it('is never overwritten by create, and no temporary file is left', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'key');
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((text) => files.createPrivate(path, text)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await readdir(home)).toEqual(['key']);
  });

  it('is not written through a symbolic link: create refuses, replace puts a file in its place', async () => {
    const home = await temporaryFolder();
    const victim = join(home, 'victim');
    await writeFile(victim, 'mine');
    await symlink(victim, join(home, 'link'));
    expect(await files.createPrivate(join(home, 'link'), 'theirs')).toBe(false);
    await files.replacePrivate(join(home, 'link'), 'theirs');
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('that is a folder, or below a file, is an error with its path and not a crash', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'folder'));
    await writeFile(join(home, 'file'), 'x');
    await expect(files.read(join(home, 'folder'))).rejects.toMatchObject({ code: 'unreadable_file' });
    expect(await files.read(join(home, 'file', 'below'))).toBeUndefined();
    expect(await files.list(join(home, 'none'))).toEqual([]);
  });
});

describe('killed in the middle of replacing a file', () => {
  it('the old content or the new one stands, whole', async () => {
    const home = await temporaryFolder();
    const bundle = join(home, 'writer.mjs');
    await build({
      entryPoints: ['src/io/files/files.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: bundle,
    });
    const path = join(home, 'state');
    const [a, b] = ['a'.repeat(300_000), 'b'.repeat(300_000)];
    await files.replacePrivate(path, a);
    const script = `import { systemFiles } from '${pathToFileURL(bundle).href}';
      for (let at = 0; ; at += 1) await systemFiles.replacePrivate('${path}', (at % 2 ? 'a' : 'b').repeat(300_000));`;
    for (const after of [60, 90, 120, 150, 180]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      await new Promise((resolve) => setTimeout(resolve, after));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      expect([a, b]).toContain(await readFile(path, 'utf8'));
    }
  });
});

describe('a folder', () => {
  it('that nothing can be made in ends the try at once: Node by itself would go on for ever', async () => {
    const below = process.platform === 'linux' ? '/proc/bursar-home/keys/a' : join('/dev/null', 'keys', 'a');
    await expect(files.createPrivate(below, 'x')).rejects.toThrow(/mkdir/);
    await expect(files.makePrivateFolder(below)).rejects.toThrow(/mkdir/);
  }, 5_000);

  it('is made with all above it by two that come at once', async () => {
    const home = join(await temporaryFolder(), 'a', 'b', 'c');
    await Promise.all(['one', 'two', 'three'].map((name) => files.createPrivate(join(home, name), 'x')));
    expect(await readdir(home)).toEqual(['one', 'three', 'two']);
  });

  it('that is a symbolic link to one is taken as it is', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'real'));
    await symlink(join(home, 'real'), join(home, 'link'));
    await files.createPrivate(join(home, 'link', 'x'), 'x');
    expect(await readdir(join(home, 'real'))).toEqual(['x']);
  });
});

describe('on a disk that a test puts below', () => {
  /** The real disk, with each call that changes it written down; `failing` throws in place of its call. */
  const recorded = (failing?: string) => {
    const calls: string[] = [];
    const call = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      calls.push(name);
      if (name === failing) throw Object.assign(new Error(name), { code: 'EIO' });
      return work();
    };
    const disk: Disk = {
      ...systemDisk,
      open: async (path, use, mode) => {
        const file = await call(`open ${use}`, () => systemDisk.open(path, use, mode));
        return {
          ...file,
          write: (bytes) => call('write', () => file.write(bytes)),
          sync: () => call('sync', () => file.sync()),
          truncate: (size) => call('truncate', () => file.truncate(size)),
        };
      },
      link: (path, name) => call('link', () => systemDisk.link(path, name)),
      rename: (path, name) => call('rename', () => systemDisk.rename(path, name)),
      remove: (path) => call('remove', () => systemDisk.remove(path)),
      syncFolder: (path) => call('sync folder', () => systemDisk.syncFolder(path)),
    };
    return { calls, files: filesOn(disk) };
  };

  it('content is synced before its name is given, and the name before the call resolves', async () => {
    const home = await temporaryFolder();
    const { calls, files } = recorded();
    await files.createPrivate(join(home, 'one'), 'x');
    await files.replacePrivate(join(home, 'two'), 'x');
    await files.appendDurably(join(home, 'three'), 'x');
    await files.appendDurably(join(home, 'three'), 'y');
    await files.truncate(join(home, 'three'), 1);
    expect(calls).toEqual([
      // The folder may be of a process that was killed before it synced its name.
      'sync folder',
      ...['open new', 'write', 'sync', 'link', 'sync folder', 'remove'],
      ...['open new', 'write', 'sync', 'rename', 'sync folder'],
      ...['open append', 'write', 'sync', 'sync folder'],
      ...['open append', 'write', 'sync'],
      ...['open change', 'truncate', 'sync'],
    ]);
  });

  it('the names of folders that a killed process may have left unsynced are synced, once, up to the first that others may enter', async () => {
    const home = await temporaryFolder();
    await files.makePrivateFolder(join(home, 'state', 'journal'));
    const synced: string[] = [];
    const later = filesOn({ ...systemDisk, syncFolder: async (path) => void synced.push(path) });
    await later.makePrivateFolder(join(home, 'state', 'journal'));
    await later.makePrivateFolder(join(home, 'state', 'journal'));
    expect(synced).toEqual([join(home, 'state'), home, dirname(home)]);
  });

  it('what fails leaves nothing half written', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'lines');
    await files.appendDurably(path, 'a\n');
    for (const failing of ['write', 'sync', 'rename', 'link']) {
      const broken = recorded(failing).files;
      if (failing !== 'rename') await expect(broken.createPrivate(join(home, 'one'), 'x')).rejects.toThrow(failing);
      if (failing !== 'link') await expect(broken.replacePrivate(path, 'x')).rejects.toThrow(failing);
      if (failing === 'sync') await expect(broken.appendDurably(path, 'b\n')).rejects.toThrow(failing);
      expect(await readFile(path, 'utf8')).toBe('a\n');
      expect(await readdir(home)).toEqual(['lines']);
    }
  });
});
