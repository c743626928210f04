import { createHash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../core/failure.ts';
import type { Incoming } from '../io/http/receive.ts';
import type { Io } from '../io/io.ts';
import type { DeliveryStore } from './open-store.ts';
import { type Delivery, folderOf } from './store.ts';

/** The largest delivery, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Bodies that arrive or wait to be stored, in bytes. */
const MAX_BYTES_AT_ONCE = 32 * 1024 * 1024;

/** Bodies that wait to be shown or forwarded, in bytes. */
const MAX_BYTES_WAITING = 32 * 1024 * 1024;

/** Deliveries of about this size share a sync, or a single larger one has its own. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Deliveries that wait to be stored, shown or forwarded. */
const MAX_WAITING = 2000;

const IS_PATH = /^\/[\w-]{24}$/;

/** The path of the receiver: nobody can guess it, and it stays the same for this home. */
export const receiverPath = async (io: Io): Promise<string> => {
  const file = join(folderOf(io), 'path');
  const read = async () => {
    const bytes = await io.files.read(file);
    return bytes && new TextDecoder().decode(bytes).trim();
  };
  const stored = await read();
  if (stored !== undefined && IS_PATH.test(stored)) return stored;
  // A damaged file must not become a path that can be guessed.
  if (stored !== undefined) await io.files.remove(file);
  await io.files.createPrivate(file, `/${Buffer.from(io.random.bytes(18)).toString('base64url')}\n`);
  const path = await read();
  if (path !== undefined && IS_PATH.test(path)) return path;
  throw new Failure('unwritable_file', `${file} cannot be written`);
};

/** Whether two paths are equal, in a time that shows no part of the right one. */
const isSamePath = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((path) => createHash('sha256').update(path).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
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
  let [waiting, waitingBytes, isStoring] = [0, 0, false];
  const leave = (bytes: number): void => {
    waiting -= 1;
    waitingBytes -= bytes;
  };
  const isFull = (): boolean => waiting >= MAX_WAITING || waitingBytes >= MAX_BYTES_WAITING;
  /** The deliveries that share the next sync. */
  const nextBatch = (): readonly Waiting[] => {
    let [count, bytes] = [0, 0];
    while (count < arrived.length && (count === 0 || bytes < MAX_BATCH_BYTES)) {
      bytes += arrived[count]?.incoming.body.length ?? 0;
      count += 1;
    }
    return arrived.splice(0, count);
  };

  const storeAll = async (): Promise<void> => {
    isStoring = true;
    while (arrived.length > 0) {
      const batch = nextBatch();
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
            .finally(() => leave(delivery.body.length));
        }
      } catch (error) {
        for (const { done, incoming } of batch) {
          leave(incoming.body.length);
          done(503);
        }
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
      if (!isSamePath(request.path, path)) return 404;
      if (request.method !== 'POST') return 405;
      return isFull() ? 503 : undefined;
    },
    answer: (incoming) =>
      new Promise((done) => {
        if (isFull()) return done(503);
        waiting += 1;
        waitingBytes += incoming.body.length;
        arrived.push({ incoming, done });
        if (!isStoring) void storeAll();
        return undefined;
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
