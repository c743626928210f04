/**
 * What the sandbox chose where the service's document says "not shown" or leaves a choice. The README of
 * this folder lists them all; a choice is stated here once and read from here.
 */

/** A body that is larger is not read. */
export const MOST_BODY_BYTES = 1024 * 1024;

/** The sandbox stops by itself after this time without a request. */
export const IDLE_STOP_MS = 30 * 60 * 1000;

/** Kinds of payment that this version of the sandbox has. */
export const SANDBOX_TRANSACTION_TYPES: readonly string[] = ['crypto'];

/** Which key of `payment_method_allowed` a transaction type needs. `cryptopix` has no type. */
export const METHOD_OF_TYPE = {
  crypto: 'crypto',
  pixcrypto: 'pixcrypto',
  fiatcrypto: 'pixcrypto',
  cardcrypto: 'cardcrypto',
  cardfiat: 'cardfiat',
} as const;

/** Tokens that every sandbox chain has beside its native coin. */
export const TEST_TOKENS = ['USDT', 'USDC'] as const;

/** The answer's `global_payment_data` of a crypto payment. */
export const CRYPTO_ONLY_DATA = { message: 'Payment details exist only for fiat payments.' } as const;

/** The answer's `fiat_tx` of a crypto payment. */
export const NO_FIAT_TX = { message: 'This payment is crypto: there is no fiat transaction.' } as const;

/** Who built the unsigned transaction: `crypto_tx.meta.source`. */
export const TRANSACTION_SOURCE = 'bursar-sandbox';

/** Decimals after which a price that is computed, not listed, is cut. */
export const PRICE_DIGITS = 18;

/** What `sandbox fund` gives when no amount is named: of the native coin, and of each test token. */
export const FUND_COIN = '10';
export const FUND_TOKEN = '10000';

/** The name of the tenant that the sandbox's own API key belongs to. */
export const FIRST_TENANT = 'tenant_1';

/** What this deployment offers. Document: GET /config/products, whose answer is not shown. */
export const PRODUCTS = {
  products: { payments: true, orders: true, kyc: true, yield: true, quote: true },
  methods: { crypto: true, pix: false, credit_card: false },
} as const;

/** Fiat currencies that the sandbox knows, and that every account may use in orders. */
export const FIATS: readonly string[] = ['BRL', 'USD', 'EUR'];

/** Orders of one account. Document: Limits. */
export const MOST_ORDERS = 20;

/** A stored order, unknown fields included, as JSON: updates could let it grow without end. */
export const MOST_ORDER_BYTES = 1_000_000;

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

/** How long a session that nobody finished stays open. */
export const KYC_SESSION_MS = 7 * 24 * 60 * 60 * 1000;

/** The one-time code of an e-mail: digits, life, and wrong answers after which it is dead. */
export const OTP_DIGITS = 6;
export const OTP_MS = 10 * 60 * 1000;
export const OTP_ATTEMPTS = 5;

/** A wallet's challenge: its life, and the purpose that the KYC flow takes. */
export const CHALLENGE_MS = 10 * 60 * 1000;
export const KYC_PURPOSE = 'kyc';

/** E-mails that the inbox keeps. */
export const MOST_EMAILS = 1000;

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

/** A slot of the Solana chain in milliseconds of the sandbox's clock, and its first one. */
export const SLOT_MS = 400;
export const FIRST_SLOT = 1000;

/** A blockhash that is older than so many slots sends nothing any more. */
export const BLOCKHASH_SLOTS = 150;

/** Compute units that a transaction built by the sandbox asks for. */
export const COMPUTE_UNITS = 200_000;

/** What the platform and the account take of a deposit, in percent; what is taken is cut to a unit of the token. */
export const PLATFORM_FEE_PERCENT = '0.1';
export const WHITELABEL_FEE_PERCENT = '0';

/** The number in a broadcast's answer for a transaction that failed on chain. Success is 1 by the document. */
export const FAILED_ON_CHAIN = 0;

/** What others have put into each yield vault when the chain begins, in whole tokens: it pays the interest. */
export const VAULT_RESERVE = 25_000_000n;
