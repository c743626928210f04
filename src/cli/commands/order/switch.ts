import { checkInput, prepare } from '../../../client/call.ts';
import { toggle as endpoint } from '../../../contract/order/toggle.ts';
import { escapeText } from '../../../core/escape.ts';
import { isActive, setOrder, toggleOrder } from '../../../flows/order/toggle.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { CommandContext } from '../../context/context.ts';
import { refuseCurl, showRequests } from '../../print/dry-run.ts';
import { orderId } from './shared.ts';

const card = async (data: unknown) => (await import('../../summaries/order-summary.ts')).switchedCard(data);

const telling = (cli: CommandContext) => (line: string) => cli.say(escapeText(line));

/** `order toggle`: switches, whatever it was. */
export const toggle: Command = {
  ...derive(endpoint, {
    arguments: { order_id: orderId() },
    card,
    fetch: async (cli, _, input) => toggleOrder(await cli.client(), input, telling(cli)),
    examples: ['order toggle cmb1x2y3z0000abcd1234efgh'],
  }),
  calls: ['order.list', 'order.toggle'],
};

const inWords = (active: boolean): string => (active ? 'on' : 'off');

/** The request alone would switch an order off that is on: it is shown only where it would be sent. */
const showSetting = async (cli: CommandContext, input: Body, wanted: boolean): Promise<void> => {
  const { order_id } = checkInput(endpoint, input);
  const client = await cli.client();
  if ((await isActive(client, String(order_id))) === wanted) {
    const note = `The order is ${inWords(wanted)} already; nothing would be sent.`;
    await cli.say(note);
    return cli.printResult({ id: order_id, active: wanted, note });
  }
  await cli.say(`The order is ${inWords(!wanted)}; this would switch it ${inWords(wanted)}.`);
  return showRequests(cli, client.service, [prepare(client.service, endpoint, input)]);
};

/** A command that switches only what is not so yet. */
const setting = (verb: 'enable' | 'disable', wanted: boolean): Command => ({
  ...derive(endpoint, {
    words: ['order', verb],
    arguments: { order_id: orderId(!wanted) },
    card,
    complete: async (cli, _, input) => {
      refuseCurl(cli, `order ${verb} reads first, and its one request alone would switch either way`);
      if (!cli.globals.dryRun) return input;
      await showSetting(cli, input, wanted);
      return undefined;
    },
    fetch: async (cli, _, { order_id }) => {
      const { answered, wasSo } = await setOrder(await cli.client(), String(order_id), wanted, telling(cli));
      if (wasSo) await cli.say(`The order is ${inWords(wanted)} already; nothing was sent.`);
      return answered;
    },
    examples: [`order ${verb} cmb1x2y3z0000abcd1234efgh`, `order ${verb} cmb1x2y3z0000abcd1234efgh --dry-run`],
  }),
  calls: ['order.list', 'order.toggle'],
  summary: wanted ? 'Switch an order on, if it is off' : 'Switch an order off, if it is on',
});

/** `order enable`. */
export const enable = setting('enable', true);

/** `order disable`. */
export const disable = setting('disable', false);
