import { promisify } from 'node:util';
import { hasCode, messageOf, TLS_ERROR } from '../../core/failure.ts';
import { once } from '../../core/once.ts';
import type { Environment } from '../../core/screen.ts';
import type { ProxyChoice } from './proxy.ts';
import type { Exchange } from './read.ts';

/** A whole request; names of headers are in lower case. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** In place of `body`: exact bytes. */
  readonly bytes?: Uint8Array;
  /** Covers the whole exchange, with the body of the response. */
  readonly timeoutMs: number;
  /** A larger response is a fault. */
  readonly maxBytes: number;
  /** Of a cleanup: an interrupt does not end the call. */
  readonly outlivesInterrupt?: true;
};

/** A complete response of any status; `http` is its status, names of headers are in lower case. */
export type HttpAnswer = {
  readonly kind: 'answer';
  readonly http: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Why no complete response came. */
export type HttpFaultReason =
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'tls'
  | 'deadline'
  | 'connection_lost'
  | 'too_large'
  | 'bad_encoding'
  | 'proxy'
  | 'interrupted';

/** No complete response came. `sent` is false only if no byte left. `withheld`, `taken_over`: bursar made no call. */
export type HttpFault = {
  readonly kind: 'fault';
  readonly reason: HttpFaultReason | 'withheld' | 'taken_over';
  readonly sent: boolean;
  readonly message: string;
  /** The error code of Node or OpenSSL, such as CERT_HAS_EXPIRED. */
  readonly code?: string;
  /** The status of a response whose body is too large or cannot be inflated. */
  readonly http?: number;
};

/**
 * Sends one request on a connection of its own, and follows no redirect. Inflates a compressed body, up to `maxBytes`.
 * Uses the proxy of the environment, except for this machine. Never throws for a network error.
 */
export type Http = {
  readonly send: (request: HttpRequest) => Promise<HttpAnswer | HttpFault>;
};

const REASONS: readonly (readonly [RegExp, HttpFaultReason])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'dns'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'connect_timeout'],
  [TLS_ERROR, 'tls'],
  [/^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'too_large'],
  [/^BURSAR_PROXY$/, 'proxy'],
];

/** The code of an error, of its cause, or of its first part (Node has one for each address of a host). */
const codeOf = (error: unknown): string => {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return cause ? codeOf(cause) : '';
};

const reasonOf = (error: unknown): HttpFaultReason => {
  const code = codeOf(error);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection_lost';
};

type End = (result: HttpAnswer | HttpFault) => void;

/** The handler of one exchange. Resolves with the response, or with the first fault. */
const handlerOf = (request: HttpRequest, signal: AbortSignal, resolve: End): Exchange => {
  const interrupted = request.outlivesInterrupt ? new AbortController().signal : signal;
  let [started, http] = [false, 0];
  let headers: Record<string, string> = {};
  let size = 0;
  const chunks: Buffer[] = [];
  const end: End = (result) => {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', onInterrupt);
    resolve(result);
  };
  const fault = (reason: HttpFaultReason, message: string, code = '') =>
    end({ kind: 'fault', reason, sent: started, message, ...(code && { code }) });
  const onInterrupt = () => fault('interrupted', 'interrupted');
  const timer = setTimeout(
    () => fault('deadline', `no complete response within ${(request.timeoutMs / 1000).toFixed(1)} s`),
    request.timeoutMs,
  );
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  if (interrupted.aborted) onInterrupt();
  return {
    onRequestStart: () => {
      started = true;
    },
    onResponseStart: (_, status, received) => {
      http = status;
      headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
    },
    onResponseData: (_, chunk) => {
      size += chunk.length;
      const message = `the response is larger than ${request.maxBytes} bytes`;
      if (size > request.maxBytes) end({ kind: 'fault', reason: 'too_large', sent: started, message, http });
      else chunks.push(chunk);
    },
    onResponseEnd: () => end({ kind: 'answer', http, headers, body: Buffer.concat(chunks) }),
    onResponseError: (_, error) => fault(reasonOf(error), messageOf(error) || codeOf(error), codeOf(error)),
  };
};

/**
 * undici parses HTTP in WebAssembly. V8's optimiser would take longer than the call, and delay the end of the process.
 * Baseline code is fast enough. The flag holds for the whole process, so it is set only in a process of bursar.
 */
const loadClient = async (isOwnProcess: boolean) => {
  if (isOwnProcess) (await import('node:v8')).setFlagsFromString('--liftoff-only');
  return (await import('undici/lib/dispatcher/client.js')).default;
};

/** The limit of Node's own HTTP. */
const MAX_HEADER_BYTES = 16_384;

/** Loads the code for proxies only if the environment names one. */
const choiceFor = async (address: string, env: Environment): Promise<ProxyChoice> => {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return undefined;
  return (await import('./proxy.ts')).proxyFor(new URL(address), env);
};

/** undici's options to connect, directly or through a proxy. */
const connectorFor = async (choice: ProxyChoice, timeoutMs: number, ended: AbortSignal) => {
  if (!choice || 'problem' in choice) return { connectTimeout: timeoutMs };
  const { tunnelThrough } = await import('./proxy.ts');
  return { connect: tunnelThrough(choice.proxy, ended) as never };
};

/** A call that only reads, and goes to its server directly. */
const read = async (request: HttpRequest, interrupted: AbortSignal): Promise<HttpAnswer | HttpFault> => {
  const ended = new AbortController();
  const { readByNode } = await import('./read.ts');
  const options = { ended: ended.signal, maxHeaderSize: MAX_HEADER_BYTES };
  const result = await new Promise<HttpAnswer | HttpFault>((resolve, reject) => {
    readByNode(request, handlerOf(request, interrupted, resolve), options).catch(reject);
  });
  ended.abort();
  return result;
};

/** By undici, which says for certain whether a byte of the request has left. */
const exchange = async (
  request: HttpRequest,
  choice: ProxyChoice,
  { interrupted, load }: { readonly interrupted: AbortSignal; readonly load: () => ReturnType<typeof loadClient> },
) => {
  const url = new URL(request.url);
  const Client = await load();
  const ended = new AbortController();
  const connector = await connectorFor(choice, request.timeoutMs, ended.signal);
  const client = new Client(url.origin, { ...connector, pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES });
  const result = await new Promise<HttpAnswer | HttpFault>((resolve) => {
    client.dispatch(
      {
        path: url.pathname + url.search,
        method: request.method as 'GET',
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: request.bytes ?? request.body ?? null,
        reset: true,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handlerOf(request, interrupted, resolve),
    );
  });
  // After a fault the request must not be sent later.
  ended.abort();
  void client.destroy().catch(() => undefined);
  return result;
};

const UNCHECKED =
  'warning: NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked. Anyone on the network can read the API key. Unset it.\n';

/**
 * HTTP of this machine. Every request has its own connection: a reused one can lose a POST that the server has read.
 * undici calls `onRequestStart` just before the first byte leaves, behind an open tunnel with a proxy. So a fault before
 * that call means that nothing was sent.
 */
export const systemHttp = (
  interrupted: AbortSignal,
  env: Environment = {},
  writeWarning: (text: string) => Promise<void> = async () => undefined,
  { isOwnProcess } = { isOwnProcess: true },
): Http => {
  const warn = once(() => writeWarning(UNCHECKED));
  const load = once(() => loadClient(isOwnProcess));
  return {
    send: async (request) => {
      if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && new URL(request.url).protocol === 'https:') await warn();
      const choice = await choiceFor(request.url, env);
      const problem = choice && 'problem' in choice ? choice.problem : undefined;
      if (problem !== undefined) return { kind: 'fault', reason: 'proxy', sent: false, message: problem };
      const isRead = request.method === 'GET' && choice === undefined;
      const result = await (isRead ? read(request, interrupted) : exchange(request, choice, { interrupted, load }));
      return result.kind === 'fault' ? result : inflate(result, request.maxBytes);
    },
  };
};

type Decompress = (body: Uint8Array, limits: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const loadDecompress = async (encoding: string): Promise<Decompress | undefined> => {
  const { brotliDecompress, gunzip, inflate: deflated } = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return promisify<Uint8Array, object, Uint8Array>(gunzip);
  if (encoding === 'deflate') return promisify<Uint8Array, object, Uint8Array>(deflated);
  return encoding === 'br' ? promisify<Uint8Array, object, Uint8Array>(brotliDecompress) : undefined;
};

/** Inflates a body that a server or a proxy compressed unasked. The limit stops a small body that holds a huge one. */
const inflate = async (answer: HttpAnswer, maxBytes: number): Promise<HttpAnswer | HttpFault> => {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || answer.body.length === 0) return answer;
  const fault = (reason: HttpFaultReason, message: string) =>
    ({ kind: 'fault', reason, sent: true, message, http: answer.http }) as const;
  const decompress = await loadDecompress(encoding);
  if (!decompress) return fault('bad_encoding', 'its content-encoding is unknown');
  try {
    return { ...answer, body: await decompress(answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) return fault('too_large', `decompressed it exceeds ${maxBytes} bytes`);
    return fault('bad_encoding', `it is not complete ${encoding} data`);
  }
};
