import * as z from 'zod';

const payment_id = z.string('must be text').min(1, 'must not be empty');

/** What the calls about webhooks, Pix and cards take. */
export const MONEY_INPUTS = {
  events: z.object({ payment_id: payment_id.optional(), limit: z.coerce.number().int().min(1).max(500).default(50) }),
  deliveries: z.object({ id: z.coerce.number('must be the number of an event').int().min(1) }),
  resend: z.object({ id: z.int('must be the number of an event').min(1) }),
  webhooks: z.object({ targets: z.enum(['loopback', 'any'], 'must be loopback or any') }),
  pixOf: z.object({ payment_id }),
  pix: z.object({ payment_id, outcome: z.enum(['pay', 'refuse', 'expire'], 'must be pay, refuse or expire') }),
  card: z.object({ payment_id, outcome: z.enum(['approve', 'refuse'], 'must be approve or refuse') }),
} as const;

/** A webhook: which change it tells of, where it goes, and what came of it. */
const event = z.object({
  id: z.number(),
  payment_id: z.string(),
  payment_status: z.string(),
  state: z.enum(['pending', 'delivered', 'failed', 'not_sent']),
  attempts: z.number(),
  url: z.string(),
  created_at: z.string(),
  last_at: z.string().nullable(),
  last_http: z.number().nullable(),
  last_answer: z.string().nullable(),
});

/** One attempt to deliver a webhook; without `http` no answer came, and `answer` says why. */
const delivery = z.object({ at: z.string(), http: z.number().nullable(), answer: z.string() });

/** What they answer with. */
export const MONEY_OUTPUTS = {
  event,
  events: z.object({ events: z.array(event) }),
  deliveries: z.object({ deliveries: z.array(delivery) }),
  webhooks: z.object({ targets: z.enum(['loopback', 'any']) }),
  acted: z.object({ payment_id: z.string(), status: z.string() }),
  pix: z.object({
    payment_id: z.string(),
    txid: z.string(),
    code: z.string(),
    amount: z.string(),
    expires_at: z.string(),
  }),
} as const;

export type SentEvent = z.infer<typeof event>;
export type Delivery = z.infer<typeof delivery>;
export type Targets = z.infer<typeof MONEY_INPUTS.webhooks>['targets'];
export type PixAct = z.infer<typeof MONEY_INPUTS.pix>;
export type CardAct = z.infer<typeof MONEY_INPUTS.card>;
export type ActedOn = z.infer<typeof MONEY_OUTPUTS.acted>;
export type PixShown = z.infer<typeof MONEY_OUTPUTS.pix>;
