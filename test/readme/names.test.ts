import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument } from '../support/documents.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...filesIn(path)] : [path];
    });

const PATHS = ['src', 'test', 'bin', 'docs', 'examples']
  .flatMap((folder) => [folder, ...filesIn(folder)])
  .concat('package.json');

/** The maps of the code and the tests, the pages for users and the decisions. */
const GUIDES = [...PATHS.filter((path) => basename(path) === 'README.md'), ...DOCUMENTS, ...DECISIONS];

const SOURCE = PATHS.filter((path) => /\.(?:ts|mjs|cjs|js)$/.test(path))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

/** Paths that the build or a sandbox creates, imports of the package, and placeholders. */
const NOT_IN_REPOSITORY =
  /^(?:bursar\/(?:client|sandbox)$|dist\/|server\.json$|identity\.json$|codes-sent\.json$)|[<>*]/;

const IS_PATH = /^[\w.-]+(?:\/[\w.-]*)+$|^[\w-][\w.-]*\.(?:ts|mjs|cjs|js|md|yaml)$/;

const IS_NAME = /^(?:[a-z]+[A-Z]\w*|[A-Z]{2,}(?:_[A-Z]+)+)$/;

const spansOf = (guide: string): readonly string[] => {
  const text = readFileSync(join(ROOT, guide), 'utf8');
  return [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span))];
};

/** Whether a path exists from the root, `src`, `test` or the guide's folder, or ends the path of a file below that folder. */
const pathExists = (guide: string, path: string): boolean => {
  const bare = normalize(path).replace(/\/$/, '');
  const from = [dirname(guide), 'src', 'test', '.'].map((folder) => normalize(join(folder, bare)));
  return (
    from.some((candidate) => PATHS.includes(candidate)) || PATHS.some((existing) => isBelow(guide, existing, bare))
  );
};

const isBelow = (guide: string, path: string, bare: string): boolean =>
  path.startsWith(`${dirname(guide)}/`) && path.endsWith(`/${bare}`);

const isInSource = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(SOURCE);

describe.each(GUIDES)('%s', (guide) => {
  it('names only files and folders that exist', () => {
    const paths = spansOf(guide).filter((span) => IS_PATH.test(span) && !NOT_IN_REPOSITORY.test(span));
    expect(paths.filter((path) => !pathExists(guide, path))).toEqual([]);
  });

  it('names only functions and constants that the code contains', () => {
    const names = spansOf(guide).filter((span) => IS_NAME.test(span));
    expect(names.filter((name) => !isInSource(name))).toEqual([]);
  });
});

describe('the decisions', () => {
  const TITLE = /^# (\d{4})\. (.+)$/m;
  const pages = DECISIONS.map((path) => ({ path, text: readDocument(path) }));
  const titles = pages.map(({ text }) => TITLE.exec(text)?.[2]);

  it('are numbered without a gap in their file names and titles', () => {
    expect(pages.length).toBeGreaterThan(29);
    expect(pages.map(({ path }) => basename(path).slice(0, 4))).toEqual(
      pages.map((_, at) => String(at + 1).padStart(4, '0')),
    );
    expect(pages.map(({ text }) => TITLE.exec(text)?.[1])).toEqual(pages.map(({ path }) => basename(path).slice(0, 4)));
  });

  it('each have a date, a context, a decision and a consequence, in at most 40 lines', () => {
    const allParts = /^Date: \d{4}-\d{2}-\d{2}$[\s\S]*^## Context$[\s\S]*^## Decision$[\s\S]*^## Consequence$/m;
    expect(pages.filter(({ text }) => !allParts.test(text)).map(({ path }) => path)).toEqual([]);
    expect(pages.filter(({ text }) => text.split('\n').length > 41).map(({ path }) => path)).toEqual([]);
  });

  it('have different titles', () => {
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it('are all listed by their titles in src/README.md', () => {
    const map = readDocument('src/README.md');
    const listed = pages.map(({ path }, at) => `[${titles[at]}](../${path})`);
    expect(listed.filter((link) => !map.includes(link))).toEqual([]);
  });
});
