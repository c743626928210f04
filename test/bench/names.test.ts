import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('.', import.meta.url);

/** The names that the bench bundles from the sources, each with its file. No type checker reads these strings. */
const bundled = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .flatMap((file) => [
    ...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/(?:im|ex)port \{ ([^}]*) \} from '\.\/(src\/[^']*)'/g),
  ])
  .flatMap(([, names = '', path = '']) => names.split(', ').map((name) => [path, name.replace(/ as .*/, '')] as const));

it('every name that the bench bundles exists in its source file', async () => {
  expect(bundled.length).toBeGreaterThan(10);
  const missing = await Promise.all(
    bundled.map(async ([path, name]) => (name in (await import(`../../${path}`)) ? [] : [`${path}: ${name}`])),
  );
  expect(missing.flat()).toEqual([]);
});
