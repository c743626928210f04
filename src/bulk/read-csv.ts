import { isUtf8 } from 'node:buffer';
import { codeOf, Failure } from '../core/failure.ts';
import { inSentence } from '../core/text.ts';
import { type Columns, columnOf, type Field, hintFor, ID, type ParsedRow, shown, valueIn } from './columns.ts';
import { MAX_ROW_BYTES, type RawRow } from './split-rows.ts';

/** Reads rows in the order of the file. */
export type RowReader = {
  readonly read: (rows: readonly RawRow[]) => readonly ParsedRow[];
  /** Throws `invalid_input` if the file ended before its header. */
  readonly end: () => void;
};

type Parse = (bytes: Buffer) => string[][];

const loadParse = async (): Promise<Parse> => {
  const { parse } = await import('csv-parse/sync');
  return (bytes) => parse(bytes, { columns: false, relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
};

/** The column names of the first row, in the order of the cells, and the cells of the fields in the order of their names. */
type Header = { readonly names: readonly string[]; readonly order: readonly number[] };

const NO_HEADER: Header = { names: [], order: [] };

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; write a quote inside a quoted cell twice',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell; write the whole cell in quotes, and the inner quote twice',
};

/** A reader of CSV (RFC 4180) with a header. It throws `invalid_input` for a wrong header. */
export const newCsvReader = async (path: string, columns: Columns): Promise<RowReader> => {
  const parse = await loadParse();
  let header: Header | undefined;
  return {
    read: (rows) => {
      const [first, ...others] = rows;
      if (first === undefined) return [];
      if (header !== undefined) return readRows(parse, columns, header, rows);
      header = readHeader(path, columns, first, readAlone(parse, NO_HEADER, first));
      return readRows(parse, columns, header, others);
    },
    end: () => {
      if (header === undefined) throw new Failure('invalid_input', `${path} has no header with the names of columns`);
    },
  };
};

const readHeader = (path: string, columns: Columns, { line }: RawRow, cells: readonly string[] | Problem): Header => {
  const refuse = (message: string, column?: string, hint?: string): Failure =>
    new Failure('invalid_input', `${path}, line ${line}: ${message}`, { data: { line, column }, hint });
  if ('message' in cells) throw refuse(`the header cannot be read: ${cells.message}`);
  const names: string[] = [];
  for (const [at, name] of cells.entries()) {
    const column = columnOf(columns, name);
    if (name === '') throw refuse(`column ${at + 1} has no name`);
    if (column === undefined) {
      const isOtherFormat = cells.length === 1 && /[;\t]/.test(name);
      const hint = isOtherFormat ? 'Separate columns by commas.' : hintFor(columns, name);
      throw refuse(`unknown column ${inSentence(shown(name))}`, shown(name), hint);
    }
    if (names.includes(column)) throw refuse(`the column ${column} is there twice`, column);
    names.push(column);
  }
  if (!names.includes(ID)) throw refuse('the column id is missing', ID, 'Give each row an id of its own.');
  const fields = names.filter((name) => name !== ID).toSorted();
  return { names, order: fields.map((name) => names.indexOf(name)) };
};

type Problem = { readonly message: string; readonly column?: string | undefined };

const readRows = (parse: Parse, columns: Columns, header: Header, rows: readonly RawRow[]): readonly ParsedRow[] => {
  const together = readTogether(parse, rows);
  return rows.map((row, at) => {
    const cells = together?.[at] ?? readAlone(parse, header, row);
    return 'message' in cells ? { line: row.line, ...cells } : rowOf(columns, header, row.line, cells);
  });
};

/** Many rows in one call of the library. `undefined` if one of them is wrong: then each is read alone. */
const readTogether = (parse: Parse, rows: readonly RawRow[]): string[][] | undefined => {
  const parts = rows.flatMap(({ bytes, openCell }) => (bytes === undefined || openCell !== undefined ? [] : [bytes]));
  const bytes = Buffer.concat(parts);
  if (parts.length < rows.length || !isUtf8(bytes)) return undefined;
  try {
    const records = parse(bytes);
    return records.length === rows.length ? records : undefined;
  } catch {
    return undefined;
  }
};

/** The cells of one row, or its problem. */
const readAlone = (parse: Parse, header: Header, row: RawRow): readonly string[] | Problem => {
  const { line, lastLine, bytes, openCell } = row;
  const range = lastLine > line ? ` (lines ${line} to ${lastLine})` : '';
  const problem = (message: string, cell?: number): Problem => ({
    message: `${message}${range}`,
    column: cell === undefined ? undefined : header.names[cell],
  });
  if (openCell !== undefined)
    return problem('the quote of this cell is not closed before the end of the file', openCell);
  if (bytes === undefined) return problem(`the row is longer than ${MAX_ROW_BYTES} bytes`);
  if (!isUtf8(bytes)) return problem('the row is not UTF-8 text');
  try {
    const [cells, ...others] = parse(Buffer.from(bytes));
    return cells !== undefined && others.length === 0 ? cells : problem('the row is not valid CSV');
  } catch (error) {
    const { column } = error as { readonly column?: unknown };
    return problem(
      PROBLEMS[codeOf(error)] ?? 'the row is not valid CSV',
      typeof column === 'number' ? column : undefined,
    );
  }
};

const rowOf = (columns: Columns, { names, order }: Header, line: number, cells: readonly string[]): ParsedRow => {
  const id = cells[names.indexOf(ID)];
  if (cells.length !== names.length) {
    const column = names[Math.min(cells.length, names.length - 1)];
    return { line, id, column, message: `the row has ${cells.length} cells, and the header has ${names.length}` };
  }
  const fields: Field[] = [];
  for (const at of order) {
    const column = names[at] ?? '';
    const value = valueIn(columns, column, cells[at] ?? '');
    if (value?.length === 0) return { line, id, column, message: 'the cell has separators and no value' };
    if (value !== undefined) fields.push([column, value]);
  }
  return { line, id, fields };
};
