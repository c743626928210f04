import { join } from 'node:path';
import type { Io } from '../io/io.ts';

/** One request and its answer: nothing of headers, queries or bodies. */
export type LoggedRequest = {
  readonly method: string;
  readonly path: string;
  readonly http: number;
  /** The envelope's status; `-` for an answer without one. */
  readonly status: string;
  readonly ms: number;
};

/** The file of a running sandbox, of which it is the only writer. */
export type RequestLog = {
  readonly add: (asked: LoggedRequest) => void;
  /** Resolves when all that was added is in the file. */
  readonly flush: () => Promise<void>;
};

/** Two files: the one being written, and the one before it. */
export const requestsPath = (io: Io): string => join(io.places.sandbox, 'requests.log');
export const earlierRequestsPath = (io: Io): string => `${requestsPath(io)}.1`;

/** Requests of so long a time are written in one go. */
const GATHER_MS = 100;
const MAX_BYTES = 1024 * 1024;

/** Words of paths, symbols, and ids of payments and orders; anything else may be somebody's name, address or key. */
const SAFE_PART = /^(?:[a-z_][a-z_-]{0,39}|[A-Z]{2,10}|pay_[0-9a-f]{32}|[a-z][0-9a-z]{23,24})$/;

/** A path whose parts a reader may see. */
export const shownPath = (path: string): string =>
  path
    .slice(0, 500)
    .split('/')
    .map((part) => (part === '' || SAFE_PART.test(part) ? part : '{…}'))
    .join('/');

const METHOD = /^[A-Z]{1,20}$/;

const lineOf = (at: string, { method, path, http, status, ms }: LoggedRequest): string =>
  `${at} ${METHOD.test(method) ? method : '?'} ${shownPath(path)} ${http} ${ms}ms ${status}\n`;

const read = async (io: Io): Promise<Uint8Array> => (await io.files.read(requestsPath(io))) ?? new Uint8Array();

/** Opens the log of requests; nothing is read or written before the first. */
export const openRequestLog = (io: Io): RequestLog => {
  let waiting = '';
  let size: number | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (text === '') return;
    size ??= (await read(io)).length;
    if (size > MAX_BYTES) {
      await io.files.replacePrivate(earlierRequestsPath(io), await read(io));
      await io.files.remove(requestsPath(io));
      size = 0;
    }
    await io.files.appendDurably(requestsPath(io), text);
    size += Buffer.byteLength(text);
  };
  // A full disk must not end the service: its requests are then missing from the log.
  const flush = () => {
    writing = writing.then(write).catch(() => undefined);
    return writing;
  };
  return {
    flush,
    add: (asked) => {
      if (waiting === '') void io.clock.sleep(GATHER_MS).then(flush, flush);
      waiting += lineOf(new Date(io.clock.now()).toISOString(), asked);
    },
  };
};
