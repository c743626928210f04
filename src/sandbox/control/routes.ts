import { timingSafeEqual } from 'node:crypto';
import { decideCard, decidePix, readPix } from '../../contract/control/charges.ts';
import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from '../../contract/control/events.ts';
import { addFault, clearFaults, listFaults } from '../../contract/control/faults.ts';
import { decideKyc, readInbox, readQuota, setQuota } from '../../contract/control/identity.ts';
import type { ControlId } from '../../contract/control/index.ts';
import {
  advance,
  createTenant,
  health,
  logs,
  makeLink,
  readClock,
  reset,
  stop,
} from '../../contract/control/process.ts';
import { restoreSnapshot, takeSnapshot } from '../../contract/control/snapshots.ts';
import type { Problem } from '../../contract/define.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { parseJson } from '../../core/json.ts';
import { newKey } from '../address.ts';
import { actOnCard, actOnPix, pixOf } from '../charges/act.ts';
import { httpDate, readSpan } from '../clock.ts';
import { problemOfKind } from '../faults/run-with-faults.ts';
import { fail, succeed } from '../handlers/handler.ts';
import { type Answer, type App, type RequestContext, send } from '../http/envelope.ts';
import { readInput } from '../http/read-input.ts';
import { decideKyc as decide, readVerification } from '../identity/session.ts';
import { type EventRow, listEvents as eventsOf, findEvent, requeueEvent } from '../ledger/events.ts';
import { listEmails } from '../ledger/identities.ts';
import { readKycQuota, readWebhookTargets, writeKycQuota, writeWebhookTargets } from '../ledger/settings.ts';
import { addTenant, hashOf, putKeyWithoutTenant } from '../ledger/tenants.ts';
import { openLogReader } from '../request-log.ts';
import type { Services } from '../services.ts';
import { CHAIN_HANDLERS } from './chains.ts';
import { type Control, type ControlCall, type ControlHandler, handleControl, invalid } from './handler.ts';
import { PAYMENT_HANDLERS } from './payments.ts';
import { SNAPSHOT_HANDLERS } from './snapshots.ts';

const clockOf = async ({ clock, ledger }: Services) => {
  await ledger();
  return { now: clock.nowIso(), offset_ms: clock.offset() };
};

const NOT_PREPARED = fail(
  'kyc_not_found',
  'No user with this name was prepared. Call kyc prepare or kyc prepare-wallet first.',
);

/** Every call of the service searches the waiting faults. */
const MAX_FAULTS = 100;

const waitingFaults = ({ faults }: Services) => ({ faults: [...faults.list()] });

const viewOf = (row: EventRow) => ({
  id: row.seq,
  payment_id: row.payment_id,
  payment_status: row.payment_status,
  state: row.state,
  attempts: row.attempts,
  url: row.url,
  created_at: row.created_at,
  last_at: row.last_at,
  last_http: row.last_http,
  last_answer: row.last_answer,
});

const NO_EVENT = fail('event_not_found', 'The sandbox has no webhook with this number.');

/** The handler of every endpoint of the control, by the endpoint's id. A missing handler is a type error. */
const HANDLERS: Readonly<Record<ControlId, ControlHandler>> = {
  ...CHAIN_HANDLERS,
  ...PAYMENT_HANDLERS,
  ...SNAPSHOT_HANDLERS,
  // The sandbox itself: health, logs, clock, tenants, reset and stop.
  [health.id]: handleControl(health, async ({ control }) =>
    succeed('healthy', 'The sandbox answers.', await control.health()),
  ),
  [makeLink.id]: handleControl(makeLink, async ({ control }) =>
    succeed('link_made', 'The link opens the dashboard once, within a minute.', { token: control.links.offer() }),
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
  [logs.id]: handleControl(logs, async ({ services: { io, requests, exchanges, clock } }, { lines, bodies }) => {
    await requests.flush();
    const entries = bodies ? exchanges.list() : await openLogReader(io).next();
    return succeed('logs_found', 'Requests, and messages of the sandbox.', {
      entries: entries.slice(-lines),
      offset_ms: clock.offset(),
    });
  }),
  [readClock.id]: handleControl(readClock, async ({ services }) =>
    succeed('clock_found', "The sandbox's time.", await clockOf(services)),
  ),
  [advance.id]: handleControl(advance, async ({ services }, { advance: span }) => {
    if (!(await services.advance(readSpan(span)))) return invalid('advance', 'is more than a hundred years');
    return succeed('clock_advanced', "The sandbox's time was moved.", await clockOf(services));
  }),
  [createTenant.id]: handleControl(createTenant, async ({ services }, { without_tenant }) => {
    const api_key = newKey(services, 'sandbox');
    const at = services.clock.nowIso();
    const ledger = await services.ledger();
    if (without_tenant) {
      await putKeyWithoutTenant(ledger, api_key, at);
      return succeed('key_created', 'A key that belongs to no tenant.', { tenant: null, api_key });
    }
    const tenant = await addTenant(ledger, api_key, at);
    return succeed('tenant_created', 'A tenant and its key.', { tenant, api_key });
  }),
  // KYC: the inbox, the decisions of the verification's provider, and the quota of sessions.
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
  // The decisions of the payer's bank and of the card issuer.
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
  // Webhooks, their deliveries and their allowed addresses.
  [listEvents.id]: handleControl(listEvents, async ({ services }, { payment_id, limit }) => {
    const events = await eventsOf(await services.ledger(), payment_id, limit);
    return succeed('events_found', 'Webhooks, newest first.', { events: events.map(viewOf) });
  }),
  [listDeliveries.id]: handleControl(listDeliveries, async ({ services }, { id }) => {
    const found = await findEvent(await services.ledger(), id);
    if (!found) return NO_EVENT;
    return succeed('deliveries_found', 'The webhook, and the attempts to deliver it, oldest first.', {
      event: viewOf(found.event),
      body: parseJson(found.event.payload) as Readonly<Record<string, unknown>>,
      deliveries: found.deliveries.map(({ at, http, answer }) => ({ at, http, answer })),
    });
  }),
  [resendEvent.id]: handleControl(resendEvent, async ({ services }, { id }) => {
    const event = await requeueEvent(await services.ledger(), id, services.clock.now());
    services.nudge();
    return event ? succeed('event_queued', 'The webhook is sent again, if it may be sent.', viewOf(event)) : NO_EVENT;
  }),
  [readTargets.id]: handleControl(readTargets, async ({ services }) => {
    const targets = await readWebhookTargets(await services.ledger());
    return succeed('webhooks_found', 'Where webhooks may go.', { targets });
  }),
  [setTargets.id]: handleControl(setTargets, async ({ services }, { targets }) => {
    await writeWebhookTargets(await services.ledger(), targets);
    return succeed('webhooks_changed', `Webhooks may go to ${targets}.`, { targets });
  }),
  // Faults of the next calls of an endpoint: a documented error, an HTTP status, or a trick such as a cut connection.
  [listFaults.id]: handleControl(listFaults, async ({ services }) =>
    succeed('faults_found', 'Faults that wait for their calls.', waitingFaults(services)),
  ),
  [addFault.id]: handleControl(addFault, async ({ services }, { endpoint: id, ...fault }) => {
    const endpoint = ENDPOINTS.find((each) => each.id === id);
    if (!endpoint) return invalid('endpoint', `must be one of ${ENDPOINTS.map((each) => each.id).join(', ')}`);
    const problem = problemOfKind(endpoint, fault.kind);
    if (problem) return invalid('kind', problem);
    if (services.faults.list().length >= MAX_FAULTS) return invalid('endpoint', 'too many faults wait already');
    services.faults.add({ endpoint: endpoint.id, ...fault });
    return succeed('fault_added', `The next ${fault.count} calls of ${id} fail.`, waitingFaults(services));
  }),
  [clearFaults.id]: handleControl(clearFaults, async ({ services }, { endpoint: id }) => {
    services.faults.clear(id);
    const message = `No fault is set${id === undefined ? '' : ` for ${id}`}.`;
    return succeed('faults_cleared', message, waitingFaults(services));
  }),
};

/** Adds the routes of the control under `/_sandbox`. Each call needs the control key. */
export const addControl = (app: App, services: Services, control: Control): void => {
  app.use('/_sandbox/*', async (context, next) => {
    if (!isSameKey(context.req.header('x-control-key'), control.key)) return send(context, NO_KEY);
    await next();
    return undefined;
  });
  for (const handler of Object.values(HANDLERS)) {
    const { method, path } = handler.endpoint;
    app.on(method, path, async (context) => send(context, await answer({ services, control }, handler, context)));
  }
};

const NO_KEY: Answer = { http: 401, status: 'unauthorized', message: 'The control key is invalid or missing.' };

/** Whether two keys are equal. Compares in constant time. */
const isSameKey = (a: string | undefined, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(a ?? '')), Buffer.from(hashOf(b)));

const badInput = (problems: readonly Problem[]): Answer => ({
  http: 400,
  status: 'invalid_parameters',
  message: problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
  errors: problems.map(({ field, message }) => ({ field, message })),
});

/** Answers one call of the control: checks its fields by the contract, then runs its handler. */
const answer = async (call: ControlCall, { endpoint }: ControlHandler, { env }: RequestContext): Promise<Answer> => {
  const read = await readInput(endpoint, env, {});
  return read.ok ? runControl(call, endpoint.id as ControlId, read.input) : badInput(read.problems);
};

/** Calls that run at any time: they change no state, or wait by themselves until no other call runs. */
const UNGATED: readonly ControlId[] = [health.id, stop.id, logs.id, takeSnapshot.id, restoreSnapshot.id];

/** Runs the handler of an endpoint. The input must have passed the checks of its contract. */
export const runControl = async (
  call: ControlCall,
  id: ControlId,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> => {
  const { endpoint, run } = HANDLERS[id];
  const work = () => run(call, input as never);
  const { ok, status, ...outcome } = await (UNGATED.includes(id) ? work() : call.services.together(work));
  const name = String(status);
  const http = ok ? endpoint.success[name]?.http : endpoint.errors[name as keyof typeof endpoint.errors];
  const { clock } = call.services;
  // The server set its date before this call moved the clock.
  const headers = clock.offset() === 0 ? {} : { headers: { date: httpDate(clock) } };
  return { http: http ?? 500, status: name, ...outcome, ...headers };
};
