import type { Client, Input } from '../../../client/call.ts';
import { type ChainNode, openNode } from '../../../client/node.ts';
import { findEvmChain, sandboxChainPath } from '../../../contract/chains.ts';
import { validate } from '../../../contract/define.ts';
import { register } from '../../../contract/pay/register.ts';
import { EXAMPLE_PAYMENT_ID, methodOf, PAYMENT_METHODS } from '../../../contract/pay/shared.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/text.ts';
import type { ChargeRequest } from '../../../flows/charge/run.ts';
import type { PayRequest } from '../../../flows/pay/run.ts';
import { intentOf, receiversOf } from '../../../flows/pay/status.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import { isAddress } from '../../../keystore/key.ts';
import { isCardType } from '../../command/card-options.ts';
import { allowOption, evmOverrides, FEE_OPTION, nodeOpenedBy, rpcOption } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { fieldList } from '../../command/fields.ts';
import { type Argument, type Option, type ParsedArgs, signingOption } from '../../command/options.ts';

/** The fields of `pay run`: those of both endpoints, except the payment id, which the first call returns. */
export const RUN_FIELDS = [...fieldList(register), ...fieldList(transaction)].filter(
  ({ name }) => name !== 'payment_id',
);

/** The placeholder for a payment id that the service has not assigned yet. */
export const PENDING_ID = 'the-payment-id';

/**
 * Fills missing fields of a crypto payment. The payer is the key, the chain is the destination, and the token is the
 * currency of the payment.
 */
const completed = (input: Input, keyAddress: string | undefined): Input => ({
  ...input,
  chain_name: input['chain_name'] ?? input['to_chain'],
  payer_token_symbol: input['payer_token_symbol'] ?? input['from_currency_symbol'],
  payer_wallet: input['payer_wallet'] ?? keyAddress,
});

const isOfTransaction = (name: string): boolean => Object.hasOwn(transaction.body, name);

const part = (input: Input, isIncluded: (name: string) => boolean): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => isIncluded(name)));

/** Fields that default to another field. They are not reported as missing if that field is missing. */
const FOLLOWS: Readonly<Record<string, string>> = {
  chain_name: 'to_chain',
  payer_token_symbol: 'from_currency_symbol',
  payer_wallet: 'key',
};

const problemsOf = (registering: Input, creating: Input, further: readonly FieldError[]): readonly FieldError[] => {
  const results = [validate(register, registering), validate(transaction, { ...creating, payment_id: PENDING_ID })];
  const wrong = results.flatMap((result) => (result.ok ? [] : result.problems));
  const others = wrong.filter(({ field }) => !further.some((known) => known.field === field));
  const all = [...further, ...others.map(({ field, message, isMissing }) => ({ field, message, isMissing }))];
  const fields = new Set(all.map(({ field }) => field));
  return all.filter(({ field }) => !fields.has(FOLLOWS[field] ?? ''));
};

/** The default of the allowed methods: only the method of the type. */
const onlyMethodOf = (type: unknown): Input =>
  Object.fromEntries(PAYMENT_METHODS.map((name) => [name, name === methodOf(type)]));

const ALLOWED = 'payment_method_allowed';

/** The error of a payment that does not allow its own method: it could be registered, but never paid. */
const contradictionIn = ({ transaction_type: type, [ALLOWED]: allowed }: Input): readonly FieldError[] => {
  const method = methodOf(type);
  if (method === undefined || !isJsonObject(allowed) || allowed[method] === true) return [];
  return [
    { field: ALLOWED, message: `the payment does not allow ${method}, and is to be paid by it: --allow ${method}` },
  ];
};

type Parts = { readonly register: Input; readonly transaction: Input };

/** Splits an input into the inputs of both calls. Throws `invalid_input` with every wrong or missing field. */
const partsOf = (typed: Input, further: readonly FieldError[]): Parts => {
  const input: Input = { [ALLOWED]: onlyMethodOf(typed['transaction_type']), ...typed };
  const creating = part(input, isOfTransaction);
  const registering = part(input, (name) => !isOfTransaction(name) || Object.hasOwn(register.body, name));
  const problems = problemsOf(registering, creating, further);
  const errors = [...problems, ...(problems.some(({ field }) => field === ALLOWED) ? [] : contradictionIn(input))];
  if (errors.length === 0) return { register: registering, transaction: creating };
  throw new Failure('invalid_input', `nothing was sent: the payment ${problemInWords(problems)}`, { errors });
};

const problemInWords = (problems: readonly FieldError[]): string => {
  if (problems.length === 0) return 'contradicts itself';
  return problems.every(({ isMissing }) => isMissing) ? 'is not complete' : 'has a wrong value';
};

/** The key that pays. Its address is absent if its file has none, so that only the password shows it. */
export type Payer = { readonly name: string; readonly address?: string | undefined };

/** What is wrong with a payer wallet beside the key that signs. */
const payerProblem = (wallet: string, address: string | undefined): string | undefined => {
  if (!isAddress(wallet)) return 'must be an EVM address: 0x and 40 hexadecimal digits';
  const isOther = address !== undefined && !isSameText(wallet, address);
  return isOther ? `${wallet} is not the address of the key, ${address}` : undefined;
};

const payerErrors = ({ payer_wallet: wallet }: Input, { name, address }: Payer): readonly FieldError[] => {
  const field = 'payer_wallet';
  if (typeof wallet === 'string') {
    const message = payerProblem(wallet, address);
    return message === undefined ? [] : [{ field, message }];
  }
  if (address !== undefined || wallet !== undefined) return [];
  const message = `required, for the file of the key ${name} has no address: bursar key passwd ${name} writes it there`;
  return [{ field, message, isMissing: true, isExplained: true, first: nextStep('key.show', name) }];
};

/** Throws `invalid_input` if an unlocked key is not the payer: only its password showed its address. */
export const assertPayer = (
  { transaction: { payer_wallet } }: Pick<PayRequest, 'transaction'>,
  address: string,
): void => {
  const message = payerProblem(String(payer_wallet), address);
  if (message === undefined) return;
  throw new Failure('invalid_input', 'nothing was sent: the key is of another wallet', {
    errors: [{ field: 'payer_wallet', message }],
  });
};

/**
 * The inputs of both calls of a payment in crypto, and its intent. Throws `invalid_input` with every wrong field, and
 * with the `further` errors.
 */
export const planPayment = (typed: Input, payer: Payer | undefined, further: readonly FieldError[]): PayRequest => {
  const input = completed(typed, payer?.address);
  const parts = partsOf(input, [...further, ...(payer ? payerErrors(typed, payer) : [])]);
  const intent = intentOf(input);
  if (!intent) throw new Failure('invalid_input', 'nothing was sent: the payment does not say who gets what');
  return { ...parts, intent };
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The inputs of a payment by Pix or card, as `planPayment`. They have no wallet of the payer: the service would ask for its
 * KYC.
 */
export const planCharge = (
  input: Input,
  further: readonly FieldError[],
): Omit<ChargeRequest, 'intent'> & { readonly intent: Omit<ChargeIntent, 'payer'> } => ({
  ...partsOf(input, further),
  intent: {
    operation: isCardType(input['transaction_type']) ? 'card' : 'pix',
    type: text(input['transaction_type']),
    amount: text(input['amount_from']),
    currency: text(input['from_currency_symbol']),
    to_currency: text(input['to_currency_symbol']),
    chain: text(input['to_chain']),
    receivers: receiversOf(input['split_payment_config']),
  },
});

export const PAYMENT_ID: Argument = {
  name: 'PAYMENT_ID',
  description: 'Id of the payment',
  completes: 'payments',
  question: 'Payment',
  order: -100,
  whenNone: { message: 'there is no payment yet', next: nextStep('pay.run') },
  example: EXAMPLE_PAYMENT_ID,
};

/** The same for a command that continues a payment: those that were not paid come first. */
export const UNPAID_ID: Argument = {
  ...PAYMENT_ID,
  suggest: async () => (await import('../../prompt/suggestions.ts')).suggestUnpaid,
};

/** Statements of `pay transaction` about the expected charge of a card. They are not sent. */
export const CHARGE_STATEMENTS: readonly Option[] = [
  {
    flag: '--amount-from',
    value: 'AMOUNT',
    question: 'Amount to pay',
    order: -90,
    description: 'Cards: the amount that you expect to be charged; not sent',
  },
  {
    flag: '--from-currency-symbol',
    value: 'SYMBOL',
    question: 'Currency of the amount',
    order: -80,
    description: 'Cards: the currency of that amount; not sent',
  },
];

/** Options that confirm doubts of a review in advance. */
export const REVIEW_OPTIONS: readonly Option[] = [
  signingOption('--allow-blind', 'Sign a call that the review does not understand', { isKept: true }),
  allowOption('--allow-recipient', 'An address outside the split that may receive'),
  FEE_OPTION,
];

export const RPC_OPTION = rpcOption(
  'A node of the chain: it is asked before signing, and shows whether money moved',
  "the profile's, or the sandbox's",
);

/** Opens the node that an option or the profile names. Throws `invalid_input` for an invalid address. */
export const nodeFor = nodeOpenedBy(openNode);

type ChainOfService = { readonly client: Client; readonly chain: string };

/**
 * Opens the node that checks a service on a chain: the user's node, or else the node of the sandbox. Throws as
 * `nodeFor`.
 */
export const nodeOfService = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, chain }: ChainOfService,
): Promise<ChainNode | undefined> => {
  const named = await nodeFor(cli, given, chain, client);
  const { kind, baseUrl } = client.service;
  const own = findEvmChain(chain);
  if (named || kind !== 'sandbox' || own === undefined) return named;
  return openNode(cli.io, baseUrl + sandboxChainPath(own.name), client, { batches: true });
};

/** Checks the options of a review before any request or question. Throws `invalid_input`. */
export const checkReviewOptions = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  evmOverrides(given);
  await nodeFor(cli, given);
};
