import * as z from 'zod';
import { anyText, flag, list, moment, noted, oneOf, text, undocumented } from '../fields.ts';
import { count, defineControl, record } from './define.ts';

const healthData = record(
  {
    version: text('Version of bursar'),
    pid: count('Id of its process'),
    uptime_ms: count('Milliseconds since its start'),
    chains: list(text('Name of a chain'), 'Chains that run'),
    solana_rpc: anyText('Address of the Solana JSON-RPC; null while that chain is not in use').nullable(),
    // Sandboxes of earlier versions lack this field.
    evm_access: oneOf(['private', 'loopback'], 'Who can connect to the EVM nodes that run; null while none runs')
      .nullable()
      .default(null),
    idle_ms: count('Milliseconds since the last request'),
    ephemeral: flag('Whether nothing of its state is stored'),
  },
  'A running sandbox',
  'Health',
);

/** The tabs of the dashboard. The address of a tab is `/?list=` with its name. */
export const DASHBOARD_TABS = [
  ...(['payments', 'requests', 'orders', 'inbox', 'webhooks'] as const),
  ...(['kyc', 'yield', 'faults', 'chains'] as const),
] as const;

/** Shows version, process and chains of a running sandbox. Starts no chain. */
export const health = defineControl({
  id: 'process.health',
  method: 'GET',
  path: '/_sandbox/health',
  summary: 'Show version, process and running chains',
  effect: 'reads',
  success: {
    healthy: {
      http: 200,
      data: healthData,
      example: {
        version: '0.1.0',
        pid: 4711,
        uptime_ms: 61_000,
        chains: ['polygon'],
        solana_rpc: null,
        evm_access: 'private',
        idle_ms: 250,
        ephemeral: false,
      },
    },
  },
});

/** Deletes payments, orders, users, settings and chains. Tenants and keys stay. */
export const reset = defineControl({
  id: 'process.reset',
  method: 'POST',
  path: '/_sandbox/reset',
  summary: 'Delete payments, orders, users, settings and chains',
  effect: 'writes',
  success: { reset_done: { http: 200 } },
});

/** Ends the sandbox after the answer. Its state stays. */
export const stop = defineControl({
  id: 'process.stop',
  method: 'POST',
  path: '/_sandbox/stop',
  summary: 'Stop the sandbox',
  effect: 'writes',
  success: { stopping: { http: 200 } },
});

/** Makes a link that opens the dashboard once, within a minute. It is safe on the command line of a browser. */
export const makeLink = defineControl({
  id: 'process.link',
  method: 'POST',
  path: '/_sandbox/link',
  summary: 'Make a link that opens the dashboard once',
  effect: 'writes',
  success: {
    link_made: {
      http: 200,
      data: record({ token: text('Token of the link: `/?once=` with it') }, 'A link that is valid once'),
      example: { token: 'wq3jD0Yb7c1xJ5m2pT8s9A' },
    },
  },
});

/** Shows the last entries of the log, newest last. With bodies, it shows the requests in memory and reads no file. */
export const logs = defineControl({
  id: 'process.logs',
  method: 'GET',
  path: '/_sandbox/logs',
  summary: 'Read the last entries of the logs, oldest first',
  effect: 'reads',
  query: {
    lines: noted(z.int('must be a number').min(1, 'must be at least 1').max(10_000, 'must be at most 10000'), {
      description: 'How many entries',
    }).default(100),
    bodies: flag('Only requests whose bodies are still stored, with these bodies redacted').default(false),
  },
  success: {
    logs_found: {
      http: 200,
      data: record(
        {
          entries: list(undocumented('A request, or a message of the process'), 'Entries, oldest first'),
          // Sandboxes of earlier versions lack this field.
          offset_ms: count("Milliseconds by which the sandbox's clock is ahead of the times of the entries").default(0),
        },
        'Entries of the logs',
      ),
      example: {
        entries: [
          {
            at: '2026-11-20T10:00:00.000Z',
            id: 'mhx3k2a1-1',
            method: 'GET',
            path: '/quote/market',
            http: 200,
            ms: 4,
            status: 'quote_ok',
          },
        ],
        offset_ms: 0,
      },
    },
  },
  example: { lines: 5 },
});

/** A span of time: days, hours, minutes and seconds in this order, such as +10m or 1d12h. */
export const SPAN = /^\+?(?=\d)(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/;

const clockData = record(
  {
    now: moment("The sandbox's time (ISO 8601)"),
    offset_ms: count("Milliseconds ahead of the machine's clock; negative after a restore"),
  },
  "The sandbox's clock",
  'Clock',
);

const EXAMPLE_CLOCK = { now: '2026-11-20T10:10:00.000Z', offset_ms: 600_000 };

/** Shows the sandbox's time. */
export const readClock = defineControl({
  id: 'process.clock',
  method: 'GET',
  path: '/_sandbox/clock',
  summary: "Show the sandbox's clock",
  effect: 'reads',
  success: { clock_found: { http: 200, data: clockData, example: EXAMPLE_CLOCK } },
});

/** Moves the clock forward. It cannot move back, so that past events stay in the past. */
export const advance = defineControl({
  id: 'process.advance',
  method: 'POST',
  path: '/_sandbox/clock',
  summary: "Move the sandbox's clock forward",
  effect: 'writes',
  body: {
    advance: noted(z.string('must be text').regex(SPAN, 'must be a span of time such as +10m or 1d12h'), {
      description: 'How far, such as +10m or 1d12h',
    }),
  },
  success: { clock_advanced: { http: 200, data: clockData, example: EXAMPLE_CLOCK } },
  example: { advance: '+10m' },
});

const keyData = record(
  { tenant: text('Id of the tenant; null for a key of none').nullable(), api_key: text('API key, shown only here') },
  'An API key',
  'TenantKey',
);

/** Makes an API key of a new tenant, or a key without a tenant. */
export const createTenant = defineControl({
  id: 'process.tenant',
  method: 'POST',
  path: '/_sandbox/tenant',
  summary: 'Make an API key of a new tenant',
  effect: 'writes',
  body: { without_tenant: flag('A key of no tenant: orders answer customer_not_logged').default(false) },
  success: {
    tenant_created: { http: 200, data: keyData, example: { tenant: 'tenant_2', api_key: 'sandbox_example' } },
    key_created: { http: 200, data: keyData, example: { tenant: null, api_key: 'sandbox_example' } },
  },
  example: { without_tenant: true },
});

/** The data of `process.health`. */
export type Health = z.infer<typeof healthData>;
