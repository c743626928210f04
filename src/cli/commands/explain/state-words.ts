import type { PaymentStatus } from '../../../contract/pay/shared.ts';
import { FAILURES } from '../../../core/failure.ts';
import { OPERATION_STATES } from '../../operations/states.ts';
import type { WordExplained, Words } from './word.ts';

const WAIT = 'Wait for it: bursar pay status PAYMENT_ID --wait';

/** Document, States and transitions: Payment status. Others may come, for it does not show all. */
const OF_PAYMENT: Readonly<Record<PaymentStatus, Words>> = {
  registered: {
    means: 'The payment is registered, and not executed. A wait ends at once (exit 8), but for a Pix or a card.',
    money: 'No.',
    hint: 'Run bursar pay transaction, then bursar pay execute. A payment that pay run started: bursar pay resume',
  },
  retry: {
    means: 'It was tried and may be executed again, such as after a nonce that was out of date.',
    money: 'Not as the service sees it. bursar pay resume looks at what was sent before it signs anything new.',
    hint: 'Take it up again: bursar pay resume PAYMENT_ID',
  },
  processing: { means: 'It is being executed: signed, and perhaps sent.', money: 'Perhaps.', hint: WAIT },
  received: {
    means: 'Its transfer is confirmed on the source chain; a bridge is still at work.',
    money: 'Yes, from the payer; not yet to the receivers.',
    hint: WAIT,
  },
  success: {
    means: 'It is paid.',
    money: 'Yes: tid_hash is its transaction.',
    hint: 'Nothing has to be done.',
  },
  error: {
    means: 'It ended in error: data_error says why. pay status --wait ends with 12.',
    money: 'Not the amount; a transaction that was mined and reverted has cost its fee.',
    hint: 'Look at data_error of the payment, then register a new one.',
  },
};

const MOVED: Readonly<Record<string, string>> = {
  settled: 'Yes.',
  sent: 'Yes, or it will.',
  in_doubt: 'Perhaps. Do not pay again before that is known.',
  set_aside: 'Not by what bursar knows; bursar pay show or yield show has its transactions.',
};

const ofOperation = (code: keyof typeof OPERATION_STATES): WordExplained => ({
  code,
  kind: 'state in pay list or yield list',
  means: `In the journal of this machine: ${OPERATION_STATES[code].means}.`,
  money: MOVED[code] ?? 'No.',
  hint: 'bursar pay show ID, or bursar yield show ID, has each step and what to do next.',
});

const EMAIL_LINKED: WordExplained = {
  code: 'email_already_linked',
  kind: 'error of the sandbox',
  means: `The e-mail address belongs to another wallet (HTTP 409, exit ${FAILURES.rejected}). The service's document does not show its answer to that; the sandbox gives this one.`,
  money: 'No.',
  hint: 'Leave --email out, or give the wallet that the address was linked to.',
};

/** Every such word. A word that is a state of a payment and of a movement is told as that of the payment. */
export const wordsExplained = (): readonly WordExplained[] => [
  ...Object.entries(OF_PAYMENT).map(([code, words]) => ({ code, kind: 'state of a payment' as const, ...words })),
  ...(Object.keys(OPERATION_STATES) as (keyof typeof OPERATION_STATES)[])
    .filter((code) => !Object.hasOwn(OF_PAYMENT, code))
    .map(ofOperation),
  ...otherStates(),
  EMAIL_LINKED,
];

const SANDBOX_STATE =
  'The document shows pending alone; the sandbox has in_review, approved, declined and expired besides.';

/** Document, KYC: the state of a verification, as kyc status shows it. */
const OF_VERIFICATION: Readonly<Record<string, Words>> = {
  pending: {
    means: `The user is prepared, and nothing is decided yet. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Go on from where they stand: bursar kyc start --email EMAIL',
  },
  in_review: {
    means: `The user has done their part, and it is being looked at. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Wait for it: bursar kyc status --email EMAIL --wait',
  },
  approved: {
    means: `The user is verified: payments by Pix and card are taken from them. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Take the payment, or go on with the one that waited: bursar pay resume',
  },
};

/** What `yield` says in `status`, where that is no state of the journal. */
const OF_RECEIPT: Readonly<Record<string, Words>> = {
  landed: { means: 'The transaction is on its chain.', money: 'Yes.', hint: 'Nothing has to be done.' },
  nothing_to_do: {
    means: 'No other provider yields more, so nothing was moved.',
    money: 'No.',
    hint: 'Nothing has to be done.',
  },
};

/** Words of `kyc status` and of the receipts of `yield`. */
const otherStates = (): readonly WordExplained[] => [
  ...Object.entries(OF_VERIFICATION).map(([code, words]) => ({
    code,
    kind: 'state of a verification' as const,
    ...words,
  })),
  ...Object.entries(OF_RECEIPT).map(([code, words]) => ({ code, kind: 'state in a receipt' as const, ...words })),
];
