import { chain, fund } from './chains.ts';
import { card, pix } from './charges.ts';
import type { SandboxCommand } from './control.ts';
import { events } from './events.ts';
import { fault } from './faults.ts';
import { inbox, kyc } from './identity.ts';
import { logs } from './logs.ts';
import { advance, clock, reset, status, stop, tenant } from './process.ts';
import { start } from './start.ts';

/** The commands of `sandbox`, in the order of the help. */
export const sandbox: readonly SandboxCommand[] = [
  ...[start, stop, status, reset, logs],
  ...[fund, inbox, kyc, pix, card],
  ...[clock, advance],
  ...[fault, events, chain, tenant],
];
