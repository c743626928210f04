import { list as endpoint } from '../../../contract/products/list.ts';
import { PRODUCTS } from '../../assumptions.ts';
import { handle, succeed } from '../handler.ts';

/** GET /config/products. */
export const list = handle(endpoint, async () => succeed('products_listed', 'Enabled products and methods.', PRODUCTS));
