import type { Endpoint } from '../define.ts';
import { broadcast } from './broadcast.ts';
import { deposit } from './deposit.ts';
import { earnings } from './earnings.ts';
import { opportunities } from './opportunities.ts';
import { opportunitiesOf } from './opportunities-of.ts';
import { rebalance } from './rebalance.ts';
import { strategies } from './strategies.ts';
import { strategiesOf } from './strategies-of.ts';
import { withdraw } from './withdraw.ts';

/** The endpoints of this area, in the document's order. */
export const YIELD_ENDPOINTS: readonly Endpoint[] = [
  strategies,
  strategiesOf,
  opportunities,
  opportunitiesOf,
  deposit,
  withdraw,
  rebalance,
  broadcast,
  earnings,
];
