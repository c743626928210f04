import { join } from 'node:path';
import type { Io } from '../io/io.ts';
import { earlierLogPath, logPath } from './log.ts';

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
export type RequestLog = Readonly<ReturnType<typeof openRequestLog>>;

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

const bytesOf = async (io: Io, path: string): Promise<Buffer> =>
  Buffer.from((await io.files.read(path)) ?? new Uint8Array());

/** Opens the log of requests; nothing is read or written before the first. */
export const openRequestLog = (io: Io) => {
  let waiting = '';
  let size: number | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (text === '') return;
    size ??= (await bytesOf(io, requestsPath(io))).length;
    if (size > MAX_BYTES) {
      await io.files.replacePrivate(earlierRequestsPath(io), await bytesOf(io, requestsPath(io)));
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
    /** Resolves when all that was added is in the file. */
    flush,
    add: (asked: LoggedRequest) => {
      if (waiting === '') void io.clock.sleep(GATHER_MS).then(flush, flush);
      waiting += lineOf(new Date(io.clock.now()).toISOString(), asked);
    },
  };
};

/** One entry of the sandbox's log: a request and its answer, or a message of its process. */
export type LogEntry = { readonly at: string } & (LoggedRequest | { readonly message: string });

const NEW_LINE = 10;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const TIMED = new RegExp(`^(${TIME}) (.*)$`);
const REQUEST = new RegExp(`^(${TIME}) (\\S+) (\\S+) (\\d{3}) (\\d+)ms (.*)$`);

const requestOf = (line: string): readonly LogEntry[] => {
  const [, at = '', method = '', path = '', http, ms, status = ''] = REQUEST.exec(line) ?? [];
  return http === undefined ? [] : [{ at, method, path, http: Number(http), ms: Number(ms), status }];
};

/** A line without a time of its own, such as one of a stack, belongs to the entry before it. */
const messagesOf = (lines: readonly string[]): readonly LogEntry[] => {
  const entries: { at: string; message: string }[] = [];
  for (const line of lines) {
    const [, at, message = ''] = TIMED.exec(line) ?? [];
    const last = entries.at(-1);
    if (at !== undefined) entries.push({ at, message });
    else if (last) last.message += `\n${line}`;
    else entries.push({ at: '', message: line });
  }
  return entries;
};

/** The whole lines that a growing file has more than before; `earlier` is where its first part goes when it is full. */
const openTail = (io: Io, path: string, earlier: string) => {
  let seen: number | undefined;
  return async (): Promise<readonly string[]> => {
    const now = await bytesOf(io, path);
    const isNew = seen === undefined || now.length < seen;
    const before = isNew ? (await bytesOf(io, earlier)).subarray(seen ?? 0) : Buffer.alloc(0);
    const end = now.lastIndexOf(NEW_LINE) + 1;
    const fresh = Buffer.concat([before, now.subarray(isNew ? 0 : seen, end)]);
    seen = end;
    return fresh.length === 0 ? [] : fresh.toString('utf8').trimEnd().split('\n');
  };
};

/** Reads the log of this home's sandbox, whether it runs or not. */
export const openLogReader = (io: Io) => {
  const messages = openTail(io, logPath(io), earlierLogPath(io));
  const asked = openTail(io, requestsPath(io), earlierRequestsPath(io));
  return {
    /** The entries that are new since the last call, in the order of their times. */
    next: async (): Promise<readonly LogEntry[]> => {
      const entries = [...messagesOf(await messages()), ...(await asked()).flatMap(requestOf)];
      return entries.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
    },
  };
};
