import { isHeldFailure } from '../../../../bulk/lanes.ts';
import { placeOf, type RowChange } from '../../../../bulk/results.ts';
import type { Row } from '../../../../bulk/rows.ts';
import { EXIT, FAILURES, type Failure, type FailureCode } from '../../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../../core/json.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import { hashSent, type OperationState } from '../../../../journal/operation-state.ts';
import { mayHaveMoved, statusOf } from '../../../../journal/status.ts';
import type { PlannedRow } from './plan-row.ts';

/** The change of a row that ended well or expired, or whose payer has to act. */
export const endOf = (row: Row, receipt: unknown): RowChange => {
  if (textAt(receipt, 'status') === 'expired') {
    const error = { code: 'payment_failed', status: null, message: 'the time to pay it is over' };
    const payment_id = textAt(receipt, 'payment_id');
    return { ...placeOf(row), status: 'failed', payment_id, exit: EXIT.endedInError, error, isOver: true };
  }
  const isPaid = textAt(receipt, 'status') === 'success';
  const code = textAt(receipt, 'pix_code');
  return {
    ...placeOf(row),
    status: isPaid ? 'paid' : 'pending',
    payment_id: textAt(receipt, 'payment_id'),
    tid_hash: textAt(receipt, 'tid_hash'),
    exit: isPaid ? EXIT.done : EXIT.notFinal,
    ...(code !== undefined && { more: { pix_code: code, expires_at: textAt(receipt, 'expires_at') ?? null } }),
  };
};

/** The failures that no other row would escape. */
const OF_ALL: readonly FailureCode[] = [
  ...(['unauthorized', 'no_api_key', 'journal_unwritable', 'journal_unreachable', 'journal_damaged'] as const),
  ...([
    'bad_settings',
    'unavailable',
    'internal',
    'unwritable_output',
    'sandbox_unavailable',
    'wrong_password',
  ] as const),
];

/** Whether a failure is no fault of its row: no other row would escape it. */
export const isOfAll = ({ code, details }: Failure): boolean =>
  OF_ALL.includes(code) ||
  details.http === 429 ||
  // The day of the key is used up.
  details.errors?.some(({ field }) => field === 'policy.most_per_day') === true;

/** The status of a row that failed. */
export const statusFor = (failure: Failure): RowChange['status'] => {
  if (isHeldFailure(failure)) return 'held';
  if (failure.code === 'outcome_unknown') return 'in_doubt';
  return failure.code === 'not_final' || failure.code === 'interrupted' ? 'pending' : 'failed';
};

/** Whether another operation has the name of a row in a shared journal, or had it before it was removed. */
export const isNameTaken = ({ details }: Failure): boolean =>
  details.errors?.some(({ field }) => field === 'intent') === true;

/** The change of a row whose payment was removed: a shared journal keeps its name. */
export const forgottenChange = (row: Row): RowChange => {
  const message = 'its payment was removed by pay forget, and its id is never free again. Give the row another id';
  const errors = [{ field: 'id', message: 'is the id of a removed payment' }];
  const error = { code: 'invalid_input', status: null, message, errors };
  return { ...placeOf(row), status: 'failed', exit: EXIT.usage, error, isOver: true };
};

/** What a failure knows of its payment. */
const paymentIn = ({ details: { data } }: Failure) => {
  const of = (name: string): string | undefined => (isJsonObject(data) ? textAt(data, name) : undefined);
  return { payment_id: of('payment_id'), tid_hash: of('tid_hash') };
};

/** The change of a row that failed, or is in doubt. Without a state the journal could not be read. */
export const failureOf = (
  row: Row,
  failure: Failure,
  state: OperationState | undefined,
  status: RowChange['status'],
  wallet?: string,
): RowChange => ({
  ...placeOf(row),
  wallet,
  status,
  ...(state ? { payment_id: state.payment_id, tid_hash: hashSent(state) } : paymentIn(failure)),
  exit: status === 'in_doubt' ? EXIT.outcomeUnknown : FAILURES[failure.code],
  isOfAll: isOfAll(failure),
  isOver: state !== undefined && ['error', 'expired'].includes(statusOf(state)),
  error: {
    code: failure.code,
    status: failure.details.status ?? null,
    message: failure.sentence,
    errors: failure.details.errors?.map(({ field, message }) => ({ field, message })),
  },
});

/** The change of a row that is not paid in this run, and may be later. `isOfAnother`: another process records its changes. */
export const pendingChange = (row: Row, message: string, isOfAnother = false): RowChange => ({
  ...placeOf(row),
  status: 'pending',
  exit: EXIT.notFinal,
  isOfAnother,
  error: { code: 'not_final', status: null, message },
});

/** The change of a row that its wallet keeps waiting. One that an earlier run has sent is what it was: sent, or in doubt. */
export const heldChange = ({ row, earlier, intent, keys }: PlannedRow): RowChange => {
  const wallet = keys.length === 1 && isPaymentIntent(intent) ? intent.payer : undefined;
  if (earlier === undefined || !mayHaveMoved(earlier))
    return { ...placeOf(row), status: 'held', exit: EXIT.notFinal, wallet };
  const isInDoubt = statusOf(earlier) === 'in_doubt';
  return {
    ...placeOf(row),
    status: isInDoubt ? 'in_doubt' : 'pending',
    payment_id: earlier.payment_id,
    tid_hash: hashSent(earlier),
    exit: isInDoubt ? EXIT.outcomeUnknown : EXIT.notFinal,
  };
};

/** The change of a row that an earlier run paid. */
export const skipped = (row: Row, earlier: OperationState, note: string | undefined): RowChange => ({
  ...placeOf(row),
  status: 'skipped',
  payment_id: earlier.payment_id,
  tid_hash: hashSent(earlier),
  exit: EXIT.done,
  more: { paid_at: earlier.last_at, ...(note !== undefined && { note }) },
});
