import { printJson } from '../core/json.ts';
import { jsonOf, redactedBody } from '../core/redacted-body.ts';
import { redact, redactionOf, secretsIn } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import type { StoredRequest } from './request-log.ts';

/** A request with its query and both bodies, redacted. A body is JSON; it is text if it was cut or is not JSON. */
export type Exchange = StoredRequest & {
  readonly query?: unknown;
  readonly request?: unknown;
  readonly answer?: unknown;
};

type Body = string | Uint8Array;

/** A request and its answer before redaction. */
type RawExchange = {
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

/** A larger body is stored as its length. */
const MAX_BODY_LENGTH = 32 * 1024;

/**
 * New bodies are redacted at the next read, or one at a time after this time without a call. So redaction costs no time
 * under load. Newer calls then replace the oldest bodies: no body stays unredacted for more than 25 seconds.
 */
const IDLE_MS = 250;
const NEXT_MS = 5;

const limited = (body: Body): Body => (body.length > MAX_BODY_LENGTH ? printJson(`(${body.length} characters)`) : body);

const decoded = (body: Body | undefined): string | undefined => {
  if (body === undefined || body.length === 0) return undefined;
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
};

const queryOf = (url: string): Readonly<Record<string, string>> | undefined => {
  const entries = [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** A stored exchange. Its bodies are text, which takes less memory. */
type StoredExchange = {
  readonly entry: StoredRequest;
  readonly query: unknown;
  readonly bodies: readonly (string | undefined)[];
};

const redacted = ({ entry, url, keys, request, answer }: RawExchange): StoredExchange => {
  const query = queryOf(url);
  const texts = [decoded(request), decoded(answer)];
  const redaction = redactionOf([...keys, ...secretsIn([query, ...texts.map(jsonOf)])]);
  const bodies = texts.map((text) => text && redactedBody(text, redaction));
  return { entry, query: query && redact(query, redaction), bodies };
};

/** The redacted exchange. Bodies that cannot be redacted are not stored. */
const redactedOrNone = (exchange: RawExchange): readonly StoredExchange[] => {
  try {
    return [redacted(exchange)];
  } catch {
    return [];
  }
};

const bodyOf = (text: string | undefined): unknown => jsonOf(text) ?? text;

const exchangeOf = ({ entry, query, bodies: [request, answer] }: StoredExchange): Exchange => ({
  ...entry,
  ...(query !== undefined && { query }),
  ...(request !== undefined && { request: bodyOf(request) }),
  ...(answer !== undefined && { answer: bodyOf(answer) }),
});

/** Opens the store of the last requests with their bodies. It is in memory only. */
export const openExchanges = (io: Io) => {
  let waiting: readonly RawExchange[] = [];
  let stored: readonly StoredExchange[] = [];
  let count = 0;
  let isRedacting = false;
  const closed = new AbortController();
  /** Redacts the oldest waiting bodies. */
  const redactOldest = (number: number) => {
    stored = [...stored, ...waiting.slice(0, number).flatMap(redactedOrNone)].slice(-MAX_STORED);
    waiting = waiting.slice(number);
  };
  const redactWhenIdle = async () => {
    isRedacting = true;
    let pauseMs = IDLE_MS;
    while (waiting.length > 0 && !closed.signal.aborted) {
      const countBefore = count;
      await io.clock.sleep(pauseMs, closed.signal).catch(() => undefined);
      const isIdle = count === countBefore;
      if (isIdle) redactOldest(1);
      pauseMs = isIdle ? NEXT_MS : IDLE_MS;
    }
    isRedacting = false;
  };
  return {
    add: (exchange: RawExchange) => {
      const { request, answer } = exchange;
      const fresh = { ...exchange, request: request && limited(request), answer: limited(answer) };
      waiting = [...waiting.slice(1 - MAX_STORED), fresh];
      count += 1;
      if (!isRedacting) void redactWhenIdle();
    },
    /** The stored exchanges, oldest first. */
    list: (): readonly Exchange[] => {
      redactOldest(waiting.length);
      return stored.map(exchangeOf);
    },
    /** The number of requests so far. Open pages reload when it changes. */
    count: () => count,
    forget: () => {
      waiting = [];
      stored = [];
    },
    close: () => closed.abort(),
  };
};
