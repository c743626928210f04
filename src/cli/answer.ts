import { isFailure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { render } from '../output/render.ts';
import { selectFields } from '../output/select.ts';
import type { TableStyle } from '../output/table.ts';
import type { Globals } from './globals.ts';

/**
 * Prints an answer on stdout. `rows` is what a table shows of it, where that is only a part; `brief` names the columns
 * that a terminal too narrow for all of them shows.
 */
export type Answer = (value: unknown, rows?: unknown, brief?: readonly string[]) => Promise<void>;

/** A document as --json prints it, or what --jq makes of it. */
const documentText = async (value: unknown, { jq }: Pick<Globals, 'jq'>): Promise<string> =>
  jq === undefined ? `${printJson(value, 2)}\n` : (await import('../output/jq.ts')).queryLines(value, jq);

type Asked = { readonly fields: readonly string[] | undefined; readonly jq: string | undefined };

const textWith =
  ({ json }: Globals, style: TableStyle | undefined) =>
  async (value: unknown, rows: unknown, asked: Asked, brief?: readonly string[]): Promise<string> => {
    const { fields } = asked;
    const shown = fields ? selectFields(json && !Array.isArray(rows) ? value : rows, fields) : undefined;
    return json ? documentText(shown ?? value, asked) : render(shown ?? rows, style, shown ? undefined : brief);
  };

/**
 * The two ways to answer. `answer` is for what changed nothing. `report` tells of something that has happened: a
 * wrong --fields or --jq or a full disk behind stdout must not turn it into a failure, or hide it.
 */
export const answers = (io: Io, globals: Globals, style: TableStyle | undefined) => {
  const textOf = textWith(globals, style);
  const answer: Answer = async (value, rows = value, brief) => {
    await io.stdout.write(await textOf(value, rows, globals, brief));
    // A person who sees nothing at all does not know whether it worked.
    const isBlank = style && !globals.json && Array.isArray(rows) && rows.length === 0;
    if (isBlank && !globals.quiet) await io.stderr.write('There is nothing to show.\n');
  };
  const report: Answer = async (value, rows = value, brief) => {
    let text: string;
    try {
      text = await textOf(value, rows, globals, brief);
    } catch (error) {
      if (!isFailure(error)) throw error;
      await io.stderr.write(`warning: ${error.message}; it has happened, and here is all of it\n`);
      text = await textOf(value, rows, { fields: undefined, jq: undefined }, brief);
    }
    await io.stdout.write(text).catch(() => io.stderr.write(text));
  };
  return { answer, report };
};
