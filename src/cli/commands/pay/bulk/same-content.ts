import { Failure } from '../../../../core/failure.ts';
import { inSentence } from '../../../../core/text.ts';
import type { ChargeIntent, Intent, PaymentIntent, Receivers } from '../../../../journal/intents.ts';
import { isSameIntent } from '../../../../journal/keys.ts';
import type { OperationState } from '../../../../journal/operation-state.ts';
import { isTerminal, mayHaveMoved, statusOf } from '../../../../journal/status.ts';
import type { CommandContext } from '../../../command/command.ts';
import { usualId } from '../../../operations/area.ts';

/** The facts of an intent, and the columns that state them. Only a payment by Pix or card has a `type`. */
const COLUMN_OF = {
  type: 'transaction_type',
  amount: 'amount_from',
  currency: 'from_currency_symbol',
  to_currency: 'to_currency_symbol',
  chain: 'chain_name',
  to_chain: 'to_chain',
  token: 'payer_token_symbol',
  receivers: 'split',
  payer: 'payer_email',
} as const;

type Fact = keyof typeof COLUMN_OF;

const factOf = (intent: Intent, fact: Fact): unknown => Object(intent)[fact];

/** The facts in which two intents differ. Two methods have different facts, so the method is named alone. */
const factsThatDiffer = (before: Intent, now: Intent): readonly Fact[] => {
  const all = (Object.keys(COLUMN_OF) as Fact[]).filter(
    (fact) => !isSameIntent(before, { ...before, [fact]: factOf(now, fact) } as Intent),
  );
  return all.includes('type') ? ['type'] : all;
};

/** A fact with its column. The journal has a payer's e-mail address only as a mark. */
const inWords = (intent: Intent, fact: Fact, which: 'the earlier' | 'another'): string => {
  const [column, value] = [COLUMN_OF[fact], factOf(intent, fact)];
  if (fact === 'payer') return `${which} ${column}`;
  if (fact !== 'receivers') return `${column} ${inSentence(String(value ?? 'crypto'))}`;
  const receivers = value as Receivers;
  return `${column} ${receivers.map(({ wallet, percent }) => `${inSentence(wallet)}=${percent}`).join(' ')}`;
};

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
  const facts = factsThatDiffer(before, now);
  const was = facts.map((fact) => inWords(before, fact, 'the earlier')).join(', ');
  const is = facts.map((fact) => inWords(now, fact, 'another')).join(', ');
  const outcome = outcomeInWords(earlier);
  const advice = outcome
    ? `Put ${was} back. Another id pays the receiver a second time`
    : `Put ${was} back, or give the row another id`;
  const payment = `is the id of payment ${await usualId(cli, earlier)}, which ${outcome ?? 'moved nothing yet'}`;
  const message = `${payment}, with ${was}; the row now has ${is}. ${advice}`;
  throw new Failure('invalid_input', message, { errors: [{ field: 'id', message }] });
};
