import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The gallery is made without a build, so its modules are JavaScript without types. */
const { partsOf, svgOf } = await import(new URL('svg.mjs', import.meta.url).href);

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const MAX_BYTES = 150_000;

const page = await readFile(join(DOCS, 'gallery.md'), 'utf8');
const pictures = [...page.matchAll(/gallery\/[\w-]+\.(?:svg|png)/g)].map(([path]) => path);

describe('docs/gallery.md', () => {
  it('shows every picture of its folder, each below 150 kB and with a text alternative', async () => {
    const files = (await readdir(join(DOCS, 'gallery'))).map((name) => `gallery/${name}`);
    expect(files.toSorted()).toEqual([...new Set(pictures)].toSorted());
    for (const path of files) expect((await stat(join(DOCS, path))).size, path).toBeLessThan(MAX_BYTES);
    const texts = [...page.matchAll(/!\[([^\]]*)\]\(|alt="([^"]*)"/g)].map(([, one, other]) => one ?? other ?? '');
    expect(texts.length).toBe([...page.matchAll(/!\[|<img /g)].length);
    for (const text of texts) expect(text.length).toBeGreaterThan(20);
  });

  it('shows pictures without a key, a secret, a folder of a machine, a script or a link', async () => {
    for (const path of pictures.filter((name) => name.endsWith('.svg'))) {
      const text = await readFile(join(DOCS, path), 'utf8');
      expect(text, path).not.toMatch(
        /\/(?:home|root|tmp|work|Users)\b|(?:key|act|once)=[\w-]{8}|(?:sandbox|control)_[\w-]{20}/,
      );
      expect(text, path).not.toMatch(/<script|href=/);
    }
  });
});

describe('a screen as SVG', () => {
  it('has words at their columns with their colours, and escaped text', () => {
    const { parts, style } = partsOf('\x1b[32m✓\x1b[39m a  \x1b[1mb & <c>');
    expect(parts).toMatchObject([
      { text: '✓', column: 0, style: { colour: '#7ee787' } },
      { text: 'a', column: 2, style: { colour: undefined } },
      { text: 'b & <c>', column: 5, style: { isBold: true } },
    ]);
    expect(style).toMatchObject({ isBold: true });
    const svg = svgOf([['first'], ['first', 'b & <c>', '']], { title: 'T', columns: 80 });
    expect(svg).toContain('b &amp; &lt;c&gt;');
    expect(svg.match(/<set /g)).toHaveLength(1);
  });
});
