import * as z from 'zod';
import { moment, open, text } from '../fields.ts';
import { EXAMPLE_PAYMENT, payment } from '../pay/status.ts';
import type { Schema } from '../rule-schema.ts';
import type { Schemas } from './schemas.ts';

const ABOUT = `The service posts each change of a payment to \`tenant_data.webhook_url\` of its registration. Payload, names of
events, signing and repetition are not shown by the service: the fields here are those that the sandbox of bursar sends,
and a deployment may send others. Read the payment back before you act on an event.`;

/** Every field may be missing: the payload is not shown. Document: Events. */
export const paymentEvent = open(
  {
    event: text('What happened, such as payment.status_changed').optional(),
    created_at: moment('When it happened (ISO 8601)').optional(),
    data: z.optional(payment),
  },
  'A change of a payment, as the sandbox of bursar sends it',
  'PaymentEvent',
);

/** An event as the sandbox sends it. */
export const PAYMENT_EVENT_EXAMPLE = {
  event: 'payment.status_changed',
  created_at: EXAMPLE_PAYMENT.updated_at,
  data: EXAMPLE_PAYMENT,
};

/** What the service sends by itself. Document: Events. */
export const webhooksOf = (schemas: Schemas): Schema => ({
  paymentStatusChanged: {
    post: {
      operationId: 'paymentStatusChanged',
      tags: ['Payments'],
      summary: 'A payment changed its status',
      description: ABOUT,
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
