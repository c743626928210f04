import { listAt, textAt, valueAt } from '../../core/json.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { toneOf } from '../../output/render.ts';
import { capitalized, type Fact, type Summary } from '../../output/summary.ts';
import { nounOf } from '../operations/in-words.ts';
import { serviceInWords } from '../prompt/confirming.ts';
import { receiversIn } from './payment-summary.ts';

type Step = Readonly<Record<string, unknown>>;

const amountOf = (row: unknown): string | undefined => {
  const [amount, currency] = [textAt(row, 'amount'), textAt(row, 'currency') ?? textAt(row, 'asset')];
  return amount === undefined ? undefined : [amount, currency].filter(Boolean).join(' ');
};

/** Each step with its time, and with its day if that differs from the first. Hashes are printed above. */
const stepFacts = (steps: readonly Step[]): readonly Fact[] => {
  const first = String(steps[0]?.['at']).slice(0, 10);
  return steps.map(({ at, step, ...rest }, index) => {
    const [day, time] = [String(at).slice(0, 10), String(at).slice(11, 19)];
    const more = Object.entries(rest).flatMap(([name, value]) => (name === 'hash' ? [] : [value]));
    const when = day === first ? time : `${day} ${time}`;
    return [index === 0 ? 'steps' : '', [when, step, ...more].join(' ')];
  });
};

const headlineOf = (noun: string, row: unknown, state: string): string => {
  const [amount, chain] = [amountOf(row), textAt(row, 'chain')];
  const named = capitalized(nounOf(textAt(row, 'operation') ?? noun));
  return `${named}${amount === undefined ? '' : ` of ${amount}`}${chain === undefined ? '' : ` on ${chain}`}: ${state}`;
};

/** The payer. Of the payer of a Pix or card the journal stores only a hash, which identifies the same payer later. */
const payerOf = (row: unknown): Fact => {
  const payer = textAt(row, 'intent', 'payer');
  const isCharge = ['pix', 'card'].includes(textAt(row, 'intent', 'operation') ?? '');
  return isCharge
    ? ['from', payer && `${payer} (a hash of the payer's e-mail address)`]
    : ['from', payer ?? textAt(row, 'intent', 'wallet')];
};

/** The hash of a payment without a transaction of this machine, such as that of a card. */
const otherHash = (row: unknown): Fact => {
  const hash = textAt(row, 'tid_hash');
  const isListed = listAt(row, 'transactions').some((one) => textAt(one, 'hash') === hash);
  return ['hash', isListed ? undefined : hash];
};

/** A hash with a note if its transaction was not sent or can never land. */
const hashOf = (transaction: unknown): string => {
  const isNever = textAt(transaction, 'sent') === 'no';
  const finality =
    valueAt(transaction, 'is_dead') === true ? ' (dead: it can never land)' : isNever ? ' (not sent)' : '';
  return `${textAt(transaction, 'hash')}${finality}`;
};

/** An operation from the journal: its purpose, state, ids and steps. */
export const operationSummary = (noun: string, row: unknown, steps: readonly Step[]): Summary => {
  const state = textAt(row, 'state') ?? '';
  const [profile, kind] = [textAt(row, 'profile') ?? '', textAt(row, 'kind') ?? ''];
  const [fee, receivers] = [textAt(row, 'fee_at_most'), listAt(row, 'receivers')];
  return {
    tone: toneOf(state),
    headline: headlineOf(noun, row, state.replaceAll('_', ' ')),
    facts: [
      ...receiversIn({ receivers: receivers.length > 0 ? receivers : listAt(row, 'intent', 'receivers') }),
      payerOf(row),
      ['by', textAt(row, 'transaction_type')],
      ['fee', fee && `at most ${fee}`],
      ['stopped', textAt(row, 'stopped', 'status') ?? textAt(row, 'stopped', 'code')],
      ['service', serviceInWords({ profile, kind })],
      ['started', textAt(row, 'begun_at')],
      ['payment', textAt(row, 'payment_id')],
      ...listAt(row, 'transactions').map((one): Fact => ['hash', hashOf(one)]),
      otherHash(row),
      ['operation', textAt(row, WIRE_ID)],
      ...stepFacts(steps),
    ],
    next: textAt(row, 'next'),
  };
};
