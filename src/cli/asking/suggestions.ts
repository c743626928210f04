import { PROVIDERS } from '../../contract/yield/shared.ts';
import type { Choice } from '../../io/io.ts';
import { allStates } from '../../journal/overview.ts';
import { standingOf } from '../../journal/standing.ts';
import { isOver } from '../../journal/state.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { KeyChain } from '../../keystore/opened-key.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { networkOf } from '../network.ts';
import { type Given, textOf } from '../options.ts';
import { namesOf } from '../profiles/profile.ts';
import { kindOf } from '../profiles/selection.ts';
import { readProfiles } from '../profiles/store.ts';
import type { Suggested } from './ask.ts';

type Source = (cli: Cli, leaf: Leaf, given: Given) => Promise<Suggested>;

/** As many as a person looks through. */
const MOST = 12;

/** The family of keys that the commands of an area sign with; any where it is not one. */
const familyOf = ({ words: [area, verb] }: Leaf): KeyChain | undefined => {
  if (area === 'pay') return 'evm';
  return area === 'yield' && verb !== 'broadcast' ? 'solana' : undefined;
};

const usableKeys = async (cli: Cli, chain: KeyChain | undefined) =>
  (await openKeystore(cli.io).list()).flatMap((key) =>
    key.status === 'usable' && (chain === undefined || key.chain === chain) ? [key] : [],
  );

/** The user's own keys: nothing else can sign. */
const keys: Source = async (cli, leaf) => ({
  closed: true,
  choices: (await usableKeys(cli, familyOf(leaf))).map(({ name, address }) => ({
    name: address ? `${name} (${address})` : name,
    value: name,
  })),
});

const addresses: Source = async (cli, leaf) => ({
  closed: false,
  choices: (await usableKeys(cli, familyOf(leaf))).flatMap(({ name, address }) =>
    address ? [{ name: `${name} (${address})`, value: address }] : [],
  ),
});

/** Payments of this machine, the newest first. No service is asked. */
const paymentIds: Source = async ({ io }) => {
  const choices: Choice<string>[] = [];
  for await (const state of allStates(io, () => undefined)) {
    const { payment_id: id, begun } = state;
    if (!id || choices.some(({ value }) => value === id)) continue;
    const what = 'amount' in begun.intent && 'currency' in begun.intent;
    const sum = what && 'currency' in begun.intent ? `, ${begun.intent.amount} ${begun.intent.currency}` : '';
    choices.push({ name: `${id} (${begun.profile}${sum}, ${standingOf(state)})`, value: id });
    if (choices.length === MOST) break;
  }
  return { closed: false, choices };
};

const movementIds: Source = async ({ io }, { words: [area] }) => {
  const choices: Choice<string>[] = [];
  for await (const state of allStates(io, () => undefined)) {
    const { intent } = state.begun;
    const isYield =
      'operation' in intent && ['deposit', 'withdraw', 'rebalance', 'broadcast'].includes(intent.operation);
    if (isYield !== (area === 'yield')) continue;
    choices.push({ name: `${state.id} (${isOver(state) ? '' : 'open, '}${standingOf(state)})`, value: state.id });
    if (choices.length === MOST) break;
  }
  return { closed: false, choices };
};

const profiles: Source = async ({ io }) => ({
  closed: false,
  choices: namesOf(await readProfiles(io)).map((name) => ({ name, value: name })),
});

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
const tokensAnd =
  (more: readonly string[]): Source =>
  async (cli, _, given) => {
    const { chains: all } = await networkOf(cli, kindOf(await cli.selection()));
    const named = textOf(given, 'chain-name') ?? textOf(given, 'to-chain');
    const own = all.some(({ name }) => name === named) ? all.filter(({ name }) => name === named) : all;
    return {
      closed: false,
      choices: asChoices([...more, ...own.flatMap(({ tokens, coin }) => [...Object.keys(tokens), coin])]),
    };
  };

const amountCurrency: Source = (cli, leaf, given) => {
  const type = textOf(given, 'transaction-type');
  const isFiat = leaf.words[0] === 'order' || (type !== undefined && type !== 'crypto');
  return isFiat ? Promise.resolve({ closed: false, choices: asChoices(FIAT) }) : tokensAnd([])(cli, leaf, given);
};

const SOURCES: Readonly<Record<string, Source>> = {
  '--key': keys,
  '--provider': providers,
  '--provider-in': providers,
  '--provider-out': providers,
  '--wallet': addresses,
  '--payer-wallet': addresses,
  KEY_OR_ADDRESS: addresses,
  PAYMENT_ID: paymentIds,
  ID: movementIds,
  '--chain-name': chains,
  '--to-chain': chains,
  '--payer-token-symbol': tokensAnd([]),
  '--to-currency-symbol': tokensAnd([]),
  '--from-currency-symbol': amountCurrency,
};

/** A NAME is of what its area keeps; one that is yet to be made is typed. */
const named = ({ words: [area, verb = ''] }: Leaf): Source | undefined => {
  if (area === 'key' && !['new', 'import'].includes(verb)) return keys;
  return area === 'profile' && verb !== 'set' ? profiles : undefined;
};

/** What this machine knows that could be meant; `undefined` where it knows nothing of that kind. */
export const suggestionsFor = async (
  cli: Cli,
  leaf: Leaf,
  given: Given,
  flag: string,
): Promise<Suggested | undefined> => {
  const source = flag === 'NAME' ? named(leaf) : Object.hasOwn(SOURCES, flag) ? SOURCES[flag] : undefined;
  return source?.(cli, leaf, given);
};
