import { resolve } from 'node:path';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { escapeText } from '../../../core/text.ts';
import { declaredOf } from '../../../flows/order/difference.ts';
import { readOrders } from '../../../flows/order/rows.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { FILE_VERSION } from './file.ts';

const FORMATS = ['yaml', 'json'] as const;

/** The format of --format, of --json, or of the file name; otherwise YAML. */
const formatOf = (cli: CommandContext, given: ParsedArgs, out: string | undefined): string => {
  const format = stringArg(given, 'format') ?? (cli.globals.json && out === undefined ? 'json' : undefined);
  if (cli.globals.json && out === undefined && format !== 'json') {
    throw new Failure('usage', `--json and --format ${format} contradict each other`, { hint: 'Remove one of them.' });
  }
  return format ?? (out?.endsWith('.json') ? 'json' : 'yaml');
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const out = stringArg(given, 'out') === '-' ? undefined : stringArg(given, 'out');
  const format = formatOf(cli, given, out);
  const rows = await cli.io.spin('Reading the orders', readOrders(await cli.client()));
  const entries = rows.toReversed().map((row) => declaredOf(row, boolArg(given, 'portable')));
  const document = { version: FILE_VERSION, orders: entries.map(({ declared }) => declared) };
  const text =
    format === 'json' ? `${printJson(document, 2)}\n` : (await import('../../command/yaml.ts')).printSafeYaml(document);
  const omitted = [...new Set(entries.flatMap((one) => one.omitted))];
  if (omitted.length > 0) {
    await cli.say(escapeText(`omitted fields that are not in the service's document: ${omitted.join(', ')}`));
  }
  if (out === undefined) return cli.globals.json ? cli.printResult(document) : cli.io.stdout.write(text);
  const path = resolve(cli.io.cwd, out);
  if (!(await cli.io.files.createNew(path, text))) {
    throw new Failure('file_exists', `${path} exists and is not overwritten`, { hint: 'Choose another file name.' });
  }
  return cli.printCommitted({ path, format, orders: rows.length });
};

/** `order export`. */
export const exportOrders: Command = {
  words: ['order', 'export'],
  summary: 'Write all orders to a file for order apply',
  about: [
    'Writes the oldest order first: its id, its active state, and the fields in the document of the service.',
    'Omits times and undocumented fields, so that the file changes only when an order does.',
  ],
  options: [
    {
      flag: '--out',
      value: 'FILE',
      usual: '-, stdout',
      description: 'File to create, never overwritten',
      validate: async () => (await import('../../prompt/judges.ts')).validateNewFile,
    },
    {
      flag: '--format',
      value: 'FORMAT',
      choices: FORMATS,
      usual: 'by the file name, otherwise yaml',
      description: 'Format of the file',
    },
    { flag: '--portable', description: 'Omit ids, to create the same orders in another account' },
  ],
  calls: ['order.list'],
  examples: ['order export --out orders.yaml', 'order export --portable --json'],
  run,
};
