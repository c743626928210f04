import { join } from 'node:path';
import { escapeLines } from '../core/text.ts';
import type { Io } from '../io/io.ts';

/** Where the sandbox's log is; its background process writes there too. */
export const logPath = (io: Io): string => join(io.places.sandbox, 'sandbox.log');

/** What the log held before it was full. */
export const earlierLogPath = (io: Io): string => `${logPath(io)}.1`;

const MAX_BYTES = 1024 * 1024;

/** Signed transactions, keys and tokens are long runs of letters and digits; an address or a hash is not longer than 66. */
const LONG = /[\w+/=-]{67,}/g;
const KEYS = /\b(?:sandbox|control)_[\w-]{20,}/g;

/** E-mail addresses, and numbers as long as those of documents and cards. */
const PERSONAL = /[\w.+-]+@[\w-]+\.[\w.-]+|\b\d{11,19}\b/g;

/** Makes room in a full log. The background process holds the file open, so it is emptied where it is. */
const makeRoom = async ({ files }: Io, path: string, earlier: string): Promise<void> => {
  if (((await files.facts(path))?.size ?? 0) < MAX_BYTES) return;
  await files.replacePrivate(earlier, (await files.read(path)) ?? '');
  await files.empty(path);
};

const write = async (io: Io, text: string): Promise<void> => {
  const clean = escapeLines(text.replace(LONG, '[long]').replace(KEYS, '[key]').replace(PERSONAL, '[personal]'));
  await makeRoom(io, logPath(io), earlierLogPath(io));
  await io.files.appendDurably(logPath(io), `${new Date(io.clock.now()).toISOString()} ${clean}\n`);
};

/** One entry of the log, without secrets and without acting characters. Never throws: work goes on where a disk is full. */
export const log = (io: Io, text: string): Promise<void> => write(io, text).catch(() => undefined);

/** An unexpected error as text of the log. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
