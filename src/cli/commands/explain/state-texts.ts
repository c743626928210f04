import type { PaymentStatus } from '../../../contract/pay/shared.ts';
import { FAILURES } from '../../../core/failure.ts';
import type { ExitWords } from '../../help/exit-words.ts';
import { OPERATION_STATES } from '../../operations/area.ts';
import type { StatusExplanation } from './explanation.ts';

const WAIT = 'Wait for it: bursar pay status PAYMENT_ID --wait';

/** Document, States and transitions: Payment status. The service may return other states: the list is open. */
const PAYMENT_STATES: Readonly<Record<PaymentStatus, ExitWords>> = {
  registered: {
    means: 'The payment is registered but not executed. A wait ends at once (exit 8), except for a Pix or a card.',
    money: 'No.',
    hint: 'Run bursar pay transaction, then bursar pay execute. To continue a payment of pay run: bursar pay resume',
  },
  retry: {
    means: 'An attempt failed and the payment can be executed again, for example after an outdated nonce.',
    money: 'No, according to the service. bursar pay resume checks earlier transactions before it signs a new one.',
    hint: 'Continue the payment: bursar pay resume PAYMENT_ID',
  },
  processing: {
    means: 'The service is executing the payment. Its transaction may be sent.',
    money: 'Perhaps.',
    hint: WAIT,
  },
  received: {
    means: 'The transfer is confirmed on the source chain, and a bridge is still working.',
    money: 'Yes, from the payer; not yet to the receivers.',
    hint: WAIT,
  },
  success: {
    means: 'The payment is complete.',
    money: 'Yes: tid_hash is its transaction.',
    hint: 'Nothing to do.',
  },
  error: {
    means: 'The payment ended in error: data_error has the reason. pay status --wait exits with 12.',
    money: 'Not the amount; a transaction that was mined and reverted has cost its fee.',
    hint: 'Read data_error of the payment, then register a new one.',
  },
};

/** Whether an operation in this state moved money; other states did not. */
const MOVED: Readonly<Record<string, string>> = {
  settled: 'Yes.',
  sent: 'Yes, or it will soon.',
  in_doubt: 'Perhaps. Do not pay again until the outcome is known.',
  set_aside: 'Not as far as bursar can see. bursar pay show or yield show lists its transactions.',
};

const operationState = (code: keyof typeof OPERATION_STATES): StatusExplanation => ({
  code,
  kind: 'state in pay list or yield list',
  means: `In the journal of this machine: ${OPERATION_STATES[code].means}.`,
  money: MOVED[code] ?? 'No.',
  hint: 'bursar pay show ID or bursar yield show ID lists each step and the next command.',
});

const EMAIL_LINKED: StatusExplanation = {
  code: 'email_already_linked',
  kind: 'error of the sandbox',
  means: `The e-mail address belongs to another wallet (HTTP 409, exit ${FAILURES.rejected}). Only the sandbox returns this error: the document of the service shows none for this case.`,
  money: 'No.',
  hint: 'Omit --email, or use the wallet that is linked to the address.',
};

/** Every state. A state of both payments and operations is explained as that of a payment. */
export const stateExplanations = (): readonly StatusExplanation[] => [
  ...Object.entries(PAYMENT_STATES).map(([code, texts]) => ({ code, kind: 'state of a payment' as const, ...texts })),
  ...(Object.keys(OPERATION_STATES) as (keyof typeof OPERATION_STATES)[])
    .filter((code) => !Object.hasOwn(PAYMENT_STATES, code))
    .map(operationState),
  ...otherStates(),
  EMAIL_LINKED,
];

const SANDBOX_STATE =
  'The document of the service shows only pending; the sandbox adds in_review, approved, declined and expired.';

/** Document, KYC: the states of a verification that `kyc status` shows. */
const VERIFICATION_STATES: Readonly<Record<string, ExitWords>> = {
  pending: {
    means: `The user is registered, and nothing is decided yet. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Continue the verification: bursar kyc start --email EMAIL',
  },
  in_review: {
    means: `The user has submitted everything, and the provider is reviewing it. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Wait for it: bursar kyc status --email EMAIL --wait',
  },
  approved: {
    means: `The user is verified and can pay by Pix and card. ${SANDBOX_STATE}`,
    money: 'No.',
    hint: 'Start the payment, or continue one that waited for the approval: bursar pay resume',
  },
};

/** Values of `status` in receipts of `yield` that are not states of the journal. */
const RECEIPT_STATES: Readonly<Record<string, ExitWords>> = {
  landed: { means: 'The transaction is confirmed on its chain.', money: 'Yes.', hint: 'Nothing to do.' },
  nothing_to_do: {
    means: 'No other provider has a higher yield, so nothing was moved.',
    money: 'No.',
    hint: 'Nothing to do.',
  },
};

const otherStates = (): readonly StatusExplanation[] => [
  ...Object.entries(VERIFICATION_STATES).map(([code, texts]) => ({
    code,
    kind: 'state of a verification' as const,
    ...texts,
  })),
  ...Object.entries(RECEIPT_STATES).map(([code, texts]) => ({ code, kind: 'state in a receipt' as const, ...texts })),
];
