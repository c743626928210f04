import { TRANSACTION_TYPES } from '../../contract/pay/shared.ts';
import { PROVIDERS } from '../../contract/yield/shared.ts';
import type { Choice } from '../../io/asked.ts';
import { stringArg } from '../command/options.ts';
import { networkOf } from '../context/network.ts';
import { kindOf } from '../profiles/selection.ts';
import type { Source } from './ask.ts';

const asChoices = (names: readonly string[]): readonly Choice<string>[] =>
  [...new Set(names)].map((name) => ({ name, value: name }));

/** Chains of the registry, with those of the profile. Yield is on Solana. */
export const chains: Source = async (cli, { words: [area] }) => {
  const network = await networkOf(cli, kindOf(await cli.selection()));
  return { closed: false, choices: asChoices(area === 'yield' ? ['solana'] : network.chains.map(({ name }) => name)) };
};

/** The user's own names of providers, or the two of the service's document. */
export const providers: Source = async (cli) => {
  const { providers: own = {} } = await cli.profile();
  const names = Object.keys(own);
  return { closed: false, choices: asChoices(names.length > 0 ? names : PROVIDERS) };
};

const FIAT = ['BRL', 'USD', 'EUR'];

/** Tokens of the chain that was given, or of all of them. */
export const tokens: Source = async (cli, _, given) => {
  const { chains: all } = await networkOf(cli, kindOf(await cli.selection()));
  const named = stringArg(given, 'chain-name') ?? stringArg(given, 'to-chain');
  const own = all.some(({ name }) => name === named) ? all.filter(({ name }) => name === named) : all;
  const symbols = own.flatMap((chain) => [...Object.keys(chain.tokens), chain.coin]);
  return { closed: false, choices: asChoices(symbols) };
};

/** What an amount is in: fiat, but for a payment in crypto; either where that is not known yet. */
export const amountCurrency: Source = async (cli, command, given) => {
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
export const methods: Source = async (_, __, given) => {
  const isFiat = FIAT.includes(stringArg(given, 'from-currency-symbol')?.toUpperCase() ?? '');
  const names = isFiat
    ? [...TRANSACTION_TYPES.filter((name) => name !== 'crypto'), 'crypto' as const]
    : TRANSACTION_TYPES;
  return { closed: true, choices: names.map((name) => ({ name: `${name} (${METHODS[name]})`, value: name })) };
};
