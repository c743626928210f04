import { onTestFinished } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import type { Io } from '../../src/io/io.ts';
import type { Liveness } from '../../src/io/processes.ts';
import type { Address } from '../../src/sandbox/address.ts';
import { type RunOptions, run } from '../../src/sandbox/run.ts';
import { testIo } from '../support/io.ts';
import { assertNoViolation, routed } from './through.ts';

/** An answer as a client sees it: HTTP, and the envelope with every digit kept. */
export type Seen = {
  readonly http: number;
  readonly headers: Headers;
  readonly body: {
    readonly statusCode: number;
    readonly success: boolean;
    readonly status: string;
    readonly message: string;
    // biome-ignore lint/suspicious/noExplicitAny: what a test asserts about data, it reads freely
    readonly data?: any;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  };
};

const NAMED_FIELD = /(?:^|[.;] )([a-z_][\w.]*)(?: is malformed)?: /g;

/** The wrong fields of a refusal: those of `errors`, and on any status without `errors` those that its message names. */
export const wrongFields = ({ body: { errors, message } }: Seen): readonly (string | undefined)[] =>
  errors ? errors.map(({ field }) => field) : [...message.matchAll(NAMED_FIELD)].map(([, field]) => field);

export type Ask = {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a text as it is. */
  readonly body?: unknown;
};

export type TestSandbox = {
  readonly io: Io;
  readonly address: Address;
  readonly call: (method: string, path: string, ask?: Ask) => Promise<Seen>;
  readonly get: (path: string) => Promise<Seen>;
  readonly post: (path: string, body: unknown) => Promise<Seen>;
  readonly control: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Seen>;
  /** Ends it in order, and waits until all is closed. */
  readonly stop: () => Promise<void>;
};

/** An Io with this process and real HTTP, over a home of its own. */
export const sandboxIo = async (more: Partial<Io> = {}): Promise<Io> => {
  const http = systemHttp(new AbortController().signal);
  const isRunning = (pid: number): boolean => pid === process.pid;
  const processes = {
    pid: process.pid,
    self: async () => ({ pid: process.pid, host: 'test' }),
    liveness: async ({ pid }: { readonly pid: number }) => (isRunning(pid) ? 'alive' : 'dead') as Liveness,
    isRunning,
    terminate: () => false,
    startSelf: () => Promise.reject(new Error('the test did not expect a new process')),
  };
  return (await testIo({ io: { http, processes, ...more } })).io;
};

const ask = async (address: Address, method: string, path: string, { key, headers, body }: Ask): Promise<Seen> => {
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
    body: parseJson(await response.text()) as Seen['body'],
  };
};

/** A client of a running sandbox. */
export type Client = Omit<TestSandbox, 'stop'>;

export const clientOf = (io: Io, address: Address): Client => {
  const { control_key } = address;
  return {
    io,
    address,
    call: (method, path, given = {}) => ask(address, method, path, given),
    get: (path) => ask(address, 'GET', path, {}),
    post: (path, body) => ask(address, 'POST', path, { body }),
    control: (method, path, body) =>
      ask(address, method, `/_sandbox/${path}`, { headers: { 'x-control-key': control_key }, body }),
  };
};

/** A sandbox in this process, over real HTTP on a free port; stopped after the test. */
export const startTestSandbox = async (io: Io, options: RunOptions = {}): Promise<TestSandbox> => {
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const address = await new Promise<Address>((resolve, reject) => {
    running = run({ ...io, interrupted: ended.signal }, { port: 0, ...options, onReady: resolve });
    running.catch(reject);
  });
  const stop = () => {
    ended.abort();
    return running;
  };
  onTestFinished(stop);
  return { ...clientOf(io, address), stop };
};

/** One that keeps nothing, in a home of its own. */
export const startEphemeral = async (): Promise<TestSandbox> =>
  startTestSandbox(await sandboxIo(), { ephemeral: true });
