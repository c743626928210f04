import { hexlify } from 'ethers/utils';
import { Wallet } from 'ethers/wallet';
import { digitsOf } from '../../src/core/json.ts';
import type { Answer, Client } from './sandbox.ts';

export const RECEIVERS = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const;

export const SOLANA_WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

/** Order fields of a payment with one receiver on the Solana chain. */
export const ON_SOLANA = {
  to_chain: 'solana',
  split_payment_config: [{ receiver_wallet: SOLANA_WALLET, receiver_percent: 100 }],
};

/** A new payer with a random key. */
export const newPayer = (): Wallet => new Wallet(hexlify(crypto.getRandomValues(new Uint8Array(32))));

const ORDER = {
  executor_id: 'api_transaction',
  tenant_data: { public_client_id: `client_${'0a'.repeat(16)}`, webhook_url: 'https://shop.example/hook' },
  payment_method_allowed: { crypto: true },
  split_payment_config: [
    { receiver_wallet: RECEIVERS[0], receiver_percent: 70 },
    { receiver_wallet: RECEIVERS[1], receiver_percent: 30 },
  ],
  gateway_method: 'direct',
  from_currency_symbol: 'USDT',
  amount_from: '10',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  on_ramp: false,
};

export type Fields = Readonly<Record<string, unknown>>;

const TEMPLATE = {
  executor_id: 'api_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '12.34',
  to_currency_symbol: 'USDT',
  on_ramp: false,
  gateway_method: 'direct',
};

/** Creates an order; `more` replaces fields of the default order. */
export const createOrder = ({ post }: Client, more: Fields = {}): Promise<Answer> =>
  post('/order/create', { ...TEMPLATE, ...more });

/** Registers a payment; `more` replaces fields of the default payment. */
export const register = ({ post }: Client, more: Fields = {}): Promise<Answer> =>
  post('/payment/register/intents-create-order', { ...ORDER, ...more });

export const createTransaction = ({ post }: Client, fields: Fields): Promise<Answer> =>
  post('/payment/register/intents-create-transaction', {
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
    ...fields,
  });

export const execute = ({ post }: Client, payment_id: string, signed_transaction: string): Promise<Answer> =>
  post('/payment/execute/on-chain', { executor_id: 'api_transaction', payment_id, signed_transaction });

export const statusOf = async ({ get }: Client, id: string) => (await get(`/payment/${id}/status`)).body.data;

/** Fields of a transaction to sign, from the service's `transactionRequest`; `other` replaces some fields. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the service, not checked here
export const toSign = (request: any, other: Fields = {}) => {
  const { from: _, value, ...rest } = request;
  return { type: 2, ...rest, value: BigInt(digitsOf(value) ?? '0'), ...other };
};

export type Prepared = {
  readonly id: string;
  readonly payer: Wallet;
  readonly crypto_tx: Answer['body']['data'];
  readonly raw: string;
};

/** Funds the payer on a chain: the native coin for fees and a token. */
export const fund = async ({ control }: Client, payer: Wallet, chain = 'polygon', token = 'USDT'): Promise<void> => {
  const { http, body } = await control('POST', 'fund', { address: payer.address, chain, token });
  if (http !== 200) throw new Error(body.message);
};

type PaymentOptions = { readonly order?: Fields; readonly transaction?: Fields; readonly payer?: Wallet };

/** Registers a payment, creates its transaction and signs it. Execute comes next. */
export const prepare = async (sandbox: Client, options: PaymentOptions = {}): Promise<Prepared> => {
  const payer = options.payer ?? newPayer();
  const { payment_id: id } = (await register(sandbox, options.order)).body.data;
  const created = await createTransaction(sandbox, {
    payment_id: id,
    payer_wallet: payer.address,
    ...options.transaction,
  });
  if (created.http !== 201) throw new Error(JSON.stringify(created.body));
  const { crypto_tx } = created.body.data;
  return { id, payer, crypto_tx, raw: await payer.signTransaction(toSign(crypto_tx.transactionRequest)) };
};

/** Funds a new payer on polygon and prepares a payment of that payer. */
export const payable = async (
  client: Client,
  { token = 'USDT', ...options }: Omit<PaymentOptions, 'payer'> & { readonly token?: string | undefined } = {},
): Promise<Prepared> => {
  const payer = newPayer();
  await fund(client, payer, 'polygon', token);
  return prepare(client, { ...options, payer });
};

/** The balances of an address, as decimal text, by symbol. */
export const balancesOf = async ({ control }: Client, address: string, chain = 'polygon') => {
  const { body } = await control('GET', `balances?address=${address}&chain=${chain}`);
  const entries = body.data.balances.map(({ symbol, amount }: { symbol: string; amount: string }) => [symbol, amount]);
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
};
