import { describeKillings, killingsAtCalls, killingsAtSteps } from '../support/yield-kill.ts';

const UNSIGNED = ['begun', 'building', 'built', 'reviewed'];
const FIRST = ['signed_part', 'broadcasting', 'landed'];
const SECOND = ['signed_part#2', 'broadcasting#2', 'landed#2'];

/**
 * A rebalance in two transactions after every step from its first signature on, and of its sending: through the service both
 * go by one call, or one by one, and a node gets them one by one. What comes before is that of a deposit. The simulation has
 * every moment of every call; here are those that leave something of their own on a real disk.
 */
describeKillings({
  service: [
    ...killingsAtSteps('dual', 'service', UNSIGNED, ['synced']),
    ...killingsAtSteps('dual', 'service', [...FIRST, ...SECOND, 'settled'], ['synced']),
    ...killingsAtSteps('dual', 'service', ['broadcasting', 'settled'], ['torn']),
    ...killingsAtCalls('dual', 'service', ['send']),
    ...killingsAtSteps('one by one', 'service', SECOND, ['synced']),
    ...killingsAtCalls('one by one', 'service', ['send', 'send#2']),
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
