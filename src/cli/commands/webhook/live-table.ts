import { escapeText, prefixThatFits, widthOf } from '../../../core/text.ts';
import type { TableStyle } from '../../../output/table.ts';
import type { Forward } from '../../../webhook/forward.ts';
import type { summaryOf } from './shared.ts';

/** A delivery after its forwards and its check, as a line of NDJSON shows it. */
export type Shown = ReturnType<typeof summaryOf> & {
  /** Whether the service has the status of the payload; `null` without --verify, or if it could not be read. */
  readonly verified: boolean | null;
  readonly service_status?: string;
  readonly forwards: readonly Forward[];
};

/** What the table shows beside the payload: the service's status, and this many forwards. */
export type LiveColumns = { readonly isVerified: boolean; readonly forwards: number };

/** A column has its width before the first row is known. `isCopied`: its values are never cut. */
type Column = {
  readonly name: string;
  readonly width: number;
  readonly isCopied?: true;
  readonly cell: (shown: Shown) => string;
};

const MARKS = new Map<boolean | null, string>([
  [true, '✓ '],
  [false, '✗ '],
]);

const forwardText = ({ http, ms }: Forward): string => `${http ?? 'none'} ${ms} ms`;

const columnsOf = ({ isVerified, forwards }: LiveColumns): readonly Column[] => [
  { name: 'time', width: 8, cell: ({ received_at }) => received_at.slice(11, 19) },
  { name: 'status', width: 10, cell: ({ status }) => status ?? '-' },
  { name: 'payment', width: 20, isCopied: true, cell: ({ payment_id }) => payment_id ?? '-' },
  ...(isVerified
    ? [
        {
          name: 'service',
          width: 12,
          cell: ({ verified, service_status }: Shown) => `${MARKS.get(verified) ?? ''}${service_status ?? '-'}`,
        },
      ]
    : []),
  ...(forwards > 0
    ? [
        {
          name: 'forwards',
          width: forwards * 12 - 2,
          cell: (shown: Shown) => shown.forwards.map(forwardText).join(', '),
        },
      ]
    : []),
  { name: 'duplicate', width: 9, cell: ({ duplicate }) => (duplicate ? 'duplicate' : '') },
  { name: 'event', width: 22, cell: ({ event }) => event ?? '-' },
];

const GAP = '  ';

/** Under this width a cut value is no longer recognisable. */
const MIN_WIDTH = 6;

const cut = (text: string, room: number, ellipsis: string): string =>
  widthOf(text) <= room ? text : prefixThatFits(text, Math.max(0, room - ellipsis.length)) + ellipsis;

const padded = (text: string, room: number): string => text + ' '.repeat(Math.max(0, room - widthOf(text)));

/** The columns that fit a width, the first ones first, and the last of them narrower. */
const fitting = (columns: readonly Column[], width: number): readonly Column[] => {
  const kept: Column[] = [];
  let room = width;
  for (const column of columns) {
    if (room < Math.min(column.width, MIN_WIDTH)) break;
    const narrow = Math.min(column.width, room);
    kept.push({ ...column, width: narrow });
    room -= narrow + GAP.length;
  }
  return kept;
};

/**
 * A table whose rows appear one by one, under one header. The columns that do not fit the width are left out; a payment id
 * is never cut, because users copy it. `style` is read for each row: the user may change the width.
 */
export const liveTable = (shownColumns: LiveColumns, style: () => TableStyle) => {
  const columns = columnsOf(shownColumns);
  const line = (cells: (column: Column) => string): string => {
    const { columns: width, unicode } = style();
    const texts = fitting(columns, width).map((column) => {
      const text = escapeText(cells(column));
      return padded(column.isCopied ? text : cut(text, column.width, unicode ? '…' : '...'), column.width);
    });
    // A long payment id takes the room of the columns behind it.
    const whole = texts.join(GAP).trimEnd();
    const upToId = texts
      .slice(0, columns.findIndex(({ isCopied }) => isCopied) + 1)
      .join(GAP)
      .trimEnd();
    return prefixThatFits(whole, Math.max(width, widthOf(upToId))).trimEnd();
  };
  return {
    header: (): string => `${style().colour.bold(line(({ name }) => name))}\n`,
    row: (shown: Shown): string => {
      const text = line(({ cell }) => cell(shown));
      return `${shown.verified === false ? style().colour.yellow(text) : text}\n`;
    },
  };
};
