import type { OptionDetails } from '../../command/fields.ts';
import type { Argument } from '../../command/options.ts';
import { REGISTER_FIELDS } from '../../command/payment-options.ts';

/** The order that a command is about: any, or only those that are on or off. */
export const orderId = (isActive?: boolean): Argument => ({
  name: 'ORDER_ID',
  description: 'Id of the order',
  completes: 'orders',
  question: 'Which order?',
  suggest: async () => (await import('../../prompt/suggestions.ts')).orderIds(isActive),
});

/** Fields of an order are those of its payments; its amount is in fiat. */
export const ORDER_FIELDS: Readonly<Record<string, OptionDetails>> = {
  ...REGISTER_FIELDS,
  amount_from: { ...REGISTER_FIELDS.amount_from, question: 'Amount of the order' },
  from_currency_symbol: {
    ...REGISTER_FIELDS.from_currency_symbol,
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestFiat,
  },
};

/** Document, Limits: orders per account. */
export const MAX_ORDERS = 20;
