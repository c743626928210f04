import { printJson } from '../../../core/json.ts';
import { canRedraw, textRows } from '../../../core/screen.ts';
import { escapeText, prefixThatFits, widthOf } from '../../../core/text.ts';
import type { Io } from '../../../io/io.ts';
import type { TableStyle } from '../../../output/table.ts';
import { type Forward, faultOf } from '../../../webhook/forward.ts';
import type { CommandContext } from '../../command/command.ts';
import { documentLine } from '../../print/watch.ts';
import type { summaryOf } from './shared.ts';

/** A delivery as it was stored. */
type Summary = ReturnType<typeof summaryOf>;

/** A delivery after its forwards and its check, as a line of NDJSON shows it. */
export type Shown = Summary & {
  /**
   * Whether the service has the status of the payload, or a later one; `null` without --verify, or if it could not be
   * read.
   */
  readonly verified: boolean | null;
  readonly service_status?: string;
  readonly forwards: readonly Forward[];
};

/** What the table shows beside the payload: the service's status, and this many forwards. */
type LiveColumns = { readonly isVerified: boolean; readonly forwards: number };

/** A column has its width before the first row is known. `isCopied`: its values are never cut. */
type Column = {
  readonly name: string;
  readonly width: number;
  readonly isCopied?: true;
  /** Without forwards and check the delivery still waits for them. */
  readonly cell: (shown: Summary & Partial<Shown>) => string;
};

const WAITS = '...';

const MARKS = new Map<boolean | null, string>([
  [true, '✓ '],
  [false, '✗ '],
]);

const forwardText = (one: Forward): string => `${one.http ?? faultOf(one) ?? 'none'} ${one.ms} ms`;

const serviceText = ({ verified, service_status }: Partial<Shown>): string =>
  verified === undefined ? WAITS : `${MARKS.get(verified) ?? ''}${service_status ?? '-'}`;

const columnsOf = ({ isVerified, forwards }: LiveColumns): readonly Column[] => [
  { name: 'time', width: 8, cell: ({ received_at }) => received_at.slice(11, 19) },
  { name: 'status', width: 10, cell: ({ status }) => status ?? '-' },
  // An id of the service has 25 characters.
  { name: 'payment', width: 25, isCopied: true, cell: ({ payment_id }) => payment_id ?? '-' },
  ...(isVerified ? [{ name: 'service', width: 12, cell: serviceText }] : []),
  ...(forwards > 0
    ? [
        {
          name: 'forwards',
          width: forwards * 15 - 2,
          cell: (shown: Partial<Shown>) => shown.forwards?.map(forwardText).join(', ') ?? WAITS,
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
const liveTable = (shownColumns: LiveColumns, style: () => TableStyle) => {
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
    row: (shown: Summary & Partial<Shown>): string => {
      const text = line(({ cell }) => cell(shown));
      return shown.verified === false ? style().colour.yellow(text) : text;
    },
  };
};

/** A row that waits for its result: its text, and how many rows of the terminal were written before it. */
type WaitingRow = { readonly text: string; readonly at: number; readonly columns: number };

/**
 * Writes the table. A row with forwards or a check is written when its delivery is stored, and once more over itself when
 * they have ended. Where that is not possible it is written again, below.
 */
const openLiveTable = (
  { stdout }: Pick<Io, 'stdout'>,
  shownColumns: LiveColumns,
  style: () => TableStyle,
  mayRedraw: boolean,
) => {
  const table = liveTable(shownColumns, style);
  const waiting = new Map<string, WaitingRow>();
  let written = 0;
  const append = async (text: string): Promise<void> => {
    written += textRows(text, stdout.columns);
    await stdout.write(`${text}\n`);
  };
  return {
    header: table.header,
    /** Writes the row of a delivery that waits. */
    begin: async (summary: Summary): Promise<void> => {
      const text = table.row(summary);
      waiting.set(summary.id, { text, at: written, columns: stdout.columns });
      await append(text);
    },
    /** Writes the row of a delivery with its results. */
    end: async (shown: Shown): Promise<void> => {
      const [text, before] = [table.row(shown), waiting.get(shown.id)];
      waiting.delete(shown.id);
      if (text === before?.text) return;
      const up = before === undefined ? 0 : written - before.at;
      const isInPlace = before?.columns === stdout.columns && up < stdout.rows;
      const isOneRow = textRows(text, stdout.columns) === 1 && textRows(before?.text ?? '', stdout.columns) === 1;
      if (!mayRedraw || !isInPlace || !isOneRow) await append(text);
      else await stdout.write(`\u001b[${up}A\r\u001b[K${text}\u001b[${up}B\r`);
    },
    /** A text was written below the rows, so that they are no longer where they were. */
    forgetPlaces: (): void => waiting.clear(),
  };
};

/** Prints deliveries. Each call is one of a delivery. */
export type Printer = {
  /** It is stored, and waits for its forwards or its check. */
  readonly begin: (summary: Summary) => Promise<void>;
  /** It has all results. */
  readonly end: (shown: Shown) => Promise<void>;
  /** It has all results, and so have the deliveries before it. */
  readonly endInOrder: (shown: Shown) => Promise<void>;
  readonly warned: () => void;
};

/** A delivery that waits longer than this is printed before its results. */
const SOON_MS = 1000;

/** A line of JSON for each delivery, in the order of receipt; before it a line with less for one that waits. */
const linePrinter = (cli: CommandContext): Printer => {
  const { io, globals } = cli;
  const isWhole = globals.fields === undefined && globals.jq === undefined;
  const waiting = new Map<string, AbortController>();
  return {
    begin: async (summary) => {
      if (!isWhole) return;
      const ended = new AbortController();
      waiting.set(summary.id, ended);
      const printing = () => io.stdout.write(`${printJson({ received: summary })}\n`);
      void io.clock
        .sleep(SOON_MS, ended.signal)
        .then(printing)
        .catch(() => undefined);
    },
    end: async () => undefined,
    endInOrder: async (shown) => {
      waiting.get(shown.id)?.abort();
      waiting.delete(shown.id);
      await io.stdout.write(await documentLine(cli, shown, globals.fields));
    },
    warned: () => undefined,
  };
};

/** Prints the address, and opens the printer of deliveries: rows of a table on a terminal, else lines of JSON. */
export const openPrinter = async (cli: CommandContext, address: string, columns: LiveColumns): Promise<Printer> => {
  const { io, globals } = cli;
  if (!io.stdout.isTerminal || globals.json) {
    await io.stdout.write(`${printJson({ listening: address })}\n`);
    return linePrinter(cli);
  }
  const style = () => ({ ...cli.talkStyle, columns: io.stdout.columns });
  // --debug writes its own lines between the rows.
  const table = openLiveTable(io, columns, style, canRedraw(io.env) && cli.trace === undefined);
  await io.stdout.write(`Listening. Register this webhook_url:\n  ${address}\n${table.header()}`);
  return { begin: table.begin, end: table.end, endInOrder: async () => undefined, warned: table.forgetPlaces };
};
