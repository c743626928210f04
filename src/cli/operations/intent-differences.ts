import { inSentence } from '../../core/text.ts';
import type { Intent, Receivers } from '../../journal/intents.ts';
import { isSameIntent } from '../../journal/keys.ts';

/** The field of a request that states a fact of a payment. Only a payment by Pix or card has a `type`. */
const FIELD_OF: Readonly<Record<string, string>> = {
  type: 'transaction_type',
  amount: 'amount_from',
  currency: 'from_currency_symbol',
  to_currency: 'to_currency_symbol',
  chain: 'chain_name',
  token: 'payer_token_symbol',
  receivers: 'split',
};

/** What two operations differ in, in words. */
type Difference = { readonly was: string; readonly is: string };

const isReceivers = (value: unknown): value is Receivers => Array.isArray(value);

const inWords = (fact: string, value: unknown): string => {
  const field = FIELD_OF[fact] ?? fact;
  if (!isReceivers(value)) return `${field} ${inSentence(String(value ?? (fact === 'type' ? 'crypto' : 'none')))}`;
  return `${field} ${value.map(({ wallet, percent }) => `${inSentence(wallet)}=${percent}`).join(' ')}`;
};

/** A payer by Pix or card, whom the journal has only as a mark. */
const PAYER: Difference = { was: 'the earlier payer_email', is: 'another payer_email' };

/** The facts in which two intents differ. Two methods have different facts, so the method is named alone. */
export const differenceInWords = (before: Intent, now: Intent): Difference => {
  const [one, other] = [before, now].map((intent): Readonly<Record<string, unknown>> => ({ ...intent }));
  const facts = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].filter(
    (fact) => !isSameIntent(before, { ...before, [fact]: other?.[fact] } as Intent),
  );
  const named = facts.includes('type') ? ['type'] : facts;
  const all = named.map((fact) =>
    fact === 'payer' && 'type' in before
      ? PAYER
      : { was: inWords(fact, one?.[fact]), is: inWords(fact, other?.[fact]) },
  );
  return { was: all.map(({ was }) => was).join(', '), is: all.map(({ is }) => is).join(', ') };
};
