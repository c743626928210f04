import type { RawAnswer, RawCall } from '../../../client/raw.ts';
import { digitsOf, isJsonObject, printJson, valueAt } from '../../../core/json.ts';
import { isSecretHeader, MASK, redactUrl } from '../../../core/secret.ts';
import { escapeText } from '../../../core/text.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';

/** An address in a header, without secrets in its query. */
const shownValue = (value: string): string =>
  /^https?:/.test(value) && URL.canParse(value) ? redactUrl(value, (text) => text) : value;

const shownHeaders = ({ headers }: RawAnswer) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? MASK : shownValue(value)]),
  );

/** Status, headers and body of an answer as they came, or its text. */
const answerText = (given: ParsedArgs, answer: RawAnswer): string => {
  const { http, body } = answer;
  const head = [`HTTP ${http}`, ...Object.entries(shownHeaders(answer)).map(([name, value]) => `${name}: ${value}`)];
  const text = typeof body === 'string' ? body : printJson(body, 2);
  const lines = [...(boolArg(given, 'include') ? [...head, ''] : []), ...text.split('\n')];
  return `${lines.map(escapeText).join('\n')}\n`;
};

const PAGES = 'pagination';

/** The list of an object that has only that list, and perhaps its pagination. Otherwise all of the data. */
const rowsOf = (data: unknown): unknown => {
  if (!isJsonObject(data)) return data;
  const [name, ...others] = Object.keys(data).filter((each) => each !== PAGES);
  const list = name === undefined || others.length > 0 ? undefined : data[name];
  return Array.isArray(list) ? list : data;
};

/** Prints the answer of a raw call. */
export const printAnswer = async (
  cli: CommandContext,
  given: ParsedArgs,
  { outcome }: RawCall,
  answer: RawAnswer,
): Promise<void> => {
  const printing = outcome.isAutomatic ? cli.printResult : cli.printCommitted;
  const { http, body, data } = answer;
  const isWhole = boolArg(given, 'include');
  if (cli.globals.json && isWhole) return printing({ http, headers: shownHeaders(answer), body });
  const result = cli.globals.envelope ? body : data;
  if (!cli.globals.json && (isWhole || typeof result === 'string')) {
    const text = answerText(given, answer);
    const writing = cli.io.stdout.write(text);
    // A change that has happened is not hidden by a full disk.
    return outcome.isAutomatic ? writing : writing.catch(() => printing(body));
  }
  const rows = cli.globals.envelope ? result : rowsOf(result);
  await printing(result, rows);
  const pages = digitsOf(valueAt(data, PAGES, 'total_pages'));
  if (Array.isArray(rows) && Number(pages) > 1)
    await cli.printNote(`This is one of ${pages} pages; --paginate reads all pages.`);
};
