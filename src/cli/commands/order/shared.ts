import type { Argument } from '../../options.ts';

export const ORDER_ID: Argument = { name: 'ORDER_ID', says: 'Id of the order', completes: 'orders' };

/** Document, Limits: orders per account. */
export const MOST_ORDERS = 20;

/** What tells an order from the others: the first columns of a script's list. */
export const BRIEF = ['id', 'active', 'gateway_method', 'amount_from', 'from_currency_symbol', 'to_currency_symbol'];
