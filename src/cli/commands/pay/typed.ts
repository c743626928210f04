import { formatDecimal, isDecimal, parseDecimal } from '../../../core/decimal.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { shellWord } from '../../../core/shell.ts';
import type { Intent, PaymentIntent } from '../../../journal/entry.ts';
import { isPaymentIntent, isStepIntent } from '../../../journal/intents.ts';
import type { MovementState } from '../../../journal/movement-state.ts';
import { allStates } from '../../../journal/overview.ts';
import type { Cli } from '../../cli.ts';

type Typed = Partial<PaymentIntent>;

const typedIn = (intent: Intent): Typed => {
  if (isPaymentIntent(intent)) return intent;
  return isStepIntent(intent) ? intent : {};
};

/** What certainly came to nothing is not what the service has. */
const counts = ({ begun, stage, stop }: MovementState): boolean =>
  !isStepIntent(begun.intent) || stage === 'registered' || stage === 'created' || stop?.is_unknown !== false;

/** What was typed on this machine for a payment, the newest first. */
const typedFor = async (cli: Cli, paymentId: string): Promise<readonly Typed[]> => {
  const found: Typed[] = [];
  const skip = () => undefined;
  for await (const state of allStates(cli.io, skip)) {
    // A movement that was begun for a payment that was there already only has what the service showed.
    const isShown = isPaymentIntent(state.begun.intent) && state.begun.payment_id !== undefined;
    if (state.payment_id === paymentId && !isShown && counts(state)) found.push(typedIn(state.begun.intent));
  }
  return found;
};

const plain = (text: string): string => (isDecimal(text) ? formatDecimal(parseDecimal(text)) : text.toLowerCase());

const inWords = (value: Typed[keyof Typed]): string =>
  typeof value === 'object'
    ? value
        .map(({ wallet, percent }) => `${plain(wallet)}=${plain(percent)}`)
        .toSorted()
        .join(', ')
    : plain(value ?? '');

const FIELDS = ['amount', 'currency', 'receivers', 'chain', 'token', 'payer', 'to_currency', 'to_chain'] as const;

/** Fields that the service shows otherwise than each time that they were typed. */
const differences = (typed: readonly Typed[], shown: PaymentIntent): readonly FieldError[] =>
  FIELDS.flatMap((field) => {
    const values = typed.flatMap((one) => (one[field] === undefined ? [] : [inWords(one[field])]));
    const [first] = values;
    // What the service leaves out contradicts nothing; `completed` puts in what was typed.
    if (first === undefined || shown[field] === undefined || values.includes(inWords(shown[field]))) return [];
    return [{ field, message: `typed ${first}, and the service shows ${inWords(shown[field])}` }];
  });

const newest = (typed: readonly Typed[], field: 'to_currency' | 'to_chain'): string | undefined =>
  typed.find((one) => one[field] !== undefined)?.[field];

/** A service that leaves out what receivers are to get must not keep the review from looking at it. */
const completed = (typed: readonly Typed[], shown: PaymentIntent): PaymentIntent => ({
  ...shown,
  to_currency: shown.to_currency ?? newest(typed, 'to_currency'),
  to_chain: shown.to_chain ?? newest(typed, 'to_chain'),
});

/**
 * What a payment is for: what the service shows of it, held against what was typed for it on this machine and completed
 * by that. Throws `refused_by_review` with every difference. Where nothing was typed here the review has the word of the
 * service alone, and that is said.
 */
export const holdToTyped = async (cli: Cli, paymentId: string, shown: PaymentIntent): Promise<PaymentIntent> => {
  const typed = await typedFor(cli, paymentId);
  if (typed.length === 0) {
    await cli.say(
      `note: payment ${paymentId} was not registered on this machine; what it asks for is what the service says`,
    );
    return shown;
  }
  const errors = differences(typed, shown);
  if (errors.length === 0) return completed(typed, shown);
  throw new Failure('refused_by_review', `payment ${paymentId} is not what was typed for it on this machine`, {
    errors,
    hint: 'Nothing was signed or sent.',
    next: `bursar pay status ${shellWord(paymentId)}`,
  });
};
