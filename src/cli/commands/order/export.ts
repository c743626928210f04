import { resolve } from 'node:path';
import { escapeText } from '../../../core/escape.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { declaredOf } from '../../../flows/order/declared.ts';
import { readOrders } from '../../../flows/order/rows.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { FILE_VERSION } from './file.ts';

const FORMATS = ['yaml', 'json'] as const;

/** What is asked for, or what the name of the file says; YAML otherwise. */
const formatOf = (cli: CommandContext, given: ParsedArgs, out: string | undefined): string => {
  const format = stringArg(given, 'format') ?? (cli.globals.json && out === undefined ? 'json' : undefined);
  if (cli.globals.json && out === undefined && format !== 'json') {
    throw new Failure('usage', `--json and --format ${format} contradict each other`, { hint: 'Give one of them.' });
  }
  return format ?? (out?.endsWith('.json') ? 'json' : 'yaml');
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const out = stringArg(given, 'out') === '-' ? undefined : stringArg(given, 'out');
  const format = formatOf(cli, given, out);
  const rows = await cli.io.spin('Reading the orders', readOrders(await cli.client()));
  const read = rows.toReversed().map((row) => declaredOf(row, boolArg(given, 'portable')));
  const document = { version: FILE_VERSION, orders: read.map(({ declared }) => declared) };
  const text =
    format === 'json' ? `${printJson(document, 2)}\n` : (await import('../../command/yaml.ts')).printSafeYaml(document);
  const leftOut = [...new Set(read.flatMap((one) => one.leftOut))];
  if (leftOut.length > 0) {
    await cli.say(escapeText(`left out, for the service's document does not name them: ${leftOut.join(', ')}`));
  }
  if (out === undefined) return cli.globals.json ? cli.printResult(document) : cli.io.stdout.write(text);
  const path = resolve(cli.io.cwd, out);
  if (!(await cli.io.files.createNew(path, text))) {
    throw new Failure('file_exists', `${path} exists, and nothing is overwritten`, { hint: 'Choose another file.' });
  }
  return cli.printCommitted({ path, format, orders: rows.length });
};

/** `order export`. */
export const exportOrders: Command = {
  words: ['order', 'export'],
  summary: 'Write all orders as a file that order apply takes',
  about: [
    'Oldest first: their ids, whether they can be used, and the fields that the document of the service names. Times and other fields of the service are left out, so that the file changes only when an order does.',
  ],
  options: [
    {
      flag: '--out',
      value: 'FILE',
      description: 'File to make, never overwritten; without it, or with -, stdout',
      judge: async () => (await import('../../prompt/judges.ts')).judgeNewFile,
    },
    {
      flag: '--format',
      value: 'FORMAT',
      choices: FORMATS,
      usual: "by the file's name, or yaml",
      description: 'How it is written',
    },
    { flag: '--portable', description: 'Without ids, to create the same orders in another account' },
  ],
  calls: ['order.list'],
  examples: ['order export --out orders.yaml', 'order export --portable --json'],
  run,
};
