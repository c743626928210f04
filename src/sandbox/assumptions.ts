/**
 * What the sandbox chose where the service's document says "not shown" or leaves a choice. The README of
 * this folder lists them all; a choice is stated here once and read from here.
 */

/** A body that is larger is not read. */
export const MOST_BODY_BYTES = 1024 * 1024;

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
  products: { payments: true, orders: false, kyc: false, yield: false, quote: true },
  methods: { crypto: true, pix: true, credit_card: true },
} as const;

/** Fiat currencies that the sandbox knows. */
export const FIATS: readonly string[] = ['BRL', 'USD', 'EUR'];

/** Decimals after which an amount that is computed for the receivers, `amount_to`, is cut. */
export const AMOUNT_TO_DIGITS = { fiat: 2, stablecoin: 6, other: 8 } as const;

/** Webhooks. Document: their payload, names, signing and repetition are not shown. */
export const WEBHOOK_EVENT = 'payment.status_changed';
export const WEBHOOK_TIMEOUT_MS = 10_000;
/** After a failed delivery the next follows in this time, which doubles each time up to the most. */
export const WEBHOOK_FIRST_PAUSE_MS = 5_000;
export const WEBHOOK_MOST_PAUSE_MS = 60 * 60 * 1000;
/** A delivery that failed is repeated for so long, in the sandbox's time. */
export const WEBHOOK_GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** How long the bridge takes to pay out what it received, in the sandbox's time. */
export const BRIDGE_MS = 1_000;

/** A Pix charge can be paid for so many seconds. */
export const PIX_EXPIRES_S = 3600;
/** Who is paid by Pix, as the BR Code names it: a random key (EVP), a name and a city. */
export const PIX_KEY = 'b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0';
export const PIX_MERCHANT = { name: 'BURSAR SANDBOX', city: 'SAO PAULO' } as const;

/**
 * What a card token does: each of these is refused with its reason, `tok_pending` waits for the control, and any
 * other is approved. Raw card data is approved unless one of its values is the number of REFUSED_CARD.
 */
export const REFUSING_TOKENS: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  tok_refused: { code: '1000', message: 'The card was refused by its issuer.' },
  tok_insufficient_funds: { code: '1016', message: 'The card has insufficient funds.' },
  tok_expired: { code: '1001', message: 'The card has expired.' },
};
export const PENDING_TOKEN = 'tok_pending';
export const REFUSED_CARD = '4000000000000002';

/** The answer's `crypto_tx` of a payment that is not crypto. */
export const NO_CRYPTO_TX = 'This payment is not crypto: there is nothing to sign.';

/** HTTP of an error where the document shows none: `kyc_verification_required`, `kyc_not_approved`. */
export const UNSHOWN_HTTP = 403;
