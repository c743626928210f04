import { join } from 'node:path';
import type { Io } from '../io/io.ts';
import { earlierLogPath, logPath } from './log.ts';

/** One request and its answer, without headers, queries and bodies. */
export type LoggedRequest = {
  readonly method: string;
  readonly path: string;
  readonly http: number;
  /** The envelope's status; `-` for an answer without one. */
  readonly status: string;
  readonly ms: number;
};

/** A stored request of the log, with its time and its id. Unsafe parts of its path are masked. */
export type StoredRequest = LoggedRequest & { readonly at: string; readonly id: string };

/** The path of the log of requests. */
export const requestsPath = (io: Io): string => join(io.places.sandbox, 'requests.log');
/** The path of the earlier part of the log. The log moves there when it is full. */
export const earlierRequestsPath = (io: Io): string => `${requestsPath(io)}.1`;

/** The requests of this time are written together. */
const GATHER_MS = 100;
const MAX_BYTES = 1024 * 1024;

/** Words of paths, symbols, and ids of payments and orders. Any other part may be a name, an address or a key. */
const SAFE_PART = /^(?:[a-z_][a-z_-]{0,39}|[A-Z]{2,10}|pay_[0-9a-f]{32}|[a-z][0-9a-z]{23,24})$/;

/** A path with its unsafe parts masked. */
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

/** Opens the log of requests. It reads and writes no file before the first request. */
export const openRequestLog = (io: Io) => {
  /** The prefix of the request ids. It differs between two starts of the sandbox. */
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
  // On a full disk the service continues, and the log lacks its requests.
  const flush = () => {
    writing = writing.then(write).catch(() => undefined);
    return writing;
  };
  return {
    /** Resolves when all added requests are in the file. */
    flush,
    /** Adds a request and returns it as the log stores it. */
    add: ({ method, path, ...fields }: LoggedRequest): StoredRequest => {
      if (waiting === '') void io.clock.sleep(GATHER_MS).then(flush, flush);
      count += 1;
      const stored = {
        at: new Date(io.clock.now()).toISOString(),
        id: `${start}-${count}`,
        method: METHOD.test(method) ? method : '?',
        path: shownPath(path),
        ...fields,
      };
      waiting += lineOf(stored);
      return stored;
    },
  };
};

/** One request of the log. A request by an earlier version has no id. */
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

/** A filter of requests. A missing field passes all requests. */
export type RequestFilter = {
  /** An HTTP code, a class of codes such as 4xx, or a status of the service. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** The beginning of a path, or a pattern for a whole path. In a pattern `*` is any text. */
  readonly path?: string | undefined;
};

const matchesStatus = (filter: string, { http, status }: LoggedRequest): boolean => {
  if (/^[1-5]xx$/i.test(filter)) return String(http).startsWith(filter.slice(0, 1));
  return filter.toLowerCase() === status || filter === String(http);
};

const matchesPath = (pattern: string, path: string): boolean => {
  const [start = '', ...parts] = pattern.split('*');
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

/** Whether a request is a call of the control. */
export const isOfControl = ({ path }: Pick<LoggedRequest, 'path'>): boolean => path.startsWith('/_sandbox/');

/** Whether a request comes from bursar itself: a call of the control, or a request of the dashboard. */
export const isOwnRequest = ({ path }: Pick<LoggedRequest, 'path'>): boolean =>
  path === '/' || /^\/(?:_sandbox|_assets|_live|act)(?:\/|$)/.test(path);

/** Whether a request passes a filter. */
export const isShown = ({ status, method, path }: RequestFilter, entry: LoggedRequest): boolean =>
  (status === undefined || matchesStatus(status, entry)) &&
  (method === undefined || method.toUpperCase() === entry.method) &&
  (path === undefined || matchesPath(path, entry.path));

/** The messages in lines of a log. A line without a time, such as a line of a stack, belongs to the entry before it. */
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

/** Reads the new complete lines of a growing file. When the file is full, its content moves to `earlier`. */
const openTail = (io: Io, path: string, earlier: string) => {
  let position: number | undefined;
  return async (): Promise<readonly string[]> => {
    const bytes = await bytesOf(io, path);
    const isNew = position === undefined || bytes.length < position;
    const moved = isNew ? (await bytesOf(io, earlier)).subarray(position ?? 0) : Buffer.alloc(0);
    const end = bytes.lastIndexOf(NEW_LINE) + 1;
    const fresh = Buffer.concat([moved, bytes.subarray(isNew ? 0 : position, end)]);
    position = end;
    return fresh.length === 0 ? [] : fresh.toString('utf8').trimEnd().split('\n');
  };
};

/** Opens a reader of this home's logs. The sandbox need not run. */
export const openLogReader = (io: Io) => {
  const messages = openTail(io, logPath(io), earlierLogPath(io));
  const requests = openTail(io, requestsPath(io), earlierRequestsPath(io));
  return {
    /** The new entries since the last call, in the order of their times. */
    next: async (): Promise<readonly LogEntry[]> => {
      const entries = [...messagesOf(await messages()), ...(await requests()).flatMap(requestOf)];
      return entries.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
    },
  };
};
