/** What can come of a call, and of the review before it. */
export const CALL_WORDS = {
  not_found: {
    means: 'The service, or the journal of this machine, has nothing of that id.',
    hint: 'Check the id, and that the key belongs to the tenant that owns it.',
  },
  unavailable: {
    means: 'The service or the network is not available; nothing is in doubt.',
    hint: 'Try again later. bursar doctor says what can be reached.',
  },
  unexpected_answer: {
    means: 'What came back is not an answer of this service.',
    hint: 'Check the base URL: a proxy, a portal or another program may have answered.',
  },
  sandbox_unavailable: {
    means: 'The sandbox cannot run here, could not be started, or does not answer.',
    hint: 'The message names what is missing; bursar doctor looks at each part, bursar sandbox logs shows what it said.',
  },
  identity_gate: {
    means: 'The payer must be verified first, or the verification ended without approval.',
    hint: 'bursar kyc status shows where the payer stands.',
  },
  limit_reached: {
    means: 'A limit of the service is reached (HTTP 429).',
    hint: 'Wait as long as the message says, or make room.',
  },
  not_final: {
    means: 'It was not final when the wait ended, or another process works on it.',
    hint: 'Run the command that the message names to wait on.',
  },
  rejected: {
    means: 'The service rejected the call (HTTP 4xx).',
    hint: 'error.status says why, and errors names the fields.',
  },
  refused_by_review: {
    means:
      'The review found a contradiction or a doubt, a policy forbids it, or the answer was no. Nothing was signed.',
    hint: 'Read the checks that are named. Only what was made for it lets a doubt pass: bursar help safety.',
  },
  outcome_unknown: {
    means: 'Money may have moved: the answer was lost, or it says so itself.',
    hint: 'Run the resume command that is named. Do not pay again before.',
  },
  bad_signature: {
    means: 'The signature is not that of the address over the message.',
    hint: 'Check that text and address are exactly those that were signed.',
  },
} as const;
