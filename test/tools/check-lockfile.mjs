// Fails where a lockfile has an entry without a SHA-512 of its tarball. Allowed are optional packages of another platform:
// a registry that does not hold them cannot give their hashes. `--drop` removes these entries, for npm to write them anew.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const LOCKS = [
  'package-lock.json',
  'test/bench/peers/package-lock.json',
  'test/judges/package-lock.json',
  'test/judges/generators/package-lock.json',
  'test/nodes/package-lock.json',
];

/** `glibc` or `musl`, on Linux alone. */
const libc = () => {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
};
const MACHINE = { os: process.platform, cpu: process.arch, libc: libc() };

/** Whether npm leaves a package out here by a list such as `["linux"]` or `["!win32"]`; without a list it does not. */
const excludes = (list, own) => {
  const all = [list ?? []].flat();
  if (all.length === 0 || own === undefined) return false;
  const [refused, taken] = [all.filter((one) => one.startsWith('!')), all.filter((one) => !one.startsWith('!'))];
  return refused.includes(`!${own}`) || (taken.length > 0 && !taken.includes(own));
};
const isForeign = (entry) => Object.entries(MACHINE).some(([key, own]) => excludes(entry[key], own));

const isHashed = ({ integrity, link }) => link === true || /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');
const isAllowed = (entry) => entry.integrity === undefined && entry.optional === true && isForeign(entry);

/** Folders in which Node looks for a package from one at a path of the lockfile, the nearest first. */
const foldersOf = (path) => {
  const parts = path.split('/node_modules/');
  const outer = parts.map((_, at) => parts.slice(0, parts.length - at).join('/node_modules/'));
  return path === '' ? [''] : [...outer.map((folder) => `${folder}/`), ''];
};

/** Optional packages that npm left out, as it does in silence where the registry does not hold them. */
const lostIn = (packages) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersOf(path).some((folder) => packages[`${folder}node_modules/${name}`]))
      .map((name) => `${name}, an optional package of ${path || 'bursar'}, has no entry`),
  );

const drop = (path, lock) => {
  const kept = Object.entries(lock.packages).filter(([name, entry]) => name === '' || isHashed(entry));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }, null, 2)}\n`);
};

const words = process.argv.slice(2);
const given = words.filter((word) => !word.startsWith('--'));
for (const path of given.length > 0 ? given : LOCKS) {
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
  const bare = entries.filter(([, entry]) => !isHashed(entry));
  const unhashed = bare.filter(([, entry]) => !isAllowed(entry));
  const wrong = [
    ...unhashed.map(([name]) => `${name} has no SHA-512, so npm would install any tarball for it here`),
    ...lostIn(lock.packages),
  ];
  for (const problem of wrong) process.stderr.write(`${path}: ${problem}\n`);
  if (wrong.length > 0) process.exitCode = 1;
  const allowed = bare.length - unhashed.length;
  process.stdout.write(`${path}: ${entries.length} entries, ${allowed} of other platforms without a hash\n`);
  if (words.includes('--drop')) drop(path, lock);
}
