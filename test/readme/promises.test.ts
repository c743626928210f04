import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument, withoutBlocks } from '../support/documents.ts';
import { PROMISES } from './promises.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The section of a page below a heading of level 2, or the whole page, without code blocks. */
const partOf = (page: string, heading = ''): string => {
  const [before = '', after = before] = readDocument(page).split(`\n## ${heading}\n`);
  const [section = ''] = heading ? after.split('\n## ') : [before];
  return withoutBlocks(section);
};

/** All of the guide to safety, and the section of the guide to keys that contains promises. */
const SAFETY = `${partOf('docs/safety.md')}\n${partOf('docs/keys-and-policies.md', 'Policy')}`;

/** A promise is a bullet that begins with its name in bold. */
const NAME = /^- \*\*(.+?)\.\*\*/;

const bulletsIn = (text: string): readonly string[] => text.split(/\n(?=- )/).filter((part) => part.startsWith('- '));

const namesIn = (text: string): readonly string[] => bulletsIn(text).flatMap((bullet) => NAME.exec(bullet)?.[1] ?? []);

const CALL =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|[\])>]|`)\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,\s*(?:async\b|\(|\w+\s*=>|\{)/gs;

/** The titles of the tests of a file: of `it`, `test` and `describe`, with or without `each`. */
const titlesIn = (file: string): readonly string[] => {
  const path = join(ROOT, 'test', `${file}.test.ts`);
  if (!existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(CALL)].map(([, , title = '']) => title.replaceAll('\\', ''));
};

const isSkipped = (file: string): boolean =>
  /\b(?:it|test|describe)\.(?:skip|todo|only)\b/.test(readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8'));

describe('the promises of the guides about safety', () => {
  const names = namesIn(SAFETY);

  it('are bullets with a name each, and no two have the same name', () => {
    expect(bulletsIn(SAFETY).filter((bullet) => !NAME.test(bullet))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });

  it('each have a test in promises.ts, which names no promise that the guides lack', () => {
    expect(Object.keys(PROMISES).toSorted()).toEqual(names.toSorted());
    expect(Object.entries(PROMISES).filter(([, proofs]) => proofs.length === 0)).toEqual([]);
  });

  const proofs = Object.entries(PROMISES).flatMap(([name, all]) =>
    all.map(([file, title]) => [name, file, title] as const),
  );

  it.each(proofs)('%s: %s contains exactly one test titled "%s"', (_, file, title) => {
    const matching = titlesIn(file).filter((found) => found.includes(title));
    expect(title.length).toBeGreaterThan(8);
    expect(matching).toHaveLength(1);
    expect(isSkipped(file)).toBe(false);
  });

  it('are read from the guides: a new bullet is found, with or without a name', () => {
    const more = SAFETY.replace('\n- **', '\n- **Nothing is ever lost.** Really.\n- **');
    expect(namesIn(more)).toHaveLength(names.length + 1);
    expect(bulletsIn(`${SAFETY}\n- Nothing is ever lost.`).filter((bullet) => !NAME.test(bullet))).toHaveLength(1);
  });
});
