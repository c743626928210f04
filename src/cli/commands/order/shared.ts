import { printJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { escapeText } from '../../../core/text.ts';
import type { Change } from '../../../flows/order/difference.ts';
import type { CommandContext } from '../../command/command.ts';
import type { OptionDetails } from '../../command/fields.ts';
import type { Argument } from '../../command/options.ts';
import { REGISTER_FIELDS } from '../../command/payment-options.ts';

/** The order that a command is about: any, or only those that are on or off. */
export const orderId = (isActive?: boolean): Argument => ({
  name: 'ORDER_ID',
  description: 'Id of the order',
  completes: 'orders',
  question: 'Order',
  suggest: async () => (await import('../../prompt/suggestions.ts')).orderIds(isActive),
  whenNone:
    isActive === undefined
      ? { message: 'there is no order yet', next: nextStep('order.create') }
      : { message: `no order is switched ${isActive ? 'on' : 'off'}`, next: nextStep('order.list.all') },
});

/** Fields of an order are those of its payments; its amount is in fiat. */
export const ORDER_FIELDS: Readonly<Record<string, OptionDetails>> = {
  ...REGISTER_FIELDS,
  amount_from: { ...REGISTER_FIELDS.amount_from, question: 'Amount of the order' },
  from_currency_symbol: {
    ...REGISTER_FIELDS.from_currency_symbol,
    suggest: async () => (await import('../../prompt/suggest-payment.ts')).suggestFiat,
  },
};

/** Document, Limits: orders per account. */
export const MAX_ORDERS = 20;

/** Plain text as it is; everything else, and ambiguous text such as "1 " or "null", as JSON. */
const inWords = (value: unknown): string => {
  const isPlain = typeof value === 'string' && /^[\w.@:/+-]+$/.test(value);
  return isPlain ? value : escapeText(printJson(value));
};

/** The changes of an order in the style of `diff`: the old value with a minus, the new one with a plus. */
export const changeLines = ({ talkStyle: { colour } }: CommandContext, changes: readonly Change[]): string =>
  changes
    .flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [colour.red(`- ${escapeText(path)}: ${inWords(before)}`)]),
      ...(after === undefined ? [] : [colour.green(`+ ${escapeText(path)}: ${inWords(after)}`)]),
    ])
    .map((line) => `${line}\n`)
    .join('');
