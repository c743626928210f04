import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument, withoutBlocks } from '../support/documents.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MAPS = ['src/README.md', 'src/keystore/README.md', 'src/sandbox/README.md', 'test/README.md'];

type Link = { readonly target: string; readonly path: string; readonly anchor: string | undefined };

/** The relative links of a page; `path` is from the root. */
const linksOf = (page: string): readonly Link[] =>
  [...withoutBlocks(readDocument(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { target, path: file ? normalize(join(dirname(page), file)) : page, anchor };
    });

/** The anchors of the headings of a page, as GitHub makes them. */
const anchorsIn = (page: string): readonly string[] =>
  [...withoutBlocks(readDocument(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each([...DOCUMENTS, ...DECISIONS, ...MAPS])('the links of %s', (page) => {
  const links = linksOf(page);

  it('lead to files that exist', () => {
    expect(links.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const anchored = links.filter(({ path, anchor }) => anchor && path.endsWith('.md'));
    expect(anchored.filter(({ path, anchor = '' }) => !anchorsIn(path).includes(anchor))).toEqual([]);
  });
});

describe('the package', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })) as readonly {
    readonly files: readonly { readonly path: string }[];
  }[];
  const files = packed?.files.map(({ path }) => path) ?? [];

  it.each(DOCUMENTS)('contains %s and every file that it links to', (page) => {
    expect(files).toContain(page);
    expect(linksOf(page).filter(({ path }) => !files.includes(path))).toEqual([]);
  });

  it('contains a README that links to every guide, and no decision page', () => {
    const linked = linksOf('README.md').map(({ path }) => path);
    const guides = DOCUMENTS.filter((path) => path !== 'README.md' && path !== 'docs/solana-key-format.md');
    expect(guides.filter((path) => !linked.includes(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith('docs/decisions/'))).toEqual([]);
  });
});
