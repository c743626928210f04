import { join } from 'node:path';
import { escapeLines } from '../core/text.ts';
import type { Io } from '../io/io.ts';

/** The path of the sandbox's log. The output of the background process goes there too. */
export const logPath = (io: Io): string => join(io.places.sandbox, 'sandbox.log');

/** The path of the earlier part of the log. The log moves there when it is full. */
export const earlierLogPath = (io: Io): string => `${logPath(io)}.1`;

const MAX_BYTES = 1024 * 1024;

/** Signed transactions and tokens: texts longer than the 66 characters of a hash. */
const LONG = /[\w+/=-]{67,}/g;
const KEYS = /\b(?:sandbox|control)_[\w-]{20,}/g;

/** E-mail addresses, and numbers with the length of document or card numbers. */
const PERSONAL = /[\w.+-]+@[\w-]+\.[\w.-]+|\b\d{11,19}\b/g;

/** Moves the content of a full log. The background process holds the file open, so the file is emptied, not replaced. */
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

/** Writes one entry without secrets and control characters. Never rejects, so that work continues on a full disk. */
export const log = (io: Io, text: string): Promise<void> => write(io, text).catch(() => undefined);

/** The stack or the text of an unexpected error, for the log. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
