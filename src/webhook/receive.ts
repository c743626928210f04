import { join } from 'node:path';
import { Failure } from '../core/failure.ts';
import type { Incoming } from '../io/http/receive.ts';
import type { Io } from '../io/io.ts';
import type { Delivery, DeliveryStore } from './store.ts';

/** The largest delivery, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Bodies that arrive at once, in bytes. */
const MAX_BYTES_AT_ONCE = 64 * 1024 * 1024;

/** Deliveries that wait to be stored, shown or forwarded. */
const MAX_WAITING = 2000;

/** The path of the receiver: nobody can guess it, and it stays the same for this home. */
export const receiverPath = async (io: Io): Promise<string> => {
  const file = join(io.places.state, 'webhooks', 'path');
  const read = async () => {
    const bytes = await io.files.read(file);
    return bytes && new TextDecoder().decode(bytes).trim();
  };
  const stored = await read();
  if (stored) return stored;
  await io.files.createPrivate(file, `/${Buffer.from(io.random.bytes(18)).toString('base64url')}\n`);
  const path = await read();
  if (path) return path;
  throw new Failure('unwritable_file', `${file} cannot be written`);
};

type Waiting = { readonly incoming: Incoming; readonly done: (status: number) => void };

type Receiving<T> = {
  readonly port: number;
  readonly path: string;
  readonly store: DeliveryStore;
  /** Works on a stored delivery, beside others. */
  readonly work: (delivery: Delivery) => Promise<T>;
  /** Called with the results in the order of receipt. */
  readonly show: (result: T) => Promise<void>;
  /** Called when deliveries cannot be stored. They were answered with 503. */
  readonly onFault: (error: unknown) => Promise<void>;
};

/** Receives deliveries. Each is on the disk before it is answered with 200; one sync may cover several. */
export const startReceiver = async <T>(io: Io, { port, path, store, work, show, onFault }: Receiving<T>) => {
  const arrived: Waiting[] = [];
  let shown: Promise<void> = Promise.resolve();
  let [waiting, isStoring] = [0, false];

  const storeAll = async (): Promise<void> => {
    isStoring = true;
    while (arrived.length > 0) {
      const batch = arrived.splice(0);
      try {
        const stored = await store.add(batch.map(({ incoming }) => incoming));
        for (const { done } of batch) done(200);
        for (const delivery of stored) {
          const working = work(delivery);
          // Its turn to be awaited may come later.
          working.catch(() => undefined);
          shown = shown
            .then(async () => show(await working))
            .catch(onFault)
            .finally(() => {
              waiting -= 1;
            });
        }
      } catch (error) {
        waiting -= batch.length;
        for (const { done } of batch) done(503);
        await onFault(error).catch(() => undefined);
      }
    }
    isStoring = false;
  };

  const receiver = await io.receive({
    port,
    maxBytes: MAX_BYTES,
    maxBytesAtOnce: MAX_BYTES_AT_ONCE,
    refusal: (request) => {
      if (request.path !== path) return 404;
      if (request.method !== 'POST') return 405;
      return waiting >= MAX_WAITING ? 503 : undefined;
    },
    answer: (incoming) =>
      new Promise((done) => {
        waiting += 1;
        arrived.push({ incoming, done });
        if (!isStoring) void storeAll();
      }),
  });
  return {
    url: `http://127.0.0.1:${receiver.port}${path}`,
    /** Accepts nothing more, and waits until all deliveries are answered and shown. */
    close: async (): Promise<void> => {
      await receiver.close();
      await shown;
    },
  };
};
