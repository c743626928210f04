import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { Failure } from '../core/failure.ts';
import { actingIn } from '../core/text.ts';
import { type Columns, type Field, type FieldValue, ID, isWholeText, type ParsedRow } from './columns.ts';
import { type Content, changedFile, openContent, type ReadIo, sha256Of } from './content.ts';
import { newCsvReader, type RowReader } from './read-csv.ts';
import { newNdjsonReader } from './read-ndjson.ts';
import { newSeenIds } from './seen-ids.ts';
import { newSplitter } from './split-rows.ts';

/** A row of the file. `row` counts the rows with data from 1, and `line` is the first line of the row. */
export type Row = {
  readonly kind: 'row';
  readonly row: number;
  readonly line: number;
  readonly id: string;
  /** The batch of a row from a queue. */
  readonly batch?: string | undefined;
  /** The other columns, under the names of `columns`. An empty cell has no field. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** 32 hex digits of a SHA-256 over the id and the fields. Quotes, line ends and the order of columns do not change it. */
  readonly digest: string;
};

/** A row that cannot be used, with its first problem. `id` is there if the row has a valid one. */
export type RowProblem = {
  readonly kind: 'problem';
  readonly row: number;
  readonly line: number;
  readonly column?: string | undefined;
  readonly id?: string | undefined;
  readonly message: string;
  /** The row was started with a wallet that is none of this run. */
  readonly isOfAnother?: boolean;
};

/** A file of rows, open until `close`. */
export type RowFile = {
  /** `modifiedAt` is in milliseconds since 1970; `sha256` is of the content, in hex; `identity` is that of `FileFacts`. */
  readonly facts: {
    readonly size: number;
    readonly modifiedAt: number;
    readonly identity: string;
    readonly sha256: string;
  };
  /** Reads all rows; may be called again. Throws `unreadable_file` if the file has changed since it was opened. */
  readonly rows: () => AsyncGenerator<Row | RowProblem>;
  /** Throws `unreadable_file` unless the path still has this file, with the same size, time and content. */
  readonly assertUnchanged: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Opens a regular file of rows: CSV with a header, or one JSON object a line. Throws `invalid_input` for a wrong header and
 * for a path that is no regular file, `unreadable_file`, and `interrupted`.
 */
export const openRows = async (io: ReadIo, path: string, columns: Columns): Promise<RowFile> => {
  const content = await openContent(io, path);
  try {
    const isJson = await isNdjson(path, content);
    const newReader = async () => (isJson ? newNdjsonReader(columns) : newCsvReader(path, columns));
    const rows = () => readAll(content, !isJson, newReader);
    const { size, modifiedAt, identity } = content.facts;
    // A wrong header fails before the whole file is read.
    for await (const _ of rows()) break;
    const sha256 = await sha256Of(content);
    const assertUnchanged = async (): Promise<void> => {
      const now = await io.files.targetFacts(path);
      const isSame = now?.identity === identity && now.size === size && now.modifiedAt === modifiedAt;
      if (!isSame || (await sha256Of(content)) !== sha256) throw changedFile(path);
    };
    return { facts: { size, modifiedAt, identity, sha256 }, rows, assertUnchanged, close: content.close };
  } catch (error) {
    await content.close();
    throw error;
  }
};

/** Throws `invalid_input` for a text that is UTF-16, or has only CR as its line ends. */
const assertReadable = (path: string, start: Buffer): void => {
  const refuse = (problem: string, hint: string): Failure =>
    new Failure('invalid_input', `${path} ${problem}`, { hint });
  // Without a byte order mark UTF-16 shows by the zero bytes of its first letters.
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(start.toString('latin1', 0, 2)) || start.subarray(0, 4).includes(0);
  if (isUtf16) throw refuse('is UTF-16 text', 'Save the file as UTF-8.');
  if (!start.includes('\n') && start.subarray(0, -1).includes('\r'))
    throw refuse('has line ends of CR alone', 'Save the file with line ends of LF or CRLF.');
};

/** Whether a file is NDJSON: by its extension, otherwise by its first character. Throws as `assertReadable`. */
const isNdjson = async (path: string, content: Content): Promise<boolean> => {
  let start = Buffer.alloc(0);
  for await (const chunk of content.chunks()) {
    start = Buffer.from(chunk);
    break;
  }
  assertReadable(path, start);
  const extension = extname(path).toLowerCase();
  if (extension === '.csv') return false;
  return ['.ndjson', '.jsonl'].includes(extension) || withoutMark(start).toString().trimStart().startsWith('{');
};

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const withoutMark = (start: Uint8Array): Buffer =>
  Buffer.from(BYTE_ORDER_MARK.equals(start.subarray(0, BYTE_ORDER_MARK.length)) ? start.subarray(3) : start);

const readAll = async function* (
  content: Content,
  hasQuotes: boolean,
  newReader: () => Promise<RowReader>,
): AsyncGenerator<Row | RowProblem> {
  const reader = await newReader();
  const splitter = newSplitter(hasQuotes);
  const check = newRowCheck();
  let isStart = true;
  for await (const chunk of content.chunks()) {
    const rows = splitter.push(isStart ? withoutMark(chunk) : chunk);
    isStart = false;
    for (const parsed of reader.read(rows)) yield check(parsed);
  }
  for (const parsed of reader.read(splitter.end())) yield check(parsed);
  reader.end();
};

const MAX_ID = 200;
const INVALID_ID = `the id must have 1 to ${MAX_ID} printable characters in Unicode form NFC, and no space at its ends`;
const PLAIN_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

const isValidId = (id: string): boolean => {
  if (PLAIN_ID.test(id)) return true;
  // A program may change the form of a letter: the same id would be another row.
  if (id.normalize('NFC') !== id) return false;
  const isPrintable = actingIn(id) === undefined && !id.includes('\n') && isWholeText(id);
  return id !== '' && id.trim() === id && Array.from(id).length <= MAX_ID && isPrintable;
};

/** Numbers the rows of one pass, and checks their ids. */
const newRowCheck = (): ((parsed: ParsedRow) => Row | RowProblem) => {
  const seen = newSeenIds();
  let row = 0;
  return (parsed) => {
    row += 1;
    const { line } = parsed;
    const id = parsed.id !== undefined && isValidId(parsed.id) ? parsed.id : undefined;
    const problem = (message: string, column?: string): RowProblem => ({
      kind: 'problem',
      row,
      line,
      column,
      id,
      message,
    });
    // A row with a problem has its id too: a second row may be its correction, or pay a second time.
    const first = id === undefined ? undefined : seen(id, row);
    if ('message' in parsed) return problem(parsed.message, parsed.column);
    if (!parsed.id) return problem('the id is missing', ID);
    if (id === undefined) return problem(INVALID_ID, ID);
    if (first !== undefined) return problem(`the id is that of row ${first}`, ID);
    const text = JSON.stringify([id, parsed.fields]);
    const broken = MAY_BE_BROKEN.test(text) ? parsed.fields.find(isBroken) : undefined;
    if (broken !== undefined) return problem('the value has characters that are not Unicode text', broken[0]);
    const digest = hash('sha256', text, 'hex').slice(0, 32);
    return { kind: 'row', row, line, id, fields: Object.fromEntries(parsed.fields), digest };
  };
};

/** Lone surrogates are escaped in JSON. The test of a row as a whole is much faster than that of each value. */
const MAY_BE_BROKEN = /\ufffd|\\u/;

const isBroken = ([, value]: Field): boolean => ![value].flat().every(isWholeText);
