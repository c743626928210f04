import type { Endpoint } from '../define.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { toggle } from './toggle.ts';
import { update } from './update.ts';

/** The endpoints of this area, in the document's order. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [create, list, update, toggle];
