import { Failure, type FailureCode } from '../../../../core/failure.ts';
import { listAt, textAt } from '../../../../core/json.ts';
import { nextStep } from '../../../../core/next.ts';
import { inSentence } from '../../../../core/text.ts';
import { type Fact, renderSummary, type Summary } from '../../../../output/summary.ts';
import type { Command, CommandContext } from '../../../command/command.ts';
import {
  type Argument,
  isWatched,
  type ParsedArgs,
  required,
  stringArg,
  watchOptions,
} from '../../../command/options.ts';
import { watchValue } from '../../../print/watch.ts';
import { type BatchStatus, batchReader, MAX_LISTED, STATES, type State } from './batch-status.ts';
import { journalOfQueue, QUEUE, serviceOfQueue, withQueue } from './put.ts';
import { countsInWords } from './run-failure.ts';

const INTERVAL = '1';

const BATCH: Argument = { name: 'BATCH', description: 'Name of the batch, as in pay bulk --batch' };

const OPEN: readonly State[] = ['queued', 'pending', 'held', 'in_doubt'];

/** Throws `journal_damaged` if rows of a batch cannot be read. */
const assertReadable = (status: BatchStatus): void => {
  const { batch, damaged } = status;
  if (damaged === 0) return;
  const rows = damaged === 1 ? '1 row' : `${damaged} rows`;
  throw new Failure(
    'journal_damaged',
    `${rows} of ${inSentence(batch)} cannot be read: the sealed text was changed or is missing`,
    {
      data: status,
      hint: 'Somebody changed the database, or restored a part of it. Workers pay the other rows. The next command ends these, and those that no worker has started. Put the file again after it.',
      next: nextStep('again', ['pay', 'bulk-withdraw', batch]),
    },
  );
};

const isDone = (status: BatchStatus): boolean => status.complete && OPEN.every((state) => status[state] === 0);

const inWords = (status: BatchStatus): string => countsInWords(status, STATES);

const rowInWords = (row: object): string => {
  const { row: number, id, error } = row as Readonly<Record<string, unknown>>;
  const [message, wallets] = [textAt(error, 'message'), listAt(row, 'wallets').map(String)];
  const place = [number && `row ${number}`, id && inSentence(String(id))].filter(Boolean).join(', ') || 'unknown';
  const of = wallets.length > 0 ? ` of ${wallets.map(inSentence).join(' or ')}` : '';
  return `${place}${of}${message === undefined ? '' : `: ${inSentence(message)}`}`;
};

const factsOf = (name: string, rows: readonly object[]): readonly Fact[] =>
  rows.slice(0, MAX_LISTED).map((row, at) => [at === 0 ? name : '', rowInWords(row)]);

const summaryOf = (status: BatchStatus): Summary => {
  const { batch, rows, in_doubt, failed, put_at } = status;
  const isBad = in_doubt + failed > 0;
  return {
    tone: isBad ? 'bad' : isDone(status) ? 'good' : 'open',
    headline: `${inSentence(batch)}: ${rows} rows, ${inWords(status)}`,
    facts: [
      ...factsOf('in doubt', status.doubtful),
      ...factsOf('failed', status.first_failed),
      ...factsOf('pending', status.first_pending),
      ['complete', status.complete ? undefined : 'no: run the command that puts the rows again'],
      ['put first', put_at],
    ],
  };
};

/** The failure of a batch whose watch has ended; `undefined` if all its rows are paid or withdrawn. */
const failureOf = (status: BatchStatus): Failure | undefined => {
  const of = (code: FailureCode, message: string, hint: string): Failure =>
    new Failure(code, `${message}: ${inWords(status)}`, { data: status, hint });
  if (status.in_doubt > 0)
    return of(
      'outcome_unknown',
      'money may have moved',
      'Do not pay these rows again: bursar worker with the key of their wallet settles them.',
    );
  if (status.failed > 0)
    return of(
      'rows_failed',
      `${status.failed} rows failed`,
      'Put the corrected file again with bursar pay bulk: paid rows are skipped.',
    );
  if (!status.complete)
    return of(
      'not_final',
      'not all rows are in the queue',
      'The command that puts them was interrupted: run it again.',
    );
  return isDone(status) ? undefined : of('not_final', 'not all rows are paid yet', 'bursar worker pays them.');
};

const watch = async (cli: CommandContext, given: ParsedArgs, read: () => Promise<BatchStatus>): Promise<void> => {
  let last: BatchStatus | undefined;
  await watchValue(cli, given, INTERVAL, {
    read: async () => {
      last = await read();
      assertReadable(last);
      return last;
    },
    source: 'the queue',
    screen: (status, style) => renderSummary(summaryOf(status), style),
    entries: (status) => [{ key: status.batch, state: status, document: status, line: summaryOf(status).headline }],
    isDone,
  });
  const failure = last && failureOf(last);
  if (failure) throw failure;
};

/** `pay bulk-status`. */
export const bulkStatus: Command = {
  words: ['pay', 'bulk-status'],
  summary: 'Show how many rows of a queued batch are paid, from any machine',
  about: [
    'Reads what workers recorded in the queue and the journal, and asks no service. This home needs the key of the journal.',
    'A row without a change is queued, or pending once a worker has started it.',
    '--watch ends with the last row: with 0, or with 13 if one failed. At the end of --timeout it is 11 if a row is in doubt, otherwise 8.',
  ],
  arguments: [BATCH],
  options: [QUEUE, ...watchOptions('Read again and again, until the last row has ended', INTERVAL)],
  fails: ['outcome_unknown', 'rows_failed', 'not_final', 'journal_unreachable'],
  isStream: true,
  examples: ['pay bulk-status 2026-11', 'pay bulk-status 2026-11 --watch --timeout 3600'],
  run: async (cli, given) => {
    const { BATCH: name } = required({ BATCH: stringArg(given, 'batch') });
    await withQueue(cli, await journalOfQueue(cli, given), async (queue) => {
      const read = await batchReader(cli, queue, name);
      if (isWatched(given)) return watch(cli, given, read);
      const status = await read();
      assertReadable(status);
      return cli.printResult(status, status, { summary: () => summaryOf(status) });
    });
  },
};

/** `pay bulk-withdraw`. */
export const bulkWithdraw: Command = {
  words: ['pay', 'bulk-withdraw'],
  summary: 'Take the rows of a batch back that no worker has started',
  about: [
    'Rows that cannot be read, because somebody changed the database, end too.',
    'Rows that a worker has started are paid or fail as before. The same file can be put again later.',
    'Asks for a yes, because payments that were promised do not happen.',
  ],
  arguments: [BATCH],
  options: [QUEUE],
  fails: ['journal_unreachable'],
  examples: ['pay bulk-withdraw 2026-11', 'pay bulk-withdraw 2026-11 --yes --json'],
  run: async (cli, given) => {
    const { BATCH: name } = required({ BATCH: stringArg(given, 'batch') });
    await withQueue(cli, await journalOfQueue(cli, given), async (queue) => {
      const read = await batchReader(cli, queue, name);
      await read();
      if (!(await cli.confirm(`Take the rows of ${inSentence(name)} back that no worker has started?`)))
        throw new Failure('declined', 'nothing was taken back');
      await queue.withdraw({ service: serviceOfQueue(await cli.service()), batch: name });
      await cli.printCommitted(await read());
    });
  },
};
