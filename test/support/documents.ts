import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const markdownIn = (folder: string): readonly string[] =>
  (existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : [])
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .toSorted();

/** The pages for users, from the root of the repository. */
export const DOCUMENTS: readonly string[] = ['README.md', ...markdownIn('docs')];

/** The pages that record one decision each. */
export const DECISIONS: readonly string[] = markdownIn('docs/decisions');

/** The text of a page. `path` is from the root of the repository. */
export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The shell blocks of a page. */
export const shellBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

/** The command lines of a block, without comments. A line that ends with a backslash or a pipe continues. */
export const commandLines = (block: string): readonly string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/\|\n\s*/g, '| ')
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => line !== '');

/** The text of a page without its code blocks. */
export const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');
