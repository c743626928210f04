import { list } from '../../contract/products/list.ts';
import { derive } from '../command/derive.ts';

/** `products`. */
export const products = derive(list, {
  words: ['products'],
  summary: async (data) => (await import('../summaries/products-summary.ts')).productsSummary(data),
  examples: ['products --profile sandbox --json', 'products --jq .methods'],
});
