import { join } from 'node:path';
import { isClaimOn } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';
import { digestsIn, folderOf, isStoreFile } from './store.ts';

/** Deliveries among which equal bytes are found: the newest ones. About 20 MB of memory. */
const MAX_KNOWN = 100_000;

/** How far a file of another receiver was read, and whether that receiver has closed it. */
type ReadFile = { readonly bytes: number; readonly isClosed: boolean };

/** The digests of kept deliveries, also of those that other receivers of this home store meanwhile. */
export const newKnownDigests = (io: Io) => {
  const folder = folderOf(io);
  /** Ids by digest, those that were seen last at the end. */
  const known = new Map<string, string>();
  let files = new Map<string, ReadFile>();

  const remember = (digest: string, id: string): void => {
    const first = known.get(digest) ?? id;
    known.delete(digest);
    known.set(digest, first);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  };

  /** The digests behind the bytes that were read before, and the end of the last whole line. */
  const readOn = async (name: string, from: number) => {
    const bytes = (await io.files.readFrom(join(folder, name), from)) ?? new Uint8Array();
    const end = bytes.lastIndexOf(0x0a) + 1;
    const lines = new TextDecoder().decode(bytes.subarray(0, end)).split('\n').slice(0, -1);
    return { found: digestsIn(lines), bytes: from + end };
  };

  /** Reads what other receivers have stored since the last call. */
  const refresh = async (): Promise<void> => {
    const names = await io.files.list(folder);
    const now = new Map<string, ReadFile>();
    const news: (readonly [string, string])[] = [];
    for (const name of names.filter(isStoreFile).toReversed()) {
      const before = files.get(name);
      const isClosed = !names.some((each) => isClaimOn(join(folder, name), each));
      const isRegular = before !== undefined || (await io.files.facts(join(folder, name)))?.isFile === true;
      if (before?.isClosed === true || !isRegular || news.length >= MAX_KNOWN) {
        now.set(name, before ?? { bytes: 0, isClosed: true });
        continue;
      }
      const { found, bytes } = await readOn(name, before?.bytes ?? 0);
      news.unshift(...found.slice(-MAX_KNOWN));
      now.set(name, { bytes, isClosed });
    }
    for (const [digest, id] of news) remember(digest, id);
    files = now;
  };

  return {
    refresh,
    remember,
    idOf: (digest: string) => known.get(digest),
    /** A file of this receiver itself is not read. */
    skip: (name: string): void => void files.set(name, { bytes: 0, isClosed: true }),
  };
};
