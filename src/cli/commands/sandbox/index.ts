import { balance } from './balance.ts';
import { chain, fund } from './chains.ts';
import type { SandboxCommand } from './control.ts';
import { card, inbox, kyc, pix } from './decisions.ts';
import { events } from './events.ts';
import { fault } from './faults.ts';
import { logs } from './logs.ts';
import { open } from './open.ts';
import { advance, clock, reset, start, status, stop, tenant } from './process.ts';
import { restore, snapshot } from './snapshots.ts';
import { trigger } from './trigger.ts';

/** The commands of `sandbox`, in the order of the help. */
export const sandbox: readonly SandboxCommand[] = [
  ...[start, stop, status, open, reset, logs],
  ...[fund, balance, inbox, kyc, pix, card],
  ...[clock, advance, snapshot, restore],
  ...[trigger, fault, events, chain, tenant],
];
