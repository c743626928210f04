import type { Handler } from '../handler.ts';
import { broadcast } from './broadcast.ts';
import { deposit } from './deposit.ts';
import { earnings } from './earnings.ts';
import { opportunities } from './opportunities.ts';
import { opportunitiesOf } from './opportunities-of.ts';
import { rebalance } from './rebalance.ts';
import { strategies } from './strategies.ts';
import { strategiesOf } from './strategies-of.ts';
import { withdraw } from './withdraw.ts';

/** The handlers of this area. */
export const YIELD_HANDLERS: readonly Handler[] = [
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
