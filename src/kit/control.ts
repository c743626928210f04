import { type Client, exchange, readResult } from '../client/call.ts';
import { buildRequest } from '../client/envelope.ts';
import { fund, listChains, readBalances, startSolana, switchChain } from '../contract/control/chains.ts';
import { decideCard, decidePix, readPix } from '../contract/control/charges.ts';
import type { ControlEndpoint } from '../contract/control/define.ts';
import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from '../contract/control/events.ts';
import { addFault, clearFaults, listFaults } from '../contract/control/faults.ts';
import { decideKyc, readInbox, readQuota, setQuota } from '../contract/control/identity.ts';
import { release, trigger } from '../contract/control/payments.ts';
import { advance, createTenant, logs, readClock, reset } from '../contract/control/process.ts';
import { listSnapshots, restoreSnapshot, takeSnapshot } from '../contract/control/snapshots.ts';
import { type Endpoint, validate } from '../contract/define.ts';
import { outcomeOf } from '../contract/outcomes.ts';
import { Failure } from '../core/failure.ts';
import { type CallIo, libraryIo } from '../io/library.ts';
import { toPlain } from './numbers.ts';

/** The functions of a sandbox's control, each with its endpoint. */
export const CONTROLS = {
  fund,
  balances: readBalances,
  chains: listChains,
  switchChain,
  solana: startSolana,
  inbox: readInbox,
  kyc: decideKyc,
  kycQuota: readQuota,
  setKycQuota: setQuota,
  pix: decidePix,
  readPix,
  card: decideCard,
  clock: readClock,
  advance,
  fault: addFault,
  faults: listFaults,
  clearFaults,
  trigger,
  release,
  events: listEvents,
  deliveries: listDeliveries,
  resend: resendEvent,
  webhookTargets: readTargets,
  setWebhookTargets: setTargets,
  snapshot: takeSnapshot,
  restore: restoreSnapshot,
  snapshots: listSnapshots,
  tenant: createTenant,
  logs,
  reset,
} as const satisfies Readonly<Record<string, ControlEndpoint>>;

/** The address of a sandbox, with its key of the control. */
export type ControlAddress = { readonly url: string; readonly control_key: string };

const TIMEOUT_MS = 60_000;

const checkedInput = (endpoint: ControlEndpoint, input: Readonly<Record<string, unknown>>) => {
  const checked = validate(endpoint, input);
  if (checked.ok) return checked.input;
  const errors = checked.problems.map(({ field, message }) => ({ field, message }));
  const text = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Failure('invalid_input', `nothing was sent: ${text}`, { errors, isUnsent: true });
};

/** A failure as an error of the kit, with the status of the answer. */
export const asKitError = (error: unknown): unknown => {
  if (!(error instanceof Failure)) return error;
  const { status, hint } = error.details;
  const message = hint === undefined ? error.message : `${error.message.replace(/(?<![.!?])$/, '.')} ${hint}`;
  const plain = new Error(message, { cause: error.cause });
  return Object.assign(plain, { name: 'SandboxError', code: error.code, ...(status !== undefined && { status }) });
};

/** Calls an endpoint of a sandbox's control and returns its data. Throws an error of the kit. */
export const callControl = async (
  address: ControlAddress,
  endpoint: ControlEndpoint,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const io = libraryIo();
  const { url: baseUrl, control_key } = address;
  const service = { profile: '(kit)', kind: 'sandbox', baseUrl, apiKey: undefined } as const;
  const client: Client<CallIo> = { io, service, deadline: io.clock.monotonic() + TIMEOUT_MS };
  try {
    const input = checkedInput(endpoint, given);
    // The control has areas and methods that the service does not have; a call needs neither.
    const request = buildRequest(baseUrl, endpoint as unknown as Endpoint, input);
    const headers = { 'x-control-key': control_key };
    const called = {
      endpoint: { effect: endpoint.effect, errors: {}, key: 'optional' },
      outcome: outcomeOf(endpoint, input),
      origin: baseUrl,
      input,
    } as const;
    const { data } = await exchange(client, called, { ...request, headers }, (answer) =>
      readResult(called, request, answer),
    );
    return toPlain(data);
  } catch (error) {
    throw asKitError(error);
  }
};
