import type { Io } from '../../../io/io.ts';
import { type Hint, hintIn } from '../../../webhook/store.ts';

/** The webhooks of one run. They are hints: the flow reads the payment itself. */
export type WebhookInbox = {
  readonly url: string;
  /** Waits until a webhook about a payment has arrived; with a status, one that announces it. */
  readonly wait: (
    paymentId: string,
    status: string | undefined,
    seconds: number,
  ) => Promise<{ readonly state: 'received' | 'missing'; readonly statuses: readonly string[] }>;
  readonly close: () => Promise<void>;
};

const MAX_BYTES = 1024 * 1024;
const MAX_BYTES_AT_ONCE = 16 * 1024 * 1024;
const MAX_KEPT = 1000;
const LOOK_EVERY_MS = 50;

/** Receives the webhooks of a run on loopback, under a path that nobody can guess. */
export const receiveWebhooks = async (io: Io): Promise<WebhookInbox> => {
  const path = `/${Buffer.from(io.random.bytes(16)).toString('base64url')}`;
  const kept: Hint[] = [];
  const receiver = await io.receive({
    port: 0,
    maxBytes: MAX_BYTES,
    maxBytesAtOnce: MAX_BYTES_AT_ONCE,
    refusal: (request) => (request.path === path && request.method === 'POST' ? undefined : 404),
    answer: async (incoming) => {
      if (kept.length >= MAX_KEPT) return 503;
      kept.push(hintIn(incoming));
      return 204;
    },
  });
  return {
    url: `http://127.0.0.1:${receiver.port}${path}`,
    wait: async (paymentId, status, seconds) => {
      const deadline = io.clock.monotonic() + seconds * 1000;
      for (;;) {
        const statuses = kept.filter((hint) => hint.payment_id === paymentId).map((hint) => hint.status ?? '');
        const hasArrived = status === undefined ? statuses.length > 0 : statuses.includes(status);
        if (hasArrived) return { state: 'received', statuses };
        if (io.clock.monotonic() >= deadline) return { state: 'missing', statuses };
        await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
      }
    },
    close: receiver.close,
  };
};
