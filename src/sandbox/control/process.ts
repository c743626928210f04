import { advance, createTenant, health, logs, readClock, reset, stop } from '../../contract/control/process.ts';
import { newKey } from '../address.ts';
import { readSpan } from '../clock.ts';
import { succeed } from '../handlers/handler.ts';
import { addTenant, putKeyWithoutTenant } from '../ledger/tenants.ts';
import { openLogReader } from '../read-logs.ts';
import type { Services } from '../services.ts';
import { handleControl, invalid } from './handler.ts';

const clockOf = async ({ clock, ledger }: Services) => {
  await ledger();
  return { now: clock.nowIso(), offset_ms: clock.offset() };
};

/** State, logs, clock and tenants of the sandbox, its reset and its end. */
export const PROCESS_HANDLERS = {
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
