import { isSecretHeader } from '../core/secret.ts';
import type { HttpFault } from '../io/http/http.ts';
import type { Io } from '../io/io.ts';
import type { Delivery } from './store.ts';

/** The end of a forward: the HTTP status, or `null` without an answer and why, and the time of its last attempt. */
export type Forward = {
  readonly url: string;
  readonly http: number | null;
  readonly ms: number;
  readonly reason?: HttpFault['reason'];
};

/** The fault of a forward without an answer, in words; `undefined` with an answer. */
export const faultOf = ({ reason }: { readonly reason?: string | null | undefined }): string | undefined =>
  reason?.replaceAll('_', ' ');

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Pauses before the attempts after a failed one, in milliseconds. */
const PAUSES_MS = [500, 2_000, 8_000];

/** Headers of the connection (RFC 9110, section 7.6.1), which the next one has for itself. */
const OF_CONNECTION =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/;

/** The headers of a forward: never a key, and no header that the sender limits to its own connection. */
const forwardedHeaders = (headers: Delivery['headers']): Readonly<Record<string, string>> => {
  const limited = (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const isForwarded = ([name]: readonly [string, string]) =>
    !OF_CONNECTION.test(name) && !limited.includes(name) && !isSecretHeader(name);
  return Object.fromEntries(Object.entries(headers).filter(isForwarded));
};

/** Whether the target accepted a forward. */
export const isAccepted = ({ http }: Pick<Forward, 'http'>): boolean => http !== null && http >= 200 && http < 300;

/** Forwards that run at once. Others wait for their turn. */
const MAX_AT_ONCE = 32;

/** Runs at most `MAX_AT_ONCE` of the works that it gets, in their order. */
export const newGate = () => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
};

/** Posts the same bytes to an address of the user, and repeats a failed attempt after pauses. */
export const forward = async (io: Io, { headers, body }: Delivery, url: string): Promise<Forward> => {
  const own = forwardedHeaders(headers);
  for (let attempt = 0; ; attempt += 1) {
    const start = io.clock.monotonic();
    const answer = await io.http.send({
      ...{ method: 'POST', url, headers: own, bytes: body, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
    });
    const http = answer.http ?? null;
    const ms = Math.round(io.clock.monotonic() - start);
    const reason = answer.kind === 'fault' && http === null ? answer.reason : undefined;
    const ended: Forward = { url, http, ms, ...(reason !== undefined && { reason }) };
    const pause = PAUSES_MS[attempt];
    if (isAccepted({ http }) || pause === undefined) return ended;
    const isStopped = await io.clock.sleep(pause, io.interrupted).then(
      () => false,
      () => true,
    );
    if (isStopped) return ended;
  }
};
