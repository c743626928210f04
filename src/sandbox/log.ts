import { join } from 'node:path';
import { escapeLines } from '../core/escape.ts';
import type { Io } from '../io/io.ts';

/** Where the sandbox's log is; its background process writes there too. */
export const logPath = (io: Io): string => join(io.places.sandbox, 'sandbox.log');

/** Signed transactions, keys and tokens are long runs of letters and digits; an address or a hash is not longer than 66. */
const LONG = /[\w+/=-]{67,}/g;
const KEYS = /\b(?:sandbox|control)_[\w-]{20,}/g;

/** One entry of the log, without secrets and without acting characters. */
export const log = async (io: Io, text: string): Promise<void> => {
  const clean = escapeLines(text.replace(LONG, '[long]').replace(KEYS, '[key]'));
  await io.files.appendDurably(logPath(io), `${new Date(io.clock.now()).toISOString()} ${clean}\n`);
};

/** What an unexpected error says in the log. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
