import { join } from 'node:path';
import { isSecretHeader, MASK } from '../core/secret.ts';
import { type Claim, claim, removeDeadClaims } from '../io/files/claim.ts';
import type { Incoming } from '../io/http/receive.ts';
import type { Io } from '../io/io.ts';
import { newKnownDigests } from './known.ts';
import { prune, USUAL_KEEP } from './prune.ts';
import { type Delivery, digestOf, folderOf, isStoreFile, lineOf, nameAt, startOf } from './store.ts';

/** A file is closed at this size or age, so that old deliveries can be removed. */
const MAX_FILE = { bytes: 4 * 1024 * 1024, ms: 24 * 60 * 60 * 1000 };

const keptHeaders = (headers: Incoming['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? MASK : value]));

/** The file that a receiver appends to. Its claim keeps it from being removed meanwhile. */
type Open = { readonly name: string; readonly since: number; readonly claim: Claim; size: number };

/** The name of a new file. It sorts after all others, also after the clock of the machine was moved back. */
const newName = async (io: Io): Promise<string> => {
  const last = (await io.files.list(folderOf(io))).findLast(isStoreFile);
  const time = Math.max(io.clock.now(), last === undefined ? 0 : startOf(last) + 1);
  return `${nameAt(io, time)}.ndjson`;
};

const openFile = async (io: Io): Promise<Open> => {
  const name = await newName(io);
  const claimed = await claim(io, join(folderOf(io), name));
  if ('holder' in claimed) throw new Error(`another process has ${name}`);
  return { name, since: io.clock.monotonic(), claim: claimed.claim, size: 0 };
};

/** The deliveries of some requests, and those among them with equal bytes. */
const deliveriesFrom = (io: Io, arrived: readonly Incoming[], idOf: (digest: string) => string | undefined) => {
  const now = io.clock.now();
  const firsts = new Map<string, string>();
  return arrived.map(({ headers, body }) => {
    const [digest, id] = [digestOf(body), `wh_${nameAt(io, now)}`];
    const same_as = idOf(digest) ?? firsts.get(digest);
    if (same_as === undefined) firsts.set(digest, id);
    const delivery = { id, received_at: new Date(now).toISOString(), headers: keptHeaders(headers), body, same_as };
    return { digest, delivery };
  });
};

/** Opens the store for a receiver. */
export const openStore = async (io: Io) => {
  await io.files.makePrivateFolder(folderOf(io));
  await removeDeadClaims(io, folderOf(io));
  const known = newKnownDigests(io);
  let file: Open | undefined;
  await known.refresh();

  const close = async (): Promise<void> => {
    const closed = file;
    file = undefined;
    await closed?.claim.release();
  };
  const isFull = ({ size, since }: Open) => size > MAX_FILE.bytes || io.clock.monotonic() - since > MAX_FILE.ms;

  /** Closes a full or old file, and removes what is kept too long. */
  const tidy = async (): Promise<void> => {
    if (file !== undefined && isFull(file)) await close();
    await prune(io, USUAL_KEEP);
  };

  const add = async (arrived: readonly Incoming[]): Promise<readonly Delivery[]> => {
    // A file that cannot be removed stops no delivery.
    if (file === undefined || isFull(file)) await tidy().catch(() => undefined);
    await known.refresh();
    const open = file ?? (await openFile(io));
    file = open;
    known.skip(open.name);
    const added = deliveriesFrom(io, arrived, known.idOf);
    const text = added.map(({ delivery, digest }) => lineOf(delivery, digest)).join('');
    try {
      await io.files.appendDurably(join(folderOf(io), open.name), text);
    } catch (error) {
      // A half-written line would swallow the next one.
      await close();
      throw error;
    }
    open.size += text.length;
    for (const { digest, delivery } of added) known.remember(digest, delivery.same_as ?? delivery.id);
    return added.map(({ delivery }) => delivery);
  };

  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const working = last.then(work);
    last = working.catch(() => undefined);
    return working;
  };

  return {
    /** Stores deliveries with one sync. They are on the disk when this resolves. */
    add: (arrived: readonly Incoming[]) => inTurn(() => add(arrived)),
    tidy: () => inTurn(tidy),
    close: () => inTurn(close),
  };
};

export type DeliveryStore = Awaited<ReturnType<typeof openStore>>;
