import { list } from '../../contract/products/list.ts';
import { derive } from '../derive.ts';

/** `products`. */
export const products = derive(list, {
  words: ['products'],
  card: async (data) => (await import('../cards/products-card.ts')).productsCard(data),
  examples: ['products --profile sandbox --json'],
});
