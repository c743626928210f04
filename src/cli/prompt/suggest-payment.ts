import type { Chain } from '../../chain/evm/network.ts';
import { DOCUMENT_TYPES, methodOf, PAYMENT_METHODS, TRANSACTION_TYPES } from '../../contract/pay/shared.ts';
import { textAt } from '../../core/json.ts';
import { memoize } from '../../core/once.ts';
import { isSameText } from '../../core/text.ts';
import { paymentKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import { type ParsedArgs, type PromptContext, type Suggest, type Suggestions, stringArg } from '../command/options.ts';
import { undefinedOnFailure } from '../context/failures.ts';
import { FIAT, isFiat } from '../operations/check-amounts.ts';
import { networkOf } from '../profiles/gate.ts';
import { kindOf } from '../profiles/selection.ts';
import { asChoices, open } from './suggestions.ts';

/** The facts of the payment that `pay transaction` pays, as the options that stated them. Other commands name none. */
const withFacts = async (cli: PromptContext, given: ParsedArgs): Promise<ParsedArgs> => {
  const id = stringArg(given, 'payment_id');
  if (id === undefined) return given;
  const { readPayment } = await import('../../flows/pay/status.ts');
  const payment = await undefinedOnFailure(cli.client().then((client) => readPayment(client, id)));
  const facts = { 'from-currency-symbol': 'from_currency_symbol', 'to-chain': 'to_chain' };
  const shown = Object.entries(facts).map(([option, field]) => [option, textAt(payment, field)]);
  return { ...Object.fromEntries(shown.filter(([, value]) => value)), ...given };
};

/** An amount or a symbol. Other text of a service is not put into a question. */
const PLAIN = /^[\w.-]{1,64}$/;

/** The orders that a command has read, by their ids: several questions take a value from one. */
const ordersReadBy = memoize(() => new Map<string, unknown>());

const orderOf = async ({ io, client }: PromptContext, id: string): Promise<unknown> => {
  const orders = ordersReadBy(io);
  if (orders.has(id)) return orders.get(id);
  const { findOrder } = await import('../../flows/order/rows.ts');
  const reading = client().then((opened) => findOrder(opened, id));
  const order = await undefinedOnFailure(io.spin('Reading the order', reading));
  if (order !== undefined) orders.set(id, order);
  return order;
};

/** Reads one value of the order that `--order-code` names, such as its amount. */
export const valueOfOrder = (field: string) => async (cli: PromptContext, given: ParsedArgs) => {
  const id = stringArg(given, 'order-code');
  if (id === undefined) return undefined;
  const value = textAt(await orderOf(cli, id), field) ?? '';
  return PLAIN.test(value) ? value : undefined;
};

/** The names with one of them first, if it is there: Enter takes the first. */
const startingWith = (names: readonly string[], first: string | undefined): readonly string[] => {
  const found = names.find((name) => first !== undefined && isSameText(name, first));
  return found === undefined ? names : [found, ...names.filter((name) => name !== found)];
};

/**
 * Chains of the registry and of the profile. Those with the currency for the receivers come first. The payer's chain is
 * usually that of the receivers.
 */
export const suggestChains: Suggest = async (cli, given) => {
  const { chains } = await networkOf(cli, kindOf(await cli.selection()));
  const received = stringArg(given, 'to-currency-symbol') ?? '';
  const lacks = ({ tokens, coin }: Chain) => ![...Object.keys(tokens), coin].some((name) => isSameText(name, received));
  const names = chains.toSorted((one, other) => Number(lacks(one)) - Number(lacks(other))).map(({ name }) => name);
  return open(startingWith(names, stringArg(await withFacts(cli, given), 'to-chain')));
};

/** Tokens of the chosen chain, or of all chains. The currency of the amount comes first. */
export const suggestTokens: Suggest = async (cli, given) => {
  const { chains: all } = await networkOf(cli, kindOf(await cli.selection()));
  const known = await withFacts(cli, given);
  const named = stringArg(known, 'chain-name') ?? stringArg(known, 'to-chain');
  const own = all.some(({ name }) => name === named) ? all.filter(({ name }) => name === named) : all;
  const tokens = [...new Set(own.flatMap((chain) => [...Object.keys(chain.tokens), chain.coin]))];
  return open(startingWith(tokens, stringArg(known, 'from-currency-symbol')));
};

export const suggestFiat: Suggest = async () => open(FIAT);

/** Currencies of an amount: tokens for a crypto payment, fiat for others, both while the type is unknown. */
export const suggestAmountCurrency: Suggest = async (cli, given) => {
  const type = stringArg(given, 'transaction-type');
  if (type !== undefined && type !== 'crypto') return suggestFiat(cli, given);
  const { choices, ...tokens } = await suggestTokens(cli, given);
  return { ...tokens, choices: type === undefined ? [...choices, ...asChoices(FIAT)] : choices };
};

/** Currencies for the receivers: fiat where a card pays them in fiat, tokens elsewhere. */
export const suggestReceived: Suggest = (cli, given) =>
  stringArg(given, 'transaction-type') === 'cardfiat' ? suggestFiat(cli, given) : suggestTokens(cli, given);

const METHODS: Readonly<Record<(typeof TRANSACTION_TYPES | typeof PAYMENT_METHODS)[number], string>> = {
  crypto: 'crypto to crypto: a key of yours signs',
  pixcrypto: 'Pix to crypto: the payer pays a code in a Brazilian bank app',
  fiatcrypto: 'fiat to crypto: it is paid by Pix too',
  cardcrypto: 'card to crypto: a card is charged, receivers get tokens',
  cardfiat: 'card to fiat: a card is charged, receivers get fiat money',
  cryptopix: 'crypto to Pix: tokens are paid, receivers get reais by Pix',
};

const asMethods = (names: readonly (keyof typeof METHODS)[]): Suggestions => ({
  others: 'refused',
  choices: names.map((name) => ({ name: `${name} (${METHODS[name]})`, value: name })),
});

const isPricedInFiat = (given: ParsedArgs) => isFiat(stringArg(given, 'from-currency-symbol'));

/** The methods that a payment allows, if it was registered on this machine: the service does not show them. */
const allowedFor = async ({ io }: PromptContext, paymentId: string | undefined): Promise<readonly string[]> => {
  if (paymentId === undefined) return [];
  for await (const { payment_id, started } of statesUnder(io, [paymentKey(paymentId)], () => undefined)) {
    const methods = 'methods' in started.intent ? started.intent.methods : undefined;
    if (payment_id === paymentId && Array.isArray(methods)) return methods;
  }
  return [];
};

/** Payment methods that the payment allows. Those that fit the currency come first. */
export const suggestMethods: Suggest = async (cli, given) => {
  const fiatFirst = [...TRANSACTION_TYPES.filter((name) => name !== 'crypto'), 'crypto'] as const;
  const types = isPricedInFiat(await withFacts(cli, given)) ? fiatFirst : TRANSACTION_TYPES;
  const methods = await allowedFor(cli, stringArg(given, 'payment_id'));
  const allowed = types.filter((type) => methods.includes(methodOf(type) ?? ''));
  return asMethods(allowed.length > 0 ? allowed : types);
};

export const suggestAllowed: Suggest = async (_, given) =>
  asMethods(isPricedInFiat(given) ? PAYMENT_METHODS : PAYMENT_METHODS.toReversed());

/** Types of a document. A payer in reais usually has a CPF. */
export const suggestDocuments: Suggest = async (cli, given) => {
  const currency = stringArg(await withFacts(cli, given), 'from-currency-symbol') ?? '';
  const names = isSameText(currency, 'BRL') ? startingWith(DOCUMENT_TYPES, 'CPF') : DOCUMENT_TYPES;
  return { others: 'refused', choices: asChoices(names) };
};
