import type { Endpoint } from '../define.ts';
import { market } from './market.ts';

/** The endpoints of this area, in the document's order. */
export const QUOTE_ENDPOINTS: readonly Endpoint[] = [market];
