import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the first command tries it and the second tests it: a line each, as somebody copies them and CI does', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines);
  expect(blocks.slice(0, 2)).toEqual([
    'npm ci --ignore-scripts && npm run demo\n',
    'npm ci --ignore-scripts && npm test\n',
  ]);
});
