// Prints figures about the structure of the source, and fails if one is above its limit. Lines of code exclude blank lines and
// comments. With --brief it runs no `pay run` and leaves out the files that a `pay run` executes.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { executedByPayRun } from './executed-files.mjs';
import { longSentences } from './sentences.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files and lines of code before files were merged by topic. */
const BEFORE_MERGE = { files: 1071, lines: 49_708 };

/** What features have added since: lines of code, and files that a `pay run` executes. A new feature raises them. */
const ADDED_LINES = 25_100;
const ADDED_FILES = 37;

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

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

const files = readdirSync(join(ROOT, 'src'), { recursive: true })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => {
    const text = read(join('src', path));
    const imports = importsOf(join('src', path), text);
    return { path: join('src', path), text, lines: codeLines(text), all: text.split('\n').length - 1, imports };
  });
const tool = files.filter(({ path }) => !path.startsWith('src/sandbox/'));

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

const visit = (node, on) => {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) visit(child, on);
    return;
  }
  on(node);
  for (const value of Object.values(node)) visit(value, on);
};
const parsed = tool.map((file) => ({
  ...file,
  tree: parseSync(file.text, { syntax: 'typescript', target: 'es2022' }),
}));
const countNodes = (isCounted, among = parsed) => {
  let count = 0;
  for (const { tree } of among) visit(tree, (node) => (count += isCounted(node) ? 1 : 0));
  return count;
};

/** A table of options: an object with at least two flags as keys, or a list of at least three. */
const FLAGS = new Set([...read('completions/bursar.bash').matchAll(/--[a-z][a-z0-9-]+/g)].map(([flag]) => flag));
const isFlag = (text) => typeof text === 'string' && FLAGS.has(text);
const flagsIn = (node) => {
  if (node.type === 'ObjectExpression') return node.properties.map(({ key }) => key?.value);
  if (node.type === 'ArrayExpression') return node.elements.map((element) => element?.expression.value);
  return [];
};
const isOptionTable = (node) => {
  const found = flagsIn(node);
  return found.length > (node.type === 'ArrayExpression' ? 2 : 1) && found.every(isFlag);
};
const undeclared = parsed.filter(({ path }) => path.startsWith('src/cli/') && !path.startsWith('src/cli/commands/'));

/** A search in a text that the program itself wrote. */
const OWN_TEXT = ['message', 'sentence', 'description', 'summary', 'hint', 'explanation'];
const SEARCHES = ['test', 'exec', 'match', 'matchAll', 'includes', 'startsWith', 'endsWith', 'search', 'indexOf'];
const nameIn = (node) => (node?.type === 'MemberExpression' ? node.property.value : undefined);
const isOwnText = (node) => OWN_TEXT.includes(nameIn(node));
const isSearch = ({ type, callee, arguments: args }) =>
  type === 'CallExpression' &&
  SEARCHES.includes(nameIn(callee)) &&
  (isOwnText(callee.object) || (['test', 'exec'].includes(nameIn(callee)) && isOwnText(args[0]?.expression)));
// Fields with the same names contain texts of others here: a challenge, an error of a node, a line of the service.
const REMOTE_TEXT = /^src\/(?:chain\/message|client\/solana-rpc|core\/remote-text)/;
const ours = parsed.filter(({ path }) => !REMOTE_TEXT.test(path));

/** A reducer of the journal has a `switch` over at least three steps. `wire.ts` only converts lines. */
const STEPS = [
  'executing',
  'executed',
  'broadcasting',
  'landed',
  'signed',
  'signed_part',
  'sending',
  'sent',
  'dead',
  'settled',
];
const isReducer = ({ type, cases }) =>
  type === 'SwitchStatement' && cases.filter(({ test }) => STEPS.includes(test?.value)).length >= 3;
const reducers = parsed.filter((file) => !file.path.endsWith('/wire.ts') && countNodes(isReducer, [file]) > 0).length;
const resumeEngines = tool.filter(({ path }) => /^src\/flows\/(?:.*\/)?resume\.ts$/.test(path)).length;

const RETIRED =
  /\b(?:movements?|wish(?:es|ed)?|vouch(?:es|ed)?|told|whoever|begun|sets? aside|take[sn]? up|took up|errands?)\b/gi;
const retiredIn = ({ path, text }) => (path === 'src/core/wire-names.ts' ? 0 : (text.match(RETIRED) ?? []).length);

/** The number of files that a recipe in src/README.md names. */
const recipeOf = (title) => {
  const [, text = ''] = read('src/README.md').split(`**${title}**`);
  const [recipe = ''] = text.split(/\n\*\*|\n## /);
  return new Set(
    [...recipe.matchAll(/`((?:test\/|docs\/|completions\/)?[\w<>./-]+(?:\.ts|\.md|\/))`/g)].map(([, path]) => path),
  ).size;
};

const executed = process.argv.includes('--brief') ? undefined : executedByPayRun();
const rows = [
  ['source files', files.length, Math.floor(BEFORE_MERGE.files * 0.73)],
  ['lines of code', sum(files.map(({ lines }) => lines)), Math.floor(BEFORE_MERGE.lines * 0.95) + ADDED_LINES],
  ['lines of a file, in the median', median(files.map(({ all }) => all))],
  ['files under 15 lines', files.filter(({ all }) => all < 15).length],
  ['files above 250 lines', files.filter(({ all }) => all > 250).length, 0],
  ['files that one file of their folder alone imports', files.filter(isAlone).length],
  ...(executed
    ? [
        ['files that a pay run executes', executed.files, 125 + ADDED_FILES],
        ['functions that a pay run executes', executed.functions],
      ]
    : []),
  ['files of the recipe for an endpoint', recipeOf('A new endpoint'), 12],
  ['files of the recipe for an optional field', recipeOf('A new optional field'), 9],
  ['files of the recipe for an EVM chain', recipeOf('A new EVM chain'), 7],
  ['tables of options outside declarations', countNodes(isOptionTable, undeclared), 0],
  ['searches in our own text', countNodes(isSearch, ours), 0],
  ['files that read argv', tool.filter(({ text }) => /\b(?:host|process)\.argv\b|\bio\.args\b/.test(text)).length, 1],
  ['reducers of the journal', reducers, 1],
  ['resume engines', resumeEngines, 1],
  ['retired words', sum(files.map(retiredIn)), 0],
  ['sentences above 25 words', sum(files.map(({ text }) => longSentences(text).length)), 0],
  ['lines of the README', read('README.md').split('\n').length - 1, 250],
  ['lines of the map in src/README.md', read('src/README.md').split('\n').length - 1, 150],
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, limit] of rows) {
  const end = limit === undefined ? '' : `at most ${limit}`;
  process.stdout.write(`${name.padEnd(width)}  ${String(value).padStart(6)}  ${end}`.trimEnd().concat('\n'));
  if (value > limit) process.exitCode = 1;
}
