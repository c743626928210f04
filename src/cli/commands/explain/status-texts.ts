import { ENDPOINTS } from '../../../contract/index.ts';
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
  sent: 'It was handed over, and usually moves soon. Only a final state, or a node, shows that it has.',
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

/** Errors that only the sandbox returns. None of them moved money. */
const SANDBOX_ERRORS: Readonly<Record<string, Omit<ExitWords, 'money'>>> = {
  email_already_linked: {
    means: `The e-mail address belongs to another wallet (HTTP 409, exit ${FAILURES.rejected}). Only the sandbox returns this error: the document of the service shows none for this case.`,
    hint: 'Omit --email, or use the wallet that is linked to the address.',
  },
  injected_fault: {
    means:
      'The answer of a fault that bursar sandbox fault added by an HTTP status. The exit code follows from that HTTP status. Only the sandbox returns it, and it did not run the call.',
    hint: 'List the faults that wait: bursar sandbox fault. Remove them: bursar sandbox fault --clear',
  },
  route_not_found: {
    means: `The sandbox has no such path (HTTP 404, exit ${FAILURES.not_found}).`,
    hint: 'The paths are in the reference: bursar open reference',
  },
  method_not_allowed: {
    means: `The path exists, with another HTTP method (HTTP 405, exit ${FAILURES.rejected}). The header Allow lists the methods.`,
    hint: 'The methods are in the reference: bursar open reference',
  },
  host_not_allowed: {
    means: `The sandbox answers only under a name of loopback, such as 127.0.0.1 or localhost (HTTP 403, exit ${FAILURES.rejected}).`,
    hint: 'Use the address that bursar sandbox status shows.',
  },
  pix_not_found: {
    means: `The payment waits for no Pix (HTTP 404, exit ${FAILURES.not_found}). sandbox pix returns it.`,
    hint: 'Read the payment: bursar pay status PAYMENT_ID',
  },
  pix_expired: {
    means: `The time of the Pix charge is over (exit ${FAILURES.rejected}). sandbox pix returns it. The payment is in error.`,
    hint: 'Register a new payment: bursar pay run',
  },
  event_not_found: {
    means: `The sandbox has no webhook with this number (HTTP 404, exit ${FAILURES.not_found}). sandbox events returns it.`,
    hint: 'List the webhooks with their numbers: bursar sandbox events',
  },
};

/** The word of other services for a check of the review. */
const SHORTFALL: StatusExplanation = {
  code: 'insufficient_funds',
  kind: 'check of the review',
  means: `The wallet has less of the token than the payment needs, or less of the native coin than the fee needs. The review reads the balances from a node and refuses to sign (exit ${FAILURES.refused_by_review}). Without a node, the transaction fails on the chain.`,
  money: 'No: nothing was signed. A transaction that was mined and reverted has cost its fee.',
  hint: 'Send what is missing to the wallet. In the sandbox: bursar sandbox fund KEY',
};

/** Words of other services, with the code of bursar or of the service. */
export const TRADE_CODES: Readonly<Record<string, string>> = {
  ...{ insufficient_balance: 'insufficient_funds', insufficient_gas: 'insufficient_funds' },
  ...{ nonce_too_low: 'stale_transaction_nonce', invalid_nonce: 'stale_transaction_nonce' },
  ...{ rate_limited: 'limit_reached', too_many_requests: 'limit_reached', timeout: 'not_final' },
  ...{ forbidden: 'unauthorized', unauthenticated: 'unauthorized', invalid_api_key: 'unauthorized' },
  ...{ succeeded: 'success', completed: 'success', failed_payment: 'error', pending_payment: 'processing' },
  ...{ network_error: 'unavailable', connection_refused: 'unavailable', kyc_required: 'kyc_verification_required' },
};

/** Every state. A state of both payments and operations is explained as that of a payment. */
export const stateExplanations = (): readonly StatusExplanation[] => [
  ...Object.entries(PAYMENT_STATES).map(([code, texts]) => ({ code, kind: 'state of a payment' as const, ...texts })),
  ...(Object.keys(OPERATION_STATES) as (keyof typeof OPERATION_STATES)[])
    .filter((code) => !Object.hasOwn(PAYMENT_STATES, code))
    .map(operationState),
  ...otherStates(),
  ...Object.entries(SANDBOX_ERRORS).map(([code, texts]) => ({
    ...{ code, kind: 'error of the sandbox' as const, money: 'No.' },
    ...texts,
  })),
  SHORTFALL,
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

const OPEN_SESSION = 'Open the hosted verification: bursar kyc create verify_public_kyc --email EMAIL';
const SIGN = 'Review, sign and send it: bursar yield sign --transaction FILE --key NAME, then bursar yield broadcast';

/** Texts of success statuses that say more than the summary of their endpoint. */
const TEXTS: Readonly<Record<string, Partial<ExitWords>>> = {
  payment_registered: {
    means:
      'pay register: the payment is registered. pay transaction: its payer transaction is created, and data has crypto_tx or fiat_tx.',
    money: 'No. Only pay transaction with a card may have charged the card.',
    hint: 'After pay register: bursar pay transaction. After pay transaction: bursar pay execute for crypto, or show the Pix code to the payer.',
  },
  payment_confirmed: {
    means: 'The transaction is confirmed on its chain. data.tid_hash is its hash.',
    money: 'Yes.',
    hint: 'Nothing to do: the payment is complete.',
  },
  payment_received: {
    means: 'The transaction is confirmed on the source chain, and a bridge is still working. data.tx_hash is its hash.',
    money: 'Yes, from the payer; not yet to the receivers.',
    hint: 'Wait for success: bursar pay status PAYMENT_ID --wait',
  },
  payment_found: { means: 'The payment was read. data.status is its state, such as registered or success.' },
  user_prepared: {
    means: 'The service created a record of the user.',
    hint: 'By e-mail, send a code: bursar kyc send-otp. A wallet is already proven, so continue: bursar kyc create.',
  },
  user_already_prepared: {
    means: 'The service already had a record of the user. data shows what is proven and whether KYC is approved.',
    hint: OPEN_SESSION,
  },
  otp_sent: {
    means: 'The service sent a code by e-mail. In the sandbox, read it with bursar sandbox inbox.',
    hint: 'Verify the code: bursar kyc verify-otp --email EMAIL --code CODE',
  },
  email_verified: { means: 'The e-mail address is proven.', hint: OPEN_SESSION },
  challenge_created: {
    means: 'data.message is the text that the wallet must sign, unchanged.',
    hint: 'Sign and submit it: bursar kyc wallet-prove --key NAME, or bursar kyc prepare-wallet.',
  },
  kyc_session_created: {
    means: 'A hosted verification session is open. session_url is its page for the user.',
    hint: 'Wait for the result: bursar kyc status --email EMAIL --wait',
  },
  deposit_yield_strategy_ok: { means: 'data.transaction is the unsigned deposit.', hint: SIGN },
  withdraw_yield_strategy_ok: { means: 'data.transaction is the unsigned withdrawal.', hint: SIGN },
  rebalance_yield_strategy_ok: { means: 'data.transaction is the unsigned rebalance.', hint: SIGN },
  broadcast_operation_yield_strategy_ok: {
    means: 'The service sent the transaction to the chain. data.status is 1 if it succeeded there.',
    money: 'Yes, if data.status is 1; otherwise perhaps.',
    hint: 'Check the position: bursar yield earnings --wallet WALLET',
  },
};

const successes = () =>
  ENDPOINTS.flatMap(({ id, method, path, summary, success }) =>
    Object.entries(success).map(([code, { http }]) => ({
      code,
      summary,
      by: { endpoint: id, path: `${method} ${path}`, http },
    })),
  );

/** Every success status, with the calls that return it. */
export const successExplanations = (): readonly StatusExplanation[] => {
  const all = successes();
  return [...new Set(all.map(({ code }) => code))].map((code) => {
    const matching = all.filter((one) => one.code === code);
    return {
      code,
      kind: 'success of a call',
      means: `The call succeeded: ${matching[0]?.summary}.`,
      money: 'No.',
      hint: 'Nothing to do.',
      ...TEXTS[code],
      answered_by: matching.map(({ by }) => by),
    };
  });
};
