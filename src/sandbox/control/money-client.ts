import type * as z from 'zod';
import {
  type ActedOn,
  type CardAct,
  type Delivery,
  type FaultInput,
  faultsShape,
  MONEY_OUTPUTS,
  type PixAct,
  type PixShown,
  type SentEvent,
  type Targets,
  type WaitingFault,
} from './shapes.ts';

/** A call of the control whose answer has that shape. */
type Ask = <T>(schema: z.ZodType<T>, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<T>;

/** Webhooks, Pix, cards and faults, as their commands use them. What the sandbox does not take throws `rejected`. */
export type MoneyControl = {
  /** Webhooks, newest first; of one payment where it is named. */
  readonly events: (payment?: string) => Promise<readonly SentEvent[]>;
  /** Every attempt to deliver a webhook, oldest first. */
  readonly deliveries: (id: number) => Promise<readonly Delivery[]>;
  readonly resend: (id: number) => Promise<SentEvent>;
  readonly webhooks: (targets: Targets) => Promise<void>;
  /** Where webhooks may go. */
  readonly webhookTargets: () => Promise<{ readonly targets: Targets }>;
  readonly pix: (payment: string) => Promise<PixShown>;
  readonly actOnPix: (act: PixAct) => Promise<ActedOn>;
  readonly actOnCard: (act: CardAct) => Promise<ActedOn>;
  readonly faults: () => Promise<readonly WaitingFault[]>;
  readonly addFault: (fault: FaultInput) => Promise<readonly WaitingFault[]>;
  readonly clearFaults: (endpoint?: string) => Promise<void>;
};

/** The calls about webhooks, Pix, cards and faults, each through `ask`. They throw as it does. */
export const moneyControl = (ask: Ask): MoneyControl => ({
  events: async (payment) => {
    const query = payment === undefined ? '' : `?${new URLSearchParams({ payment_id: payment })}`;
    return (await ask(MONEY_OUTPUTS.events, 'GET', `events${query}`)).events;
  },
  deliveries: async (id) => (await ask(MONEY_OUTPUTS.deliveries, 'GET', `events/deliveries?id=${id}`)).deliveries,
  resend: (id) => ask(MONEY_OUTPUTS.event, 'POST', 'events/resend', { id }),
  webhooks: async (targets) => void (await ask(MONEY_OUTPUTS.webhooks, 'POST', 'webhooks', { targets })),
  webhookTargets: () => ask(MONEY_OUTPUTS.webhooks, 'GET', 'webhooks'),
  pix: (payment) => ask(MONEY_OUTPUTS.pix, 'GET', `pix?${new URLSearchParams({ payment_id: payment })}`),
  actOnPix: (act) => ask(MONEY_OUTPUTS.acted, 'POST', 'pix', act),
  actOnCard: (act) => ask(MONEY_OUTPUTS.acted, 'POST', 'card', act),
  faults: async () => (await ask(faultsShape, 'GET', 'fault')).faults,
  addFault: async (fault) => (await ask(faultsShape, 'POST', 'fault', fault)).faults,
  clearFaults: async (endpoint?: string) => {
    const query = endpoint === undefined ? '' : `?${new URLSearchParams({ endpoint })}`;
    await ask(faultsShape, 'DELETE', `fault${query}`);
  },
});
