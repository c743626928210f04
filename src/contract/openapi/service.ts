import * as z from 'zod';
import type { Area } from '../define.ts';
import { ERRORS } from '../errors.ts';
import { moment, open, text } from '../fields.ts';
import { ENDPOINTS } from '../index.ts';
import { EXAMPLE_PAYMENT, payment } from '../pay/status.ts';
import type { Schema } from '../rules.ts';
import type { Api } from './document.ts';
import type { Tag } from './parts.ts';
import type { Schemas } from './schemas.ts';

const ABOUT = `Payments and their on-chain transactions, reusable orders, identity verification (KYC), yield on lending
markets and spot quotes. Every answer is an envelope: \`status\` is its stable code, \`data\` its result.

Objects are open: a deployment may send fields and statuses that are not described here. Amounts of money are decimal
text. The one exception is \`value\` of an unsigned transaction, a JSON number in wei: read it without losing digits.`;

/** The areas of the service. Names and order are from the document's first table. */
const TAGS: Readonly<Record<Area, Tag>> = {
  pay: { name: 'Payments', description: 'Register a payment, create its payer transaction, send it, read its state' },
  products: { name: 'Configuration', description: 'Which payment products and methods a deployment offers' },
  order: { name: 'Orders', description: 'Reusable payment orders, up to 20 for each account' },
  kyc: { name: 'KYC', description: 'Prepare a user, prove an e-mail address or a wallet, verify the identity' },
  yield: {
    name: 'Yield',
    description: 'Lending strategies, better ones, and unsigned transactions to enter and leave them',
  },
  quote: { name: 'Quote', description: 'Spot price of any pair of assets' },
};

const ABOUT_EVENTS = `The service posts each change of a payment to \`tenant_data.webhook_url\` of its registration. The payload,
the names of events, signing and repetition are not shown by the service. The fields here are those that the sandbox
of bursar sends; a deployment may send others. Read the payment back before you act on an event.`;

/** The payload of a webhook. All fields are optional, because the document does not show the payload. Document: Events. */
export const paymentEvent = open(
  {
    event: text('What happened, such as payment.status_changed').optional(),
    created_at: moment('When it happened (ISO 8601)').optional(),
    data: z.optional(payment),
  },
  'A change of a payment, as the sandbox of bursar sends it',
  'PaymentEvent',
);

/** A webhook of the sandbox, for examples. */
export const PAYMENT_EVENT_EXAMPLE = {
  event: 'payment.status_changed',
  created_at: EXAMPLE_PAYMENT.updated_at,
  data: EXAMPLE_PAYMENT,
};

/** The webhooks of the service. Document: Events. */
const webhooksOf = (schemas: Schemas): Schema => ({
  paymentStatusChanged: {
    post: {
      operationId: 'paymentStatusChanged',
      tags: ['Payments'],
      summary: 'A payment changed its status',
      description: ABOUT_EVENTS,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.of(paymentEvent), example: PAYMENT_EVENT_EXAMPLE } },
      },
      responses: {
        '2XX': { description: 'Received' },
        '4XX': { description: 'Not received; the service may send it again' },
      },
    },
  },
});

/** The API of the service. Document: `errors` is present on `validation_error`. */
export const SERVICE_API: Api = {
  title: 'Payment, Yield and KYC Service',
  description: ABOUT,
  endpoints: ENDPOINTS,
  tags: TAGS,
  key: { name: 'ApiKey', header: 'x-api-key', description: 'API key, made in the account dashboard and shown once' },
  server: {
    description: 'The deployment',
    openDescription: 'A deployment, by its address',
    example: 'https://api.example.com',
  },
  meanings: ERRORS,
  namesFields: 'validation_error',
  webhooks: webhooksOf,
};
