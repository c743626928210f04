// Fails if an entry of a lockfile has no SHA-512 of its tarball. Optional packages for another platform may have none: a
// registry without them does not send their hashes. `--drop` removes the entries without a hash, so that npm writes them again.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const LOCKS = [
  'package-lock.json',
  'test/bench/peers/package-lock.json',
  'test/judges/package-lock.json',
  'test/judges/generators/package-lock.json',
  'test/nodes/package-lock.json',
];

/** `glibc` or `musl` on Linux, `undefined` elsewhere. */
const libc = () => {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
};
const MACHINE = { os: process.platform, cpu: process.arch, libc: libc() };

/** Whether a list such as `["linux"]` or `["!win32"]` excludes this machine. No list excludes nothing. */
const excludes = (list, own) => {
  const all = [list ?? []].flat();
  if (all.length === 0 || own === undefined) return false;
  const [denied, allowed] = [all.filter((item) => item.startsWith('!')), all.filter((item) => !item.startsWith('!'))];
  return denied.includes(`!${own}`) || (allowed.length > 0 && !allowed.includes(own));
};
const isForeign = (entry) => Object.entries(MACHINE).some(([key, own]) => excludes(entry[key], own));

const isHashed = ({ integrity, link }) => link === true || /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');
const isAllowed = (entry) => entry.integrity === undefined && entry.optional === true && isForeign(entry);

/** The folders in which a package at a path of the lockfile finds its dependencies, the nearest first. */
const foldersOf = (path) => {
  const parts = path.split('/node_modules/');
  const outer = parts.map((_, at) => parts.slice(0, parts.length - at).join('/node_modules/'));
  return path === '' ? [''] : [...outer.map((folder) => `${folder}/`), ''];
};

/** Optional packages without an entry. npm leaves them out without a message if the registry does not have them. */
const missingIn = (packages) =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersOf(path).some((folder) => packages[`${folder}node_modules/${name}`]))
      .map((name) => `${name}, an optional package of ${path || 'bursar'}, has no entry`),
  );

const drop = (path, lock) => {
  const kept = Object.entries(lock.packages).filter(([name, entry]) => name === '' || isHashed(entry));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }, null, 2)}\n`);
};

const args = process.argv.slice(2);
const paths = args.filter((arg) => !arg.startsWith('--'));
for (const path of paths.length > 0 ? paths : LOCKS) {
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
  const withoutHash = entries.filter(([, entry]) => !isHashed(entry));
  const forbidden = withoutHash.filter(([, entry]) => !isAllowed(entry));
  const problems = [
    ...forbidden.map(([name]) => `${name} has no SHA-512, so npm would install any tarball for it here`),
    ...missingIn(lock.packages),
  ];
  for (const problem of problems) process.stderr.write(`${path}: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  const allowed = withoutHash.length - forbidden.length;
  process.stdout.write(`${path}: ${entries.length} entries, ${allowed} of other platforms without a hash\n`);
  if (args.includes('--drop')) drop(path, lock);
}
