import { printJson } from '../core/json.ts';
import { jsonOf, redactedBody } from '../core/redacted-body.ts';
import { redact, redactionOf, secretsIn } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import type { StoredRequest } from './request-log.ts';

/** A request with its query and both bodies, redacted. A body is JSON, or text where it was cut or is no JSON. */
export type Exchange = StoredRequest & {
  readonly query?: unknown;
  readonly request?: unknown;
  readonly answer?: unknown;
};

type Body = string | Uint8Array;

/** A request and its answer as they were sent. */
type Sent = {
  readonly entry: StoredRequest;
  /** The address with its query. */
  readonly url: string;
  /** The keys in the headers. */
  readonly keys: readonly string[];
  readonly request: Body | undefined;
  readonly answer: Body;
};

/** The number of requests whose bodies are stored. */
const MAX_STORED = 100;

/** Of a larger body only the length is stored. */
const LARGEST = 32 * 1024;

/**
 * New bodies are redacted at the next read, or as soon as no call came for so long, one at a time. So they cost no time while
 * there are many calls. Newer calls push them out then: no body stays as it was sent for more than 25 seconds.
 */
const IDLE_MS = 250;
const NEXT_MS = 5;

const limited = (body: Body): Body => (body.length > LARGEST ? printJson(`(${body.length} characters)`) : body);

const decoded = (body: Body | undefined): string | undefined => {
  if (body === undefined || body.length === 0) return undefined;
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
};

const queryOf = (url: string): Readonly<Record<string, string>> | undefined => {
  const entries = [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** An exchange as it is stored: its bodies as text, which takes less memory. */
type Stored = {
  readonly entry: StoredRequest;
  readonly query: unknown;
  readonly bodies: readonly (string | undefined)[];
};

const redacted = ({ entry, url, keys, request, answer }: Sent): Stored => {
  const query = queryOf(url);
  const texts = [decoded(request), decoded(answer)];
  const redaction = redactionOf([...keys, ...secretsIn([query, ...texts.map(jsonOf)])]);
  const bodies = texts.map((text) => text && redactedBody(text, redaction));
  return { entry, query: query && redact(query, redaction), bodies };
};

/** Bodies that cannot be redacted are not stored. */
const redactedOrNone = (sent: Sent): readonly Stored[] => {
  try {
    return [redacted(sent)];
  } catch {
    return [];
  }
};

const bodyOf = (text: string | undefined): unknown => jsonOf(text) ?? text;

const exchangeOf = ({ entry, query, bodies: [request, answer] }: Stored): Exchange => ({
  ...entry,
  ...(query !== undefined && { query }),
  ...(request !== undefined && { request: bodyOf(request) }),
  ...(answer !== undefined && { answer: bodyOf(answer) }),
});

/** Opens the memory of the last requests with their bodies. */
export const openExchanges = (io: Io) => {
  let waiting: readonly Sent[] = [];
  let stored: readonly Stored[] = [];
  let count = 0;
  let isRedacting = false;
  const closed = new AbortController();
  /** Redacts the oldest bodies that wait. */
  const redactOldest = (howMany: number) => {
    stored = [...stored, ...waiting.slice(0, howMany).flatMap(redactedOrNone)].slice(-MAX_STORED);
    waiting = waiting.slice(howMany);
  };
  const redactWhenIdle = async () => {
    isRedacting = true;
    let pauseMs = IDLE_MS;
    while (waiting.length > 0 && !closed.signal.aborted) {
      const before = count;
      await io.clock.sleep(pauseMs, closed.signal).catch(() => undefined);
      const isIdle = count === before;
      if (isIdle) redactOldest(1);
      pauseMs = isIdle ? NEXT_MS : IDLE_MS;
    }
    isRedacting = false;
  };
  return {
    add: (sent: Sent) => {
      const { request, answer } = sent;
      const fresh = { ...sent, request: request && limited(request), answer: limited(answer) };
      waiting = [...waiting.slice(1 - MAX_STORED), fresh];
      count += 1;
      if (!isRedacting) void redactWhenIdle();
    },
    /** The stored exchanges, oldest first. */
    list: (): readonly Exchange[] => {
      redactOldest(waiting.length);
      return stored.map(exchangeOf);
    },
    /** The number of requests so far: open pages reload after a change. */
    count: () => count,
    forget: () => {
      waiting = [];
      stored = [];
    },
    close: () => closed.abort(),
  };
};
