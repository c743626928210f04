import type { Input } from '../../client/call.ts';
import { register } from '../../contract/pay/register.ts';
import { PAYMENT_METHODS } from '../../contract/pay/shared.ts';
import type { transaction } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import { messageThrownBy } from '../context/failures.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { InputSpec } from './build-input.ts';
import { checkBy, type OptionDetails } from './fields.ts';
import { type Option, type ParsedArgs, stringArg, stringArgs } from './options.ts';

/** The defaults of payments and orders. */
export const PAYMENT_DEFAULTS = { executor_id: 'api_transaction', gateway_method: 'direct', on_ramp: false } as const;

/** Loads suggestions, or the check of an answer, when a question needs them. */
export const suggesting =
  <N extends keyof typeof import('../prompt/suggest-payment.ts')>(name: N) =>
  async () =>
    (await import('../prompt/suggest-payment.ts'))[name];
export const validatedBy =
  <N extends keyof typeof import('../prompt/validators.ts')>(name: N) =>
  async () =>
    (await import('../prompt/validators.ts'))[name];

/** Reads the default of a question from the order of the payment. */
const ofOrder = (field: string) => async () => (await import('../prompt/suggest-payment.ts')).valueOfOrder(field);

/** One entry for each field of an endpoint. A missing field is a type error. */
type FieldDetails<E extends { readonly body: object }> = Readonly<Record<keyof E['body'], OptionDetails>>;

const TENANT_HEADING = { heading: 'The tenant, and what kind of payment' } as const;
const PAID = { heading: 'What is paid, and to whom' } as const;
const PAYER = { heading: 'Who pays' } as const;

/** The fields of a payment in the user's order: amount, currency, receivers, payer. Technical fields come last. */
export const REGISTER_FIELDS: FieldDetails<typeof register> = {
  amount_from: {
    ...PAID,
    order: -90,
    question: 'Amount to pay',
    readDefault: ofOrder('amount_from'),
    sandboxValue: '10',
    validate: validatedBy('validateAmount'),
  },
  from_currency_symbol: {
    ...PAID,
    order: -80,
    question: 'Currency of the amount',
    readDefault: ofOrder('from_currency_symbol'),
    suggest: suggesting('suggestAmountCurrency'),
  },
  to_currency_symbol: {
    ...PAID,
    order: 10,
    question: 'Currency for the receivers',
    readDefault: ofOrder('to_currency_symbol'),
    suggest: suggesting('suggestReceived'),
  },
  // The chain decides which receiver addresses are valid, so it is asked first.
  to_chain: {
    ...PAID,
    order: 20,
    question: 'Chain of the receivers',
    completes: 'evm-chains',
    suggest: suggesting('suggestChains'),
  },
  order_code: { ...TENANT_HEADING, completes: 'orders' },
  executor_id: TENANT_HEADING,
  gateway_method: TENANT_HEADING,
  on_ramp: TENANT_HEADING,
  tenant_data: TENANT_HEADING,
  payment_method_allowed: PAID,
  split_payment_config: PAID,
};

/** The answers about the payer depend on this option. */
const OF_TYPE = { follows: ['--transaction-type'] } as const;
const OF_CARD = { ...OF_TYPE, heading: 'By card' } as const;

const EXAMPLE_DOCUMENTS: Readonly<Record<string, string | undefined>> = {
  CPF: '529.982.247-25',
  CNPJ: '11.222.333/0001-81',
  PASSPORT: 'AB123456',
};

/** The fields of a transaction: the payer and the payment method. */
export const TRANSACTION_FIELDS: FieldDetails<typeof transaction> = {
  payment_id: {},
  transaction_type: { ...PAID, order: -70, question: 'Payment method', suggest: suggesting('suggestMethods') },
  payer_email: { ...PAYER, order: -50, sandboxValue: 'payer@example.com' },
  payer_wallet: {
    ...PAYER,
    ...OF_TYPE,
    question: 'Wallet of the payer',
    suggest: async () => (await import('../prompt/suggestions.ts')).suggestWallets('evm'),
    validate: validatedBy('validatePayerWallet'),
  },
  chain_name: {
    ...PAYER,
    ...OF_TYPE,
    question: 'Chain of the payer',
    completes: 'evm-chains',
    suggest: suggesting('suggestChains'),
  },
  payer_token_symbol: { ...PAYER, ...OF_TYPE, question: 'Token of the payer', suggest: suggesting('suggestTokens') },
  payer_cpf: {
    ...PAYER,
    ...OF_TYPE,
    order: -48,
    sandboxValue: '529.982.247-25',
    validate: validatedBy('validateTaxId'),
  },
  payer_name: { ...OF_CARD, order: -46, sandboxValue: 'Ana Maria Souza' },
  // The document type decides which numbers are valid, so it is asked first.
  payer_document_type: {
    ...OF_CARD,
    order: -44,
    question: 'Type of the document',
    suggest: suggesting('suggestDocuments'),
  },
  payer_document: {
    ...OF_CARD,
    order: -42,
    follows: ['--transaction-type', '--payer-document-type'],
    sandboxValue: (given) => EXAMPLE_DOCUMENTS[stringArg(given, 'payer-document-type') ?? 'CPF'],
  },
  payer_ip: { ...OF_CARD, sandboxValue: '203.0.113.7', validate: validatedBy('validateIp') },
  session_id: { ...OF_CARD, sandboxValue: 'session-1' },
  payer_phone: OF_CARD,
  card_data: OF_CARD,
};

const ALLOW: Option = {
  ...PAID,
  ...OF_TYPE,
  flag: '--allow',
  value: 'METHOD',
  choices: PAYMENT_METHODS,
  isRepeatable: true,
  description: 'A method that the payer may use; the others are off',
  question: 'Allowed payment method',
  suggest: suggesting('suggestAllowed'),
};

const SPLIT: Option = {
  ...PAID,
  flag: '--split',
  value: 'WALLET=PERCENT',
  isRepeatable: true,
  description: 'A receiver and its percentage; they sum to 100',
  // The sum is checked when all receivers are known.
  check: (text) => messageThrownBy(() => receiver(text)),
  question: 'Receiver: a wallet, or WALLET=PERCENT',
  order: 30,
  sandboxValue: '0x1111111111111111111111111111111111111111=100',
  validate: validatedBy('validateSplit'),
  ask: async () => (await import('../prompt/ask-split.ts')).askSplit(receiver),
};

const allowed = (methods: readonly string[]): Input => {
  if (methods.length === 0) return {};
  const wrong = methods.filter((method) => !(PAYMENT_METHODS as readonly string[]).includes(method));
  if (wrong.length > 0) {
    throw new Failure('invalid_input', `--allow: ${wrong.join(', ')} is not one of ${PAYMENT_METHODS.join(', ')}`);
  }
  return { payment_method_allowed: Object.fromEntries(PAYMENT_METHODS.map((name) => [name, methods.includes(name)])) };
};

/** Why a receiver is wrong, with an example of the same wallet. `at` is the place of its equals sign. */
const shareProblem = (split: string, at: number): string => {
  const wallet = at < 0 ? split : split.slice(0, at);
  if (wallet === '') return `"${split}" names no wallet: write ADDRESS=PERCENT`;
  const problem = at < 0 ? 'has no share' : `is followed by "${split.slice(at + 1)}", which is no percentage`;
  return `"${wallet}" ${problem}: write ADDRESS=PERCENT, such as ${wallet}=100`;
};

const receiver = (split: string): Input => {
  const at = split.lastIndexOf('=');
  const percent = split.slice(at + 1).trim();
  if (at < 1 || !/^\d+(?:\.\d+)?$/.test(percent)) {
    throw new Failure('invalid_input', `--split: ${shareProblem(split, at)}`);
  }
  return { receiver_wallet: split.slice(0, at), receiver_percent: parseJson(percent.replace(/^0+(?=\d)/, '')) };
};

const split = (splits: readonly string[]): Input =>
  splits.length === 0 ? {} : { split_payment_config: splits.map(receiver) };

/** The options `--allow` and `--split`, for payments and orders. */
export const ALLOW_AND_SPLIT = {
  sets: ['payment_method_allowed', 'split_payment_config'],
  options: [ALLOW, SPLIT],
  bodyFrom: (given: ParsedArgs): Input => ({
    ...allowed(stringArgs(given, 'allow')),
    ...split(stringArgs(given, 'split')),
  }),
  optionsOf: (field: string): readonly string[] => {
    if (field.startsWith('payment_method_allowed')) return [ALLOW.flag];
    return field.startsWith('split_payment_config') ? [SPLIT.flag] : [];
  },
} as const satisfies InputSpec;

const TENANT_SHAPE = register.body.tenant_data.shape;
const { public_client_id: EXAMPLE_CLIENT, webhook_url: EXAMPLE_WEBHOOK } = register.example.tenant_data;

const CLIENT_ID: Option = {
  ...TENANT_HEADING,
  flag: '--public-client-id',
  value: 'ID',
  isRequired: true,
  usual: "the profile's",
  description: 'Public client id of the tenant',
  check: checkBy(TENANT_SHAPE.public_client_id),
  order: 40,
  sandboxValue: EXAMPLE_CLIENT,
};

const WEBHOOK: Option = {
  ...TENANT_HEADING,
  flag: '--webhook-url',
  value: 'URL',
  isRequired: true,
  usual: "the profile's",
  description: 'Where the service posts changes of the payment',
  check: checkBy(TENANT_SHAPE.webhook_url),
  question: 'Webhook URL',
  order: 50,
  sandboxValue: EXAMPLE_WEBHOOK,
};

const tenant = (given: ParsedArgs): Input => ({
  tenant_data: { public_client_id: stringArg(given, 'public-client-id'), webhook_url: stringArg(given, 'webhook-url') },
});

/** The input of `pay register`. */
export const REGISTER_CUSTOM = {
  fields: REGISTER_FIELDS,
  sets: ['tenant_data', ...ALLOW_AND_SPLIT.sets],
  options: [CLIENT_ID, WEBHOOK, ALLOW, { ...SPLIT, isRequired: true }],
  bodyFrom: (given: ParsedArgs): Input => ({ ...ALLOW_AND_SPLIT.bodyFrom(given), ...tenant(given) }),
  optionsOf: (field: string): readonly string[] => {
    if (field === 'tenant_data.public_client_id') return [CLIENT_ID.flag];
    if (field === 'tenant_data.webhook_url') return [WEBHOOK.flag];
    return ALLOW_AND_SPLIT.optionsOf(field);
  },
  defaults: PAYMENT_DEFAULTS,
  defaultsOf: ({ public_client_id, webhook_url }: ProfileSettings): Input =>
    public_client_id || webhook_url ? { tenant_data: { public_client_id, webhook_url } } : {},
} as const satisfies InputSpec;
