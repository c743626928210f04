import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument, withoutBlocks } from '../support/documents.ts';
import { PROMISES } from './promises.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The part of a page from a heading to the next of its level, without code; all of the page, where there is no heading. */
const partOf = (page: string, heading = ''): string => {
  const [before = '', after = before] = readDocument(page).split(`\n## ${heading}\n`);
  const [section = ''] = heading ? after.split('\n## ') : [before];
  return withoutBlocks(section);
};

/** The guide to safety has promises alone, the guide to keys a section of them. */
const SAFETY = `${partOf('docs/safety.md')}\n${partOf('docs/keys-and-policies.md', 'Policy')}`;

/** A promise is a bullet that begins with its name in bold. */
const NAME = /^- \*\*(.+?)\.\*\*/;

const bulletsIn = (text: string): readonly string[] => text.split(/\n(?=- )/).filter((part) => part.startsWith('- '));

const namesIn = (text: string): readonly string[] => bulletsIn(text).flatMap((bullet) => NAME.exec(bullet)?.[1] ?? []);

const CALL =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|[\])>]|`)\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,\s*(?:async\b|\(|\w+\s*=>|\{)/gs;

/** The titles of a file: what `it`, `test` and `describe` are called with, also behind `each`. */
const titlesIn = (file: string): readonly string[] => {
  const path = join(ROOT, 'test', `${file}.test.ts`);
  if (!existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(CALL)].map(([, , title = '']) => title.replaceAll('\\', ''));
};

const isSkipped = (file: string): boolean =>
  /\b(?:it|test|describe)\.(?:skip|todo|only)\b/.test(readFileSync(join(ROOT, 'test', `${file}.test.ts`), 'utf8'));

describe('the promises of the guides about safety', () => {
  const names = namesIn(SAFETY);

  it('are bullets with a name each, and each name stands once', () => {
    expect(bulletsIn(SAFETY).filter((bullet) => !NAME.test(bullet))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });

  it('have a test each, and no test is named for a promise that is gone', () => {
    expect(Object.keys(PROMISES).toSorted()).toEqual(names.toSorted());
    expect(Object.entries(PROMISES).filter(([, proofs]) => proofs.length === 0)).toEqual([]);
  });

  const proofs = Object.entries(PROMISES).flatMap(([name, all]) =>
    all.map(([file, title]) => [name, file, title] as const),
  );

  it.each(proofs)('%s: %s has one test "%s"', (_, file, title) => {
    const found = titlesIn(file).filter((each) => each.includes(title));
    expect(title.length).toBeGreaterThan(8);
    expect(found).toHaveLength(1);
    expect(isSkipped(file)).toBe(false);
  });

  it('would be missed without a test: the reading of the guides finds a promise that is added', () => {
    const more = SAFETY.replace('\n- **', '\n- **Nothing is ever lost.** Really.\n- **');
    expect(namesIn(more)).toHaveLength(names.length + 1);
    expect(bulletsIn(`${SAFETY}\n- Nothing is ever lost.`).filter((bullet) => !NAME.test(bullet))).toHaveLength(1);
  });
});
