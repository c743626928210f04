import { DATA, type Fields, inputs, matches, query, SERVICE, status, step } from './parts.ts';

/** `reads`. */
export const reads: Fields = {
  workflowId: 'reads',
  summary: 'Read products, quotes, orders and yield markets. Changes nothing.',
  ...inputs({}),
  steps: [
    step('products', `${SERVICE}productsList`, 'List the products and methods', undefined, [
      '$statusCode == 200',
      `$response.body#/success == true && ${DATA} != null`,
    ]),
    step(
      'quote',
      `${SERVICE}quoteMarket`,
      'Quote a pair that an exchange lists',
      undefined,
      [status('quote_ok'), `${DATA}/price > 0`],
      query({ from: 'BTC', to: 'USDT' }),
    ),
    step(
      'crossQuote',
      `${SERVICE}quoteMarket`,
      'Quote a pair that may need a cross rate',
      undefined,
      [status('quote_ok'), `${DATA}/price > 0`],
      query({ from: 'ETH', to: 'SOL' }),
    ),
    step(
      'orders',
      `${SERVICE}orderList`,
      'List the orders',
      undefined,
      [status('orders_listed'), `${DATA}/pagination/page == 1`],
      query({ page: 1, limit: 1 }),
    ),
    step('strategies', `${SERVICE}yieldStrategies`, 'List the lending strategies', undefined, [
      status('get_yield_strategies_ok'),
      matches(`${DATA}/strategies/0/strategy_id`, '^[^:]+:[^:]+:'),
    ]),
    step('opportunities', `${SERVICE}yieldOpportunities`, 'Look for better yields', undefined, [
      status('get_rebalance_opportunities_ok'),
      `${DATA}/opportunities != null`,
    ]),
  ],
};
