// Prints how the house stands: how many files and lines it has, how large they are, how many of them could be one, and how
// long the README is. Lines are those with code: no blank ones, no comments.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What was there when files were first merged by topic. */
const FIRST = { files: 1071, lines: 49_708 };

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const paths = readdirSync(join(ROOT, 'src'), { recursive: true })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => join('src', path));

const codeLines = (text) =>
  text
    .replaceAll(/^\s*\/\*\*?[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;

const importsOf = (path, text) =>
  [...text.matchAll(/(from|import\()\s*'(\.[^']+)'/g)].map(([, how, to]) => ({
    to: relative(ROOT, resolve(ROOT, dirname(path), to)),
    isLazy: how === 'import(',
  }));

const files = paths.map((path) => {
  const text = read(path);
  return { path, lines: codeLines(text), all: text.split('\n').length, imports: importsOf(path, text) };
});
const importers = new Map();
const lazy = new Set();
for (const { path, imports } of files) {
  for (const { to, isLazy } of imports) {
    importers.set(to, new Set([...(importers.get(to) ?? []), path]));
    if (isLazy) lazy.add(to);
  }
}
const isAlone = ({ path }) => {
  const [only, ...others] = importers.get(path) ?? [];
  return only !== undefined && others.length === 0 && !lazy.has(path) && dirname(only) === dirname(path);
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

const rows = [
  ['source files', files.length, Math.floor(FIRST.files * 0.73)],
  ['lines of code', sum(files.map(({ lines }) => lines)), Math.floor(FIRST.lines * 0.95)],
  ['lines of a file, in the median', median(files.map(({ all }) => all))],
  ['files under 15 lines', files.filter(({ all }) => all < 15).length],
  ['files above 250 lines', files.filter(({ all }) => all > 251).length, 0],
  ['files that one file of their folder alone imports', files.filter(isAlone).length],
  ['lines of the README', read('README.md').split('\n').length - 1, 250],
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, most] of rows) {
  const end = most === undefined ? '' : `at most ${most}${value > most ? ', not yet' : ''}`;
  process.stdout.write(`${name.padEnd(width)}  ${String(value).padStart(6)}  ${end}`.trimEnd().concat('\n'));
}
