import { timingSafeEqual } from 'node:crypto';
import { decideCard, decidePix, readPix } from '../../contract/control/charges.ts';
import { addFault, clearFaults, listFaults } from '../../contract/control/faults.ts';
import { decideKyc, readInbox, readQuota, setQuota } from '../../contract/control/identity.ts';
import type { ControlId } from '../../contract/control/index.ts';
import { advance, createTenant, health, logs, readClock, reset, stop } from '../../contract/control/process.ts';
import { validate } from '../../contract/define.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { newKey } from '../address.ts';
import { actOnCard, actOnPix, pixOf } from '../charges/act.ts';
import { httpDate, readSpan } from '../clock.ts';
import { problemOfKind } from '../faults/meet.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { type Answer, type App, type Met, say } from '../http/envelope.ts';
import { readInput } from '../http/read-input.ts';
import { decideKyc as decide } from '../identity/decide.ts';
import { readVerification } from '../identity/session.ts';
import { listEmails } from '../ledger/identities.ts';
import { readKycQuota, writeKycQuota } from '../ledger/settings.ts';
import { addTenant, hashOf, putKeyWithoutTenant } from '../ledger/tenants.ts';
import { openLogReader } from '../request-log.ts';
import type { Services } from '../services.ts';
import { CHAIN_HANDLERS } from './chains.ts';
import { EVENT_HANDLERS } from './events.ts';
import { type Control, type ControlCall, type ControlHandler, handleControl, invalid } from './handler.ts';

const clockOf = async ({ clock, ledger }: Services) => {
  await ledger();
  return { now: clock.nowIso(), offset_ms: clock.offset() };
};

/** State, logs, clock and tenants of the sandbox, its reset and its end. */
const PROCESS_HANDLERS = {
  [health.id]: handleControl(health, async ({ control }) =>
    succeed('healthy', 'The sandbox answers.', await control.health()),
  ),
  [reset.id]: handleControl(reset, async ({ control }) => {
    await control.reset();
    const message = 'Payments, orders, users, settings and chains were deleted. The keys stay.';
    return succeed('reset_done', message, undefined);
  }),
  [stop.id]: handleControl(stop, async ({ control }) => {
    control.stop();
    return succeed('stopping', 'The sandbox stops.', undefined);
  }),
  [logs.id]: handleControl(logs, async ({ services: { io, requests } }, { lines }) => {
    await requests.flush();
    const entries = await openLogReader(io).next();
    return succeed('logs_found', 'Requests, and messages of the sandbox.', { entries: entries.slice(-lines) });
  }),
  [readClock.id]: handleControl(readClock, async ({ services }) =>
    succeed('clock_found', "The sandbox's time.", await clockOf(services)),
  ),
  [advance.id]: handleControl(advance, async ({ services }, { advance: span }) => {
    if (!(await services.advance(readSpan(span)))) return invalid('advance', 'is more than a hundred years');
    return succeed('clock_advanced', "The sandbox's time was moved.", await clockOf(services));
  }),
  [createTenant.id]: handleControl(createTenant, async ({ services }, { without_tenant }) => {
    const api_key = newKey(services.io, 'sandbox');
    const at = services.clock.nowIso();
    const ledger = await services.ledger();
    if (without_tenant) {
      await putKeyWithoutTenant(ledger, api_key, at);
      return succeed('key_created', 'A key that belongs to no tenant.', { tenant: null, api_key });
    }
    return succeed('tenant_created', 'A tenant and its key.', {
      tenant: await addTenant(ledger, api_key, at),
      api_key,
    });
  }),
};

const NOT_PREPARED = fail(
  'kyc_not_found',
  'No user with this name was prepared. Call kyc prepare or kyc prepare-wallet first.',
);

/** The inbox, the decisions of the verification's provider, and the quota of sessions. */
const IDENTITY_HANDLERS = {
  [readInbox.id]: handleControl(readInbox, async ({ services }, { to }) =>
    succeed('inbox_found', 'E-mails, newest first.', { emails: [...(await listEmails(await services.ledger(), to))] }),
  ),
  [decideKyc.id]: handleControl(decideKyc, async ({ services }, { decision, ...named }) => {
    const isDone = await decide(services, named, decision);
    const verification = isDone ? await readVerification(services, named) : undefined;
    return verification ? succeed('kyc_decided', 'The verification was decided.', verification) : NOT_PREPARED;
  }),
  [readQuota.id]: handleControl(readQuota, async ({ services }) =>
    succeed('quota_found', 'Sessions a month.', { quota: await readKycQuota(await services.ledger()) }),
  ),
  [setQuota.id]: handleControl(setQuota, async ({ services }, { quota }) => {
    await writeKycQuota(await services.ledger(), quota);
    return succeed('quota_changed', 'Sessions a month.', { quota });
  }),
};

/** Each waiting fault costs a look at every call. */
const MAX_FAULTS = 100;

const waiting = ({ faults }: Services) => ({ faults: faults.list().map((fault) => ({ ...fault })) });

/** Faults of the next calls of an endpoint: any error of the document, any HTTP status, any cut connection. */
const FAULT_HANDLERS = {
  [listFaults.id]: handleControl(listFaults, async ({ services }) =>
    succeed('faults_found', 'Faults that wait for their calls.', waiting(services)),
  ),
  [addFault.id]: handleControl(addFault, async ({ services }, { endpoint: id, ...fault }) => {
    const endpoint = ENDPOINTS.find((each) => each.id === id);
    if (!endpoint) return invalid('endpoint', `must be one of ${ENDPOINTS.map((each) => each.id).join(', ')}`);
    const problem = problemOfKind(endpoint, fault.kind);
    if (problem) return invalid('kind', problem);
    if (services.faults.list().length >= MAX_FAULTS) return invalid('endpoint', 'too many faults wait already');
    services.faults.add({ endpoint: endpoint.id, ...fault });
    return succeed('fault_added', `The next ${fault.count} calls of ${id} fail.`, waiting(services));
  }),
  [clearFaults.id]: handleControl(clearFaults, async ({ services }, { endpoint: id }) => {
    services.faults.clear(id);
    const message = `No call${id === undefined ? '' : ` of ${id}`} meets a fault.`;
    return succeed('faults_cleared', message, waiting(services));
  }),
};

/** The decisions of the payer's bank and of the card issuer. */
const CHARGE_HANDLERS = {
  [readPix.id]: handleControl(readPix, async ({ services }, { payment_id }) => {
    const pix = await pixOf(services, payment_id);
    return pix ? succeed('pix_found', 'The charge.', pix) : fail('pix_not_found', 'The payment waits for no Pix.');
  }),
  [decidePix.id]: handleControl(decidePix, ({ services }, { payment_id, outcome }) =>
    actOnPix(services, payment_id, outcome),
  ),
  [decideCard.id]: handleControl(decideCard, ({ services }, { payment_id, outcome }) =>
    actOnCard(services, payment_id, outcome),
  ),
};

/** Every endpoint of the control by its id. An endpoint without a handler is a type error. */
const HANDLERS: Readonly<Record<ControlId, ControlHandler>> = {
  ...PROCESS_HANDLERS,
  ...CHAIN_HANDLERS,
  ...IDENTITY_HANDLERS,
  ...CHARGE_HANDLERS,
  ...EVENT_HANDLERS,
  ...FAULT_HANDLERS,
};

/** Adds the control of the sandbox, under `/_sandbox`, behind its own key. */
export const addControl = (app: App, services: Services, control: Control): void => {
  app.use('/_sandbox/*', async (context, next) => {
    if (!isKey(context.req.header('x-control-key'), control.key)) return say(context, NO_KEY);
    await next();
    return undefined;
  });
  for (const handler of Object.values(HANDLERS)) {
    const { method, path } = handler.endpoint;
    app.on(method, path, async (context) => say(context, await answer({ services, control }, handler, context)));
  }
};

const NO_KEY: Answer = { http: 401, status: 'unauthorized', message: 'The control key is invalid or missing.' };

/** Compares in constant time. */
const isKey = (given: string | undefined, key: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(given ?? '')), Buffer.from(hashOf(key)));

const badInput = (errors: readonly { readonly field: string; readonly message: string }[]): Answer => ({
  http: 400,
  status: 'invalid_parameters',
  message: errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
  errors: errors.map(({ field, message }) => ({ field, message })),
});

/** One call of the control: its fields by the contract, then its handler. */
const answer = async (call: ControlCall, { endpoint, run }: ControlHandler, { env }: Met): Promise<Answer> => {
  const read = await readInput(endpoint, env.incoming, {});
  if (!read.ok) return badInput([read]);
  const valid = validate(endpoint, read.input);
  if (!valid.ok) return badInput(valid.problems);
  const { ok, status, ...outcome } = await run(call, valid.input as never);
  const name = String(status);
  const http = ok ? endpoint.success[name]?.http : endpoint.errors[name as keyof typeof endpoint.errors];
  const { clock } = call.services;
  // A call that moved the clock came before the move.
  const headers = clock.offset() === 0 ? {} : { headers: { date: httpDate(clock) } };
  return { http: http ?? 500, status: name, ...outcome, ...headers };
};
