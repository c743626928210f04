import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, parseJson, printJson, textAt, valueAt } from '../core/json.ts';
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

/** A longer text is no event, id or status, and would fill a list. */
const MAX_HINT = 128;

const decoded = (body: Uint8Array): string => new TextDecoder().decode(body);

const OF_PAYMENT = ['payment_id', 'id', 'status'];

/** Exact numbers take a hundred times longer to parse, and only an id can be one. */
const parsePayload = (text: string): unknown => {
  const payload: unknown = JSON.parse(text);
  const hasNumber = OF_PAYMENT.some((name) =>
    [valueAt(payload, name), valueAt(payload, 'data', name)].some((value) => typeof value === 'number'),
  );
  return hasNumber ? parseJson(text) : payload;
};

/** Reads what a payload says about a payment. */
export const hintIn = ({ body }: Pick<Delivery, 'body'>): Hint => {
  let payload: unknown;
  try {
    payload = parsePayload(decoded(body));
  } catch {
    return NO_HINT;
  }
  const shortAt = (...path: readonly string[]): string | null => {
    const text = textAt(payload, ...path);
    return text !== undefined && text.length <= MAX_HINT ? text : null;
  };
  const inData = (name: string) => shortAt('data', name) ?? shortAt(name);
  return { event: shortAt('event'), payment_id: inData('payment_id') ?? inData('id'), status: inData('status') };
};

/** The folder of a home's deliveries. */
export const folderOf = ({ places }: Pick<Io, 'places'>): string => join(places.state, 'webhooks');

const NAME = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{8}\.ndjson$/;

/** Whether a name is that of a file with deliveries. */
export const isStoreFile = (name: string): boolean => NAME.test(name);

/** The time in the name of a file, which is that of its first delivery. */
export const startOf = (name: string): number => Date.parse(name.replace(NAME, '$1-$2-$3:$4:$5.$6Z'));

/** A time and a random part, as in the names of files and the ids of deliveries. They sort by time. */
export const nameAt = (io: Pick<Io, 'random'>, time: number): string =>
  `${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}-${Buffer.from(io.random.bytes(4)).toString('hex')}`;

/** The digest that equal bytes share. */
export const digestOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url');

/** A delivery as a line. The digest comes before all that a sender chooses, so that it is found without parsing. */
export const lineOf = ({ id, received_at, headers, body, same_as }: Delivery, digest = digestOf(body)): string =>
  `${printJson({ v: 1, id, received_at, digest, headers, same_as, body: Buffer.from(body).toString('base64') })}\n`;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a line; `undefined` for half a line after a crash, which was never answered, and for a damaged one. */
const deliveryIn = (line: string): Delivery | undefined => {
  try {
    // A line has texts alone, and no number that must stay exact.
    const { id, received_at, headers, body, same_as } = Object(JSON.parse(line));
    if (![id, received_at, body].every(isText) || Number.isNaN(Date.parse(received_at))) return undefined;
    if (!isJsonObject(headers) || !Object.values(headers).every(isText)) return undefined;
    return { id, received_at, headers: headers as Delivery['headers'], body: Buffer.from(body, 'base64'), same_as };
  } catch {
    return undefined;
  }
};

const HEAD = /^\{"v":1,"id":"(wh_[\w-]+)","received_at":"[^"]*","digest":"([\w-]+)"/;

/** The digest and the id of each whole line, in order. */
export const digestsIn = (lines: readonly string[]): readonly (readonly [digest: string, id: string])[] =>
  lines.flatMap((line) => {
    const [, id, digest] = HEAD.exec(line) ?? [];
    if (id !== undefined && digest !== undefined) return [[digest, id] as const];
    const delivery = deliveryIn(line);
    return delivery === undefined ? [] : [[digestOf(delivery.body), delivery.id] as const];
  });

/** A file with deliveries, and the time of its last change. */
export type StoreFile = { readonly name: string; readonly path: string; readonly size: number; readonly end: number };

/** The regular files with deliveries, oldest first. */
export const filesOf = async (io: Io): Promise<readonly StoreFile[]> => {
  const found = (await io.files.list(folderOf(io))).filter(isStoreFile).map(async (name) => {
    const path = join(folderOf(io), name);
    const facts = await io.files.facts(path);
    return facts?.isFile === true ? [{ name, path, size: facts.size, end: facts.modifiedAt }] : [];
  });
  return (await Promise.all(found)).flat();
};

const readFile = async (io: Io, { path }: StoreFile): Promise<readonly Delivery[]> => {
  const bytes = await io.files.read(path);
  const lines = bytes === undefined ? [] : decoded(bytes).split('\n');
  return lines.flatMap((line) => (line === '' ? undefined : deliveryIn(line)) ?? []);
};

/** Files whose times overlap, because several receivers wrote them at once. Most groups have one file. */
const groupsOf = (files: readonly StoreFile[]): readonly (readonly StoreFile[])[] => {
  const groups: StoreFile[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const file of files) {
    if (startOf(file.name) <= end) groups.at(-1)?.push(file);
    else groups.push([file]);
    end = Math.max(end, file.end);
  }
  return groups;
};

const byReceipt = (one: Delivery, other: Delivery): number =>
  Date.parse(one.received_at) - Date.parse(other.received_at);

/** The kept deliveries in the order of receipt, one group of files in memory at a time. */
export const deliveries = async function* (io: Io, first: 'newest' | 'oldest'): AsyncGenerator<Delivery> {
  const groups = groupsOf(await filesOf(io));
  for (const group of first === 'newest' ? groups.toReversed() : groups) {
    const all = (await Promise.all(group.map((file) => readFile(io, file)))).flat();
    // One receiver writes in the order of receipt, also while the clock of the machine is moved.
    const sorted = group.length === 1 ? all : all.toSorted(byReceipt);
    yield* first === 'newest' ? sorted.toReversed() : sorted;
  }
};

/** The delivery with an id; `undefined` if there is none. */
export const findDelivery = async (io: Io, id: string): Promise<Delivery | undefined> => {
  for await (const delivery of deliveries(io, 'newest')) if (delivery.id === id) return delivery;
  return undefined;
};
