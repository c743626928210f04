import { types } from 'node:util';
import { messageOf } from '../../core/failure.ts';
import type { LedgerFile } from '../ledger/file.ts';
import { type Cell, type Content, OTHER_VERSION, type TableContent } from './content.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (file: LedgerFile, sql: string): readonly Row[] => file.prepare(sql).all([]) as Row[];

const quoted = (name: string): string => `"${name}"`;

/** The tables with data of the sandbox. `sqlite_sequence` has the last numbers, so that numbers also repeat. */
const tablesOf = (file: LedgerFile): readonly string[] => {
  const names = rowsOf(file, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
  return names.filter((name) => name !== 'steps' && (name === 'sqlite_sequence' || !name.startsWith('sqlite_')));
};

const stepsOf = (file: LedgerFile): number[] =>
  rowsOf(file, 'SELECT number FROM steps ORDER BY number').map(({ number }) => Number(number));

const cellOf = (value: unknown): Cell => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  // libsql returns bytes as a Buffer or as an ArrayBuffer.
  if (types.isAnyArrayBuffer(value) || types.isUint8Array(value))
    return { bytes: Buffer.from(value as Uint8Array).toString('base64') };
  throw new Error(`a value of the ledger cannot be copied: ${Object.prototype.toString.call(value)}`);
};

const storedValue = (cell: Cell): unknown =>
  typeof cell === 'object' && cell !== null ? Buffer.from(cell.bytes, 'base64') : cell;

const hasRowNumbers = (file: LedgerFile, name: string): boolean =>
  !rowsOf(file, `SELECT sql FROM sqlite_master WHERE name = '${name}'`).some(({ sql }) =>
    /WITHOUT ROWID/i.test(String(sql)),
  );

const columnsOf = (file: LedgerFile, name: string): string[] =>
  rowsOf(file, `PRAGMA table_info(${quoted(name)})`).map((column) => String(column['name']));

const readTable = (file: LedgerFile, name: string): TableContent => {
  const columns = columnsOf(file, name);
  const order = hasRowNumbers(file, name) ? ' ORDER BY rowid' : '';
  const rows = rowsOf(file, `SELECT * FROM ${quoted(name)}${order}`);
  return { columns, rows: rows.map((row) => columns.map((column) => cellOf(row[column]))) };
};

/** Reads all rows of the ledger. No transaction may be open. */
export const readRows = (file: LedgerFile): Pick<Content, 'steps' | 'tables'> => ({
  steps: stepsOf(file),
  tables: Object.fromEntries(tablesOf(file).map((name) => [name, readTable(file, name)])),
});

const insertAll = (file: LedgerFile, name: string, { columns, rows }: TableContent): void => {
  const places = columns.map(() => '?').join(', ');
  const insert = file.prepare(`INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${places})`);
  for (const row of rows) insert.run(row.map(storedValue));
};

/** The rows that refer to others may come first. */
const BEGIN = 'BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON';

const undo = (file: LedgerFile): void => {
  if (file.inTransaction) file.exec('ROLLBACK');
};

const writeTables = (file: LedgerFile, tables: Content['tables']): void => {
  for (const name of tablesOf(file)) file.exec(`DELETE FROM ${quoted(name)}`);
  const [sequence, others] = [tables['sqlite_sequence'], Object.entries(tables)];
  for (const [name, content] of others) if (name !== 'sqlite_sequence') insertAll(file, name, content);
  // Each insert has changed the last numbers.
  if (!sequence) return;
  file.exec('DELETE FROM sqlite_sequence');
  insertAll(file, 'sqlite_sequence', sequence);
};

/** Writes the rows and undoes that. Returns the reason why the ledger refuses the rows; `undefined` if it accepts them. */
const refusalOf = (file: LedgerFile, tables: Content['tables']): string | undefined => {
  file.exec(BEGIN);
  try {
    writeTables(file, tables);
    const [lost] = rowsOf(file, 'PRAGMA foreign_key_check');
    return lost && `a row of ${lost['table']} refers to a missing row`;
  } catch (error) {
    return messageOf(error);
  } finally {
    undo(file);
  }
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const shapeOf = (names: readonly string[], columns: (name: string) => unknown) =>
  names.toSorted().map((name) => [name, columns(name)]);

/** Why this ledger cannot take the rows; `undefined` if it can. No transaction may be open, and nothing has changed. */
export const whyUnfit = (
  file: LedgerFile,
  { steps, tables }: Pick<Content, 'steps' | 'tables'>,
): string | undefined => {
  const own = shapeOf(tablesOf(file), (name) => columnsOf(file, name));
  const given = shapeOf(Object.keys(tables), (name) => tables[name]?.columns);
  if (!isSame(steps, stepsOf(file)) || !isSame(given, own)) return OTHER_VERSION;
  const refusal = refusalOf(file, tables);
  return refusal && `it is damaged: ${refusal}`;
};

/**
 * Replaces all rows of the ledger in one transaction, and sets some settings. No transaction may be open. After an error
 * nothing has changed.
 */
export const replaceRows = (
  file: LedgerFile,
  { tables }: Pick<Content, 'tables'>,
  settings: Readonly<Record<string, string>>,
): void => {
  file.exec(BEGIN);
  try {
    writeTables(file, tables);
    const set = file.prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value');
    for (const setting of Object.entries(settings)) set.run(setting);
    file.exec('COMMIT');
  } finally {
    undo(file);
  }
};
