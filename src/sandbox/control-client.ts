import type * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { parseJson, printJson } from '../core/json.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import type { Address } from './address.ts';
import { type MoneyControl, moneyControl } from './control/money-client.ts';
import {
  type Balances,
  type ChainInput,
  type ClockState,
  clockShape,
  type DecidedKyc,
  type DecisionInput,
  type FundInput,
  type Health,
  IDENTITY_OUTPUTS,
  type InboxEmail,
  type NewKey,
  OUTPUTS,
  type ShownChain,
  tenantShape,
} from './control/shapes.ts';
/** The control of a running sandbox, as its commands use it. Each call throws `sandbox_unavailable` when it does not answer. */
export type ControlClient = MoneyControl & {
  readonly health: () => Promise<Health>;
  /** Throws `rejected` for an address, chain, token or amount that the sandbox does not take. */
  readonly fund: (input: FundInput) => Promise<Balances>;
  readonly balances: (address: string, chain?: string) => Promise<Balances>;
  readonly chain: (input: ChainInput) => Promise<ChainInput>;
  readonly chains: () => Promise<readonly ShownChain[]>;
  /** Starts the Solana chain, where it does not run, with its JSON-RPC. */
  readonly startSolana: () => Promise<void>;
  /** A key of a new tenant, or one that belongs to none. */
  readonly tenant: (withoutTenant: boolean) => Promise<NewKey>;
  readonly clock: () => Promise<ClockState>;
  /** Throws `rejected` for what is no span of time. */
  readonly advance: (span: string) => Promise<ClockState>;
  /** E-mails, newest first. */
  readonly inbox: (to?: string) => Promise<readonly InboxEmail[]>;
  /** Throws `not_found` when no prepared user has this name. */
  readonly kyc: (input: DecisionInput) => Promise<DecidedKyc>;
  readonly readKycQuota: () => Promise<{ readonly quota: number }>;
  readonly kycQuota: (quota: number) => Promise<{ readonly quota: number }>;
  /** Resolves when every request so far is in the log's file. */
  readonly flushLogs: () => Promise<void>;
  readonly reset: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

type Envelope = {
  readonly success?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
};

const readEnvelope = (body: Uint8Array): Envelope => {
  try {
    const value = parseJson(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

const strange = (url: string): Failure =>
  new Failure('sandbox_unavailable', `what answers at ${url} is not this sandbox`, {
    next: nextStep('sandbox.start'),
  });

/** A call of the control that does not exist there is not a thing that was not found. */
const codeOf = (http: number, status: string) => {
  if (http >= 500) return 'sandbox_unavailable';
  return http === 404 && status !== 'route_not_found' ? 'not_found' : 'rejected';
};

const callWith =
  (io: Io, { url, control_key }: Address, timeoutMs: number) =>
  async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> => {
    const answer = await io.http.send({
      method,
      url: `${url}/_sandbox/${path}`,
      headers: { 'x-control-key': control_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: printJson(body) }),
      timeoutMs,
      mostBytes: MAX_BYTES,
    });
    if (answer.kind === 'fault') {
      throw new Failure('sandbox_unavailable', `the sandbox at ${url} does not answer: ${answer.message}`, {
        next: nextStep('sandbox.start'),
      });
    }
    const envelope = readEnvelope(answer.body);
    if (envelope.success === true) return envelope.data;
    if (envelope.success !== false || answer.http === 401) throw strange(url);
    const status = String(envelope.status);
    throw new Failure(codeOf(answer.http, status), String(envelope.message), { status, http: answer.http });
  };

const readAs = <T>(url: string, schema: z.ZodType<T>, data: unknown): T => {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw strange(url);
  return parsed.data;
};

/** The control of the sandbox at an address. `timeoutMs` is for each call. */
export const control = (io: Io, address: Address, timeoutMs = TIMEOUT_MS): ControlClient => {
  const call = callWith(io, address, timeoutMs);
  const { url } = address;
  return {
    ...moneyControl(async (schema, method, path, body) => readAs(url, schema, await call(method, path, body))),
    health: async () => readAs(url, OUTPUTS.health, await call('GET', 'health')),
    fund: async (input) => readAs(url, OUTPUTS.balances, await call('POST', 'fund', input)),
    balances: async (wallet, chain) => {
      const query = new URLSearchParams({ address: wallet, ...(chain === undefined ? {} : { chain }) });
      return readAs(url, OUTPUTS.balances, await call('GET', `balances?${query}`));
    },
    chain: async (input) => {
      await call('POST', 'chain', input);
      return input;
    },
    chains: async () => readAs(url, OUTPUTS.chains, await call('GET', 'chain')).chains,
    startSolana: async () => void (await call('GET', 'solana')),
    tenant: async (without_tenant) => readAs(url, tenantShape, await call('POST', 'tenant', { without_tenant })),
    readKycQuota: async () => readAs(url, IDENTITY_OUTPUTS.quota, await call('GET', 'kyc-quota')),
    clock: async () => readAs(url, clockShape, await call('GET', 'clock')),
    advance: async (span) => readAs(url, clockShape, await call('POST', 'clock', { advance: span })),
    inbox: async (to) => {
      const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`;
      return readAs(url, IDENTITY_OUTPUTS.inbox, await call('GET', `inbox${query}`)).emails;
    },
    kyc: async (input) => readAs(url, IDENTITY_OUTPUTS.kyc, await call('POST', 'kyc', input)),
    kycQuota: async (quota) => readAs(url, IDENTITY_OUTPUTS.quota, await call('POST', 'kyc-quota', { quota })),
    flushLogs: async () => void (await call('GET', 'logs?lines=1')),
    reset: async () => void (await call('POST', 'reset', {})),
    stop: async () => void (await call('POST', 'stop', {})),
  };
};
