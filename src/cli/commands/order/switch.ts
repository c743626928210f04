import { checkInput, type Input, prepare } from '../../../client/call.ts';
import { toggle as endpoint } from '../../../contract/order/toggle.ts';
import { escapeText } from '../../../core/text.ts';
import { isActive, setOrder, toggleOrder } from '../../../flows/order/write.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { refuseCurl, showRequests } from '../../print/dry-run.ts';
import { orderId } from './shared.ts';

const summary = async (data: unknown) => (await import('../../summaries/order-summary.ts')).switchedSummary(data);

const notifier = (cli: CommandContext) => (line: string) => cli.printNote(escapeText(line));

const CALLS = ['order.list', 'order.toggle'] as const;

/** `order toggle`. */
export const toggle = derive(endpoint, {
  calls: CALLS,
  arguments: { order_id: orderId() },
  summary,
  fetch: async (cli, _, input) => toggleOrder(await cli.client(), input, notifier(cli)),
  examples: ['order toggle cmb1x2y3z0000abcd1234efgh', 'order toggle cmb1x2y3z0000abcd1234efgh --jq .active'],
});

const inWords = (active: boolean): string => (active ? 'active' : 'inactive');

/** Shows the toggle request only if it would be sent: for an order in the wanted state it would do the opposite. */
const showDryRun = async (cli: CommandContext, input: Input, wanted: boolean): Promise<void> => {
  const { order_id } = checkInput(endpoint, input);
  const client = await cli.client();
  if ((await isActive(client, String(order_id))) === wanted) {
    const note = `The order is already ${inWords(wanted)}; nothing would be sent.`;
    await cli.printNote(note);
    return cli.printResult({ id: order_id, active: wanted, note });
  }
  await cli.printNote(`The order is ${inWords(!wanted)}; this request would make it ${inWords(wanted)}.`);
  return showRequests(cli, client.service, [prepare(client.service, endpoint, input)]);
};

/** A command that toggles an order only if its state differs. */
const stateCommand = (verb: 'enable' | 'disable', wanted: boolean): Command => ({
  ...derive(endpoint, {
    words: ['order', verb],
    calls: CALLS,
    arguments: { order_id: orderId(!wanted) },
    summary,
    complete: async (cli, _, input) => {
      refuseCurl(cli, `order ${verb} reads the order first, and the toggle request alone could do the opposite`);
      if (!cli.globals.dryRun) return input;
      await showDryRun(cli, input, wanted);
      return undefined;
    },
    fetch: async (cli, _, { order_id }) => {
      const { result, wasUnchanged } = await setOrder(await cli.client(), String(order_id), wanted, notifier(cli));
      if (wasUnchanged) await cli.printNote(`The order is already ${inWords(wanted)}; nothing was sent.`);
      return result;
    },
    examples: [`order ${verb} cmb1x2y3z0000abcd1234efgh`, `order ${verb} cmb1x2y3z0000abcd1234efgh --dry-run`],
  }),
  summary: wanted ? 'Activate an order if it is inactive' : 'Deactivate an order if it is active',
});

/** `order enable`. */
export const enable = stateCommand('enable', true);

/** `order disable`. */
export const disable = stateCommand('disable', false);
