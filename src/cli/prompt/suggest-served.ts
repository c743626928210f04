import { strategies as endpoint } from '../../contract/yield/strategies.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import type { CommandContext } from '../context/context.ts';
import { knownOrderIds } from '../context/order-ids.ts';
import { undefinedOnFailure } from '../context/undefined-on-failure.ts';
import type { Source } from './ask.ts';

/** As many as a person looks through. */
const MAX = 20;

/** What the service says; where it cannot be asked, what this machine knows: the command itself will say what is wrong. */
const orElse = async (
  { io }: CommandContext,
  says: string,
  ask: () => Promise<readonly Choice<string>[]>,
  instead: () => Promise<readonly Choice<string>[]>,
): Promise<readonly Choice<string>[]> => {
  const asked = io.spin(says, ask());
  return (await undefinedOnFailure(asked)) ?? instead();
};

const bare = (values: readonly string[]): readonly Choice<string>[] => values.map((name) => ({ name, value: name }));

/** What an order is now that a command is to switch. */
const SWITCHED: Readonly<Record<string, boolean>> = { enable: false, disable: true };

/** The tenant's orders, each with what is paid for what and whether it is on: an id says nothing to a person. */
export const orderIds: Source = async (cli, { words: [, verb = ''] }) => {
  const isOf = SWITCHED[verb];
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
  return { closed: false, choices: choices.slice(0, MAX) };
};

/** Tokens that a strategy takes: those of the last hours count, as for `yield strategies`. */
export const assets: Source = async (cli) => {
  const served = async () => {
    const { readStrategies } = await import('../../flows/yield/strategies.ts');
    const { data } = (await readStrategies(await cli.client(), endpoint, {}, { isFresh: false })).envelope;
    const rows = isJsonObject(data) && Array.isArray(data['strategies']) ? data['strategies'].filter(isJsonObject) : [];
    const symbols = rows.map(({ token }) => (isJsonObject(token) ? token['symbol'] : undefined));
    return bare([...new Set(symbols.filter((symbol) => typeof symbol === 'string'))]);
  };
  return { closed: false, choices: await orElse(cli, 'Reading the strategies', served, async () => []) };
};
