import type { KeyChain } from '../../contract/key-chain.ts';
import { TRANSACTION_TYPES } from '../../contract/pay/shared.ts';
import { PROVIDERS } from '../../contract/yield/shared.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { cardSent } from '../../journal/card-sent.ts';
import { isOfYield } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { statusOf } from '../../journal/status.ts';
import { isTerminal } from '../../journal/terminal.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Command } from '../command/command.ts';
import { KNOWN_VALUES } from '../command/known-values.ts';
import { type Local, type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { briefOf } from '../operations/in-words.ts';
import { networkOf } from '../profiles/gate.ts';
import { namesOf } from '../profiles/profile.ts';
import { kindOf } from '../profiles/selection.ts';
import { readProfiles } from '../profiles/store.ts';
import type { Source, Suggested } from './ask.ts';
import type { Declared } from './declared.ts';
import { assets, orderIds } from './suggest-served.ts';

const asChoices = (names: readonly string[]): readonly Choice<string>[] =>
  [...new Set(names)].map((name) => ({ name, value: name }));

/** Chains of the registry, with those of the profile. Yield is on Solana. */
const chains: Source = async (cli, { words: [area] }) => {
  const network = await networkOf(cli, kindOf(await cli.selection()));
  return { closed: false, choices: asChoices(area === 'yield' ? ['solana'] : network.chains.map(({ name }) => name)) };
};

/** The user's own names of providers, or the two of the service's document. */
const providers: Source = async (cli) => {
  const { providers: own = {} } = await cli.profile();
  const names = Object.keys(own);
  return { closed: false, choices: asChoices(names.length > 0 ? names : PROVIDERS) };
};

const FIAT = ['BRL', 'USD', 'EUR'];

/** Tokens of the chain that was given, or of all of them. */
const tokens: Source = async (cli, _, given) => {
  const { chains: all } = await networkOf(cli, kindOf(await cli.selection()));
  const named = stringArg(given, 'chain-name') ?? stringArg(given, 'to-chain');
  const own = all.some(({ name }) => name === named) ? all.filter(({ name }) => name === named) : all;
  const symbols = own.flatMap((chain) => [...Object.keys(chain.tokens), chain.coin]);
  return { closed: false, choices: asChoices(symbols) };
};

/** What an amount is in: fiat, but for a payment in crypto; either where that is not known yet. */
const amountCurrency: Source = async (cli, command, given) => {
  const type = stringArg(given, 'transaction-type');
  const isFiat = command.words[0] === 'order' || (type !== undefined && type !== 'crypto');
  if (isFiat) return { closed: false, choices: asChoices(FIAT) };
  const { closed, choices } = await tokens(cli, command, given);
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
const methods: Source = async (_, __, given) => {
  const isFiat = FIAT.includes(stringArg(given, 'from-currency-symbol')?.toUpperCase() ?? '');
  const names = isFiat
    ? [...TRANSACTION_TYPES.filter((name) => name !== 'crypto'), 'crypto' as const]
    : TRANSACTION_TYPES;
  return { closed: true, choices: names.map((name) => ({ name: `${name} (${METHODS[name]})`, value: name })) };
};

/** What a key can be written out as: not every family has every format. */
const exportFormats: Source = async ({ io }, _, given) => {
  const { FORMATS, IN_THE_CLEAR } = await import('../commands/key/export.ts');
  const { chain } = await openKeystore(io).find(stringArg(given, 'name') ?? '');
  const name = (format: string) => `${format} (${IN_THE_CLEAR.includes(format) ? 'in the clear' : 'encrypted'})`;
  return { closed: true, choices: FORMATS[chain].map((format) => ({ name: name(format), value: format })) };
};

/** As many as are read for a list that is narrowed by what is typed. */
const MAX = 200;

/** The family of keys that the commands of an area sign with; any where it is not one. */
const familyOf = ({ words: [area, verb] }: Command): KeyChain | undefined => {
  if (area === 'pay') return 'evm';
  return area === 'yield' && verb !== 'broadcast' ? 'solana' : undefined;
};

const usableKeys = async (cli: CommandContext, chain: KeyChain | undefined) =>
  (await openKeystore(cli.io).list()).flatMap((key) =>
    key.status === 'usable' && (chain === undefined || key.chain === chain) ? [key] : [],
  );

/** The user's own keys: nothing else can sign. */
const keys: Source = async (cli, command) => ({
  closed: true,
  choices: (await usableKeys(cli, familyOf(command))).map(({ name, address }) => ({
    name: address ? `${name} (${address})` : name,
    value: name,
  })),
});

const addresses: Source = async (cli, command) => ({
  closed: false,
  choices: (await usableKeys(cli, familyOf(command))).flatMap(({ name, address }) =>
    address ? [{ name: `${name} (${address})`, value: address }] : [],
  ),
});

/** Which payments a command of the sandbox can do something about; others are for any. */
const MEANT: Readonly<Record<string, (state: OperationState) => boolean>> = {
  'sandbox pix': (state) => state.begun.kind === 'sandbox' && statusOf(state) === 'payable',
  'sandbox card': (state) => state.begun.kind === 'sandbox' && !isTerminal(state) && cardSent(state) !== 'no',
};

/** Payments of this machine, the newest first. No service is asked. */
const paymentIds: Source = async ({ io }, { words }) => {
  const choices: Choice<string>[] = [];
  const isMeant = MEANT[words.join(' ')] ?? (() => true);
  for await (const state of allStates(io, () => undefined)) {
    const { payment_id: id, begun } = state;
    if (!id || !isMeant(state) || choices.some(({ value }) => value === id)) continue;
    choices.push({ name: `${id} (${begun.profile}, ${briefOf(state, io.clock.now())})`, value: id, alias: state.id });
    if (choices.length === MAX) break;
  }
  return { closed: false, choices };
};

const operationIds: Source = async ({ io }, { words: [area] }) => {
  const choices: Choice<string>[] = [];
  for await (const state of allStates(io, () => undefined)) {
    const { intent } = state.begun;
    if (isOfYield(intent) !== (area === 'yield')) continue;
    const open = isTerminal(state) ? '' : 'open, ';
    const name = `${state.id} (${open}${briefOf(state, io.clock.now())})`;
    choices.push({ name, value: state.id, alias: state.payment_id });
    if (choices.length === MAX) break;
  }
  return { closed: false, choices };
};

const profiles: Source = async ({ io }) => ({
  closed: false,
  choices: namesOf(await readProfiles(io)).map((name) => ({ name, value: name })),
});

/** What is declared to be kept here. Files are typed. */
const KEPT: Readonly<Record<Exclude<Local, 'files'>, Source>> = {
  keys,
  profiles,
  payments: paymentIds,
  movements: operationIds,
  orders: orderIds,
  assets,
};

/** Whether it can be asked for: who has no key has none to choose. No service is asked for that. */
export const canBeAsked = async (
  cli: CommandContext,
  command: Command,
  { completes }: Pick<Declared, 'completes'>,
): Promise<boolean> => completes !== 'keys' || (await keys(cli, command, {})).choices.length > 0;

/** What depends on the service that is used, and no shell can know. */
const OF_THE_SERVICE: Readonly<Record<string, Source>> = {
  '--provider': providers,
  '--provider-in': providers,
  '--provider-out': providers,
  '--wallet': addresses,
  '--payer-wallet': addresses,
  KEY_OR_ADDRESS: addresses,
  '--chain-name': chains,
  '--to-chain': chains,
  '--payer-token-symbol': tokens,
  '--to-currency-symbol': tokens,
  '--from-currency-symbol': amountCurrency,
  '--transaction-type': methods,
};

const OF_COMMANDS: Readonly<Record<string, Source>> = { 'key export --format': exportFormats };

/** What could be meant, as far as this machine or the service knows; `undefined` where nothing is known of that kind. */
export const suggestionsFor = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  { flag, completes = KNOWN_VALUES[flag] }: Pick<Declared, 'flag' | 'completes'>,
): Promise<Suggested | undefined> => {
  const source = OF_COMMANDS[`${command.words.join(' ')} ${flag}`] ?? OF_THE_SERVICE[flag];
  if (source) return source(cli, command, given);
  if (completes === undefined || completes === 'files') return undefined;
  if (typeof completes === 'string') return KEPT[completes](cli, command, given);
  return { closed: true, choices: completes.map((name) => ({ name, value: name })) };
};
