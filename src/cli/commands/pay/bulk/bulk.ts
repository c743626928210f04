import { openResults, type Results } from '../../../../bulk/results.ts';
import { openRows, type RowFile } from '../../../../bulk/rows.ts';
import type { Service } from '../../../../client/service.ts';
import { Failure } from '../../../../core/failure.ts';
import { once } from '../../../../core/once.ts';
import { inSentence } from '../../../../core/text.ts';
import type { JournalName } from '../../../../io/io.ts';
import { openMarker } from '../../../../journal/payer-mark.ts';
import { openKeystore } from '../../../../keystore/keystore.ts';
import type { Command, CommandContext } from '../../../command/command.ts';
import { KEY, PASSWORD_OPTIONS } from '../../../command/key-options.ts';
import { boolArg, type Option, type ParsedArgs, required, stringArg } from '../../../command/options.ts';
import { silent } from '../../../context/silent.ts';
import { amountLimits } from '../../../operations/amount-limits.ts';
import { warnOfNewJournal } from '../../../operations/run-once.ts';
import { chooseKey } from '../../../operations/signing-key.ts';
import { printTargetService } from '../../../print/steps.ts';
import { checkReviewOptions, REVIEW_OPTIONS, RPC_OPTION } from '../plan.ts';
import { checkFile } from './check.ts';
import { assertStated, assertWithin, confirmRun, documentOf } from './confirm.ts';
import { fileRows } from './file-rows.ts';
import { COLUMNS, type PoolKey } from './plan-row.ts';
import {
  assertNoQueueOptions,
  assertQueueOptions,
  journalOfQueue,
  othersInQueue,
  putFile,
  QUEUE,
  REPLACE,
} from './put.ts';
import { payAll, runLimits, USUAL_CONCURRENCY, USUAL_DOUBT_WAIT_S, withKeys } from './run-rows.ts';

/** The options of the command that each row has too. */
const SHARED = ['rpc-url', 'allow-blind', 'allow-recipient', 'fee-at-most', 'password-file'];

const sharedOptions = (given: ParsedArgs): ParsedArgs =>
  Object.fromEntries(SHARED.map((name) => [name, given[name]] as const).filter(([, value]) => value !== undefined));

/** The settings that all rows of a command share, whatever their file or queue. */
export const sharedSettings = ({ io }: CommandContext, service: Service, given: ParsedArgs) => ({
  service,
  marker: once(() => openMarker(io)),
  shared: sharedOptions(given),
});

/** The name of --batch, which is a part of the name of each operation. */
const batchOf = (given: ParsedArgs): string | undefined => {
  const batch = stringArg(given, 'batch');
  if (batch === undefined || /^[\w.:-]{1,100}$/.test(batch)) return batch;
  throw new Failure('invalid_input', `--batch: "${inSentence(batch)}" is not 1 to 100 letters, digits and . : _ -`);
};

/** The keys of --key, separated by commas, or the usual one. Throws for a key of another chain or without an address. */
export const poolOf = async (cli: CommandContext, given: ParsedArgs): Promise<readonly PoolKey[]> => {
  const names = (stringArg(given, 'key') ?? '').split(',').flatMap((name) => name.trim() || []);
  const chosen = names.length > 0 ? names : [(await chooseKey(cli, {}, 'evm')).name].flatMap((name) => name ?? []);
  const keystore = openKeystore(cli.io);
  const pool: PoolKey[] = [];
  for (const wanted of chosen) {
    const { name, chain, address } = await keystore.find(wanted);
    if (chain !== 'evm')
      throw new Failure('invalid_input', `--key: ${name} is a key for ${chain}, and payments are signed by EVM keys`);
    if (pool.every((one) => one.name !== name)) pool.push({ name, address });
  }
  return pool;
};

/** The files of a command, and the journal of its queue. */
type Opened = {
  readonly file: RowFile;
  readonly results: Results | undefined;
  readonly journal: JournalName | undefined;
};

const withFile = async (cli: CommandContext, given: ParsedArgs, { file, results, journal }: Opened): Promise<void> => {
  const [totals, limits] = [amountLimits(given, 'max-total'), runLimits(given)];
  await checkReviewOptions(cli, given);
  await printTargetService(cli);
  const client = await cli.client();
  const pool = await poolOf(cli, given);
  const settings = { batch: batchOf(given), pool, ...sharedSettings(cli, client.service, given) };
  const inner = { ...silent(cli, client).cli, warn: cli.warn };
  const checked = await checkFile(inner, {
    given,
    client,
    file,
    settings,
    onInvalid: async ({ row, id, line, column, message }) => {
      await results?.write({
        row,
        id,
        status: 'invalid',
        exit: 2,
        error: { code: 'invalid_input', line, column, message },
      });
    },
  });
  assertWithin(totals, checked.totals);
  const toPay = { client, file, settings, checked };
  if (boolArg(given, 'check')) {
    const others = journal && (await othersInQueue(cli, journal, settings.batch ?? '', toPay));
    return cli.printResult({ ...documentOf(checked, file), ...(others && { others }) });
  }
  const replaces = boolArg(given, 'replace');
  const others = replaces ? `, and withdraw rows of ${settings.batch} that are not in the file and not started` : '';
  if (checked.toPay > 0) {
    assertStated(cli, totals, checked.totals);
    const wallets = pool.filter(({ name }) => checked.keys.includes(name));
    await confirmRun(cli, client, checked, wallets, journal && ((rows) => `Put ${rows} into the queue${others}`));
    if (journal === undefined) await warnOfNewJournal(cli, client.service.kind, 'bulk', 'this run');
  } else if (replaces && !(await cli.confirm(`Put nothing${others}?`)))
    throw new Failure('declined', 'nothing was withdrawn');
  if (journal !== undefined) {
    await file.assertUnchanged();
    return putFile(cli, journal, settings.batch ?? '', toPay, replaces);
  }
  await withKeys(cli, given, checked.keys, async (keys) => {
    // The questions and the passwords take time.
    await file.assertUnchanged();
    await payAll(cli, given, { client, settings, results, limits, source: fileRows(cli, toPay) }, keys);
  });
};

const act = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { FILE: path } = required({ FILE: stringArg(given, 'file') });
  batchOf(given);
  if (stringArg(given, 'results') === '')
    throw new Failure('invalid_input', '--results is empty', { hint: 'Name a file for the results, or leave it out.' });
  const isQueued = stringArg(given, 'queue') !== undefined;
  if (isQueued) assertQueueOptions(given);
  else assertNoQueueOptions(given);
  const journal = isQueued ? await journalOfQueue(cli, given) : undefined;
  const file = await openRows(cli.io, path, COLUMNS);
  try {
    const to = stringArg(given, 'results');
    const results = to === undefined ? undefined : await openResults(cli.io, to, file.facts.identity);
    try {
      await withFile(cli, given, { file, results, journal });
    } finally {
      await results?.close();
    }
  } finally {
    await file.close();
  }
};

/** The option that names the results file. */
export const RESULTS: Option = {
  flag: '--results',
  value: 'FILE',
  completes: 'files',
  description: 'Append each change of a row as a line of JSON',
};

/** The options of a run that has many rows. */
export const RUN_OPTIONS: readonly Option[] = [
  {
    flag: '--concurrency',
    value: 'N',
    usual: String(USUAL_CONCURRENCY),
    description: 'The most calls at a time; fewer while the service is slow',
  },
  { flag: '--rate', value: 'N', description: 'The most calls a second' },
  {
    flag: '--doubt-wait',
    value: 'SECONDS',
    usual: String(USUAL_DOUBT_WAIT_S),
    description: 'How long a row in doubt keeps its wallet waiting',
  },
];

/** The options of the keys of a run, and of its reviews. */
export const KEY_OPTIONS: readonly Option[] = [
  { ...KEY, value: 'NAME[,NAME]', completes: 'evm-keys', description: 'Keys that sign, separated by commas' },
  ...PASSWORD_OPTIONS,
  ...REVIEW_OPTIONS,
  RPC_OPTION,
];

/** What a command that pays rows calls, how it may fail, and how it prints and stops. */
export const PAYS_ROWS = {
  calls: ['pay.register', 'pay.transaction', 'pay.execute', 'pay.status'],
  fails: ['rows_failed', 'refused_by_review', 'not_final', 'outcome_unknown', 'journal_unreachable'],
  isStream: true,
  interruptGraceMs: 65_000,
} as const satisfies Partial<Command>;

/** `pay bulk`. */
export const bulk: Command = {
  words: ['pay', 'bulk'],
  summary: 'Pay the rows of a file, each exactly once',
  about: [
    'FILE is CSV with a header, or one JSON object a line. Its columns are id and the options of pay run: amount_from, split and so on. Several values of one cell are separated by spaces.',
    'The id of a row is its idempotency key. The same command again settles rows in doubt first, and pays only the rows that are left. --batch NAME keeps the ids of different files apart.',
    'The whole file is checked before anything is sent. A terminal confirms the totals; elsewhere --yes and a --max-total for each token are required.',
    'Rows of one wallet on one chain are paid one after another. A row in doubt keeps its wallet until its outcome is known; rows of other wallets go on.',
    '--key a,b,c shares the rows among several wallets.',
    'In a pipe each change of a row is a line of JSON. The last line of an id counts.',
    '--queue puts the rows into a database instead, where bursar worker pays them on any number of machines.',
  ],
  arguments: [{ name: 'FILE', description: 'CSV or NDJSON file with the rows', completes: 'files' }],
  options: [
    { flag: '--check', description: 'Check the file, show its totals, and send nothing' },
    { flag: '--batch', value: 'NAME', description: 'Name that keeps the ids of this file apart from those of others' },
    {
      flag: '--max-total',
      value: 'AMOUNT=TOKEN',
      isRepeatable: true,
      description: 'The most that all rows may pay of a token, such as 500=USDT',
    },
    RESULTS,
    ...RUN_OPTIONS,
    QUEUE,
    REPLACE,
    ...KEY_OPTIONS,
  ],
  ...PAYS_ROWS,
  examples: [
    'pay bulk payouts.csv --check',
    'pay bulk payouts.csv --key treasury --max-total 500=USDT --yes --results results.ndjson',
    'pay bulk payouts.csv --batch 2026-11 --key a,b,c --rate 100',
    'pay bulk payouts.csv --batch 2026-11 --queue postgres://bursar@localhost/journal --max-total 500=USDT --yes',
  ],
  run: act,
};
