import { describeKillings, EVERY_MOMENT, killingsAtCalls, killingsAtSteps } from '../support/yield-kill.ts';

const UNSIGNED = ['begun', 'building', 'built', 'reviewed'];
const FIRST = ['signed_part', 'broadcasting', 'landed'];
const SECOND = ['signed_part#2', 'broadcasting#2', 'landed#2'];

/**
 * A rebalance in two transactions at every moment of every step from its first signature on, and of both sendings; what
 * comes before is that of a deposit. By a node, once a step: what a torn line leaves is read by the same code.
 */
describeKillings({
  service: [
    ...killingsAtSteps('dual', 'service', UNSIGNED, ['synced']),
    ...killingsAtSteps('dual', 'service', [...FIRST, ...SECOND, 'settled'], EVERY_MOMENT),
    ...killingsAtCalls('dual', 'service', ['send', 'send#2']),
    ...killingsAtCalls('dual', 'node', ['send#2'], ['lost', 'reached']),
  ],
  node: [
    ...killingsAtSteps('dual', 'node', ['broadcasting', 'landed', ...SECOND], ['synced']),
    ...killingsAtCalls('dual', 'node', ['send', 'send#2'], ['lost', 'reached']),
    ...killingsAtCalls('dual', 'service', ['send#2'], ['lost', 'reached']),
  ],
});
