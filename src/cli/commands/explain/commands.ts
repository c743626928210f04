import { ERRORS, type ErrorStatus } from '../../../contract/errors.ts';
import { EXIT, type ExitCode, type FailureCode } from '../../../core/failure.ts';
import { commandLine } from '../../../core/next.ts';

/** Errors of the service whose table names no command. Words in capitals stand for a value of the user. */
const OF_SERVICE: Readonly<Partial<Record<ErrorStatus, string>>> = {
  validation_error: 'bursar help pay run',
  invalid_parameters: 'bursar help COMMAND',
  missing_params: 'bursar help COMMAND',
  server_error: 'bursar kyc start --email EMAIL',
  invalid_wallet: 'bursar key list',
  invalid_signature: 'bursar kyc wallet-prove --key NAME',
  wallet_already_linked: 'bursar kyc status --wallet WALLET',
  verify_quota_exceeded: 'bursar kyc status --email EMAIL',
  method_not_found: 'bursar kyc create verify_public_kyc --email EMAIL',
  params_mismatch: 'bursar help yield earnings',
  pair_not_found: 'bursar quote BTC USDT',
  signed_transaction_missing: 'bursar yield sign --transaction FILE --key NAME',
  solana_blockhash_expired: 'bursar yield resume ID',
  rebalance_transaction_too_large: 'bursar yield withdraw',
  get_rebalance_opportunities_failed: 'bursar yield opportunities',
};

/** The command after an error of the service. */
export const commandAfterStatus = (status: ErrorStatus): string | undefined => {
  const step = ERRORS[status].next({ payment_id: 'PAYMENT_ID', email: 'EMAIL' });
  return step ? commandLine(step) : OF_SERVICE[status];
};

/** The command after an error of bursar. One that the user chose, or that the disk behind a redirect makes, has none. */
export const OF_BURSAR: Readonly<Partial<Record<FailureCode, string>>> = {
  usage: 'bursar help COMMAND',
  invalid_input: 'bursar help COMMAND',
  unreadable_file: 'bursar doctor',
  file_exists: 'bursar help COMMAND',
  unwritable_file: 'bursar doctor',
  bad_settings: 'bursar whoami --offline',
  key_not_found: 'bursar key list',
  key_exists: 'bursar key list',
  wrong_password: 'bursar help environment',
  damaged_key_file: 'bursar key import NAME --chain CHAIN --file FILE',
  journal_unwritable: 'bursar doctor',
  journal_unreachable: 'bursar doctor',
  journal_damaged: 'bursar doctor',
  confirmation_needed: 'bursar help scripts',
  no_api_key: 'bursar login',
  not_found: 'bursar pay list',
  unavailable: 'bursar doctor',
  unexpected_answer: 'bursar whoami',
  sandbox_unavailable: 'bursar doctor',
  identity_gate: 'bursar kyc start --email EMAIL',
  limit_reached: 'bursar order list --all',
  not_final: 'bursar pay status PAYMENT_ID --wait',
  rejected: 'bursar pay status PAYMENT_ID',
  refused_by_review: 'bursar help safety',
  outcome_unknown: 'bursar pay resume PAYMENT_ID',
  bad_signature: 'bursar key verify-message NAME',
  smoke_failed: 'bursar smoke list',
  rows_failed: 'bursar pay list',
  interrupted: 'bursar pay list --open',
  internal: 'bursar doctor',
};

/** The command after an exit code; `undefined` after a success. */
export const OF_EXIT: Readonly<Partial<Record<ExitCode, string | undefined>>> = {
  [EXIT.fault]: OF_BURSAR.internal,
  [EXIT.usage]: OF_BURSAR.usage,
  [EXIT.notFound]: OF_BURSAR.not_found,
  [EXIT.refusedKey]: 'bursar whoami',
  [EXIT.unavailable]: OF_BURSAR.unavailable,
  [EXIT.identityGate]: OF_BURSAR.identity_gate,
  [EXIT.limitReached]: OF_BURSAR.limit_reached,
  [EXIT.notFinal]: OF_BURSAR.not_final,
  [EXIT.rejected]: OF_BURSAR.rejected,
  [EXIT.refusedByReview]: OF_BURSAR.refused_by_review,
  [EXIT.outcomeUnknown]: OF_BURSAR.outcome_unknown,
  [EXIT.endedInError]: 'bursar pay show PAYMENT_ID',
  [EXIT.flowFailed]: OF_BURSAR.smoke_failed,
  [EXIT.interrupted]: OF_BURSAR.interrupted,
};
