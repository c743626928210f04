import type { Leaf } from '../../command.ts';
import { card } from './card.ts';
import { events } from './events.ts';
import { fault } from './fault.ts';
import { fund } from './fund.ts';
import { pix } from './pix.ts';
import { start } from './start.ts';
import { reset, status, stop } from './state.ts';

export const sandbox: readonly Leaf[] = [start, stop, status, reset, fund, events, pix, card, fault];
