import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';

type Entry = {
  integrity?: string;
  optional?: true;
  os?: readonly string[];
  cpu?: readonly string[];
  libc?: readonly string[];
};
type Lock = { packages: Record<string, Entry> };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const ROOT = here('../..');

/** Runs the check of `npm run check` over the lockfile of this package, changed in some way. */
const checkWith = async (change: (packages: Lock['packages']) => void) => {
  const lock: Lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  change(lock.packages);
  const path = join(await temporaryFolder(), 'package-lock.json');
  await writeFile(path, JSON.stringify(lock));
  return new Promise<{ code: number; stderr: string }>((resolve) => {
    execFile(process.execPath, [here('../tools/check-lockfile.mjs'), path], (error, _, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });
};

const strip = (entry: Entry | undefined, more: Partial<Entry> = {}): void => {
  if (!entry) throw new Error('the lockfile has no such entry');
  delete entry.integrity;
  Object.assign(entry, more);
};

/** A package for the platform of this machine. */
const own = (packages: Lock['packages']): string =>
  Object.keys(packages).find((name) => {
    const { integrity, os, cpu, libc } = packages[name] ?? {};
    const isHere = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc?.includes('musl');
    return isHere && integrity !== undefined;
  }) ?? '';

const UNDICI = 'node_modules/undici';

it('the lockfile of this package passes: only packages of other platforms lack a hash', async () => {
  expect(await checkWith(() => undefined)).toEqual({ code: 0, stderr: '' });
});

it.each<[string, (packages: Lock['packages']) => void]>([
  ['a package that is always installed', (packages) => strip(packages[UNDICI])],
  ['a package that only claims another platform', (packages) => strip(packages[UNDICI], { os: ['aix'] })],
  ['an optional one of no platform', (packages) => strip(packages[UNDICI], { optional: true })],
  ['an optional one of this platform', (packages) => strip(packages[own(packages)])],
  ['an optional one of all platforms but another', (packages) => strip(packages[own(packages)], { os: ['!aix'] })],
  [
    'one with a weaker hash',
    (packages) => Object.assign(packages[UNDICI] ?? {}, { integrity: `sha1-${'A'.repeat(27)}=` }),
  ],
])('the check fails without the hash of %s, and names the package', async (_, change) => {
  const { code, stderr } = await checkWith(change);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/: node_modules\/\S+ has no SHA-512/)]);
});

it('the check names an optional package that npm omitted without a message', async () => {
  const { code, stderr } = await checkWith((packages) => {
    delete packages['node_modules/litesvm-darwin-x64'];
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('litesvm-darwin-x64, an optional package of bursar, has no entry'),
  ]);
});
