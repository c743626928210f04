import { fund, listChains, readBalances, startSolana, switchChain } from './chains.ts';
import { decideCard, decidePix, readPix } from './charges.ts';
import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from './events.ts';
import { addFault, clearFaults, listFaults } from './faults.ts';
import { decideKyc, readInbox, readQuota, setQuota } from './identity.ts';
import { release, trigger } from './payments.ts';
import { advance, createTenant, health, logs, makeLink, readClock, reset, stop } from './process.ts';
import { listSnapshots, restoreSnapshot, takeSnapshot } from './snapshots.ts';

/** Every endpoint of the sandbox's control. A command loads only the file of its topic. */
export const CONTROL_ENDPOINTS = [
  ...[health, makeLink, reset, stop, logs, readClock, advance, createTenant],
  ...[listChains, switchChain, startSolana, fund, readBalances],
  ...[readInbox, decideKyc, readQuota, setQuota],
  ...[readPix, decidePix, decideCard],
  ...[listEvents, listDeliveries, resendEvent, readTargets, setTargets],
  ...[listFaults, addFault, clearFaults],
  ...[trigger, release],
  ...[listSnapshots, takeSnapshot, restoreSnapshot],
] as const;

/** The id of an endpoint of the control. */
export type ControlId = (typeof CONTROL_ENDPOINTS)[number]['id'];
