/**
 * The sandbox's choices where the service's document says "not shown" or leaves a choice. The README of this folder
 * lists all of them. Code reads the constants from this file.
 */

import type { StableToken } from '../contract/chains.ts';
import { LOOKUP_FAILED } from '../contract/control/faults.ts';

/** The sandbox does not read a larger body. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The sandbox stops after this time without a request. */
export const IDLE_STOP_MS = 30 * 60 * 1000;

/** The key of `payment_method_allowed` that each transaction type needs. No type needs the key `cryptopix`. */
export const METHOD_OF_TYPE = {
  crypto: 'crypto',
  pixcrypto: 'pixcrypto',
  fiatcrypto: 'pixcrypto',
  cardcrypto: 'cardcrypto',
  cardfiat: 'cardfiat',
} as const;

/** The tokens of every EVM chain of the sandbox, beside its native coin. */
export const TEST_TOKENS = ['USDT', 'USDC'] as const satisfies readonly StableToken[];

/** `global_payment_data` of a crypto payment. */
export const CRYPTO_ONLY_DATA = { message: 'Payment details exist only for fiat payments.' } as const;

/** `global_payment_data` before the payer transaction, of a payment that allows more methods than crypto. */
export const NO_DATA_YET = { message: 'There are no payment details before the payer transaction.' } as const;

/** `fiat_tx` of a crypto payment. */
export const NO_FIAT_TX = { message: 'This payment is crypto: there is no fiat transaction.' } as const;

/** `crypto_tx.meta.source`: the builder of the unsigned transaction. */
export const TRANSACTION_SOURCE = 'bursar-sandbox';

/** A computed price is cut after this number of decimals. A listed price is not cut. */
export const PRICE_DIGITS = 18;

/** The default amounts of `sandbox fund`: of the native coin, and of each test token. */
export const FUND_COIN = '10';
export const FUND_TOKEN = '10000';

/** The tenant of the sandbox's own API key. */
export const FIRST_TENANT = 'tenant_1';

/** The products of this deployment. Document: GET /config/products, whose answer is not shown. */
export const PRODUCTS = {
  products: { payments: true, orders: true, kyc: true, yield: true, quote: true },
  methods: { crypto: true, pix: true, credit_card: true },
} as const;

/** The fiat currencies of the sandbox. Every account may use them in orders. */
export const FIATS: readonly string[] = ['BRL', 'USD', 'EUR'];

/** The maximum number of orders of one account. Document: Limits. */
export const MAX_ORDERS = 20;

/** The maximum size of a stored order as JSON, with unknown fields. Updates could otherwise make it ever larger. */
export const MAX_ORDER_BYTES = 1_000_000;

/** The filters in the query of GET /order/list: the gateway method and the on-ramp flag. */
export const ORDER_FILTERS = ['gateway_method', 'on_ramp'] as const;

/** The tenant of a call with a key that belongs to no tenant. */
export const NO_TENANT = '';

/** `amount_to`, the computed amount for the receivers, is cut after this number of decimals. */
export const AMOUNT_TO_DIGITS = { fiat: 2, stablecoin: 6, other: 8 } as const;

/** Errors with a status of the sandbox's own, because the document shows none: HTTP codes by endpoint and status. */
export const OWN_ERRORS = { 'kyc.prepare-wallet': { email_already_linked: 409 } } as const;

/** The kinds of verification. Document: the public one; others are not shown. */
export const KYC_TYPES: readonly string[] = ['verify_public_kyc'];

/** Values of `kyc_status`. Document: `pending`; others are not shown. */
export const KYC_STATUSES = ['pending', 'in_review', 'approved', 'declined', 'expired'] as const;

/** The sessions that all accounts together may open in one month of the sandbox's time. */
export const KYC_MONTHLY_QUOTA = 100;

/** The lifetime of an unfinished session. */
export const KYC_SESSION_MS = 7 * 24 * 60 * 60 * 1000;

/** The one-time code of an e-mail: its digits, its lifetime, and the number of wrong answers that end it. */
export const OTP_DIGITS = 6;
export const OTP_MS = 10 * 60 * 1000;
export const OTP_ATTEMPTS = 5;

/** The challenge of a wallet: its lifetime, and the only purpose that the KYC flow accepts. */
export const CHALLENGE_MS = 10 * 60 * 1000;
export const KYC_PURPOSE = 'kyc';

/** The inbox stores this number of e-mails. A newer e-mail replaces the oldest. */
export const MAX_EMAILS = 1000;

/** An entry of `ip_info`. Its fields are not shown. */
export const IP_INFO = {
  ip_address: '127.0.0.1',
  country: 'BR',
  is_vpn: false,
  is_tor: false,
  is_data_center: false,
} as const;

/** The clock can be at most a hundred years ahead of the machine's clock. */
export const FURTHEST_OFFSET_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/** Webhooks. Document: their payload, names, signing and repetition are not shown. */
export const WEBHOOK_EVENT = 'payment.status_changed';
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** The pause after a first failed delivery. The pause doubles with each failure, up to the maximum. */
export const WEBHOOK_FIRST_PAUSE_MS = 5_000;
export const WEBHOOK_MAX_PAUSE_MS = 60 * 60 * 1000;
/** A failed delivery is repeated within this time of the sandbox's clock. */
export const WEBHOOK_GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** The delay of the bridge's payout, in the sandbox's time. */
export const BRIDGE_MS = 1_000;

/** A Pix charge expires after this number of seconds. */
export const PIX_EXPIRES_S = 3600;
/** The receiver in a Pix code: a random key (EVP), a name and a city. */
export const PIX_KEY = 'b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0';
export const PIX_MERCHANT = { name: 'BURSAR SANDBOX', city: 'SAO PAULO' } as const;

/**
 * The test tokens of cards that are refused, each with its reason. `tok_pending` waits for a decision through the
 * control. `tok_approved` and any other token are approved, so that a script may use its own token. Raw card data is
 * approved unless one of its values is `REFUSED_CARD`.
 */
export const REFUSING_TOKENS: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  tok_refused: { code: '1000', message: 'The card was refused by its issuer.' },
  tok_insufficient_funds: { code: '1016', message: 'The card has insufficient funds.' },
  tok_expired: { code: '1001', message: 'The card has expired.' },
};
export const PENDING_TOKEN = 'tok_pending';
export const APPROVED_TOKEN = 'tok_approved';
/** All test tokens. */
export const CARD_TOKENS: readonly string[] = [APPROVED_TOKEN, ...Object.keys(REFUSING_TOKENS), PENDING_TOKEN];
export const REFUSED_CARD = '4000000000000002';

/** `crypto_tx` of a payment that is not crypto. */
export const NO_CRYPTO_TX = 'This payment is not crypto: there is nothing to sign.';

/** The length of a slot of the Solana chain, in milliseconds of the sandbox's clock, and the number of the first slot. */
export const SLOT_MS = 400;
export const FIRST_SLOT = 1000;

/** A blockhash is valid for this number of slots. */
export const BLOCKHASH_SLOTS = 150;

/** The compute units that the sandbox's transactions request. */
export const COMPUTE_UNITS = 200_000;

/** The fees of platform and account on a deposit, in percent; a fee is cut to a unit of the token. */
export const PLATFORM_FEE_PERCENT = '0.1';
export const WHITELABEL_FEE_PERCENT = '0';

/**
 * `earnings_status` of a position that could not be read, and the fault that causes it. Document: an error code.
 * The position is then 0, and `earnings_details` is null.
 */
export const EARNINGS_LOOKUP_FAILED = LOOKUP_FAILED;

/** `status` in the answer of a broadcast for a transaction that failed on chain. Document: success is 1. */
export const FAILED_ON_CHAIN = 0;

/** Deposits of other users in each yield vault at the start of the chain, in whole tokens. They pay the interest. */
export const VAULT_RESERVE = 25_000_000n;
