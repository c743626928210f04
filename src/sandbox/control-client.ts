import * as z from 'zod';
import type { ControlData, ControlEndpoint, ControlInput } from '../contract/control/define.ts';
import { type Health, health as readHealth } from '../contract/control/process.ts';
import type { Success } from '../contract/define.ts';
import { Failure, isFailure, undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import { type Address, readAddress } from './address.ts';
import { withPackages } from './packages.ts';

/** The fields of a call. The argument is optional for an endpoint without required fields. */
type InputArguments<E extends ControlEndpoint> =
  Record<never, never> extends ControlInput<E> ? readonly [ControlInput<E>?] : readonly [ControlInput<E>];

/**
 * Calls an endpoint of a running sandbox's control and returns its data. Throws `sandbox_unavailable` when the sandbox
 * does not answer, `rejected` for refused fields, and `not_found` for a missing record.
 */
export type ControlClient = <const E extends ControlEndpoint>(
  endpoint: E,
  ...input: InputArguments<E>
) => Promise<ControlData<E>>;

const TIMEOUT_MS = 30_000;
/** The largest answer has the bodies of a hundred requests. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The options of each call. A call with `isWatching` does not count as activity: an idle sandbox still stops. */
type CallOptions = { readonly timeoutMs?: number; readonly isWatching?: boolean };

/** The client of the control of the sandbox at an address. */
export const control =
  (io: Io, address: Address, options: CallOptions = {}): ControlClient =>
  async (endpoint, ...[input]) => {
    const { success } = endpoint;
    const { status, data } = await send(io, address, options, endpoint, input ?? {});
    const expected: Success | undefined = success[String(status) as keyof typeof success];
    const parsed = (expected?.data ?? z.unknown()).safeParse(data);
    if (!expected || !parsed.success) throw notThisSandbox(address.url);
    return parsed.data as never;
  };

type Fields = Readonly<Record<string, unknown>>;

/** The fields of one part of a request: its query or its body. */
const partOf = (shape: Fields | undefined, input: Fields): Fields =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => name in (shape ?? {}) && value !== undefined));

const send = async (
  io: Io,
  { url, control_key }: Address,
  { timeoutMs = TIMEOUT_MS, isWatching = false }: CallOptions,
  { method, path, query, body }: ControlEndpoint,
  input: Fields,
): Promise<Fields> => {
  const inQuery = Object.entries(partOf(query, input)).map(([name, value]): [string, string] => [name, String(value)]);
  const search = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : '';
  const answer = await io.http.send({
    method,
    url: url + path + search,
    headers: {
      'x-control-key': control_key,
      ...(body && { 'content-type': 'application/json' }),
      ...(isWatching && { 'x-watching': '1' }),
    },
    ...(body && { body: printJson(partOf(body, input)) }),
    timeoutMs,
    maxBytes: MAX_BYTES,
  });
  if (answer.kind === 'fault') {
    throw new Failure('sandbox_unavailable', `the sandbox at ${url} does not answer: ${answer.message}`, {
      next: nextStep('sandbox.start'),
    });
  }
  const envelope = readEnvelope(answer.body);
  if (envelope['success'] === true) return envelope;
  if (envelope['success'] !== false || answer.http === 401) throw notThisSandbox(url);
  const status = String(envelope['status']);
  throw new Failure(codeOf(answer.http, status), String(envelope['message']), { status, http: answer.http });
};

const readEnvelope = (body: Uint8Array): Fields => {
  const value = undefinedOn(() => parseJson(new TextDecoder().decode(body)));
  return isJsonObject(value) ? value : {};
};

const notThisSandbox = (url: string): Failure =>
  new Failure('sandbox_unavailable', `the server at ${url} is not this sandbox`, { next: nextStep('sandbox.start') });

/** A 404 of an endpoint that an older sandbox does not have is `rejected`. Any other 404 is a missing record. */
const codeOf = (http: number, status: string) => {
  if (http >= 500) return 'sandbox_unavailable';
  return http === 404 && status !== 'route_not_found' ? 'not_found' : 'rejected';
};

const HEALTH_TIMEOUT_MS = 2_000;

/** A sandbox that answers: its address and its health. */
export type RunningSandbox = { readonly address: Address; readonly health: Health };

/** The running sandbox of this home. `undefined` without one: its process ended, or another server has its port. */
export const findRunning = async (io: Io, isWatching = false): Promise<RunningSandbox | undefined> => {
  const address = await readAddress(io);
  if (!address || !io.processes.isRunning(address.pid)) return undefined;
  try {
    const health = await control(io, address, { timeoutMs: HEALTH_TIMEOUT_MS, isWatching })(readHealth);
    return health.pid === address.pid ? { address, health } : undefined;
  } catch (error) {
    if (isFailure(error, 'sandbox_unavailable') || isFailure(error, 'rejected')) return undefined;
    throw error;
  }
};

/** Whether a process holds the lock of this home: it runs the sandbox, starts it or ends it. */
export const isLocked = async (io: Io): Promise<boolean> => {
  const { lockHome } = await withPackages(() => import('./ledger/lock.ts'));
  try {
    (await lockHome(io))();
    return false;
  } catch (error) {
    if (isFailure(error, 'sandbox_unavailable')) return true;
    throw error;
  }
};
