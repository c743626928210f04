import type { Argument } from '../../command/options.ts';

export const ORDER_ID: Argument = { name: 'ORDER_ID', description: 'Id of the order', completes: 'orders' };

/** Document, Limits: orders per account. */
export const MAX_ORDERS = 20;
