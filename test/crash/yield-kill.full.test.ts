import { describeKillings, killingsAtCalls, killingsAtSteps } from '../support/yield-kill.ts';

const STEPS = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed', 'settled'];

/** The steps before the signature are the same for each operation. */
const SIGNING = ['signed_part', 'broadcasting', 'landed'];

/** Before the sending, the service and the node have the same steps. */
const SENDING = ['broadcasting', 'landed'];

const OTHERS = ['withdraw', 'single'] as const;

/**
 * Kills a deposit after each step and at each moment of each call, sent by the service or a node. The simulation has each
 * moment of a step. Other operations of one transaction differ only in their request, transaction and position: they are
 * killed once for each step, and when a call is lost or has had its effect. One torn line stands for all, because the
 * program drops any torn line.
 */
describeKillings({
  service: [
    ...killingsAtSteps('deposit', 'service', ['begun'], ['before']),
    ...killingsAtSteps('deposit', 'service', STEPS, ['synced']),
    ...killingsAtSteps('deposit', 'service', ['broadcasting', 'settled'], ['torn']),
    ...killingsAtCalls('deposit', 'service', ['build', 'send']),
    ...OTHERS.flatMap((operation) => [
      ...killingsAtSteps(operation, 'service', SIGNING, ['synced']),
      ...killingsAtCalls(operation, 'service', ['send'], ['lost', 'reached']),
    ]),
    // A resume through the service continues a deposit sent by a node, because both have the same journal.
    ...killingsAtCalls('deposit', 'node', ['send'], ['lost', 'reached']),
  ],
  node: [
    ...killingsAtSteps('deposit', 'node', SENDING, ['synced']),
    ...killingsAtCalls('deposit', 'node', ['send'], ['lost', 'reached']),
    ...OTHERS.flatMap((operation) => [
      ...killingsAtSteps(operation, 'node', ['landed'], ['synced']),
      ...killingsAtCalls(operation, 'node', ['send'], ['lost', 'reached']),
    ]),
    ...killingsAtCalls('deposit', 'service', ['send'], ['lost', 'reached']),
  ],
});
