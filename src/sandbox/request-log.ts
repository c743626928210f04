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

/** A request as the log stores it: with its time, an id of its own, and a path that a reader may see. */
export type StoredRequest = LoggedRequest & { readonly at: string; readonly id: string };

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

const lineOf = ({ at, id, method, path, http, status, ms }: StoredRequest): string =>
  `${at} ${method} ${path} ${http} ${ms}ms #${id} ${status}\n`;

const bytesOf = async (io: Io, path: string): Promise<Buffer> =>
  Buffer.from((await io.files.read(path)) ?? new Uint8Array());

/** Opens the log of requests; nothing is read or written before the first. */
export const openRequestLog = (io: Io) => {
  /** Ids of requests begin with it, so that those of two starts differ. */
  const start = io.clock.now().toString(36);
  let count = 0;
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
    /** The request as it is stored. */
    add: ({ method, path, ...asked }: LoggedRequest): StoredRequest => {
      if (waiting === '') void io.clock.sleep(GATHER_MS).then(flush, flush);
      count += 1;
      const stored = {
        at: new Date(io.clock.now()).toISOString(),
        id: `${start}-${count}`,
        method: METHOD.test(method) ? method : '?',
        path: shownPath(path),
        ...asked,
      };
      waiting += lineOf(stored);
      return stored;
    },
  };
};

/** One request of the log. One that an earlier version wrote has no id. */
export type RequestEntry = LoggedRequest & { readonly at: string; readonly id?: string };

/** One entry of the sandbox's log: a request and its answer, or a message of its process. */
export type LogEntry = RequestEntry | { readonly at: string; readonly message: string };

const NEW_LINE = 10;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const TIMED = new RegExp(`^(${TIME}) (.*)$`);
const REQUEST = new RegExp(`^(${TIME}) (\\S+) (\\S+) (\\d{3}) (\\d+)ms (?:#([\\w-]+) )?(.*)$`);

const requestOf = (line: string): readonly RequestEntry[] => {
  const [, at = '', method = '', path = '', http, ms, id, status = ''] = REQUEST.exec(line) ?? [];
  if (http === undefined) return [];
  return [{ at, ...(id && { id }), method, path, http: Number(http), ms: Number(ms), status }];
};

/** Which requests are shown; a filter that is left out allows all. */
export type RequestFilter = {
  /** An HTTP status, a class of them such as 4xx, or a status of the service. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** The beginning of a path, or a pattern for a whole path, in which `*` is any text. */
  readonly path?: string | undefined;
};

const isOfStatus = (wanted: string, { http, status }: LoggedRequest): boolean => {
  if (/^[1-5]xx$/i.test(wanted)) return String(http).startsWith(wanted.slice(0, 1));
  return wanted === status || wanted === String(http);
};

const isOfPath = (wanted: string, path: string): boolean => {
  const [start = '', ...parts] = wanted.split('*');
  const end = parts.pop();
  if (!path.startsWith(start)) return false;
  if (end === undefined) return true;
  let from = start.length;
  for (const part of parts) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return path.length - end.length >= from && path.endsWith(end);
};

/** Whether a request is a call of the control, such as those of the commands and the dashboard. */
export const isOfControl = ({ path }: Pick<LoggedRequest, 'path'>): boolean => path.startsWith('/_sandbox/');

/** Whether a request is of bursar itself: a call of the control, or a part of the dashboard. */
export const isOwnRequest = ({ path }: Pick<LoggedRequest, 'path'>): boolean =>
  path === '/' || /^\/(?:_sandbox|_assets|_live|act)(?:\/|$)/.test(path);

/** Whether a filter lets a request through. */
export const isShown = ({ status, method, path }: RequestFilter, entry: LoggedRequest): boolean =>
  (status === undefined || isOfStatus(status, entry)) &&
  (method === undefined || method.toUpperCase() === entry.method) &&
  (path === undefined || isOfPath(path, entry.path));

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
