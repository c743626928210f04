import type { KeyChain } from '../../contract/key-chain.ts';
import type { Choice } from '../../io/asked.ts';
import { cardSent } from '../../journal/card-sent.ts';
import { isOfYield } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { statusOf } from '../../journal/status.ts';
import { isTerminal } from '../../journal/terminal.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Command } from '../command/command.ts';
import { KNOWN_VALUES } from '../command/known-values.ts';
import type { Local, ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { briefOf } from '../operations/in-words.ts';
import { namesOf } from '../profiles/profile.ts';
import { readProfiles } from '../profiles/store.ts';
import type { Source, Suggested } from './ask.ts';
import type { Declared } from './declared.ts';
import { exportFormats } from './suggest-formats.ts';
import { amountCurrency, chains, methods, providers, tokens } from './suggest-names.ts';
import { assets, orderIds } from './suggest-served.ts';

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
    choices.push({ name: `${id} (${begun.profile}, ${briefOf(state, io.clock.now())})`, value: id, also: state.id });
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
    choices.push({ name, value: state.id, also: state.payment_id });
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
