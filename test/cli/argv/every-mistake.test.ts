import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../../src/cli/argv/command-line.ts';
import { newHome } from '../../support/bursar.ts';
import { COMMANDS } from '../../support/every-command.ts';
import { runInProcess } from '../../support/in-process.ts';

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

const typed = async (...words: readonly string[]) => {
  const { home } = await newHome();
  return runInProcess(home, [...words, '--json'], { env: LIVE });
};

describe.each(COMMANDS)('bursar %s, mistyped', (name, leaf) => {
  it('with an unknown option and --json prints one document, and the next command is its help', async () => {
    const { code, stdout, stderr } = await typed(...leaf.words, '--no-such-option');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('--no-such-option'), next: `bursar help ${name}` },
    });
  });

  const valued = [...(leaf.options ?? []), ...GLOBAL_OPTIONS].filter((option) => 'value' in option);

  it('with another option in place of a value is exit 2 and names the option that needs a value', async () => {
    for (const { flag } of valued) {
      const { code, stdout, stderr } = await typed(...leaf.words, flag);
      expect([flag, code, stderr]).toEqual([flag, 2, '']);
      expect(JSON.parse(stdout)).toMatchObject({
        error: {
          code: 'usage',
          message: expect.stringContaining(`${flag} needs a value`),
          next: `bursar help ${name}`,
        },
      });
    }
  });

  const [places, options] = [leaf.arguments ?? [], leaf.options ?? []];
  const needed = [
    ...places.filter(({ isOptional }) => !isOptional).map((argument) => argument.name),
    ...options.filter(({ description }) => description.endsWith('(required)')).map(({ flag }) => flag),
  ];

  if (needed.length > 0) {
    it('without arguments is exit 2 and names every required argument and option', async () => {
      const { code, stdout } = await typed(...leaf.words);
      expect(code).toBe(2);
      const { errors } = JSON.parse(stdout).error;
      const named = errors.map(({ option, field }: Record<string, string>) => option ?? field);
      expect(named).toEqual(expect.arrayContaining(needed));
    });
  }

  if (!places.some(({ isRepeatable }) => isRepeatable)) {
    it('with one argument too many is exit 2, and the next command is its help', async () => {
      const { code, stdout } = await typed(...leaf.words, ...places.map(() => 'x'), 'one-too-many');
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage', next: `bursar help ${name}` } });
    });
  }
});
