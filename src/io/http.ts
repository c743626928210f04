import { messageOf } from '../core/failure.ts';
import { once } from '../core/once.ts';
import type { Http, HttpAnswer, HttpFault, HttpFaultReason, HttpRequest } from './exchange.ts';
import type { Io } from './io.ts';
import type { ProxyChoice } from './proxy.ts';

const REASONS: readonly (readonly [RegExp, HttpFaultReason])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'dns'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'connect_timeout'],
  [/^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/, 'tls'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'too_large'],
  [/^BURSAR_PROXY$/, 'proxy'],
];

/** The code of an error, of its cause, or of the first of several (one for each address of a host). */
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

/** Takes one exchange as it comes in: ends once, with an answer or a fault. */
const listen = (request: HttpRequest, interrupted: AbortSignal, resolve: End) => {
  let started = false;
  let http = 0;
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
    () => fault('deadline', `no whole answer within ${(request.timeoutMs / 1000).toFixed(1)} s`),
    request.timeoutMs,
  );
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  if (interrupted.aborted) onInterrupt();
  return {
    onRequestStart: () => {
      started = true;
    },
    onResponseStart: (_: unknown, status: number, received: Record<string, string | string[] | undefined>) => {
      http = status;
      headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
    },
    onResponseData: (_: unknown, chunk: Buffer) => {
      size += chunk.length;
      if (size > request.mostBytes) fault('too_large', `the answer is larger than ${request.mostBytes} bytes`);
      else chunks.push(chunk);
    },
    onResponseEnd: () => end({ kind: 'answer', http, headers, body: Buffer.concat(chunks) }),
    onResponseError: (_: unknown, error: unknown) =>
      fault(reasonOf(error), messageOf(error) || codeOf(error), codeOf(error)),
  };
};

/**
 * undici parses HTTP in WebAssembly. Optimising it would cost a short program more processor time than all the
 * rest of a call, and hold up its end; compiled once, simply, it is fast enough.
 */
const loadClient = async () => {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--liftoff-only');
  return (await import('undici/lib/dispatcher/client.js')).default;
};

/** As Node's own HTTP has it. */
const MAX_HEADER_BYTES = 16_384;

/** Most environments name no proxy: what reads them is loaded only where one does. */
const choiceFor = async (address: string, env: Io['env']): Promise<ProxyChoice> => {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return undefined;
  return (await import('./proxy.ts')).proxyFor(new URL(address), env);
};

/** How undici connects: by itself, or through a proxy, whose code is loaded only then. */
const connectorFor = async (choice: ProxyChoice, timeoutMs: number, ended: AbortSignal) => {
  if (!choice || 'problem' in choice) return { connectTimeout: timeoutMs };
  const { tunnelThrough } = await import('./tunnel.ts');
  return { connect: tunnelThrough(choice.proxy, ended) as never };
};

const exchange = async (request: HttpRequest, choice: ProxyChoice, interrupted: AbortSignal) => {
  const url = new URL(request.url);
  const Client = await loadClient();
  const ended = new AbortController();
  const connector = await connectorFor(choice, request.timeoutMs, ended.signal);
  const client = new Client(url.origin, { ...connector, pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES });
  const result = await new Promise<HttpAnswer | HttpFault>((resolve) => {
    client.dispatch(
      {
        path: url.pathname + url.search,
        method: request.method as 'GET',
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: request.body ?? null,
        reset: true,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      listen(request, interrupted, resolve),
    );
  });
  // Whatever is still under way must not go on: a request that was given up is never sent later.
  ended.abort();
  void client.destroy().catch(() => undefined);
  return result;
};

/** Node then takes any certificate: whoever is between can read the key and answer for the service. */
const UNCHECKED =
  'warning: NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anybody between can read the API key. Unset it.\n';

const isPacked = ({ headers }: HttpAnswer): boolean => headers['content-encoding'] !== undefined;

/**
 * HTTP of this machine. Every request has a connection of its own: one kept from an earlier call can lose a
 * POST that the server has read. `onRequestStart` is the last moment before bytes leave, so a fault
 * without it is known not to have been sent; through a proxy it comes after the tunnel stands.
 */
export const systemHttp = (
  interrupted: AbortSignal,
  env: Io['env'] = {},
  say: (text: string) => Promise<void> = async () => undefined,
): Http => {
  const warn = once(() => say(UNCHECKED));
  return {
    send: async (request) => {
      if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && new URL(request.url).protocol === 'https:') await warn();
      const choice = await choiceFor(request.url, env);
      if (choice && 'problem' in choice) {
        return { kind: 'fault', reason: 'proxy', sent: false, message: choice.problem };
      }
      const result = await exchange(request, choice, interrupted);
      if (result.kind === 'fault' || !isPacked(result)) return result;
      return (await import('./inflate.ts')).inflated(result, request.mostBytes);
    },
  };
};
