import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, systemDisk } from '../../../src/io/files/disk.ts';
import { systemFiles as files, filesOn } from '../../../src/io/files/files.ts';
import { temporaryFolder } from '../../support/io.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('under a umask of 0', () => {
  let before: number;
  beforeEach(() => {
    before = process.umask(0);
  });
  afterEach(() => void process.umask(before));

  it('private files get mode 0600 and new folders 0700', async () => {
    const home = join(await temporaryFolder(), 'a', 'b');
    await files.createPrivate(join(home, 'one'), 'x');
    await files.replacePrivate(join(home, 'two'), 'x');
    await files.appendDurably(join(home, 'three'), 'x');
    for (const name of ['one', 'two', 'three']) expect(await modeOf(join(home, name))).toBe(0o600);
    expect([await modeOf(home), await modeOf(join(home, '..'))]).toEqual([0o700, 0o700]);
  });

  it('an existing folder keeps its mode when a private file is written into the folder', async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o755);
    await files.createPrivate(join(home, 'export.json'), 'x');
    expect(await modeOf(home)).toBe(0o755);
  });
});

describe('a private file', () => {
  it('is created by one of several concurrent calls, which leave no temporary file', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'key');
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((text) => files.createPrivate(path, text)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await readdir(home)).toEqual(['key']);
  });

  it('is not written through a symbolic link: create returns false, replace replaces the link', async () => {
    const home = await temporaryFolder();
    const victim = join(home, 'victim');
    await writeFile(victim, 'mine');
    await symlink(victim, join(home, 'link'));
    expect(await files.createPrivate(join(home, 'link'), 'theirs')).toBe(false);
    await files.replacePrivate(join(home, 'link'), 'theirs');
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('read from a folder fails as unreadable, read from below a file is undefined; listing a missing folder is empty', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'folder'));
    await writeFile(join(home, 'file'), 'x');
    await expect(files.read(join(home, 'folder'))).rejects.toMatchObject({ code: 'unreadable_file' });
    expect(await files.read(join(home, 'file', 'below'))).toBeUndefined();
    expect(await files.list(join(home, 'none'))).toEqual([]);
  });
});

describe('a process killed while it replaces a file', () => {
  it('leaves the complete old or the complete new content', async () => {
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
    for (const delayMs of [60, 90, 120, 150, 180]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      expect([a, b]).toContain(await readFile(path, 'utf8'));
    }
  });
});

describe('creating a folder', () => {
  it('fails at once below a path where no folder can be created; mkdir of Node would retry forever', async () => {
    const below = process.platform === 'linux' ? '/proc/bursar-home/keys/a' : join('/dev/null', 'keys', 'a');
    await expect(files.createPrivate(below, 'x')).rejects.toThrow(/mkdir/);
    await expect(files.makePrivateFolder(below)).rejects.toThrow(/mkdir/);
  }, 5_000);

  it('succeeds with all its parents for three concurrent calls', async () => {
    const home = join(await temporaryFolder(), 'a', 'b', 'c');
    await Promise.all(['one', 'two', 'three'].map((name) => files.createPrivate(join(home, name), 'x')));
    expect(await readdir(home)).toEqual(['one', 'three', 'two']);
  });

  it('accepts an existing symbolic link to a folder', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'real'));
    await symlink(join(home, 'real'), join(home, 'link'));
    await files.createPrivate(join(home, 'link', 'x'), 'x');
    expect(await readdir(join(home, 'real'))).toEqual(['x']);
  });
});

describe('the calls to the disk', () => {
  /** The real disk, which records each call that changes it. The call named `failing` throws. */
  const recordingFiles = (failing?: string) => {
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

  it('sync the content before the file gets its name, and the name before the write resolves', async () => {
    const home = await temporaryFolder();
    const { calls, files } = recordingFiles();
    await files.createPrivate(join(home, 'one'), 'x');
    await files.replacePrivate(join(home, 'two'), 'x');
    await files.appendDurably(join(home, 'three'), 'x');
    await files.appendDurably(join(home, 'three'), 'y');
    await files.truncate(join(home, 'three'), 1);
    expect(calls).toEqual([
      // A process that was killed may have created the folder without syncing its name.
      'sync folder',
      ...['open new', 'write', 'sync', 'link', 'sync folder', 'remove'],
      ...['open new', 'write', 'sync', 'rename', 'sync folder'],
      ...['open append', 'write', 'sync', 'sync folder'],
      ...['open append', 'write', 'sync'],
      ...['open change', 'truncate', 'sync'],
    ]);
  });

  it('sync the names of existing private folders once, up to the first folder that is not private', async () => {
    const home = await temporaryFolder();
    await files.makePrivateFolder(join(home, 'state', 'journal'));
    const synced: string[] = [];
    const later = filesOn({ ...systemDisk, syncFolder: async (path) => void synced.push(path) });
    await later.makePrivateFolder(join(home, 'state', 'journal'));
    await later.makePrivateFolder(join(home, 'state', 'journal'));
    expect(synced).toEqual([join(home, 'state'), home, dirname(home)]);
  });

  it('leave no partial file when one of the calls fails', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'lines');
    await files.appendDurably(path, 'a\n');
    for (const failing of ['write', 'sync', 'rename', 'link']) {
      const broken = recordingFiles(failing).files;
      if (failing !== 'rename') await expect(broken.createPrivate(join(home, 'one'), 'x')).rejects.toThrow(failing);
      if (failing !== 'link') await expect(broken.replacePrivate(path, 'x')).rejects.toThrow(failing);
      if (failing === 'sync') await expect(broken.appendDurably(path, 'b\n')).rejects.toThrow(failing);
      expect(await readFile(path, 'utf8')).toBe('a\n');
      expect(await readdir(home)).toEqual(['lines']);
    }
  });
});

describe('a file that is open for appends', () => {
  it('is created private, keeps its earlier content, and syncs each append and its new name', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'lines');
    const synced: string[] = [];
    const recording = filesOn({
      ...systemDisk,
      syncFolder: async (folder) => void synced.push(folder),
      open: async (name, use, mode) => {
        const file = await systemDisk.open(name, use, mode);
        return { ...file, sync: async () => void synced.push(await readFile(path, 'utf8')) };
      },
    });
    for (const text of ['one\n', 'two\n']) {
      const file = await recording.openToAppend(path);
      await file.append(text);
      await file.close();
    }
    expect(synced).toEqual([home, 'one\n', 'one\ntwo\n']);
    expect(await modeOf(path)).toBe(0o600);
  });

  it('loses a half-written append when the disk is full, says so, and accepts the next append', async () => {
    const path = join(await temporaryFolder(), 'lines');
    let room = 6;
    const full = filesOn({
      ...systemDisk,
      open: async (name, use, mode) => {
        const file = await systemDisk.open(name, use, mode);
        const write = async (bytes: Uint8Array | string) => {
          await file.write(Buffer.from(bytes as string).subarray(0, room));
          if (bytes.length > room) throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
        };
        return { ...file, write };
      },
    });
    const file = await full.openToAppend(path);
    await file.append('one\n');
    const refused = { code: 'unwritable_file', message: `${path} cannot be written: no space left` };
    await expect(file.append('two two\n')).rejects.toMatchObject(refused);
    room = 100;
    await file.append('three\n');
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('one\nthree\n');
  });

  it('is refused as unwritable in a missing folder, and for a folder', async () => {
    const home = await temporaryFolder();
    for (const path of [join(home, 'none', 'lines'), home]) {
      await expect(files.openToAppend(path)).rejects.toMatchObject({ code: 'unwritable_file' });
    }
  });
});

describe('a file that is open for reading', () => {
  it('gives its bytes from any place, and its identity by each of its names', async () => {
    const home = await temporaryFolder();
    const path = join(home, 'rows');
    await writeFile(path, 'abcdef');
    await symlink(path, join(home, 'link'));
    const file = await files.openToRead(join(home, 'link'));
    const textAt = async (start: number) => {
      const buffer = Buffer.alloc(3);
      return buffer.toString('utf8', 0, await file?.read(buffer, start));
    };
    expect(await Promise.all([0, 4, 6].map(textAt))).toEqual(['abc', 'ef', '']);
    expect((await file?.facts())?.identity).toBe((await files.facts(path))?.identity);
    expect((await files.facts(join(home, 'link')))?.identity).not.toBe((await files.facts(path))?.identity);
    await file?.close();
    expect(await files.openToRead(join(home, 'none'))).toBeUndefined();
  });

  it('opens a pipe without a writer at once', async () => {
    const pipe = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const file = await files.openToRead(pipe);
    expect((await file?.facts())?.isFile).toBe(false);
    await file?.close();
  });
});
