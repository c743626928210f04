import {
  DATA,
  type Fields,
  inputs,
  matches,
  path,
  query,
  retryWhile,
  SERVICE,
  SIGNER,
  status,
  step,
  text,
} from './parts.ts';

const WALLET = text('Wallet that pays', {}, { from: 'evm-key' });
const EMAIL = text('E-mail address of the payer', {}, { sandbox: 'payer@example.com' });
const CLIENT_ID = text('Public client id of the tenant', {}, { sandbox: 'client_0123456789abcdef0123456789abcdef' });
const RECEIVER = text('Wallet that is paid', {}, { sandbox: '0x1111111111111111111111111111111111111111' });
const WEBHOOK_URL = text('Address for webhooks', {}, { from: 'receiver' });

const PAYMENT_ID = '$steps.register.outputs.payment_id';
const HASH = '$steps.sign.outputs.hash';

/** The steps of a payment after its registration. */
const paying = (signing: Fields): readonly Fields[] => [
  step(
    'transaction',
    `${SERVICE}payTransaction`,
    'Create the transaction for the payer to sign',
    {
      payment_id: PAYMENT_ID,
      transaction_type: 'crypto',
      payer_email: '$inputs.email',
      payer_wallet: '$inputs.wallet',
      chain_name: '$inputs.chain',
      payer_token_symbol: '$inputs.token_symbol',
    },
    [
      '$statusCode == 201',
      `${DATA}/crypto_tx/schema_version == 1 && ${DATA}/crypto_tx/family == 'evm'`,
      `${DATA}/crypto_tx/chain_name == $inputs.chain`,
      `${DATA}/crypto_tx/transactionRequest/from == $inputs.wallet`,
    ],
  ),
  step(
    'sign',
    `${SIGNER}signPayment`,
    'Review the transaction, and sign it',
    { payment_id: PAYMENT_ID, ...signing },
    ['$statusCode == 200', `${DATA}/from == $inputs.wallet`],
    { outputs: { signed_transaction: `${DATA}/signed_transaction`, hash: `${DATA}/hash` } },
  ),
  step(
    'execute',
    `${SERVICE}payExecute`,
    'Send the signed transaction through the service',
    {
      executor_id: 'api_transaction',
      payment_id: PAYMENT_ID,
      signed_transaction: '$steps.sign.outputs.signed_transaction',
    },
    [status('payment_confirmed', 'payment_received'), `${DATA}/id == ${PAYMENT_ID}`],
  ),
  step(
    'state',
    `${SERVICE}payStatus`,
    'Wait until the payment is final',
    undefined,
    [`${DATA}/status == 'success'`, `${DATA}/tid_hash == ${HASH}`, `${DATA}/data_error == null`],
    {
      parameters: [path('id', PAYMENT_ID)],
      ...retryWhile(`${DATA}/status == 'processing' || ${DATA}/status == 'received'`, 1, 60),
    },
  ),
  step(
    'webhook',
    `${SIGNER}awaitWebhook`,
    'Check that a webhook announced the end',
    { payment_id: PAYMENT_ID, status: 'success' },
    ['$statusCode == 200', `${DATA}/state != 'missing'`],
  ),
];

const registering = (own: Fields, description: string): Fields =>
  step(
    'register',
    `${SERVICE}payRegister`,
    description,
    {
      tenant_data: { public_client_id: '$inputs.public_client_id', webhook_url: '$inputs.webhook_url' },
      payment_method_allowed: { crypto: true, pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false },
      split_payment_config: [{ receiver_wallet: '$inputs.receiver_wallet', receiver_percent: 100 }],
      gateway_method: 'direct',
      amount_from: '$inputs.amount',
      to_currency_symbol: '$inputs.token_symbol',
      to_chain: '$inputs.chain',
      on_ramp: false,
      ...own,
    },
    ['$statusCode == 201', status('payment_registered'), matches(`${DATA}/payment_id`, '^.+$')],
    { outputs: { payment_id: `${DATA}/payment_id` } },
  );

const PAYMENT_INPUTS = {
  wallet: WALLET,
  email: EMAIL,
  public_client_id: CLIENT_ID,
  webhook_url: WEBHOOK_URL,
  receiver_wallet: RECEIVER,
  token_symbol: text('Token that is paid', { default: 'USDT' }),
  chain: text('Chain of the payment', { default: 'polygon' }),
};

/** `crypto-payment`. */
export const cryptoPayment: Fields = {
  workflowId: 'crypto-payment',
  summary: 'Register a payment, sign its transaction, execute it, wait for its end',
  ...inputs({ ...PAYMENT_INPUTS, amount: text('Amount of the token', { default: '10' }) }),
  steps: [
    step('products', `${SERVICE}productsList`, 'List the products and methods', undefined, [
      '$statusCode == 200',
      `$response.body#/success == true && ${DATA} != null`,
    ]),
    registering(
      { executor_id: 'api_transaction', from_currency_symbol: '$inputs.token_symbol' },
      'Register the payment',
    ),
    ...paying({}),
  ],
  outputs: { payment_id: PAYMENT_ID, hash: HASH },
};

/** `checkout-payment`. */
export const checkoutPayment: Fields = {
  workflowId: 'checkout-payment',
  summary: 'Pay an order in crypto: no identity check applies',
  ...inputs({
    ...PAYMENT_INPUTS,
    order_id: text('Order that is paid', {}, { from: 'order' }),
    currency: text('Currency of the order', { default: 'BRL' }),
    amount: text('Amount of the order, in its currency', { default: '10.00' }),
    pay_at_most: text('Most that the payer pays, in the token', { default: '5' }),
  }),
  steps: [
    step(
      'orders',
      `${SERVICE}orderList`,
      'List the orders',
      undefined,
      [status('orders_listed'), `${DATA}/pagination/total > 0`],
      query({ page: 1, limit: 1 }),
    ),
    registering(
      {
        executor_id: 'order_transaction',
        order_code: '$inputs.order_id',
        from_currency_symbol: '$inputs.currency',
      },
      'Register the payment of the order',
    ),
    ...paying({ pay_at_most: '$inputs.pay_at_most' }),
  ],
  outputs: { payment_id: PAYMENT_ID, hash: HASH },
};
