import type { Endpoint } from '../define.ts';
import { list } from './list.ts';

/** The endpoints of this area, in the document's order. */
export const PRODUCTS_ENDPOINTS: readonly Endpoint[] = [list];
