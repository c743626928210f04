import { Failure } from '../../../../core/failure.ts';
import { textAt } from '../../../../core/json.ts';
import type { ChargeIntent, PaymentIntent } from '../../../../journal/intents.ts';
import { isSameIntent } from '../../../../journal/keys.ts';
import type { OperationState } from '../../../../journal/operation-state.ts';
import type { Marker } from '../../../../journal/payer-mark.ts';
import { isTerminal, mayHaveMoved, statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { usualId } from '../../../operations/area.ts';
import { differenceInWords } from '../../../operations/intent-differences.ts';
import type { PlannedRun } from '../plan-run.ts';

/** What became of a payment, if its money may have moved or its payer may pay it; otherwise `undefined`. */
const outcomeInWords = (earlier: OperationState): string | undefined => {
  if (isTerminal(earlier) && statusOf(earlier) === 'success') return `was paid on ${earlier.last_at.slice(0, 10)}`;
  if (mayHaveMoved(earlier)) return 'may have been sent';
  return earlier.pix ? 'may have been paid' : undefined;
};

/** The values of a row that are no part of its intent. */
const othersIn = ({ request: { register, transaction } }: PlannedRun): Readonly<Record<string, string>> => ({
  payer_email: textAt(transaction, 'payer_email') ?? textAt(register, 'payer_email') ?? '',
  webhook_url: textAt(register, 'tenant_data', 'webhook_url') ?? '',
  allow: JSON.stringify(register['payment_method_allowed'] ?? null),
});

/** Keyed hashes of these values, for the first record of its payment. */
export const markOthers = async (marker: () => Promise<Marker>, planned: PlannedRun) => {
  const mark = await marker();
  return Object.fromEntries(Object.entries(othersIn(planned)).map(([name, value]) => [name, mark(name, value)]));
};

/** A note on a row that was paid with other values; `undefined` if they are the same, or unknown. */
export const noteOnOthers = async (
  marker: () => Promise<Marker>,
  planned: PlannedRun,
  { started: { others } }: OperationState,
): Promise<string | undefined> => {
  if (others === undefined) return undefined;
  const own = await markOthers(marker, planned);
  const names = Object.keys(own).filter((name) => own[name] !== others[name]);
  if (names.length === 0) return undefined;
  return `${names.join(', ')} ${names.length === 1 ? 'differs' : 'differ'} from what was paid`;
};

/** The row of an operation that exists keeps its content. Throws `invalid_input` for another one. */
export const assertSameContent = async (
  cli: CommandContext,
  earlier: OperationState,
  now: PaymentIntent | ChargeIntent,
): Promise<void> => {
  const { intent: before } = earlier.started;
  if (isSameIntent(before, now)) return;
  const { was, is } = differenceInWords(before, now);
  const outcome = outcomeInWords(earlier);
  const advice = outcome
    ? `Put ${was} back. Another id pays the receiver a second time`
    : `Put ${was} back, or give the row another id`;
  const payment = `is the id of payment ${await usualId(cli, earlier)}, which ${outcome ?? 'moved nothing yet'}`;
  const message = `${payment}, with ${was}; the row now has ${is}. ${advice}`;
  throw new Failure('invalid_input', message, { errors: [{ field: 'id', message }] });
};
