import type { KeyChain } from '../../contract/key-chain.ts';
import type { Choice } from '../../io/asked.ts';
import { cardSent } from '../../journal/card-sent.ts';
import { isOfYield } from '../../journal/intents.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { allStates } from '../../journal/overview.ts';
import { standingOf } from '../../journal/standing.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import { KNOWN_VALUES } from '../known-values.ts';
import { briefOf } from '../movements/in-words.ts';
import type { Given, Local } from '../options.ts';
import { namesOf } from '../profiles/profile.ts';
import { readProfiles } from '../profiles/store.ts';
import type { Source, Suggested } from './ask.ts';
import type { Declared } from './declared.ts';
import { exportFormats } from './suggest-formats.ts';
import { amountCurrency, chains, methods, providers, tokens } from './suggest-names.ts';
import { assets, orderIds } from './suggest-served.ts';

/** As many as are read for a list that is narrowed by what is typed. */
const MOST = 200;

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

/** Which payments a command of the sandbox can do something about; others are for any. */
const MEANT: Readonly<Record<string, (state: MovementState) => boolean>> = {
  'sandbox pix': (state) => state.begun.kind === 'sandbox' && standingOf(state) === 'payable',
  'sandbox card': (state) => state.begun.kind === 'sandbox' && !isOver(state) && cardSent(state) !== 'no',
};

/** Payments of this machine, the newest first. No service is asked. */
const paymentIds: Source = async ({ io }, { words }) => {
  const choices: Choice<string>[] = [];
  const isMeant = MEANT[words.join(' ')] ?? (() => true);
  for await (const state of allStates(io, () => undefined)) {
    const { payment_id: id, begun } = state;
    if (!id || !isMeant(state) || choices.some(({ value }) => value === id)) continue;
    choices.push({ name: `${id} (${begun.profile}, ${briefOf(state, io.clock.now())})`, value: id, also: state.id });
    if (choices.length === MOST) break;
  }
  return { closed: false, choices };
};

const movementIds: Source = async ({ io }, { words: [area] }) => {
  const choices: Choice<string>[] = [];
  for await (const state of allStates(io, () => undefined)) {
    const { intent } = state.begun;
    if (isOfYield(intent) !== (area === 'yield')) continue;
    const open = isOver(state) ? '' : 'open, ';
    const name = `${state.id} (${open}${briefOf(state, io.clock.now())})`;
    choices.push({ name, value: state.id, also: state.payment_id });
    if (choices.length === MOST) break;
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
  movements: movementIds,
  orders: orderIds,
  assets,
};

/** Whether it can be asked for: who has no key has none to choose. No service is asked for that. */
export const canBeAsked = async (cli: Cli, leaf: Leaf, { completes }: Pick<Declared, 'completes'>): Promise<boolean> =>
  completes !== 'keys' || (await keys(cli, leaf, {})).choices.length > 0;

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
  cli: Cli,
  leaf: Leaf,
  given: Given,
  { flag, completes = KNOWN_VALUES[flag] }: Pick<Declared, 'flag' | 'completes'>,
): Promise<Suggested | undefined> => {
  const source = OF_COMMANDS[`${leaf.words.join(' ')} ${flag}`] ?? OF_THE_SERVICE[flag];
  if (source) return source(cli, leaf, given);
  if (completes === undefined || completes === 'files') return undefined;
  if (typeof completes === 'string') return KEPT[completes](cli, leaf, given);
  return { closed: true, choices: completes.map((name) => ({ name, value: name })) };
};
