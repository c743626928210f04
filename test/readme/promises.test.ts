import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROMISES } from './promises.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The part of the README from "Safety" to the next heading of that level, without its code. */
const safetyIn = (readme: string): string => {
  const [, after = ''] = readme.split('\n## Safety\n');
  const [section = ''] = after.split('\n## ');
  return section.replaceAll(/^```.*?^```$/gms, '');
};

const SAFETY = safetyIn(readFileSync(join(ROOT, 'README.md'), 'utf8'));

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

describe('the promises of the README about safety', () => {
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

  it('would be missed without a test: the reading of the README finds a promise that is added', () => {
    const more = SAFETY.replace('\n- **', '\n- **Nothing is ever lost.** Really.\n- **');
    expect(namesIn(more)).toHaveLength(names.length + 1);
    expect(bulletsIn(`${SAFETY}\n- Nothing is ever lost.`).filter((bullet) => !NAME.test(bullet))).toHaveLength(1);
  });
});
