import { closest, suggestionFor } from '../core/closest.ts';
import { briefly } from '../core/json.ts';
import { escapeText, inSentence } from '../core/text.ts';

/** The columns of a file besides `id`. A column with `many` may have several values in one cell. */
export type Columns = ReadonlyMap<string, { readonly many: boolean }>;

/** The value of a field: several values for a column with `many`. */
export type FieldValue = string | readonly string[];

/** A field with its name. */
export type Field = readonly [name: string, value: FieldValue];

/** The content of a row, or the first problem of it. The id is as it stands in the row, and not checked. */
export type ParsedRow =
  | {
      readonly line: number;
      readonly id: string | undefined;
      /** The fields besides the id, sorted by name. */
      readonly fields: readonly Field[];
    }
  | {
      readonly line: number;
      readonly id?: string | undefined;
      readonly column?: string | undefined;
      readonly message: string;
    };

/** The name of the column that identifies a row. */
export const ID = 'id';

const MAX_SHOWN = 60;

/** A text of the file for a message: short, and without control characters. */
export const shown = (text: string): string => escapeText(briefly(text, MAX_SHOWN));

/** The column that a name in the file means, with `-` read as `_`; `undefined` for an unknown name. */
export const columnOf = (columns: Columns, name: string): string | undefined => {
  const isKnown = (column: string): boolean => column === ID || columns.has(column);
  if (isKnown(name)) return name;
  const column = name.replaceAll('-', '_');
  return isKnown(column) ? column : undefined;
};

const namesOf = (columns: Columns): readonly string[] => [ID, ...columns.keys()];

/** The hint for an unknown column: the closest known name, or all of them. */
export const hintFor = (columns: Columns, name: string): string =>
  suggestionFor(name.replaceAll('-', '_'), namesOf(columns));

/** The message for an unknown column of one row, with the closest known name. */
export const unknownColumn = (columns: Columns, name: string): string => {
  const near = closest(name.replaceAll('-', '_'), namesOf(columns));
  return `unknown column ${inSentence(shown(name))}${near === undefined ? '' : `; did you mean ${near}?`}`;
};

/** Whether a text is Unicode throughout. A program that met other bytes before may have written U+FFFD for them. */
export const isWholeText = (text: string): boolean => !/[\ufffd\p{Cs}]/u.test(text);

/**
 * The value of a cell: its text, or the texts between spaces and semicolons. `undefined` for an empty cell. An empty list
 * is a cell with separators only, which is a mistake.
 */
export const valueIn = (columns: Columns, column: string, text: string): FieldValue | undefined => {
  if (text === '') return undefined;
  return columns.get(column)?.many === true ? text.split(/[\s;]+/).filter((part) => part !== '') : text;
};
