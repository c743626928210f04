import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Columns } from '../../src/bulk/columns.ts';
import { openRows, type Row, type RowFile, type RowProblem } from '../../src/bulk/rows.ts';
import { testIo } from '../support/io.ts';

/** Columns of a payment, as the command passes them. */
export const COLUMNS: Columns = new Map([
  ['amount_from', { many: false }],
  ['crypto_from', { many: false }],
  ['payer_name', { many: false }],
  ['split', { many: true }],
  ['allow', { many: true }],
]);

/** All rows and problems of one pass. */
export const allOf = async (file: RowFile): Promise<readonly (Row | RowProblem)[]> => {
  const all: (Row | RowProblem)[] = [];
  for await (const row of file.rows()) all.push(row);
  return all;
};

/** The rows and problems of a file with this content. */
export const readText = async (content: string | Uint8Array, name = 'rows.csv') => {
  const { io, home } = await testIo();
  const path = join(home, name);
  await writeFile(path, content);
  const file = await openRows(io, path, COLUMNS);
  const all = await allOf(file);
  await file.close();
  const rows = all.filter((row) => row.kind === 'row');
  const problems = all.filter((row) => row.kind === 'problem');
  return { all, rows, problems, facts: file.facts };
};
