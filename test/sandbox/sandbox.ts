import { onTestFinished } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import type { Io } from '../../src/io/io.ts';
import type { Liveness } from '../../src/io/processes.ts';
import type { Address } from '../../src/sandbox/address.ts';
import { type RunOptions, run } from '../../src/sandbox/run.ts';
import { testIo } from '../support/io.ts';
import { assertNoViolation, routed } from './through.ts';

/** An answer as a client reads it: HTTP status, headers, and the envelope with every digit. */
export type Answer = {
  readonly http: number;
  readonly headers: Headers;
  readonly body: {
    readonly statusCode: number;
    readonly success: boolean;
    readonly status: string;
    readonly message: string;
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the data
    readonly data?: any;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
};

const NAMED_FIELD = /(?:^|[.;] )([a-z_][\w.]*)(?: is malformed)?: /g;

/** The wrong fields that an error names: in `errors`, or in its message where it has no `errors`. */
export const wrongFields = ({ body: { errors, message } }: Answer): readonly (string | undefined)[] =>
  errors ? errors.map(({ field }) => field) : [...message.matchAll(NAMED_FIELD)].map(([, field]) => field);

export type RequestOptions = {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
};

export type TestSandbox = {
  readonly io: Io;
  readonly address: Address;
  readonly call: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly control: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;
  /** Stops the sandbox in an orderly way and waits until everything is closed. */
  readonly stop: () => Promise<void>;
};

/** An Io with this process, real HTTP and a new home. */
export const sandboxIo = async (more: Partial<Io> = {}): Promise<Io> => {
  const http = systemHttp(new AbortController().signal);
  const isRunning = (pid: number): boolean => pid === process.pid;
  const processes = {
    pid: process.pid,
    self: async () => ({ pid: process.pid, host: 'test' }),
    liveness: async ({ pid }: { readonly pid: number }) => (isRunning(pid) ? 'alive' : 'dead') as Liveness,
    isRunning,
    terminate: () => false,
    startSelf: () => Promise.reject(new Error('a test in one process must not start another process')),
  };
  return (await testIo({ io: { http, processes, ...more } })).io;
};

const send = async (
  address: Address,
  method: string,
  path: string,
  { key, headers, body }: RequestOptions,
): Promise<Answer> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const route = routed(address.url, path);
  const response = await fetch(route.url, {
    method,
    headers: {
      ...route.headers,
      ...(key === undefined ? { 'x-api-key': address.api_key } : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
  });
  assertNoViolation(method, path, response);
  return {
    http: response.status,
    headers: response.headers,
    body: parseJson(await response.text()) as Answer['body'],
  };
};

/** A client of a running sandbox. */
export type Client = Omit<TestSandbox, 'stop'>;

export const clientOf = (io: Io, address: Address): Client => {
  const { control_key } = address;
  return {
    io,
    address,
    call: (method, path, options = {}) => send(address, method, path, options),
    get: (path) => send(address, 'GET', path, {}),
    post: (path, body) => send(address, 'POST', path, { body }),
    control: (method, path, body) =>
      send(address, method, `/_sandbox/${path}`, { headers: { 'x-control-key': control_key }, body }),
  };
};

/** Starts a sandbox in this process, over real HTTP on a free port. It stops after the test. */
export const startTestSandbox = async (io: Io, options: RunOptions = {}): Promise<TestSandbox> => {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const address = await new Promise<Address>((resolve, reject) => {
    running = run({ ...io, interrupted: stopping.signal }, { port: 0, ...options, onReady: resolve });
    running.catch(reject);
  });
  const stop = () => {
    stopping.abort();
    return running;
  };
  onTestFinished(stop);
  return { ...clientOf(io, address), stop };
};

/** Starts a sandbox that stores nothing, in a new home. */
export const startEphemeral = async (): Promise<TestSandbox> =>
  startTestSandbox(await sandboxIo(), { ephemeral: true });
