import { PAY_AT_MOST, withoutPlaceholder } from '../../../chain/review/check.ts';
import type { Input } from '../../../client/call.ts';
import { validate } from '../../../contract/define.ts';
import { register } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { compareDecimals, isDecimal } from '../../../core/decimal.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { StatedFacts } from '../../../flows/pay/context.ts';
import { type PaymentState, receiversOf } from '../../../flows/pay/status.ts';
import {
  assertShownAsStated,
  combine,
  completedBy,
  isPricedOtherwise,
  PAYMENT_WORDS,
  type StatedBefore,
  statedBefore,
  uncovered,
} from '../../../flows/statement.ts';
import type { Io } from '../../../io/io.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';
import type { Deployment } from '../../../journal/keys.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import {
  boundIn,
  boundTo,
  type FactName,
  type Facts,
  factsOfPayment,
  isSameFact,
  NOTHING_STATED,
  type Statement,
  statementOf,
  withLater,
} from '../../../journal/statement.ts';
import { BODY_OPTION, buildInput, type InputSpec, namingOptions, optionNamer } from '../../command/build-input.ts';
import type { CommandContext } from '../../command/command.ts';
import { optionsFor } from '../../command/fields.ts';
import { type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { REGISTER_CUSTOM, REGISTER_FIELDS, TRANSACTION_FIELDS } from '../../command/payment-options.ts';
import { assertOtherFields } from './other-fields.ts';
import { RUN_FIELDS } from './plan.ts';

const isAmount = (text: string): string | undefined =>
  isDecimal(text) && compareDecimals(text, '0') > 0 ? undefined : 'must be an amount above 0, such as 10.50';

/** The maximum that the payer pays for a price in another currency. */
export const PAY_AT_MOST_OPTION: Option = {
  flag: withoutPlaceholder(PAY_AT_MOST) as `--${string}`,
  value: 'AMOUNT',
  description: 'The most to pay, in what the payer pays with, for a price in another currency',
  check: isAmount,
  isOwnValue: true,
};

const DETAILS: InputSpec['fields'] = { ...TRANSACTION_FIELDS, ...REGISTER_FIELDS };

/** The options of register and transaction as statements, which are not sent. */
export const STATEMENT_OPTIONS: readonly Option[] = [
  ...RUN_FIELDS.flatMap((field) => optionsFor({ ...field, isRequired: false }, undefined, DETAILS?.[field.name])),
  ...REGISTER_CUSTOM.options.map((option) => ({ ...option, isRequired: false })),
  BODY_OPTION,
  PAY_AT_MOST_OPTION,
];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Errors of the typed fields. Statements are compared as typed, so they must be valid for the contract. */
const problemsOf = (input: Input): readonly FieldError[] => {
  const isGiven = ({ field }: FieldError) => input[field.replace(/[.[].*$/, '')] !== undefined;
  return [validate(register, input), validate(transaction, input)]
    .flatMap((result) => (result.ok ? [] : result.problems))
    .filter(({ isMissing }) => isMissing !== true)
    .filter(isGiven);
};

/** The statement of a command about a payment, and its whole input. */
export type StatedInput = { readonly statement: Statement; readonly input: Input };

/** Reads the statements of a command line. Throws `invalid_input` for an invalid value. */
export const typedIn = (cli: CommandContext, given: ParsedArgs): Promise<StatedInput> => {
  const { defaultsOf: _, ...own } = { ...REGISTER_CUSTOM, defaults: {} };
  const read = async (): Promise<StatedInput> => {
    const input = await buildInput(cli, [register, transaction], own, given);
    const errors = problemsOf(input);
    if (errors.length > 0) throw new Failure('invalid_input', 'nothing was sent: a statement is not valid', { errors });
    const facts: Facts = {
      amount: text(input['amount_from']),
      currency: text(input['from_currency_symbol']),
      token: text(input['payer_token_symbol']),
      chain: text(input['chain_name']),
      to_chain: text(input['to_chain']),
      to_currency: text(input['to_currency_symbol']),
      receivers: input['split_payment_config'] === undefined ? undefined : receiversOf(input['split_payment_config']),
    };
    return { statement: statementOf(facts, 'options', stringArg(given, 'pay-at-most')), input };
  };
  return namingOptions(read(), optionNamer(RUN_FIELDS, own));
};

const isAboveBound = (facts: Facts, bound: string | undefined): boolean => {
  const { amount } = facts;
  if (bound === undefined || typeof amount !== 'string' || !isDecimal(amount) || isPricedOtherwise(facts)) return false;
  return compareDecimals(amount, bound) > 0;
};

/** Throws `invalid_input` for a stated amount above the stated maximum. */
export const assertWithinBound = (facts: Facts, bound: string | undefined): void => {
  if (!isAboveBound(facts, bound)) return;
  const message = `is ${bound}, and the amount that you stated is ${String(facts.amount)}`;
  throw new Failure('invalid_input', `nothing was sent: --pay-at-most ${message}`, {
    errors: [{ field: 'pay_at_most', message, option: '--pay-at-most' }],
    namesErrors: true,
  });
};

/** Throws `refused_by_review` if the amount that the service shows is above the stated maximum. */
const assertShownWithinBound = (id: string, shown: Facts, bound: string | undefined): void => {
  if (!isAboveBound(shown, bound)) return;
  const message = `is ${String(shown.amount)}, as the service says, and the most that you stated is ${bound}`;
  throw new Failure('refused_by_review', `the amount of payment ${id} ${message}`, {
    errors: [{ field: 'amount', message, option: '--pay-at-most' }],
    namesErrors: true,
    hint: 'Nothing was signed or sent now.',
    next: nextStep('pay.status', id),
  });
};

/** Adds the payer's token and chain to a statement if they equal the stated currency and destination. */
const withDerived = (shown: Facts, { facts, ...rest }: Statement): Statement => {
  const derived = [
    ['token', 'currency'],
    ['chain', 'to_chain'],
  ] as const satisfies readonly (readonly [FactName, FactName])[];
  const added = derived.flatMap(([name, from]) => {
    const [value, basis] = [shown[name], facts[from]];
    if (facts[name] !== undefined || basis?.from !== 'options' || value === undefined) return [];
    return isSameFact(basis.value, value) ? [[name, { value, from: 'options' as const }] as const] : [];
  });
  return { ...rest, facts: { ...facts, ...Object.fromEntries(added) } };
};

/** Completes an intent with stated facts. */
const intentFrom = (shown: PaymentIntent, facts: Facts): PaymentIntent => ({
  ...shown,
  to_currency: shown.to_currency ?? text(facts.to_currency),
  to_chain: shown.to_chain ?? text(facts.to_chain),
});

/** A payment as a service shows it, and the deployment of the service. */
type ShownPayment = {
  readonly payment: PaymentState;
  readonly intent: PaymentIntent;
  readonly deployment: Deployment;
};

/**
 * Compares a payment of the service with the statements of the user, from this command and earlier ones.
 * Throws `invalid_input` if two statements differ, and `refused_by_review` if the service shows something else.
 */
export const statedPayment = async (
  io: Io,
  { payment, intent, deployment }: ShownPayment,
  { statement: options, input }: StatedInput,
): Promise<{ readonly intent: PaymentIntent; readonly stating: StatedFacts }> => {
  const before = await statedBefore(io, { paymentId: payment.id, deployment });
  const shown = factsOfPayment(intent);
  const bounded = boundTo(options, before.entered.facts.token?.value ?? shown.token);
  const statement = withDerived(shown, combine(bounded, before, PAYMENT_WORDS));
  const bound = boundIn(statement, shown.token);
  assertWithinBound(statementFacts(statement), bound);
  assertShownAsStated(payment.id, shown, statement);
  assertOtherFields(payment, input);
  const facts = completedBy(shown, statement);
  assertShownWithinBound(payment.id, facts, bound);
  return {
    intent: intentFrom(intent, facts),
    stating: { facts, statement, uncovered: uncovered(facts, statement, before.confirmed) },
  };
};

const statementFacts = ({ facts }: Statement): Facts =>
  Object.fromEntries(Object.entries(facts).map(([name, { value }]) => [name, value]));

/** A payment of the journal that the user resumes. */
type ResumedPayment = Omit<ShownPayment, 'payment'> & { readonly state: OperationState };

/**
 * The stated facts of a resumed payment. They come from its start, from other commands on this machine, and from the
 * options of this command. Throws `invalid_input` if two statements differ.
 */
export const statingOfResumed = async (
  io: Io,
  { state, intent, deployment }: ResumedPayment,
  { statement: options }: StatedInput,
): Promise<StatedFacts> => {
  const id = state.payment_id;
  const before = id === undefined ? NOTHING_BEFORE : await statedBefore(io, { paymentId: id, deployment });
  const own = before.isContradicted ? NOTHING_STATED : state.stated;
  const facts = factsOfPayment(intent);
  const entered = withLater(before.entered, own);
  const statement = withDerived(facts, combine(boundTo(options, facts.token), { entered }, PAYMENT_WORDS));
  const bound = boundIn(statement, facts.token);
  assertWithinBound(statementFacts(statement), bound);
  assertShownAsStated(id ?? state.id, facts, statement);
  assertShownWithinBound(id ?? state.id, facts, bound);
  return { facts, statement, uncovered: uncovered(facts, statement, before.confirmed) };
};

const NOTHING_BEFORE: StatedBefore = { entered: NOTHING_STATED, confirmed: [], isContradicted: false };
