import { escapeText } from '../../../core/escape.ts';
import type { Planned } from '../../../flows/order/planned.ts';
import type { CommandContext } from '../../context/context.ts';
import { changeLines } from './show-difference.ts';

const SIGNS = { create: '+', update: '~', enable: '~', disable: '~' } as const;

const headline = ({ at, id, actions }: Planned): string => {
  const what = actions.join(' and ');
  const which = id ?? 'a new order';
  const where = at === undefined ? 'not in the file' : `orders.${at}`;
  return `${SIGNS[actions[0] ?? 'update']} ${what} ${escapeText(which)} (${where})`;
};

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

/** How many are created, changed and left. */
export const planInWords = (orders: readonly Planned[]): string => {
  const count = (wanted: (order: Planned) => boolean) => orders.filter(wanted).length;
  const created = count(({ actions }) => actions.includes('create'));
  const left = count(({ actions }) => actions.length === 0);
  return `${created} to create, ${orders.length - created - left} to change, ${left} as they should be.`;
};

/** A plan for a person: each order that something is done about, and what changes in it. */
export const planLines = (cli: CommandContext, orders: readonly Planned[]): string =>
  orders
    .filter(({ actions }) => actions.length > 0)
    .map((order) => `${headline(order)}\n${indented(changeLines(cli, order.changes))}`)
    .join('');
