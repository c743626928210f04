import type { Command } from '../../command/command.ts';
import { card } from './card.ts';
import { chain } from './chain.ts';
import { advance, clock } from './clock.ts';
import { events } from './events.ts';
import { fault } from './fault.ts';
import { fund } from './fund.ts';
import { inbox } from './inbox.ts';
import { kyc } from './kyc.ts';
import { logs } from './logs.ts';
import { pix } from './pix.ts';
import { start } from './start.ts';
import { reset, status, stop } from './state.ts';
import { tenant } from './tenant.ts';

/** The commands of `sandbox`, in the order of the help. */
export const sandbox: readonly Command[] = [
  start,
  stop,
  status,
  reset,
  logs,
  fund,
  inbox,
  kyc,
  pix,
  card,
  clock,
  advance,
  fault,
  events,
  chain,
  tenant,
];
