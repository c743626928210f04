import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { anyText, email, moment, number, oneOf, open, text, undocumented, uri } from '../fields.ts';
import { exactlyOne, requiredWhen, requiredWith } from '../rules.ts';
import {
  cryptoTx,
  DOCUMENT_TYPES,
  EXAMPLE_EVM_TRANSACTION,
  EXAMPLE_PAYMENT_ID,
  PIX_TYPES,
  transactionType,
} from './shared.ts';

/** The billing address of a card. Document, card_data: all required strings, and optional `complement`. */
const address = open(
  {
    country: text('Country of the address'),
    state: text('State or province'),
    city: text('City'),
    neighborhood: text('Neighborhood'),
    street: text('Street'),
    street_number: text('Number of the house'),
    zipcode: text('Postal code, digits only').regex(/^\d+$/, 'must be digits only'),
    complement: text('Apartment, floor or the like').optional(),
  },
  'Billing address of the card',
  'CardAddress',
);

/** The card of the payer, tokenized or raw. Document: card_data. */
export const cardData = (description: string) =>
  open(
    {
      installments: z.literal(1, 'must be 1: nothing else is supported').describe('Number of installments; only 1'),
      statement_descriptor: text('What the card statement shows'),
      card_token: text('Id of a tokenized card; use it instead of card').optional(),
      // not shown: the keys of the raw details. They are sent unchanged.
      card: undocumented('Raw card details, only without card_token').optional(),
      address,
    },
    description,
  );

/** The phone of the payer. Document: payer_phone, three texts. */
export const phone = (description: string) =>
  open(
    {
      country_code: text('Country code, such as 55'),
      area_code: text('Area code'),
      number: text('Number within the area'),
    },
    description,
  );

const CARD_TYPES = ['cardcrypto', 'cardfiat'] as const;

/** The Pix charge for the payer. Document: fiat_tx (pix payments). */
export const pixCharge = open(
  {
    status: text('Status of the charge'),
    pix_key: text('Pix key of the receiver'),
    txid: text('Id of the charge at the bank'),
    pixCopiaECola: text('Code that the payer copies into the banking app'),
    pix_qr_code_data_url: uri('The code as an image, as a data URL', text),
    calendar: open(
      {
        criacao: moment('When the charge was made (ISO 8601)'),
        expiracao: number('Seconds after which the charge expires'),
      },
      'When the charge was made, and how long it can be paid',
    ),
    code: number('Code of the answer of the bank'),
  },
  'Pix charge',
  'PixCharge',
);

/**
 * `fiat_tx`. Document, create-transaction: an object for Pix; an object with only a message when the payment is crypto.
 */
const fiatTx = z
  .union(
    [
      pixCharge,
      open({ message: anyText('Why there is none') }, 'Message of a payment that is not fiat'),
      // not shown: the shape for card payments.
      undocumented('Fiat transaction of another kind'),
    ],
    'must be an object',
  )
  .describe('Fiat side of the payment');

const created = open(
  {
    payment_id: text('Id of the payment'),
    session_payment: uri('Address of the hosted payment page; it carries a token'),
    crypto_tx: cryptoTx,
    fiat_tx: fiatTx,
  },
  'The payer transaction',
  'PayerTransaction',
);

/** Creates the payer transaction. Document: POST /payment/register/intents-create-transaction. */
export const transaction = defineEndpoint({
  id: 'pay.transaction',
  method: 'POST',
  path: '/payment/register/intents-create-transaction',
  summary: 'Create the payer transaction of a payment',
  effect: 'writes',
  body: {
    payment_id: text('Id of the payment, as its registration returned it'),
    transaction_type: transactionType('How the payer pays'),
    payer_email: email('E-mail address of the payer'),
    payer_wallet: text('Wallet of the payer').optional(),
    chain_name: text('Chain that the payer pays from').optional(),
    payer_token_symbol: text('Token that the payer pays with').optional(),
    payer_cpf: text('CPF or CNPJ of the payer').optional(),
    payer_name: text('Full name of the payer').optional(),
    payer_document: text('Number of a document of the payer').optional(),
    payer_document_type: oneOf(DOCUMENT_TYPES, 'Which document that is').optional(),
    payer_ip: text('IP address of the payer; needed with a card token').optional(),
    session_id: text('Fraud-prevention session; needed with a card token').optional(),
    payer_phone: phone('Phone of the payer; sent with cards').optional(),
    card_data: cardData('Card of the payer').optional(),
  },
  rules: [
    requiredWhen('transaction_type', ['crypto'], ['payer_wallet', 'chain_name', 'payer_token_symbol']),
    requiredWhen('transaction_type', PIX_TYPES, ['payer_cpf']),
    requiredWhen('transaction_type', CARD_TYPES, ['payer_name', 'payer_document', 'payer_document_type', 'card_data']),
    requiredWith('card_data.card_token', ['payer_ip', 'session_id']),
    exactlyOne('card_data', 'card_token', 'card'),
  ],
  invalid: 'validation_error',
  success: {
    payment_registered: {
      http: 201,
      data: created,
      example: {
        payment_id: EXAMPLE_PAYMENT_ID,
        session_payment: `https://pay.example.com/${EXAMPLE_PAYMENT_ID}?token=9f2c`,
        crypto_tx: { ...EXAMPLE_EVM_TRANSACTION, meta: { source: 'service' } },
        fiat_tx: { message: 'Details exist only for fiat payments' },
      },
    },
  },
  unshownFields: true,
  errors: {
    unauthorized: 401,
    validation_error: 400,
    // not shown: the HTTP code of these two.
    kyc_verification_required: null,
    kyc_not_approved: null,
  },
  example: {
    payment_id: EXAMPLE_PAYMENT_ID,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: '0x3333333333333333333333333333333333333333',
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  },
});
