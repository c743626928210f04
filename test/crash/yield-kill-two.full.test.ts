import { describeKillings, killingsAtCalls, killingsAtSteps } from '../support/yield-kill.ts';

const UNSIGNED = ['begun', 'building', 'built', 'reviewed'];
const FIRST = ['signed_part', 'broadcasting', 'landed'];
const SECOND = ['signed_part#2', 'broadcasting#2', 'landed#2'];

/**
 * Kills a rebalance of two transactions after each of its steps and around its calls. The service gets both transactions in
 * one call or one by one; a node gets them one by one. The steps before the signature are as in a deposit. The simulation
 * has each moment of each call; these are the moments that leave a different state on a real disk.
 */
describeKillings({
  service: [
    ...killingsAtSteps('dual', 'service', UNSIGNED, ['synced']),
    ...killingsAtSteps('dual', 'service', [...FIRST, ...SECOND, 'settled'], ['synced']),
    ...killingsAtSteps('dual', 'service', ['broadcasting', 'settled'], ['torn']),
    ...killingsAtCalls('dual', 'service', ['send'], ['lost', 'reached']),
    ...killingsAtSteps('one by one', 'service', SECOND, ['synced']),
    ...killingsAtCalls('one by one', 'service', ['send', 'send#2'], ['lost', 'reached']),
    ...killingsAtCalls('dual', 'node', ['send#2'], ['lost', 'reached']),
  ],
  node: [
    ...killingsAtSteps('dual', 'service', [...FIRST.slice(1), ...SECOND.slice(1)], ['synced']),
    ...killingsAtCalls('dual', 'service', ['send'], ['lost', 'reached']),
    ...killingsAtSteps('dual', 'node', ['broadcasting', 'landed', ...SECOND], ['synced']),
    ...killingsAtCalls('dual', 'node', ['send', 'send#2'], ['lost', 'reached']),
    ...killingsAtCalls('one by one', 'service', ['send#2'], ['lost', 'reached']),
  ],
});
