import { expect, test } from 'vitest';
import { answers } from '../../src/cli/answer.ts';
import { globalsFrom } from '../../src/cli/globals.ts';
import { palette } from '../../src/output/colour.ts';
import { testIo } from '../support/io.ts';

const STYLE = { columns: 80, colour: palette(false), unicode: true };

/** What a person at a terminal gets to see of an answer. */
const shown = async (value: unknown, given: Record<string, boolean> = {}) => {
  const { io, said } = await testIo({ answers: [] });
  await answers(io, globalsFrom(given, {}), STYLE).answer(value);
  return [said.stdout, said.stderr];
};

test('an empty list is told to a person, and is nothing more than empty to a script', async () => {
  expect(await shown([])).toEqual(['', 'There is nothing to show.\n']);
  expect(await shown([], { quiet: true })).toEqual(['', '']);
  expect(await shown([], { json: true })).toEqual(['[]\n', '']);
  expect(await shown([{ id: '1' }])).toEqual(['id\n1\n', '']);
});

test('an empty list in a pipe says nothing at all', async () => {
  const { io, said } = await testIo();
  await answers(io, globalsFrom({}, {}), undefined).answer([]);
  expect(said).toEqual({ stdout: '', stderr: '' });
});
