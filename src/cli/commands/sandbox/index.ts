import type { Leaf } from '../../command.ts';
import { card } from './card.ts';
import { advance, clock } from './clock.ts';
import { events } from './events.ts';
import { fault } from './fault.ts';
import { fund } from './fund.ts';
import { inbox } from './inbox.ts';
import { kyc } from './kyc.ts';
import { pix } from './pix.ts';
import { start } from './start.ts';
import { reset, status, stop } from './state.ts';

export const sandbox: readonly Leaf[] = [
  start,
  stop,
  status,
  reset,
  fund,
  inbox,
  kyc,
  pix,
  card,
  clock,
  advance,
  fault,
  events,
];
