import { isJsonObject } from '../core/json.ts';
import type { Intent } from './intents.ts';
import { isPaymentIntent } from './intents.ts';
import { factsOf, NOTHING_STATED, type Statement, statementOf } from './statement.ts';

type RawLine = Readonly<Record<string, unknown>>;

/** Verdicts by the names that version 1 gave them. */
const VERDICTS: Readonly<Record<string, string>> = { fine: 'pass', needs_word: 'confirm', refused: 'refuse' };

/**
 * What the user had stated when a line of version 1 was written. An operation for a payment that was there before it has
 * the facts that the service showed; every other one has those of its command line.
 */
const statedIn = ({ intent, payment_id: paymentId }: RawLine): Statement => {
  if (!isJsonObject(intent)) return NOTHING_STATED;
  const isShown = paymentId !== undefined && isPaymentIntent(intent as Intent);
  return isShown ? NOTHING_STATED : statementOf(factsOf(intent as Intent), 'options');
};

/** A line of an older version of the journal in the shape of the present one. */
export const upcast = (line: RawLine): RawLine => {
  if (Number(line['v']) >= 2) return line;
  if (line['step'] === 'begun') return { ...line, stated: statedIn(line) };
  const verdict = VERDICTS[String(line['verdict'])];
  return line['step'] === 'reviewed' && verdict !== undefined ? { ...line, verdict } : line;
};
