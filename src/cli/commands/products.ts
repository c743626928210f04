import { list } from '../../contract/products/list.ts';
import { derive } from '../derive.ts';

export const products = derive(list, { words: ['products'], examples: ['products --profile sandbox --json'] });
