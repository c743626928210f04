import type { KeyChain } from '../../contract/key-chain.ts';
import { TRANSACTION_TYPES } from '../../contract/pay/shared.ts';
import { SOLANA } from '../../contract/solana.ts';
import { PROVIDERS } from '../../contract/yield/shared.ts';
import { strategies as endpoint } from '../../contract/yield/strategies.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { isOfYield } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { cardSent, isTerminal, statusOf } from '../../journal/status.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import {
  type Declared,
  type Local,
  type ParsedArgs,
  type PromptContext,
  type Suggest,
  type Suggested,
  stringArg,
} from '../command/options.ts';
import { knownOrderIds } from '../context/order-ids.ts';
import { undefinedOnFailure } from '../context/undefined-on-failure.ts';
import { briefOf } from '../operations/in-words.ts';
import { networkOf } from '../profiles/gate.ts';
import { namesOf } from '../profiles/profile.ts';
import { kindOf } from '../profiles/selection.ts';
import { readProfiles } from '../profiles/store.ts';

const asChoices = (names: readonly string[]): readonly Choice<string>[] =>
  [...new Set(names)].map((name) => ({ name, value: name }));

/** Chains of the registry, with those of the profile. */
export const suggestChains: Suggest = async (cli) => {
  const network = await networkOf(cli, kindOf(await cli.selection()));
  return { closed: false, choices: asChoices(network.chains.map(({ name }) => name)) };
};

/** Yield is on Solana. */
export const suggestSolana: Suggest = async () => ({ closed: false, choices: asChoices([SOLANA]) });

/** The user's own names of providers, or the two of the service's document. */
export const suggestProviders: Suggest = async (cli) => {
  const { providers: own = {} } = await cli.profile();
  const names = Object.keys(own);
  return { closed: false, choices: asChoices(names.length > 0 ? names : PROVIDERS) };
};

const FIAT = ['BRL', 'USD', 'EUR'];

/** Tokens of the chain that was given, or of all of them. */
export const suggestTokens: Suggest = async (cli, given) => {
  const { chains: all } = await networkOf(cli, kindOf(await cli.selection()));
  const named = stringArg(given, 'chain-name') ?? stringArg(given, 'to-chain');
  const own = all.some(({ name }) => name === named) ? all.filter(({ name }) => name === named) : all;
  const symbols = own.flatMap((chain) => [...Object.keys(chain.tokens), chain.coin]);
  return { closed: false, choices: asChoices(symbols) };
};

/** The currencies of an amount in money. */
export const suggestFiat: Suggest = async () => ({ closed: false, choices: asChoices(FIAT) });

/** What an amount is in: fiat, but for a payment in crypto; either where that is not known yet. */
export const suggestAmountCurrency: Suggest = async (cli, given) => {
  const type = stringArg(given, 'transaction-type');
  if (type !== undefined && type !== 'crypto') return suggestFiat(cli, given);
  const { closed, choices } = await suggestTokens(cli, given);
  return { closed, choices: type === undefined ? [...choices, ...asChoices(FIAT)] : choices };
};

const METHODS: Readonly<Record<(typeof TRANSACTION_TYPES)[number], string>> = {
  crypto: 'crypto to crypto, signed by a key of yours',
  pixcrypto: 'Pix to crypto',
  fiatcrypto: 'fiat to crypto, by Pix',
  cardcrypto: 'card to crypto',
  cardfiat: 'card to fiat',
};

/** Ways to pay, those first that the currency suggests. */
export const suggestMethods: Suggest = async (_, given) => {
  const isFiat = FIAT.includes(stringArg(given, 'from-currency-symbol')?.toUpperCase() ?? '');
  const names = isFiat
    ? [...TRANSACTION_TYPES.filter((name) => name !== 'crypto'), 'crypto' as const]
    : TRANSACTION_TYPES;
  return { closed: true, choices: names.map((name) => ({ name: `${name} (${METHODS[name]})`, value: name })) };
};

/** What a key can be written out as: not every family has every format. */
export const suggestExportFormats =
  (formats: Readonly<Record<KeyChain, readonly string[]>>, inTheClear: readonly string[]): Suggest =>
  async ({ io }, given) => {
    const { chain } = await openKeystore(io).find(stringArg(given, 'name') ?? '');
    const name = (format: string) => `${format} (${inTheClear.includes(format) ? 'in the clear' : 'encrypted'})`;
    return { closed: true, choices: formats[chain].map((format) => ({ name: name(format), value: format })) };
  };

/** As many as are read for a list that is narrowed by what is typed. */
const MAX = 200;

const usableKeys = async (cli: PromptContext, chain: KeyChain | undefined) =>
  (await openKeystore(cli.io).list()).flatMap((key) =>
    key.status === 'usable' && (chain === undefined || key.chain === chain) ? [key] : [],
  );

/** The user's own keys of a family, or all: nothing else can sign. */
export const suggestKeys =
  (family?: KeyChain): Suggest =>
  async (cli) => ({
    closed: true,
    choices: (await usableKeys(cli, family)).map(({ name, address }) => ({
      name: address ? `${name} (${address})` : name,
      value: name,
    })),
  });

/** The addresses of the user's own keys of a family, or of all. */
export const suggestWallets =
  (family?: KeyChain): Suggest =>
  async (cli) => ({
    closed: false,
    choices: (await usableKeys(cli, family)).flatMap(({ name, address }) =>
      address ? [{ name: `${name} (${address})`, value: address }] : [],
    ),
  });

/** Payments of this machine that are meant, the newest first. No service is asked. */
const paymentsThat =
  (isMeant: (state: OperationState) => boolean): Suggest =>
  async ({ io }) => {
    const choices: Choice<string>[] = [];
    for await (const state of allStates(io, () => undefined)) {
      const { payment_id: id, started } = state;
      if (!id || !isMeant(state) || choices.some(({ value }) => value === id)) continue;
      choices.push({
        name: `${id} (${started.profile}, ${briefOf(state, io.clock.now())})`,
        value: id,
        alias: state.id,
      });
      if (choices.length === MAX) break;
    }
    return { closed: false, choices };
  };

/** Test payments by Pix that wait for their payer's bank. */
export const suggestPixPayments = paymentsThat(
  (state) => state.started.kind === 'sandbox' && statusOf(state) === 'payable',
);

/** Test payments whose card may have been charged. */
export const suggestCardPayments = paymentsThat(
  (state) => state.started.kind === 'sandbox' && !isTerminal(state) && cardSent(state) !== 'no',
);

/** Operations of this machine in yield, or all others; the newest first. */
export const suggestOperations =
  (ofYield: boolean): Suggest =>
  async ({ io }) => {
    const choices: Choice<string>[] = [];
    for await (const state of allStates(io, () => undefined)) {
      const { intent } = state.started;
      if (isOfYield(intent) !== ofYield) continue;
      const open = isTerminal(state) ? '' : 'open, ';
      const name = `${state.id} (${open}${briefOf(state, io.clock.now())})`;
      choices.push({ name, value: state.id, alias: state.payment_id });
      if (choices.length === MAX) break;
    }
    return { closed: false, choices };
  };

const profiles: Suggest = async ({ io }) => ({
  closed: false,
  choices: namesOf(await readProfiles(io)).map((name) => ({ name, value: name })),
});

/** As many as a person looks through. */
const MAX_SERVED = 20;

/** What the service says; where it cannot be asked, what this machine knows: the command itself will say what is wrong. */
const orElse = async (
  { io }: PromptContext,
  says: string,
  ask: () => Promise<readonly Choice<string>[]>,
  instead: () => Promise<readonly Choice<string>[]>,
): Promise<readonly Choice<string>[]> => {
  const asked = io.spin(says, ask());
  return (await undefinedOnFailure(asked)) ?? instead();
};

const bare = (values: readonly string[]): readonly Choice<string>[] => values.map((name) => ({ name, value: name }));

/**
 * The tenant's orders, or those that are on or off: each with what is paid for what and whether it is on, for an id says
 * nothing to a person.
 */
export const orderIds =
  (isOf?: boolean): Suggest =>
  async (cli) => {
    const served = async () => {
      const { readOrders } = await import('../../flows/order/rows.ts');
      const rows = await readOrders(await cli.client());
      const fitting = rows.filter(({ active }) => isOf === undefined || active === isOf);
      return fitting.map(({ id, active, amount_from, from_currency_symbol: from, to_currency_symbol: to }) => ({
        name: `${id} (${amount_from} ${from} to ${to}, ${active ? 'on' : 'off'})`,
        value: id,
      }));
    };
    const choices = await orElse(cli, 'Reading the orders', served, async () => bare(await knownOrderIds(cli.io)));
    return { closed: false, choices: choices.slice(0, MAX_SERVED) };
  };

/** Tokens that a strategy takes: those of the last hours count, as for `yield strategies`. */
export const suggestAssets: Suggest = async (cli) => {
  const served = async () => {
    const { readStrategies } = await import('../../flows/yield/strategies.ts');
    const { data } = (await readStrategies(await cli.client(), endpoint, {}, { isFresh: false })).envelope;
    const rows = isJsonObject(data) && Array.isArray(data['strategies']) ? data['strategies'].filter(isJsonObject) : [];
    const symbols = rows.map(({ token }) => (isJsonObject(token) ? token['symbol'] : undefined));
    return bare([...new Set(symbols.filter((symbol) => typeof symbol === 'string'))]);
  };
  return { closed: false, choices: await orElse(cli, 'Reading the strategies', served, async () => []) };
};

/** What is declared to be kept here. Files are typed. */
const KEPT: Readonly<Record<Exclude<Local, 'files'>, Suggest>> = {
  keys: suggestKeys(),
  profiles,
  payments: paymentsThat(() => true),
  movements: suggestOperations(false),
  orders: orderIds(),
  assets: suggestAssets,
};

/** What could be meant, as far as this machine or the service knows; `undefined` where nothing is known of that kind. */
export const suggestionsFor = async (
  cli: PromptContext,
  given: ParsedArgs,
  { suggest, completes, choices }: Declared,
): Promise<Suggested | undefined> => {
  if (suggest) return (await suggest())(cli, given);
  if (typeof completes === 'string') return completes === 'files' ? undefined : KEPT[completes](cli, given);
  const all = typeof completes === 'function' ? await completes() : (completes ?? choices);
  return all && { closed: true, choices: asChoices(all) };
};

/** Whether it can be asked for: who has no key has none to choose. No service is asked for that. */
export const canBeAsked = async (cli: PromptContext, declared: Declared): Promise<boolean> =>
  declared.completes !== 'keys' || (await suggestionsFor(cli, {}, declared))?.choices.length !== 0;
