import type { Io } from '../io/io.ts';
import { earlierLogPath, logPath } from './log.ts';
import { earlierRequestsPath, requestsPath } from './request-log.ts';

/** One entry of the sandbox's log: a request and its answer, or a message of its process. */
export type LogEntry =
  | {
      readonly at: string;
      readonly method: string;
      readonly path: string;
      readonly http: number;
      readonly ms: number;
      readonly status: string;
    }
  | { readonly at: string; readonly message: string };

/** Gives, at each call, the entries that are new since the last one, in the order of their times. */
export type LogReader = { readonly next: () => Promise<readonly LogEntry[]> };

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

const bytesOf = async (io: Io, path: string): Promise<Buffer> =>
  Buffer.from((await io.files.read(path)) ?? new Uint8Array());

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
export const openLogReader = (io: Io): LogReader => {
  const messages = openTail(io, logPath(io), earlierLogPath(io));
  const asked = openTail(io, requestsPath(io), earlierRequestsPath(io));
  return {
    next: async () => {
      const entries = [...messagesOf(await messages()), ...(await asked()).flatMap(requestOf)];
      return entries.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
    },
  };
};
