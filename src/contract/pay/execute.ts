import { defineEndpoint } from '../define.ts';
import { hex, oneOf, open, text } from '../fields.ts';
import { EXAMPLE_HASH, EXAMPLE_PAYMENT_ID } from './shared.ts';

const confirmed = open(
  { id: text('Id of the payment'), tid_hash: text('Hash of the transaction on its chain') },
  'The payment, confirmed on its chain',
  'ConfirmedPayment',
);

/** The data of `payment_received`. The payment becomes `success` when the bridge to the other chain has paid. */
const received = open(
  { id: text('Id of the payment'), tx_hash: text('Hash of the transaction on the source chain') },
  'The payment, received on the source chain',
  'ReceivedPayment',
);

/** Broadcasts the signed transaction of a payment. Document: POST /payment/execute/on-chain. */
export const execute = defineEndpoint({
  id: 'pay.execute',
  method: 'POST',
  path: '/payment/execute/on-chain',
  summary: 'Send the signed transaction of a payment',
  effect: 'moves_money',
  body: {
    executor_id: oneOf(['api_transaction'], 'Who executes the payment: the API'),
    payment_id: text('Id of the payment'),
    signed_transaction: hex('Signed crypto_tx as hex'),
  },
  invalid: 'invalid_parameters',
  success: {
    payment_confirmed: { http: 200, data: confirmed, example: { id: EXAMPLE_PAYMENT_ID, tid_hash: EXAMPLE_HASH } },
    payment_received: { http: 200, data: received, example: { id: EXAMPLE_PAYMENT_ID, tx_hash: EXAMPLE_HASH } },
  },
  errors: {
    unauthorized: 401,
    invalid_parameters: 400,
    invalid_chain: 400,
    payment_not_found: 404,
    invalid_payment_status: 409,
    missing_unsigned_transaction: 409,
    invalid_signed_transaction: 400,
    stale_transaction_nonce: 400,
    payment_failed: 500,
    finalizer_payment_order_on_chain_failed: 500,
    blockchain_transaction_failed: 500,
  },
  example: {
    executor_id: 'api_transaction',
    payment_id: EXAMPLE_PAYMENT_ID,
    signed_transaction:
      '0x02f876830f42c9078506fc23ac008509502f900082520894111111111111111111111111111111111111111187038d7ea4c6800080c080a03bac75cda81d3569f35e66b69bdf1bfcd65d07ef4de03d2f259368c628d3f518a03c11ba3a39b06dc79fa62f74189a4b619929f31b71f462798ec6c8fb0fcb5cf8',
  },
});
