import { toggle as endpoint } from '../../../contract/order/toggle.ts';
import { escapeText } from '../../../core/escape.ts';
import { setOrder, toggleOrder } from '../../../flows/order/toggle.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { derive } from '../../derive.ts';
import { ORDER_ID } from './shared.ts';

const card = async (data: unknown) => (await import('../../cards/order-card.ts')).switchedCard(data);

const telling = (cli: Cli) => (line: string) => cli.say(escapeText(line));

/** `order toggle`: switches, whatever it was. */
export const toggle = derive(endpoint, {
  arguments: { order_id: ORDER_ID },
  card,
  fetch: async (cli, _, input) => toggleOrder(await cli.client(), input, telling(cli)),
  examples: ['order toggle cmb1x2y3z0000abcd1234efgh'],
});

/** A command that switches only what is not so yet. */
const setting = (verb: 'enable' | 'disable', wanted: boolean): Leaf => ({
  ...derive(endpoint, {
    words: ['order', verb],
    arguments: { order_id: ORDER_ID },
    card,
    fetch: async (cli, _, { order_id }) => {
      const { envelope, wasSo } = await setOrder(await cli.client(), String(order_id), wanted, telling(cli));
      if (wasSo) await cli.say(`The order is ${wanted ? 'on' : 'off'} already; nothing was sent.`);
      return envelope;
    },
    examples: [`order ${verb} cmb1x2y3z0000abcd1234efgh`],
  }),
  summary: wanted ? 'Switch an order on, if it is off' : 'Switch an order off, if it is on',
});

export const enable = setting('enable', true);

export const disable = setting('disable', false);
