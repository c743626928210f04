import { type KeyChain, SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';
import { strategies as endpoint } from '../../contract/yield/strategies.ts';
import { isJsonObject } from '../../core/json.ts';
import { isSameText } from '../../core/text.ts';
import { WIRE_COMPLETION_SOURCE } from '../../core/wire-names.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { cardSent, isTerminal, mayHaveMoved, statusOf } from '../../journal/status.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import {
  type Declaration,
  type ParsedArgs,
  type PromptContext,
  type StoredNames,
  type Suggest,
  type Suggestions,
  stringArg,
} from '../command/options.ts';
import { aliasNames } from '../completion/values.ts';
import { undefinedOnFailure } from '../context/failures.ts';
import { knownOrderIds } from '../context/order-ids.ts';
import { briefOf, operationChoices } from '../operations/in-words.ts';
import { namesOf } from '../profiles/profile.ts';
import { readProfiles } from '../profiles/store.ts';

/** Names as choices, each once. */
export const asChoices = (names: readonly string[]): readonly Choice<string>[] =>
  [...new Set(names)].map((name) => ({ name, value: name }));

/** Names that are usual; any other is possible too, and is confirmed. */
export const open = (names: readonly string[]): Suggestions => ({ others: 'confirmed', choices: asChoices(names) });

/** The only chain of yield. */
export const suggestSolana: Suggest = async () => open([SOLANA]);

/** The yields of a token by provider in lower case, in percent a year. */
export const ratesOf = async (cli: PromptContext, asset: string | undefined) => {
  if (asset === undefined) return undefined;
  const { rankStrategies } = await import('../../flows/yield/best.ts');
  const { ranked } = await rankStrategies(await cli.client(), asset);
  return new Map(ranked.map(({ provider, apy_percent }) => [provider.toLowerCase(), `${apy_percent} % a year`]));
};

/** The provider names of the profile, or those of the service's document, each with its yield for the chosen token. */
export const suggestProviders: Suggest = async (cli, given) => {
  const { providers: own = {} } = await cli.profile();
  const [named, rates] = [Object.keys(own), await ratesOf(cli, stringArg(given, 'asset')).catch(() => undefined)];
  const withRate = (name: string) => [name, rates?.get((own[name] ?? name).toLowerCase())].filter(Boolean).join(', ');
  const choices = (named.length > 0 ? named : PROVIDERS).map((name) => ({ name: withRate(name), value: name }));
  return { others: 'confirmed', choices };
};

/** The providers that a position can move to, the best rate first. */
export const suggestTargets: Suggest = async (cli, given) => {
  const [asset = '', out = ''] = [stringArg(given, 'asset'), stringArg(given, 'provider-out')];
  const { rankStrategies } = await import('../../flows/yield/best.ts');
  const found = await undefinedOnFailure(cli.client().then((client) => rankStrategies(client, asset, [out])));
  const others = found?.ranked.filter(({ provider }) => !isSameText(provider, out)) ?? [];
  if (others.length === 0) return suggestProviders(cli, given);
  const choices = others.map(({ provider, apy_percent }) => ({
    name: `${provider}, ${apy_percent} % a year`,
    value: provider,
  }));
  return { others: 'confirmed', choices };
};

/** The export formats of the key's family. */
export const suggestExportFormats =
  (formats: Readonly<Record<KeyChain, readonly string[]>>, inTheClear: readonly string[]): Suggest =>
  async ({ io }, given) => {
    const { chain } = await openKeystore(io).find(stringArg(given, 'name') ?? '');
    const name = (format: string) => `${format} (${inTheClear.includes(format) ? 'in the clear' : 'encrypted'})`;
    return { others: 'refused', choices: formats[chain].map((format) => ({ name: name(format), value: format })) };
  };

/** The most suggestions from the journal, and from the service. Typing narrows the list. */
const [MAX, MAX_SERVED] = [200, 20];
const usableKeys = async (cli: PromptContext, chain: KeyChain | undefined) =>
  (await openKeystore(cli.io).list()).flatMap((key) =>
    key.status === 'usable' && (chain === undefined || key.chain === chain) ? [key] : [],
  );

/** The user's keys, of one family or of all. No other key can sign. */
export const suggestKeys =
  (family?: KeyChain): Suggest =>
  async (cli) => ({
    others: 'refused',
    choices: (await usableKeys(cli, family)).map(({ name, address }) => ({
      name: address ? `${name} (${address})` : name,
      value: name,
    })),
  });

/** The addresses of the user's keys, of one family or of all. */
export const suggestWallets =
  (family?: KeyChain): Suggest =>
  async (cli) => ({
    others: 'taken',
    choices: (await usableKeys(cli, family)).flatMap(({ name, address }) =>
      address ? [{ name: `${name} (${address})`, value: address }] : [],
    ),
  });

/** Operations in the journal, newest first, without those that `asChoice` leaves out. Sends no request. */
const operationsAs =
  (asChoice: (state: OperationState, brief: string) => Choice<string> | undefined): Suggest =>
  async ({ io }) => {
    const choices: Choice<string>[] = [];
    for await (const state of allStates(io, () => undefined)) {
      const choice = asChoice(state, briefOf(state, io.clock.now()));
      if (!choice || choices.some(({ value }) => value === choice.value)) continue;
      choices.push(choice);
      if (choices.length === MAX) break;
    }
    return { others: 'taken', choices };
  };

/** Payments in the journal that match. */
const paymentsThat = (isMeant: (state: OperationState) => boolean): Suggest =>
  operationsAs((state, brief) => {
    const { id: alias, payment_id: value, started } = state;
    return value && isMeant(state) ? { name: `${value} (${started.profile}, ${brief})`, value, alias } : undefined;
  });

/** All payments in the journal. Those that ended, or may have been paid, come last. */
export const suggestUnpaid: Suggest = async (cli, given) => {
  const paid = new Set<string | undefined>();
  const all = paymentsThat((state) => {
    if (state.stage === 'ended' || mayHaveMoved(state)) paid.add(state.payment_id);
    return true;
  });
  const { choices, ...rest } = await all(cli, given);
  const isPaid = ({ value }: Choice<string>) => Number(paid.has(value));
  return { ...rest, choices: choices.toSorted((one, other) => isPaid(one) - isPaid(other)) };
};

/** Sandbox payments by Pix that wait for the payer. */
export const suggestPixPayments = paymentsThat(
  (state) => state.started.kind === 'sandbox' && statusOf(state) === 'payable',
);

/** Sandbox payments whose card may have been charged. */
export const suggestCardPayments = paymentsThat(
  (state) => state.started.kind === 'sandbox' && !isTerminal(state) && cardSent(state) !== 'no',
);

/** Yield operations in the journal, or all others, newest first. */
export const suggestOperations =
  (ofYield: boolean): Suggest =>
  async ({ io }) => ({ others: 'taken', choices: await operationChoices(io, ofYield, MAX) });

/** Reads suggestions from the service, or from this machine if that fails. The command itself reports the error. */
const readOrElse = async (
  { io }: PromptContext,
  message: string,
  ask: () => Promise<readonly Choice<string>[]>,
  instead: () => Promise<readonly Choice<string>[]>,
): Promise<readonly Choice<string>[]> => {
  const reading = io.spin(message, ask());
  return (await undefinedOnFailure(reading)) ?? instead();
};

/** The tenant's orders, all or by state. Each shows its amount, currencies and state. */
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
    const choices = await readOrElse(cli, 'Reading the orders', served, async () =>
      asChoices(await knownOrderIds(cli.io)),
    );
    return { others: 'taken', choices: choices.slice(0, MAX_SERVED) };
  };

/** Tokens of the strategies. They may come from the cache, as in `yield strategies`. */
export const suggestAssets: Suggest = async (cli) => {
  const served = async () => {
    const { readStrategies } = await import('../../flows/yield/strategies.ts');
    const { data } = (await readStrategies(await cli.client(), endpoint, {}, { isFresh: false })).envelope;
    const rows = isJsonObject(data) && Array.isArray(data['strategies']) ? data['strategies'].filter(isJsonObject) : [];
    const symbols = rows.map(({ token }) => (isJsonObject(token) ? token['symbol'] : undefined));
    return asChoices(symbols.filter((symbol) => typeof symbol === 'string'));
  };
  return {
    others: 'confirmed',
    choices: await readOrElse(cli, 'Reading the strategies', served, async () => []),
  };
};

/** Suggestions for each kind of stored name. Files have none. */
const KEPT: Readonly<Partial<Record<StoredNames, Suggest>>> = {
  keys: suggestKeys(),
  profiles: async ({ io }) => open(namesOf(await readProfiles(io))),
  aliases: async ({ io }) => open(await aliasNames(io)),
  payments: paymentsThat(() => true),
  [WIRE_COMPLETION_SOURCE]: suggestOperations(false),
  orders: orderIds(),
  assets: suggestAssets,
};

/** Suggestions from this machine or the service; `undefined` if there are none of that kind. */
export const suggestionsFor = async (
  cli: PromptContext,
  given: ParsedArgs,
  { suggest, completes, choices }: Declaration,
): Promise<Suggestions | undefined> => {
  if (suggest) return (await suggest())(cli, given);
  if (typeof completes === 'string') return KEPT[completes]?.(cli, given);
  const all = typeof completes === 'function' ? await completes() : (completes ?? choices);
  return all && { others: 'refused', choices: asChoices(all) };
};

/** Whether a value can be asked for. Without a key, there is none to choose, unless the question can create it. */
export const canBeAsked = async (cli: PromptContext, declared: Declaration): Promise<boolean> =>
  !['keys', 'evm-keys', 'solana-keys'].includes(String(declared.completes)) ||
  declared.ask !== undefined ||
  (await suggestionsFor(cli, {}, declared))?.choices.length !== 0;
