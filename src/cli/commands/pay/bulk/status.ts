import type { Queue, RowStatus } from '../../../../bulk/queue/queue.ts';
import { ROW_STATES, type RowState } from '../../../../bulk/results.ts';
import { deploymentOfService } from '../../../../client/service.ts';
import { Failure, type FailureCode } from '../../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../../core/json.ts';
import { inSentence } from '../../../../core/text.ts';
import { stateNamed } from '../../../../journal/earlier.ts';
import { hashSent } from '../../../../journal/operation-state.ts';
import { statusOf } from '../../../../journal/status.ts';
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
import { nameOf } from './plan-row.ts';
import { journalOfQueue, QUEUE, serviceOfQueue, withQueue } from './put.ts';

/** How many rows of one state are listed. */
const MAX_LISTED = 20;

const INTERVAL = '1';

const BATCH: Argument = { name: 'BATCH', description: 'Name of the batch, as in pay bulk --batch' };

/** The states of a row. `queued`: no worker has started it. `withdrawn`: it was taken back before. */
type State = Exclude<RowState, 'invalid'> | 'queued' | 'withdrawn';

const STATES: readonly State[] = [
  'queued',
  ...ROW_STATES.flatMap((state) => (state === 'invalid' ? [] : [state])),
  'withdrawn',
];

const OPEN: readonly State[] = ['queued', 'pending', 'held', 'in_doubt'];

/** Where a batch stands. The listed rows are the changes that its workers recorded last. */
type BatchStatus = {
  readonly batch: string;
  readonly rows: number;
  /** False: the command that puts the rows has not come to its end, or was killed. */
  readonly complete: boolean;
  readonly put_at: string;
  readonly doubtful: readonly object[];
  readonly first_failed: readonly object[];
} & Readonly<Record<State, number>>;

const stateOf = ({ isStarted, hasEnded, change }: RowStatus): State => {
  const status = textAt(change, 'status');
  const known = STATES.find((each) => each === status);
  // A failure that was no fault of the row: a worker looks at it again.
  if (known === 'failed' && !hasEnded) return 'pending';
  return known ?? (isStarted ? 'pending' : 'queued');
};

/** A change without what is the same for all rows of a list. */
const listed = (change: unknown): object => {
  const { batch: _, status: __, ...facts } = isJsonObject(change) ? change : {};
  return facts;
};

/** Reads where a batch stands: all of its rows first, then those that have changed. */
const batchReader = async (cli: CommandContext, queue: Queue, name: string): Promise<() => Promise<BatchStatus>> => {
  const service = await cli.service();
  const [batch, deployment] = [{ service: serviceOfQueue(service), batch: name }, deploymentOfService(service)];
  const states = new Map<string, State>();
  const attention = new Map<string, unknown>();
  /** The ids of rows that a worker has started: one that was killed has recorded no doubt, and the journal has it. */
  const started = new Map<string, { readonly rowId: string; readonly state: State }>();
  let mark: string | undefined;
  const note = (row: RowStatus): void => {
    const { id, rowId } = row;
    const state = stateOf(row);
    states.set(id, state);
    // Those of paid rows are not kept, so that a large batch takes little memory.
    if (state === 'in_doubt' || state === 'failed') attention.set(id, row.change);
    else attention.delete(id);
    if (rowId !== undefined && (state === 'pending' || state === 'held')) started.set(id, { rowId, state });
    else started.delete(id);
  };
  const lookAtStarted = async (): Promise<void> => {
    for (const [id, { rowId, state: recorded }] of started) {
      const state = await stateNamed(cli.io, deployment, nameOf(name, rowId));
      const isInDoubt = state !== undefined && statusOf(state) === 'in_doubt';
      states.set(id, isInDoubt ? 'in_doubt' : recorded);
      if (isInDoubt)
        attention.set(id, { id: rowId, payment_id: state.payment_id ?? null, tid_hash: hashSent(state) ?? null });
      else attention.delete(id);
    }
  };
  return async () => {
    const read = await queue.rowsOf(batch, mark);
    if (read === undefined)
      throw new Failure('invalid_input', `there is no batch "${inSentence(name)}" in the queue ${queue.where}`, {
        errors: [{ field: 'batch', message: 'is the name that pay bulk --batch gave, for the same service' }],
      });
    mark = read.mark;
    read.rows.forEach(note);
    await lookAtStarted();
    const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<State, number>;
    for (const state of states.values()) counts[state] += 1;
    const ofState = (wanted: State): readonly object[] =>
      [...attention].flatMap(([id, change]) => (states.get(id) === wanted ? [listed(change)] : []));
    return {
      ...{ batch: name, rows: states.size, complete: read.isWhole, ...counts, put_at: read.putAt },
      ...{ doubtful: ofState('in_doubt'), first_failed: ofState('failed').slice(0, MAX_LISTED) },
    };
  };
};

const isDone = (status: BatchStatus): boolean => status.complete && OPEN.every((state) => status[state] === 0);

const inWords = (status: BatchStatus): string =>
  STATES.filter((state) => status[state] > 0)
    .map((state) => `${status[state]} ${state.replace('_', ' ')}`)
    .join(', ');

const rowInWords = (row: object): string => {
  const { row: number, id, error } = row as Readonly<Record<string, unknown>>;
  const message = textAt(error, 'message');
  return `row ${number}, ${inSentence(String(id))}${message === undefined ? '' : `: ${inSentence(message)}`}`;
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
      return cli.printResult(status, status, { summary: () => summaryOf(status) });
    });
  },
};

/** `pay bulk-withdraw`. */
export const bulkWithdraw: Command = {
  words: ['pay', 'bulk-withdraw'],
  summary: 'Take the rows of a batch back that no worker has started',
  about: [
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
