import { isHeldFailure } from '../../../../bulk/lanes.ts';
import type { RowChange } from '../../../../bulk/results.ts';
import type { Row } from '../../../../bulk/rows.ts';
import { resultOf } from '../../../../client/node.ts';
import { deploymentOfService } from '../../../../client/service.ts';
import { STALE_NONCE } from '../../../../contract/pay/shared.ts';
import { type Failure, isFailure } from '../../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../../core/json.ts';
import { isSameText } from '../../../../core/text.ts';
import { WIRE_ID } from '../../../../core/wire-names.ts';
import { walletOf } from '../../../../flows/pay/nonce.ts';
import { findEarlier } from '../../../../journal/earlier.ts';
import { isPaymentIntent, type PaymentIntent } from '../../../../journal/intents.ts';
import { hashSent, type OperationState } from '../../../../journal/operation-state.ts';
import { readState } from '../../../../journal/states.ts';
import { statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { resumeOne } from '../../../operations/resumable.ts';
import { nodeOfService } from '../plan.ts';
import { planRun } from '../plan-run.ts';
import { runPlanned } from '../run.ts';
import { addressIn, endedBefore, isPaid, type PlannedRow } from './plan-row.ts';
import {
  endOf,
  failureOf,
  forgottenChange,
  isNameTaken,
  isOfAll,
  pendingChange,
  skipped,
  statusFor,
} from './row-change.ts';
import { type BulkRun, contextOf, MAX_PAUSE_MS, type Subject } from './row-context.ts';
import { markOthers, noteOnOthers } from './same-content.ts';

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
/** The pause between two looks at a row in doubt. */
const DOUBT_PAUSE_MS = 2_000;
/** How long a node may take to answer. */
const NODE_MS = 10_000;

/** The operation of a row after an attempt. */
const operationAfter = async (
  { cli, client }: BulkRun,
  { name, intent }: Subject,
  failure: Failure,
): Promise<OperationState | undefined> => {
  const { data } = failure.details;
  const id = isJsonObject(data) ? textAt(data, WIRE_ID) : undefined;
  if (id !== undefined) return readState(cli.io, id);
  return findEarlier(cli.io, { deployment: deploymentOfService(client.service), intent, key: name });
};

/** Whether a node has the transaction of an operation in its pool: then the next nonce is the next one. */
const isInPool = async ({ cli, given, client }: BulkRun, state: OperationState): Promise<boolean> => {
  const { intent } = state.started;
  const hash = hashSent(state);
  if (!isPaymentIntent(intent) || hash === undefined) return false;
  const until = client.io.clock.monotonic() + NODE_MS;
  const node = await nodeOfService(cli, given, { client: { ...client, deadline: until }, chain: intent.chain });
  if (node === undefined) return false;
  const found = await resultOf(node, 'eth_getTransactionByHash', [hash]).catch(() => undefined);
  return isJsonObject(found);
};

/** A failure that another attempt may not meet: nothing is in doubt, and the service or the wallet was busy. */
const isTransient = (failure: Failure, state: OperationState | undefined): boolean => {
  const { code, details } = failure;
  if (code === 'unavailable' || details.isTransient === true || details.http === 429) return true;
  // Its bytes were signed before another row of the wallet was sent, and are refused for good: another attempt makes others.
  if (details.status === STALE_NONCE) return true;
  return code === 'not_final' && !isHeldFailure(failure) && (state === undefined || statusOf(state) === 'unfinished');
};

/** The doubt of a row: since when, by the monotonic clock, and the operation whose wallet it keeps. */
type Doubt = { since: number | undefined; operationId: string | undefined };

/** Whether money may have moved. An accepted transaction is in doubt too if its payment shows another one. */
const isInDoubt = (failure: Failure, state: OperationState): boolean =>
  failure.code === 'outcome_unknown' || statusOf(state) === 'in_doubt';

/** Handles an attempt that left the row in doubt. Returns whether another attempt follows. */
const waitInDoubt = async (
  run: BulkRun,
  row: Row,
  state: OperationState,
  failure: Failure,
  doubt: Doubt,
): Promise<boolean> => {
  const { network, lanes, doubtWaitMs } = run;
  const { clock, interrupted } = run.cli.io;
  if (doubt.since === undefined) {
    doubt.since = clock.monotonic();
    doubt.operationId = state.id;
    const { intent } = state.started;
    if (isPaymentIntent(intent)) lanes.block(walletOf({ network }, intent), state.id);
    await run.report(failureOf(row, failure, state, 'in_doubt'));
  }
  if (await isInPool(run, state)) lanes.settle(state.id);
  const left = doubt.since + doubtWaitMs - clock.monotonic();
  if (!interrupted.aborted && left > 0) {
    const pause = Math.max(failure.details.retryAfterMs ?? 0, DOUBT_PAUSE_MS);
    await clock.sleep(Math.min(pause, left), interrupted).catch(() => undefined);
    return true;
  }
  lanes.giveUp(state.id);
  return false;
};

/** Whether another process has started the row with another wallet: both took it from a queue before one began. */
const isOfAnother = (state: OperationState | undefined, payer: string | undefined): boolean =>
  state !== undefined &&
  payer !== undefined &&
  isPaymentIntent(state.started.intent) &&
  !isSameText(state.started.intent.payer, payer);

/** Makes one attempt. Returns its receipt or its failure. Throws an error that is none of bursar's failures. */
const attemptOnce = async (
  run: BulkRun,
  subject: Subject,
  onSent: () => void,
  attempt: (cli: CommandContext) => Promise<void>,
): Promise<{ readonly receipt?: unknown; readonly failure?: Failure; readonly operationId?: string | undefined }> => {
  const context = contextOf(run, subject, onSent);
  try {
    await attempt(context.cli);
    return { receipt: context.result() };
  } catch (error) {
    if (isFailure(error)) return { failure: error, operationId: context.operationId() };
    throw error;
  } finally {
    context.close();
  }
};

/** Repeats an attempt until the outcome is known, or until --doubt-wait is over, and reports the changes. */
const attemptUntilKnown = async (
  run: BulkRun,
  subject: Subject,
  onSent: () => void,
  attempt: (cli: CommandContext) => Promise<void>,
  payer?: string,
): Promise<void> => {
  const { lanes } = run;
  const { clock, interrupted } = run.cli.io;
  const { row } = subject;
  const doubt: Doubt = { since: undefined, operationId: undefined };
  const settle = (operationId: string | undefined): void => {
    for (const id of [operationId, doubt.operationId]) if (id !== undefined) lanes.settle(id);
  };
  for (let count = 1; ; count += 1) {
    const { receipt, failure, operationId } = await attemptOnce(run, subject, onSent, attempt);
    if (failure === undefined) {
      settle(textAt(receipt, WIRE_ID));
      return run.report(endOf(row, receipt));
    }
    const state = await operationAfter(run, subject, failure).catch(async (error: unknown) => {
      // The journal answers no more, and money may have moved.
      if (failure.code === 'outcome_unknown') await run.report(failureOf(row, failure, undefined, 'in_doubt'));
      throw error;
    });
    if (isOfAnother(state, payer))
      return run.report(pendingChange(row, `another process pays the row: ${failure.sentence}`, true));
    if (state && isInDoubt(failure, state)) {
      if (await waitInDoubt(run, row, state, failure, doubt)) continue;
      return;
    }
    settle(state?.id);
    const pause = failure.details.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (count - 1);
    const mayGoOn = count < MAX_ATTEMPTS && !interrupted.aborted && pause <= MAX_PAUSE_MS;
    const isLast = !mayGoOn || !isTransient(failure, state);
    if (isLast) {
      if (isOfAll(failure)) run.stop(failure);
      // A name does not mean an operation that is over and moved nothing.
      const own = state ?? (operationId === undefined ? undefined : await readState(run.cli.io, operationId));
      const isForgotten = own === undefined && isNameTaken(failure);
      return run.report(isForgotten ? forgottenChange(row) : failureOf(row, failure, own, statusFor(failure), payer));
    }
    await clock.sleep(pause, interrupted).catch(() => undefined);
  }
};

/**
 * Pays a row, and reports its changes. A row in doubt keeps its wallet until its outcome is known, or until --doubt-wait
 * is over. Rejects only with an error of bursar.
 */
export const payRow = async (
  run: BulkRun,
  planned: PlannedRow,
  key: string | undefined,
  onSent: () => void,
): Promise<void> => {
  const { row, given, name, earlier, keys } = planned;
  const { marker } = run.settings;
  if (earlier && isPaid(planned))
    return run.report({
      ...skipped(row, earlier, await noteOnOthers(marker, planned.planned, earlier)),
      // Whether its doubt was settled before the row came, or with it, the row is paid by this run.
      ...(run.settled.has(earlier.id) && { status: 'paid' as const }),
    });
  const others = await markOthers(marker, planned.planned);
  const isOfEarlierRun = endedBefore(planned);
  // It was sent in an earlier run, and takes no turn.
  if (earlier && statusOf(earlier) === 'sent') onSent();
  const options = { ...given, key, intent: name, ...(planned.pays.method === 'pix' && { 'no-wait': true }) };
  const pay = async (cli: CommandContext): Promise<void> =>
    runPlanned(cli, options, key === keys[0] ? planned.planned : await planRun(cli, options));
  await attemptUntilKnown(
    { ...run, report: (change) => run.report({ ...change, isOfEarlierRun }) },
    { ...planned, others },
    onSent,
    pay,
    key === undefined ? undefined : addressIn(run.settings, key),
  );
};

/**
 * Settles an operation in doubt that is no row of this file, by its own bytes: its amount is in no total of this run. It is
 * reported only if it stays in doubt.
 */
export const settleOperation = async (run: BulkRun, { id, started }: OperationState): Promise<void> => {
  const { settings } = run;
  const name = started.intent_key ?? id;
  const row: Row = { kind: 'row', row: 0, line: 0, id: name, fields: {}, digest: '' };
  const { RESUMING } = await import('../resume.ts');
  let last: RowChange | undefined;
  const report = async (change: RowChange): Promise<void> => {
    last = change;
  };
  const intent = started.intent as PaymentIntent;
  await attemptUntilKnown(
    { ...run, report },
    { row, intent, name },
    () => undefined,
    async (cli) => {
      // The totals of this file were confirmed: nothing new is signed beside them.
      const unconfirmed = { ...cli, globals: { ...cli.globals, yes: false } };
      const client = await cli.client();
      await resumeOne(unconfirmed, settings.shared, RESUMING, { client, id, print: cli.printCommitted });
    },
  );
  if (last?.status === 'in_doubt') await run.report(last);
  if (last?.status === 'paid') run.settled.add(id);
};
