/**
 * The sandbox's choices where the service's document says "not shown" or leaves a choice. The README of
 * this folder lists them all; a choice is stated here once and read from here.
 */

import type { StableToken } from '../contract/chains.ts';

/** A body that is larger is not read. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The sandbox stops by itself after this time without a request. */
export const IDLE_STOP_MS = 30 * 60 * 1000;

/** Which key of `payment_method_allowed` a transaction type needs. `cryptopix` has no type. */
export const METHOD_OF_TYPE = {
  crypto: 'crypto',
  pixcrypto: 'pixcrypto',
  fiatcrypto: 'pixcrypto',
  cardcrypto: 'cardcrypto',
  cardfiat: 'cardfiat',
} as const;

/** Tokens that every sandbox chain has beside its native coin. */
export const TEST_TOKENS = ['USDT', 'USDC'] as const satisfies readonly StableToken[];

/** The answer's `global_payment_data` of a crypto payment. */
export const CRYPTO_ONLY_DATA = { message: 'Payment details exist only for fiat payments.' } as const;

/** The same of a payment that may be paid otherwise too, before its payer transaction. */
export const NO_DATA_YET = { message: 'There are no payment details before the payer transaction.' } as const;

/** The answer's `fiat_tx` of a crypto payment. */
export const NO_FIAT_TX = { message: 'This payment is crypto: there is no fiat transaction.' } as const;

/** Who built the unsigned transaction: `crypto_tx.meta.source`. */
export const TRANSACTION_SOURCE = 'bursar-sandbox';

/** Decimals after which a price that is computed, not listed, is cut. */
export const PRICE_DIGITS = 18;

/** The amounts of `sandbox fund` without an amount: of the native coin, and of each test token. */
export const FUND_COIN = '10';
export const FUND_TOKEN = '10000';

/** The name of the tenant that the sandbox's own API key belongs to. */
export const FIRST_TENANT = 'tenant_1';

/** The products of this deployment. Document: GET /config/products, whose answer is not shown. */
export const PRODUCTS = {
  products: { payments: true, orders: true, kyc: true, yield: true, quote: true },
  methods: { crypto: true, pix: true, credit_card: true },
} as const;

/** Fiat currencies that the sandbox knows, and that every account may use in orders. */
export const FIATS: readonly string[] = ['BRL', 'USD', 'EUR'];

/** Orders of one account. Document: Limits. */
export const MAX_ORDERS = 20;

/** A stored order, unknown fields included, as JSON: updates could let it grow without end. */
export const MAX_ORDER_BYTES = 1_000_000;

/** Names in the query of GET /order/list: by gateway method, and by the on-ramp flag. */
export const ORDER_FILTERS = ['gateway_method', 'on_ramp'] as const;

/** The tenant of a call whose key belongs to none. */
export const NO_TENANT = '';

/** Decimals after which an amount that is computed for the receivers, `amount_to`, is cut. */
export const AMOUNT_TO_DIGITS = { fiat: 2, stablecoin: 6, other: 8 } as const;

/** Errors whose status the document does not show, by endpoint: the sandbox's own statuses, and their HTTP. */
export const OWN_ERRORS = { 'kyc.prepare-wallet': { email_already_linked: 409 } } as const;

/** Kinds of verification that there are. Document: the public one; others are not shown. */
export const KYC_TYPES: readonly string[] = ['verify_public_kyc'];

/** Values of `kyc_status`. Document: `pending`; others are not shown. */
export const KYC_STATUSES = ['pending', 'in_review', 'approved', 'declined', 'expired'] as const;

/** Sessions that may be opened in one month of the sandbox's time, by all accounts together. */
export const KYC_MONTHLY_QUOTA = 100;

/** The lifetime of an unfinished session. */
export const KYC_SESSION_MS = 7 * 24 * 60 * 60 * 1000;

/** The one-time code of an e-mail: digits, life, and wrong answers after which it is dead. */
export const OTP_DIGITS = 6;
export const OTP_MS = 10 * 60 * 1000;
export const OTP_ATTEMPTS = 5;

/** A wallet's challenge: its life, and the purpose that the KYC flow takes. */
export const CHALLENGE_MS = 10 * 60 * 1000;
export const KYC_PURPOSE = 'kyc';

/** E-mails that the inbox keeps. */
export const MAX_EMAILS = 1000;

/** An entry of `ip_info`. Its fields are not shown. */
export const IP_INFO = {
  ip_address: '127.0.0.1',
  country: 'BR',
  is_vpn: false,
  is_tor: false,
  is_data_center: false,
} as const;

/** The clock can be moved ahead of the machine's by a hundred years. */
export const FURTHEST_OFFSET_MS = 100 * 365 * 24 * 60 * 60 * 1000;
/** Webhooks. Document: their payload, names, signing and repetition are not shown. */
export const WEBHOOK_EVENT = 'payment.status_changed';
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** After a failed delivery the next follows in this time, which doubles each time up to the most. */
export const WEBHOOK_FIRST_PAUSE_MS = 5_000;
export const WEBHOOK_MOST_PAUSE_MS = 60 * 60 * 1000;
/** A delivery that failed is repeated for so long, in the sandbox's time. */
export const WEBHOOK_GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** The delay of the bridge's payout, in the sandbox's time. */
export const BRIDGE_MS = 1_000;

/** A Pix charge can be paid for so many seconds. */
export const PIX_EXPIRES_S = 3600;
/** The receiver of a Pix, as the BR Code names it: a random key (EVP), a name and a city. */
export const PIX_KEY = 'b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0';
export const PIX_MERCHANT = { name: 'BURSAR SANDBOX', city: 'SAO PAULO' } as const;

/**
 * The test tokens: `tok_approved` is approved, each of these is refused with its reason, and `tok_pending` waits for the
 * control. Any other token is approved too, so that a script may use the one it has. Raw card data is approved unless one of
 * its values is the number of REFUSED_CARD.
 */
export const REFUSING_TOKENS: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  tok_refused: { code: '1000', message: 'The card was refused by its issuer.' },
  tok_insufficient_funds: { code: '1016', message: 'The card has insufficient funds.' },
  tok_expired: { code: '1001', message: 'The card has expired.' },
};
export const PENDING_TOKEN = 'tok_pending';
export const APPROVED_TOKEN = 'tok_approved';
/** All of them. */
export const CARD_TOKENS: readonly string[] = [APPROVED_TOKEN, ...Object.keys(REFUSING_TOKENS), PENDING_TOKEN];
export const REFUSED_CARD = '4000000000000002';

/** The answer's `crypto_tx` of a payment that is not crypto. */
export const NO_CRYPTO_TX = 'This payment is not crypto: there is nothing to sign.';

/** A slot of the Solana chain in milliseconds of the sandbox's clock, and its first one. */
export const SLOT_MS = 400;
export const FIRST_SLOT = 1000;

/** A blockhash that is older than so many slots sends nothing any more. */
export const BLOCKHASH_SLOTS = 150;

/** Compute units that a transaction built by the sandbox asks for. */
export const COMPUTE_UNITS = 200_000;

/** The fees of platform and account on a deposit, in percent; a fee is cut to a unit of the token. */
export const PLATFORM_FEE_PERCENT = '0.1';
export const WHITELABEL_FEE_PERCENT = '0';

/**
 * `earnings_status` of a position that could not be read, and the fault that causes it. Document: an error code.
 * The position is then 0, and `earnings_details` is null.
 */
export const EARNINGS_LOOKUP_FAILED = 'earnings_lookup_failed';

/** The number in a broadcast's answer for a transaction that failed on chain. Success is 1 by the document. */
export const FAILED_ON_CHAIN = 0;

/** The deposits of others in each yield vault at the start of the chain, in whole tokens: they pay the interest. */
export const VAULT_RESERVE = 25_000_000n;
