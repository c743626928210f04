import type { Queue } from '../../../../bulk/queue/queue.ts';
import type { RowStatus } from '../../../../bulk/queue/read-rows.ts';
import { ROW_STATES, type RowState } from '../../../../bulk/results.ts';
import { deploymentOfService } from '../../../../client/service.ts';
import { Failure } from '../../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../../core/json.ts';
import { inSentence } from '../../../../core/text.ts';
import { stateNamed } from '../../../../journal/earlier.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import { hashSent } from '../../../../journal/operation-state.ts';
import { statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { nameOf } from './plan-row.ts';
import { serviceOfQueue } from './put.ts';

/** How many rows of one state are listed. */
export const MAX_LISTED = 20;

/** The states of a row. `queued`: no worker has started it. `withdrawn`: it was taken back before. */
export type State = Exclude<RowState, 'invalid'> | 'queued' | 'withdrawn';

/** All of them, in their order. */
export const STATES: readonly State[] = [
  'queued',
  ...ROW_STATES.flatMap((state) => (state === 'invalid' ? [] : [state])),
  'withdrawn',
];

/** Where a batch stands. The listed rows are the changes that its workers recorded last. */
export type BatchStatus = {
  readonly batch: string;
  readonly rows: number;
  /** False: the command that puts the rows has not come to its end, or was killed. */
  readonly complete: boolean;
  readonly put_at: string;
  readonly doubtful: readonly object[];
  readonly first_failed: readonly object[];
  /** Rows that a worker has started, with their wallets. One whose wallet has lost its key stays here. */
  readonly first_pending: readonly object[];
  /** The rows that somebody changed in the database. */
  readonly damaged: number;
} & Readonly<Record<State, number>>;

const stateOf = ({ isStarted, hasEnded, change }: RowStatus): State => {
  const status = textAt(change, 'status');
  const known = STATES.find((each) => each === status);
  // A failure that was no fault of the row: a worker looks at it again.
  if (known === 'failed' && !hasEnded) return 'pending';
  // A worker had it, and gave it back without an attempt.
  if (known === 'pending' && !isStarted) return 'queued';
  return known ?? (isStarted ? 'pending' : 'queued');
};

/** A change without what is the same for all rows of a list. */
const listed = (change: unknown): object => {
  const { batch: _, status: __, ...facts } = isJsonObject(change) ? change : {};
  return facts;
};

/** Reads where a batch stands: all of its rows first, then those that have changed. */
export const batchReader = async (
  cli: CommandContext,
  queue: Queue,
  name: string,
): Promise<() => Promise<BatchStatus>> => {
  const service = await cli.service();
  const [batch, deployment] = [{ service: serviceOfQueue(service), batch: name }, deploymentOfService(service)];
  const states = new Map<string, State>();
  const attention = new Map<string, unknown>();
  /** The rows that a worker has started: one that was killed has recorded no doubt, and the journal has it. */
  const started = new Map<
    string,
    { readonly rowId: string; readonly wallets: readonly string[]; readonly state: State }
  >();
  const pending = new Map<string, object>();
  const damaged = new Set<string>();
  let mark: string | undefined;
  const note = (row: RowStatus): void => {
    const { id, content } = row;
    const state = stateOf(row);
    states.set(id, state);
    if (row.isDamaged) damaged.add(id);
    else damaged.delete(id);
    // Those of paid rows are not kept, so that a large batch takes little memory.
    if (state === 'in_doubt' || state === 'failed') attention.set(id, row.change);
    else attention.delete(id);
    if (content && (state === 'pending' || state === 'held'))
      started.set(id, { rowId: content.row.id, wallets: content.wallets, state });
    else started.delete(id);
  };
  const lookAtStarted = async (): Promise<void> => {
    pending.clear();
    for (const [id, { rowId, wallets, state: recorded }] of started) {
      const state = await stateNamed(cli.io, deployment, nameOf(name, rowId));
      const isInDoubt = state !== undefined && statusOf(state) === 'in_doubt';
      states.set(id, isInDoubt ? 'in_doubt' : recorded);
      const place = { id: rowId, payment_id: state?.payment_id ?? null, tid_hash: (state && hashSent(state)) ?? null };
      if (isInDoubt) attention.set(id, place);
      else {
        attention.delete(id);
        const intent = state?.started.intent;
        const own = intent && isPaymentIntent(intent) ? [intent.payer] : wallets;
        if (pending.size < MAX_LISTED) pending.set(id, { ...place, operation_id: state?.id ?? null, wallets: own });
      }
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
      ...{ first_pending: [...pending.values()], damaged: damaged.size },
    };
  };
};
