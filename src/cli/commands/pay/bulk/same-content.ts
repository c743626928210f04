import { Failure } from '../../../../core/failure.ts';
import type { ChargeIntent, PaymentIntent } from '../../../../journal/intents.ts';
import { isSameIntent } from '../../../../journal/keys.ts';
import type { OperationState } from '../../../../journal/operation-state.ts';
import { isTerminal, mayHaveMoved, statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { usualId } from '../../../operations/area.ts';
import { differencesIn } from '../../../operations/intent-differences.ts';

/** What became of a payment, if its money may have moved or its payer may pay it; otherwise `undefined`. */
const outcomeInWords = (earlier: OperationState): string | undefined => {
  if (isTerminal(earlier) && statusOf(earlier) === 'success') return `was paid on ${earlier.last_at.slice(0, 10)}`;
  if (mayHaveMoved(earlier)) return 'may have been sent';
  return earlier.pix ? 'may have been paid' : undefined;
};

/** The row of an operation that exists keeps its content. Throws `invalid_input` for another one. */
export const assertSameContent = async (
  cli: CommandContext,
  earlier: OperationState,
  now: PaymentIntent | ChargeIntent,
): Promise<void> => {
  const { intent: before } = earlier.started;
  if (isSameIntent(before, now)) return;
  const differences = differencesIn(before, now);
  const [was, is] = [differences.map((each) => each.was).join(', '), differences.map((each) => each.is).join(', ')];
  const outcome = outcomeInWords(earlier);
  const advice = outcome
    ? `Put ${was} back. Another id pays the receiver a second time`
    : `Put ${was} back, or give the row another id`;
  const payment = `is the id of payment ${await usualId(cli, earlier)}, which ${outcome ?? 'moved nothing yet'}`;
  const message = `${payment}, with ${was}; the row now has ${is}. ${advice}`;
  throw new Failure('invalid_input', message, { errors: [{ field: 'id', message }] });
};
