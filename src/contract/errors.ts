import { nextStep } from '../core/next.ts';
import * as step from './error-steps.ts';
import { type ErrorEntry, entry } from './error-steps.ts';

/**
 * The sandbox's HTTP code of errors without a documented code: `kyc_verification_required` and `kyc_not_approved`. The
 * client classifies these errors by their status alone.
 */
export const UNSHOWN_HTTP = 403;

/**
 * The complete error table of the service's document. The endpoints state their own errors with HTTP codes.
 */
export const ERRORS = {
  unauthorized: entry(
    'unauthorized',
    'The API key is missing or not valid.',
    'Give a valid key: by bursar login, BURSAR_API_KEY or BURSAR_API_KEY_FILE. Keys are made in the account dashboard and shown once.',
    step.whoami,
  ),
  customer_not_logged: entry(
    'unauthorized',
    'The key belongs to no tenant, and orders belong to one.',
    'Use a key of the account that owns the orders.',
    step.whoami,
  ),
  validation_error: entry(
    'rejected',
    'The service found a field of the payment or transaction that is missing or wrong.',
    'Fix these fields and retry. This call created nothing.',
  ),
  invalid_parameters: entry(
    'rejected',
    'The service could not use the parameters of the call.',
    'Fix these fields and retry. This call changed nothing.',
  ),
  invalid_chain: entry(
    'rejected',
    "The payment's chain is not enabled or not supported.",
    'Create the transaction again with a chain that the deployment has enabled (--chain-name).',
    step.aboutPayment('pay.transaction'),
  ),
  payment_not_found: entry(
    'not_found',
    'No payment with this id belongs to the key.',
    'Check the payment id. The payment may belong to another tenant than the API key: bursar whoami.',
    step.listPayments,
  ),
  invalid_payment_status: entry(
    'rejected',
    'Only a payment in registered or retry can be executed, and this one is in neither.',
    'It may have been executed already. Read the payment before anything else.',
    step.aboutPayment('pay.status'),
  ),
  missing_unsigned_transaction: entry(
    'rejected',
    'The payment has no unsigned transaction yet.',
    'Create the payer transaction first, then sign and execute it.',
    step.aboutPayment('pay.transaction'),
  ),
  invalid_signed_transaction: entry(
    'rejected',
    'The signature is not valid, or the signed transaction differs from the unsigned one.',
    'Sign the unsigned transaction of this payment again, unchanged, with the key of its payer.',
    step.aboutPayment('pay.status'),
  ),
  stale_transaction_nonce: entry(
    'rejected',
    "The nonce of the transaction is no longer the payer's next one.",
    'Create the transaction again to get a fresh nonce, once the earlier one is known not to have been mined.',
    step.aboutPayment('pay.status'),
  ),
  payment_failed: entry(
    'payment_failed',
    'The service reports that the transaction was mined and reverted.',
    'A node shows its receipt. data_error of the payment has the reason of the service.',
    step.aboutPayment('pay.status'),
  ),
  finalizer_payment_order_on_chain_failed: entry(
    'outcome_unknown',
    'The service failed after it had received the signed transaction: it may have been sent.',
    'Read the payment, and look for the hash of the transaction on the chain. Do not pay again before it is known.',
    step.aboutPayment('pay.status.wait'),
  ),
  blockchain_transaction_failed: entry(
    'outcome_unknown',
    'The service failed while it executed the transaction.',
    'Read the payment, and look for the hash of the transaction on the chain. Do not pay again before it is known.',
    step.aboutPayment('pay.status.wait'),
  ),
  kyc_verification_required: entry(
    'identity_gate',
    'The payer has not been verified, and this kind of payment needs it.',
    'Take the payer through KYC, then create the transaction again.',
    step.startKyc,
  ),
  kyc_not_approved: entry(
    'identity_gate',
    "The payer's verification is not approved.",
    'Create the transaction again when the payer is approved.',
    step.startKyc,
  ),
  no_fields_to_update: entry(
    'rejected',
    'The update names no field to change.',
    'Give at least one field of the order.',
    step.listOrders,
  ),
  order_not_found: entry(
    'not_found',
    'No order with this id belongs to the key.',
    'Find its id in the list of orders.',
    step.listOrders,
  ),
  order_limit_reached: entry(
    'limit_reached',
    'The account has 20 orders, which is the most it can have.',
    'Update an order that is no longer used instead of creating another.',
    step.listOrders,
  ),
  missing_params: entry(
    'rejected',
    'A parameter that the call needs was not given.',
    'Give the missing parameter and call again.',
  ),
  email_already_verified: entry(
    'rejected',
    'The e-mail address is verified already.',
    'Go on to the KYC session.',
    step.about('email', (email) => nextStep('kyc.create', ['--email', email])),
  ),
  otp_invalid: entry(
    'rejected',
    'The one-time code is not the one that was sent.',
    'Type the code of the newest e-mail. The number of attempts is limited.',
    step.aboutEmail('kyc.verify_otp'),
  ),
  otp_expired: entry(
    'rejected',
    'The one-time code has expired.',
    'Send a new code and use it in time.',
    step.aboutEmail('kyc.send_otp'),
  ),
  otp_max_attempts: entry(
    'limit_reached',
    'Too many wrong codes were tried.',
    'The old code no longer works. Send a new one.',
    step.aboutEmail('kyc.send_otp'),
  ),
  user_not_found: entry(
    'not_found',
    'The e-mail address was not prepared for KYC.',
    'Prepare it first, with the same spelling.',
    step.aboutEmail('kyc.prepare'),
  ),
  server_error: entry(
    'unavailable',
    'The service failed while it handled the one-time code.',
    'Wait a minute. Check whether the first code arrived before you send another.',
  ),
  server_failed: entry(
    'unavailable',
    'The service failed while it handled the KYC call.',
    'Read the KYC status, then try the step again.',
    step.readKyc,
  ),
  invalid_wallet: entry(
    'rejected',
    'The wallet is neither an EVM nor a Solana address.',
    'Check the address: 0x and 40 hex digits, or 32 bytes in base58.',
  ),
  invalid_signature: entry(
    'unauthorized',
    'The signature does not prove the wallet for this challenge.',
    'Request a new challenge and sign exactly its text with the key of the wallet (bursar kyc wallet-prove).',
  ),
  wallet_already_linked: entry(
    'rejected',
    'The wallet is linked to another identity.',
    'Use the identity that the wallet was prepared with, or another wallet.',
  ),
  identity_not_verified: entry(
    'identity_gate',
    'The e-mail or wallet has not been proven yet.',
    'Verify the e-mail by one-time code, or the wallet by a signed challenge.',
    step.startKyc,
  ),
  user_not_prepared: entry(
    'identity_gate',
    'The user was not prepared for KYC.',
    'Prepare the user first.',
    step.startKyc,
  ),
  verify_quota_exceeded: entry(
    'limit_reached',
    "The month's quota of KYC sessions is used up.",
    'Wait for the next month, or ask for a larger quota.',
  ),
  method_not_found: entry(
    'not_found',
    'The service has no KYC type of this name.',
    'Use verify_public_kyc, the type of the public integration.',
  ),
  kyc_not_found: entry('not_found', 'There is no KYC record of this user.', 'Prepare the user first.', step.startKyc),
  params_mismatch: entry(
    'rejected',
    'The query parameters do not fit together.',
    'Give all of wallet, asset, provider and chain_name for earnings. For a quote give from and to, or pair.',
  ),
  pair_not_found: entry(
    'not_found',
    'No exchange has a price for this pair, directly or through USDT.',
    'Check the symbols, as the exchanges write them.',
  ),
  signed_transaction_missing: entry(
    'rejected',
    'The broadcast carries no signed transaction.',
    'Give one base64 transaction, or two for a dual rebalance.',
  ),
  solana_blockhash_expired: entry(
    'rejected',
    'For the service the blockhash of the transaction is too old.',
    'A resume shows when the transaction is dead. Then build the operation again, sign it and broadcast it at once.',
  ),
  rebalance_transaction_too_large: entry(
    'rejected',
    'The rebalance does not fit into a transaction.',
    'Do it in two operations: withdraw, then deposit.',
  ),
  get_rebalance_opportunities_failed: entry(
    'unavailable',
    'The service could not compute the opportunities.',
    'Try again later; nothing was changed.',
  ),
} as const satisfies Record<string, ErrorEntry>;

/** A status of the service's error table. */
export type ErrorStatus = keyof typeof ERRORS;

/** The entry of a status; `undefined` for a status outside the document. */
export const errorEntry = (status: string): ErrorEntry | undefined =>
  Object.hasOwn(ERRORS, status) ? ERRORS[status as ErrorStatus] : undefined;
