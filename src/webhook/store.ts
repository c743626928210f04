import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, parseJson, printJson, textAt } from '../core/json.ts';
import { isSecretHeader, MASK } from '../core/secret.ts';
import type { Incoming } from '../io/http/receive.ts';
import type { Io } from '../io/io.ts';

/** A delivery as it is kept. The service does not document its payload. */
export type Delivery = {
  readonly id: string;
  /** When it was received. Deliveries are ordered by this, never by their payload. */
  readonly received_at: string;
  /** Headers that may grant access are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes. */
  readonly body: Uint8Array;
  /** An earlier delivery with equal bytes. */
  readonly same_as: string | undefined;
};

/** What a payload says, as far as it has the fields of the sandbox; `null` for others. It is a hint and no proof. */
export type Hint = {
  readonly event: string | null;
  readonly payment_id: string | null;
  readonly status: string | null;
};

const NO_HINT: Hint = { event: null, payment_id: null, status: null };

const decoded = (body: Uint8Array): string => new TextDecoder().decode(body);

/** Reads what a payload says about a payment. */
export const hintIn = ({ body }: Pick<Delivery, 'body'>): Hint => {
  let payload: unknown;
  try {
    payload = parseJson(decoded(body));
  } catch {
    return NO_HINT;
  }
  const inData = (name: string) => textAt(payload, 'data', name) ?? textAt(payload, name) ?? null;
  return {
    event: textAt(payload, 'event') ?? null,
    payment_id: inData('payment_id') ?? inData('id'),
    status: inData('status'),
  };
};

const folderOf = ({ places }: Io): string => join(places.state, 'webhooks');

const SUFFIX = '.ndjson';

/** A file is closed at this size, so that old files can be removed. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const digestOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url');

const lineOf = ({ id, received_at, headers, body, same_as }: Delivery): string =>
  `${printJson({ v: 1, id, received_at, headers, same_as, body: Buffer.from(body).toString('base64') })}\n`;

/** Reads a line; `undefined` for half a line after a crash, which was never answered. */
const deliveryIn = (line: string): Delivery | undefined => {
  try {
    const stored = parseJson(line) as Readonly<Record<string, string>>;
    if (!isJsonObject(stored) || typeof stored['body'] !== 'string') return undefined;
    return { ...(stored as unknown as Delivery), body: Buffer.from(stored['body'], 'base64') };
  } catch {
    return undefined;
  }
};

const filesOf = async (io: Io): Promise<readonly string[]> =>
  (await io.files.list(folderOf(io))).filter((name) => name.endsWith(SUFFIX));

const readFile = async (io: Io, name: string): Promise<readonly Delivery[]> => {
  const bytes = await io.files.read(join(folderOf(io), name));
  const lines = bytes === undefined ? [] : decoded(bytes).split('\n');
  return lines.flatMap((line) => (line === '' ? undefined : deliveryIn(line)) ?? []);
};

/** The kept deliveries, newest first, one file in memory at a time. */
export const deliveries = async function* (io: Io): AsyncGenerator<Delivery> {
  for (const name of (await filesOf(io)).toReversed()) yield* (await readFile(io, name)).toReversed();
};

/** The delivery with an id; `undefined` if there is none. */
export const findDelivery = async (io: Io, id: string): Promise<Delivery | undefined> => {
  for await (const delivery of deliveries(io)) if (delivery.id === id) return delivery;
  return undefined;
};

/** How long and how much is kept. */
export type Keep = { readonly days: number; readonly bytes: number };

export const USUAL_KEEP: Keep = { days: 7, bytes: 100 * 1024 * 1024 };

const DAY_MS = 24 * 60 * 60 * 1000;

/** The name of a file starts with the time of its first delivery. */
const startOf = (name: string): number =>
  Date.parse(name.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3:$4:$5.$6Z'));

/** The time at which a file got its last delivery, or a later one. */
const endOf = async (io: Io, name: string, nextName: string | undefined): Promise<number> => {
  if (nextName !== undefined) return startOf(nextName);
  const times = (await readFile(io, name)).map(({ received_at }) => Date.parse(received_at));
  return times.reduce((last, time) => Math.max(last, time), 0);
};

/** Removes whole files: those with old deliveries only, then the oldest ones above the size. Returns how many. */
export const prune = async (io: Io, { days, bytes }: Keep): Promise<number> => {
  const names = (await filesOf(io)).toReversed();
  let [room, removed] = [bytes, 0];
  for (const [at, name] of names.entries()) {
    const path = join(folderOf(io), name);
    room -= (await io.files.facts(path))?.size ?? 0;
    const isOld = (await endOf(io, name, names[at - 1])) <= io.clock.now() - days * DAY_MS;
    if (room >= 0 && !isOld) continue;
    await io.files.remove(path);
    removed += 1;
  }
  return removed;
};

/** A name that sorts by time. */
const nameAt = (io: Io): string => {
  const time = new Date(io.clock.now()).toISOString().replaceAll(/[-:.]/g, '');
  return `${time}-${Buffer.from(io.random.bytes(4)).toString('hex')}`;
};

const keptHeaders = (headers: Incoming['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? MASK : value]));

/** Opens the store for a receiver. It knows the digests of all kept deliveries, to find repeated ones. */
export const openStore = async (io: Io) => {
  await io.files.makePrivateFolder(folderOf(io));
  const known = new Map<string, string>();
  for await (const { id, body } of deliveries(io)) known.set(digestOf(body), id);
  let [file, size] = ['', 0];
  return {
    /** Stores deliveries with one sync. They are on the disk when this resolves. */
    add: async (arrived: readonly Incoming[]): Promise<readonly Delivery[]> => {
      const received_at = new Date(io.clock.now()).toISOString();
      const added = arrived.map(({ headers, body }): Delivery => {
        const [digest, id] = [digestOf(body), `wh_${nameAt(io)}`];
        const same_as = known.get(digest);
        if (same_as === undefined) known.set(digest, id);
        return { id, received_at, headers: keptHeaders(headers), body, same_as };
      });
      const text = added.map(lineOf).join('');
      if (size === 0 || size > MAX_FILE_BYTES) {
        await prune(io, USUAL_KEEP);
        [file, size] = [`${nameAt(io)}${SUFFIX}`, 0];
      }
      size += text.length;
      await io.files.appendDurably(join(folderOf(io), file), text);
      return added;
    },
  };
};

export type DeliveryStore = Awaited<ReturnType<typeof openStore>>;
