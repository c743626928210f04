import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, NEXT_IDS, type NextStep, nextStep, withOptions } from '../../src/core/next.ts';
import { wordsOf } from '../support/next.ts';

const SOURCE = 'src';

const sourceTexts = async (): Promise<readonly string[]> => {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return Promise.all(
    files.filter((name) => name !== join('core', 'next.ts')).map((name) => readFile(join(SOURCE, name), 'utf8')),
  );
};

describe('the next command', () => {
  it.each<[string, NextStep, string]>([
    ['plain words', nextStep('pay.status', 'pay_1'), 'bursar pay status pay_1'],
    ['an id that looks like an option', nextStep('pay.status', '--yes'), 'bursar pay status --yes'],
    ['a path with a space', nextStep('file.private', '600', '/a b/c'), "chmod 600 '/a b/c'"],
    ['a quote', nextStep('key.show', "a'b"), "bursar key show 'a'\\''b'"],
    ['an empty word', nextStep('key.show', ''), "bursar key show ''"],
    ['shell substitutions', nextStep('key.show', '$(id)`id`;id\n'), "bursar key show '$(id)`id`;id\n'"],
    ['added options', withOptions(nextStep('doctor'), ['--profile', 'my shop']), "bursar doctor --profile 'my shop'"],
  ])('with %s is printed as a line that a shell splits into the same words', async (_, step, line) => {
    expect(commandLine(step)).toBe(line);
    expect(await wordsOf(line)).toEqual(step.argv);
  });

  it('has --yes before the "--" that ends the options', () => {
    expect(nextStep('again.yes', ['key', 'remove', '--', '-a']).argv).toEqual([
      ...['bursar', 'key', 'remove', '--yes', '--', '-a'],
    ]);
  });

  it('is used in the source for every id of NEXT_IDS', async () => {
    const text = (await sourceTexts()).join('\n');
    // The source builds these ids from a variable.
    const computed: readonly string[] = ['pay.resume', 'yield.resume'];
    expect(NEXT_IDS.filter((id) => !text.includes(`'${id}'`) && !computed.includes(id))).toEqual([]);
    expect(text).toMatch(/nextStep\(`\$\{\w+\}\.resume`/);
  });
});
