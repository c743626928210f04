import { defineEndpoint } from '../define.ts';
import { list as listOf, number, open, whole } from '../fields.ts';
import { EXAMPLE_ORDER, orderRow } from './shared.ts';

const page = open(
  {
    total: number('Orders in all'),
    page: number('This page'),
    limit: number('Orders on a page'),
    total_pages: number('Pages in all'),
  },
  'Where this page is among all',
  'Pagination',
);

/**
 * Lists the tenant's orders, newest first. Document: GET /order/list.
 * not shown: the names of the two filters, by gateway method and by on-ramp. Other fields pass.
 */
export const list = defineEndpoint({
  id: 'order.list',
  method: 'GET',
  path: '/order/list',
  summary: 'List orders, newest first',
  effect: 'reads',
  query: {
    page: whole(1, Number.MAX_SAFE_INTEGER, 'Which page, from 1').default(1),
    limit: whole(1, 100, 'Orders on a page, at most 100').default(20),
  },
  invalid: 'invalid_parameters',
  success: {
    orders_listed: {
      http: 200,
      data: open({ orders: listOf(orderRow, 'Orders of this page'), pagination: page }, 'A page of orders'),
      example: { orders: [EXAMPLE_ORDER], pagination: { total: 1, page: 1, limit: 20, total_pages: 1 } },
    },
  },
  unshownFields: true,
  errors: { unauthorized: 401, customer_not_logged: 401, invalid_parameters: 400 },
  example: { page: 1, limit: 50 },
});
