import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { explanations } from '../../../src/cli/commands/explain/explanation.ts';
import { exitsOf } from '../../../src/cli/help/command-page.ts';
import { ENVIRONMENT } from '../../../src/cli/help/environment.ts';
import { TOPICS } from '../../../src/cli/help/topics.ts';
import { sectionLines } from '../../../src/cli/manual/index.ts';
import { PROGRAM } from '../../support/bursar.ts';
import { hasProgram } from '../../support/judge.ts';

const ROOT = join(dirname(PROGRAM), '..');
const FOLDER = join(ROOT, 'dist/man');
const pages = (await readdir(FOLDER)).sort();
const areas = await Promise.all(AREAS.map(async (area) => ({ area, leaves: await area.load() })));
const leaves = areas.flatMap((one) => one.leaves);

/** The visible text of a page at a width, without bold and underline. */
const shownAt = (page: string, width: number): string =>
  execFileSync('mandoc', ['-T', 'utf8', '-O', `width=${width}`, join(FOLDER, page)], { encoding: 'utf8' })
    .split('\b')
    .map((part, at, all) => (at < all.length - 1 ? part.slice(0, -1) : part))
    .join('');

/** The visible text of a page on one line, where an example is one line too. */
const asRead = (page: string): string => shownAt(page, 200).replaceAll(/\s+/g, ' ').replaceAll(' \\ ', ' ');

describe('the man pages', () => {
  it('are one for the program and one for each area, and package.json lists them all', async () => {
    const wanted = ['bursar.1', ...AREAS.map(({ name }) => `bursar-${name}.1`)].sort();
    expect(pages).toEqual(wanted);
    const { man } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect([...man].sort()).toEqual(wanted.map((page) => `./dist/man/${page}`));
  });

  it('are packed, and so is the reference', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(packed) as [{ files: readonly { path: string }[] }];
    const paths = files.map(({ path }) => path);
    for (const page of pages) expect(paths).toContain(`dist/man/${page}`);
    expect(paths).toContain('dist/reference.md');
    expect(paths.filter((path) => path.includes('manual'))).toEqual([]);
  });

  it('escape text that groff reads as a macro, and keep quotes, dashes and backslashes', () => {
    const [, block] = sectionLines([
      {
        heading: 'h',
        blocks: [
          { kind: 'text', text: ".so /etc/passwd 'x \\fB a-b é" },
          { kind: 'commands', lines: ["echo '.x' ~ ^"] },
        ],
      },
    ]);
    expect(block).toContain(`\\&.so /etc/passwd 'x \\efB a\\-b \\[u00E9]`);
    expect(block).toContain('$ echo \\(aq.x\\(aq \\(ti \\(ha');
  });
});

describe.runIf(hasProgram('mandoc'))('mandoc', () => {
  it.each(pages)('%s has no example wider than 80 columns, unless a word is', (page) => {
    const examples = shownAt(page, 78)
      .split('\n')
      .filter((line) => /^ *\$ /.test(line));
    expect(examples.filter((line) => line.length > 80 && !/\S{60}/.test(line))).toEqual([]);
  });

  it.each(pages)('reports no problem of %s, also no problem of style', (page) => {
    const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'style', join(FOLDER, page)], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('shows every command with its options and examples', () => {
    for (const { area, leaves: own } of areas) {
      const text = asRead(`bursar-${area.name}.1`);
      for (const leaf of own) {
        expect(text).toContain(`bursar ${leaf.words.join(' ')}`);
        for (const { flag } of leaf.options ?? []) expect(text).toContain(flag);
        for (const example of leaf.examples) expect(text).toContain(`$ bursar ${example}`.replaceAll(/\s+/g, ' '));
      }
    }
  });

  it('shows every variable in the page of the program', () => {
    const text = asRead('bursar.1');
    for (const { name } of ENVIRONMENT) expect(text).toContain(name);
  });
});

describe.runIf(hasProgram('groff'))('groff', () => {
  it.each(pages)('reports no problem of %s', (page) => {
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z', join(FOLDER, page)], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(pages)('hyphenates no word of %s', (page) => {
    const text = execFileSync('groff', ['-man', '-Tutf8', '-rLL=60n', join(FOLDER, page)], { encoding: 'utf8' });
    // A dash of a text is another sign.
    expect(text).not.toMatch(/\u2010\n/);
  });
});

describe('the reference', () => {
  it('has every command with its options and exit codes, every topic and every error', async () => {
    const text = await readFile(join(ROOT, 'dist/reference.md'), 'utf8');
    const lines = text.split('\n');
    for (const leaf of leaves) {
      const heading = new RegExp(`^#{2,3} bursar ${leaf.words.join(' ')}$`);
      const from = lines.findIndex((line) => heading.test(line));
      expect(from, leaf.words.join(' ')).toBeGreaterThan(0);
      const until = lines.findIndex((line, at) => at > from && /^#{2,3} /.test(line));
      const own = lines.slice(from, until).join('\n');
      for (const { flag } of leaf.options ?? []) expect(own).toContain(`- \`${flag}`);
      // A code with its own cause has a line; all other codes share one line.
      const shared = /^([\d, ]+) as for every command: /m.exec(own)?.[1]?.split(', ') ?? [];
      for (const exit of exitsOf(leaf))
        expect(own.includes(`- \`${exit}\`: `) !== shared.includes(String(exit)), `${leaf.words} ${exit}`).toBe(true);
    }
    for (const { name } of TOPICS) expect(lines).toContain(`## ${name}`);
    for (const { code, kind } of explanations()) if (kind !== 'exit code') expect(text).toContain(`| \`${code}\` |`);
  });
});
