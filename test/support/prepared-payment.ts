import { Transaction, type Wallet } from 'ethers';
import { printJson } from '../../src/core/json.ts';
import type { Ask } from './ask.ts';
import type { PAYMENT } from './journey.ts';

type Body = typeof PAYMENT | { readonly split_payment_config: readonly unknown[]; readonly payer_email: string };

/** A payment that is ready to execute: its id and its signed transaction. */
export type Prepared = { readonly id: string; readonly signed: string };

/** Registers a payment without bursar. Returns its id. */
export const register = async (ask: Ask, body: Body): Promise<string> => {
  const order = { executor_id: 'api_transaction', gateway_method: 'direct', on_ramp: false, ...body };
  return String((await ask('POST', '/payment/register/intents-create-order', order))['payment_id']);
};

/** Registers a payment, creates its transaction and signs it, without bursar. */
export const prepare = async (ask: Ask, body: Body, { address, signingKey }: Wallet): Promise<Prepared> => {
  const id = await register(ask, body);
  const { crypto_tx } = await ask('POST', '/payment/register/intents-create-transaction', {
    payment_id: id,
    transaction_type: 'crypto',
    payer_email: body.payer_email,
    payer_wallet: address,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  });
  const { transactionRequest: fields } = JSON.parse(printJson(crypto_tx));
  const transaction = Transaction.from({ ...fields, from: null, type: 2 });
  transaction.signature = signingKey.sign(transaction.unsignedHash);
  return { id, signed: transaction.serialized };
};
