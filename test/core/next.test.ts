import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, NEXT_IDS, type NextStep, nextStep, withOptions } from '../../src/core/next.ts';
import { wordsOf } from '../support/next.ts';

const SOURCE = 'src';

const sources = async (): Promise<readonly string[]> => {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return Promise.all(
    files.filter((name) => name !== join('core', 'next.ts')).map((name) => readFile(join(SOURCE, name), 'utf8')),
  );
};

describe('the next command', () => {
  it.each<[string, NextStep, string]>([
    ['of plain words', nextStep('pay.status', 'pay_1'), 'bursar pay status pay_1'],
    ['of an id that looks like an option', nextStep('pay.status', '--yes'), 'bursar pay status --yes'],
    ['of a path with a space', nextStep('file.private', '600', '/a b/c'), "chmod 600 '/a b/c'"],
    ['of a quote', nextStep('key.show', "a'b"), "bursar key show 'a'\\''b'"],
    ['of an empty word', nextStep('key.show', ''), "bursar key show ''"],
    ['of what a shell would run', nextStep('key.show', '$(id)`id`;id\n'), "bursar key show '$(id)`id`;id\n'"],
    [
      'with more options',
      withOptions(nextStep('doctor'), ['--profile', 'my shop']),
      "bursar doctor --profile 'my shop'",
    ],
  ])('%s is a line that a shell reads as the same words', async (_, step, line) => {
    expect(commandLine(step)).toBe(line);
    expect(await wordsOf(line)).toEqual(step.argv);
  });

  it('--yes is added before the end of the options', () => {
    expect(nextStep('again.yes', ['key', 'remove', '--', '-a']).argv).toEqual([
      ...['bursar', 'key', 'remove', '--yes', '--', '-a'],
    ]);
  });

  it('is printed somewhere, whichever id it has', async () => {
    const text = (await sources()).join('\n');
    // Of these the area stands in a variable.
    const computed: readonly string[] = ['pay.resume', 'yield.resume'];
    expect(NEXT_IDS.filter((id) => !text.includes(`'${id}'`) && !computed.includes(id))).toEqual([]);
    expect(text).toMatch(/nextStep\(`\$\{\w+\}\.resume`/);
  });
});
