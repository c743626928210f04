import { describeKillings, killingsAtCalls, killingsAtSteps } from '../support/yield-kill.ts';

const STEPS = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed', 'settled'];

/** What comes before is that of a deposit. */
const SIGNING = ['signed_part', 'broadcasting', 'landed'];

/** Only from its sending on does the way matter. */
const SENDING = ['broadcasting', 'landed'];

const OTHERS = ['withdraw', 'single'] as const;

/**
 * A deposit after every step, and at every moment of every call, by either way. The simulation has every moment of a step.
 * Other operations of one transaction are the same but for what is asked for, built and looked for: once a step, and each
 * call that is sent as it is lost or has its effect.
 * A torn line is dropped when it is read, whatever it was.
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
    // What one way has left, the other takes up: the resume knows only what is written down, and that is the same.
    ...killingsAtCalls('deposit', 'node', ['send'], ['lost', 'reached']),
  ],
  node: [
    ...killingsAtSteps('deposit', 'node', SENDING, ['synced']),
    ...killingsAtCalls('deposit', 'node', ['send']),
    ...OTHERS.flatMap((operation) => [
      ...killingsAtSteps(operation, 'node', ['landed'], ['synced']),
      ...killingsAtCalls(operation, 'node', ['send'], ['lost', 'reached']),
    ]),
    ...killingsAtCalls('deposit', 'service', ['send'], ['lost', 'reached']),
  ],
});
