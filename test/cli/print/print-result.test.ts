import { expect, test } from 'vitest';
import { globalsFrom } from '../../../src/cli/argv/command-line.ts';
import { NOTHING_TYPED } from '../../../src/cli/print/next-command.ts';
import { resultPrinters } from '../../../src/cli/print/print-result.ts';
import { nextStep } from '../../../src/core/next.ts';
import type { Io } from '../../../src/io/io.ts';
import { palette } from '../../../src/output/colour.ts';
import { testIo } from '../../support/io.ts';
import { typedAs } from '../../support/typed.ts';

const STYLE = { columns: 80, colour: palette(false), unicode: true };

const answersOf = (
  io: Io,
  given: Record<string, boolean | string>,
  style: typeof STYLE | undefined,
  typed = NOTHING_TYPED,
) => {
  const globals = globalsFrom(given, {});
  const printNote = async (line: string) => (globals.quiet ? undefined : io.stderr.write(`${line}\n`));
  return resultPrinters(io, typed, globals, style, printNote);
};

/** The output of a result at a terminal. */
const shown = async (value: unknown, given: Record<string, boolean> = {}) => {
  const { io, said } = await testIo({ answers: [] });
  await answersOf(io, given, STYLE).printResult(value);
  return [said.stdout, said.stderr];
};

test('an empty list has a note at a terminal, and none with --quiet or --json', async () => {
  expect(await shown([])).toEqual(['', 'There is nothing to show.\n']);
  expect(await shown([], { quiet: true })).toEqual(['', '']);
  expect(await shown([], { json: true })).toEqual(['[]\n', '']);
  expect(await shown([{ id: '1' }])).toEqual(['id\n1\n', '']);
});

test('an empty list in a pipe prints nothing', async () => {
  const { io, said } = await testIo();
  await answersOf(io, {}, undefined).printResult([]);
  expect(said).toEqual({ stdout: '', stderr: '' });
});

test('columns without room are named below the list, with the way to see them; --fields prints its columns', async () => {
  const rows = [{ id: 'x'.repeat(60), name: 'n', address: 'y'.repeat(30) }];
  const { io, said } = await testIo();
  await answersOf(io, {}, STYLE).printResult(rows, rows, { brief: ['id', 'name'] });
  expect(said.stdout).not.toContain('yyy');
  expect(said.stderr).toBe('Hidden columns: address. Use a wider terminal, or --json.\n');
  const named = await testIo();
  await answersOf(named.io, { fields: 'address' }, STYLE).printResult(rows, rows, { brief: ['id', 'name'] });
  expect(named.said).toMatchObject({ stdout: expect.stringContaining('y'.repeat(30)), stderr: '' });
});

test('a change is printed in full when its summary fails; a next command keeps the profile', async () => {
  const { io, said } = await testIo();
  const card = () => Promise.reject(new Error("Cannot find module './card.js'"));
  await answersOf(io, {}, STYLE).printCommitted({ id: '1' }, { id: '1' }, { summary: card });
  expect(said.stdout).toBe('id  1\n');
  expect(said.stderr).toContain('The command succeeded; this is its full result:');
  const next = await testIo();
  const typed = typedAs(['pay', 'status', '--profile', 'sandbox']);
  const going = () => ({ tone: 'open', headline: 'So', facts: [], next: nextStep('pay.status', 'pay_1') }) as const;
  await answersOf(next.io, {}, STYLE, typed).printResult({}, {}, { summary: going });
  expect(next.said.stdout).toBe('• So\nnext: bursar pay status pay_1 --profile sandbox\n');
});

test('a change is no failure when neither stream can be written', async () => {
  const full = {
    isTerminal: false,
    columns: 80,
    rows: 24,
    isClosed: () => false,
    writeBytes: async () => undefined,
    write: () => Promise.reject(new Error('ENOSPC')),
  };
  const { io } = await testIo({ io: { stdout: full, stderr: full } });
  await expect(answersOf(io, {}, undefined).printCommitted({ id: '1' })).resolves.toBeUndefined();
});

test('a summary is for a terminal only: --json, --fields and a pipe print the fields', async () => {
  const card = () => ({ tone: 'good', headline: 'It is so', facts: [] }) as const;
  const told = async (given: Record<string, boolean | string>, style: typeof STYLE | undefined) => {
    const { io, said } = await testIo();
    await answersOf(io, given, style).printResult({ id: '1' }, { id: '1' }, { summary: card });
    return said.stdout;
  };
  expect(await told({}, STYLE)).toBe('✓ It is so\n');
  expect(await told({}, undefined)).toBe('id\t1\n');
  expect(await told({ json: true }, STYLE)).toBe('{\n  "id": "1"\n}\n');
  expect(await told({ fields: 'id' }, STYLE)).toBe('id  1\n');
});

test('an empty list at a terminal prints its own note, with a command', async () => {
  const { io, said } = await testIo({ answers: [] });
  await answersOf(io, {}, STYLE).printResult([], [], { none: 'No keys yet. To create one: bursar key new' });
  expect(said).toEqual({ stdout: '', stderr: 'No keys yet. To create one: bursar key new\n' });
});
