import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { ENDPOINTS } from '../../contract/index.ts';
import { SOLANA } from '../../contract/solana.ts';
import { isFailure } from '../../core/failure.ts';
import { newKey } from '../address.ts';
import { httpDate, readSpan } from '../clock.ts';
import { problemOfKind } from '../faults/answer.ts';
import { type App, say } from '../http/app.ts';
import type { Answer } from '../http/envelope.ts';
import { addTenant, hashOf, putKeyWithoutTenant } from '../ledger/tenants.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from '../payments/address.ts';
import { openLogReader } from '../read-logs.ts';
import type { Services } from '../services.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../solana/address.ts';
import { chainRoutes } from './chains.ts';
import { eventRoutes } from './events.ts';
import { balancesOf, chainsFor, fund } from './fund.ts';
import { balancesOnSolana, fundOnSolana, isOnSolana } from './fund-solana.ts';
import { identityRoutes } from './identity.ts';
import { moneyRoutes } from './money.ts';
import { type Act, invalid, ok, type Route, withInput } from './route.ts';
import { advanceInput, type ClockState, faultInput, type Health, INPUTS, tenantInput } from './shapes.ts';
/** What the control can do to the process that it runs in. */
export type Control = {
  readonly key: string;
  /** Called for every request: an idle sandbox stops. */
  readonly onRequest: () => void;
  readonly health: () => Promise<Health>;
  readonly reset: () => Promise<void>;
  readonly stop: () => void;
  /** Aborts when the sandbox is about to end: what would keep a connection open lets it go. */
  readonly ended: AbortSignal;
};

const NO_KEY: Answer = { http: 401, status: 'unauthorized', message: 'The control key is invalid or missing.' };

/** Compares in a time that says nothing about the key. */
const isKey = (given: string | undefined, key: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(given ?? '')), Buffer.from(hashOf(key)));

/** A Solana address is for the Solana chain, and for no other. */
const isForSolana = ({ address, chain }: { readonly address: string; readonly chain?: string | undefined }): boolean =>
  (chain === undefined || chain === SOLANA) && isSolanaAddress(address);

const wrongAddress = (chain: string | undefined): Answer =>
  invalid('address', chain === SOLANA ? NOT_A_SOLANA_ADDRESS : NOT_AN_ADDRESS);

const fundAct =
  (services: Services): Act<z.infer<typeof INPUTS.fund>> =>
  async (input) => {
    const isSolana = isForSolana(input);
    if (!isSolana && (input.chain === SOLANA || !(await isEvmAddress(input.address)))) return wrongAddress(input.chain);
    if (isSolana ? !(await isOnSolana(input.token)) : chainsFor(input).length === 0) {
      return invalid('token', `there is no ${input.token} on ${input.chain ?? 'any chain'}`);
    }
    try {
      const given = await (isSolana ? fundOnSolana(services, input) : fund(services, input));
      services.nudge();
      return ok('funded', 'The address was funded.', given);
    } catch (error) {
      if (isFailure(error, 'invalid_input')) return invalid('amount', error.message);
      throw error;
    }
  };

const routesOf = (services: Services, control: Control): readonly Route[] => [
  ['GET', 'health', async () => ok('healthy', 'The sandbox answers.', await control.health())],
  ['POST', 'fund', (context) => withInput(context, INPUTS.fund, fundAct(services))],
  [
    'GET',
    'balances',
    (context) =>
      withInput(context, INPUTS.balances, async ({ address, chain }) => {
        if (isForSolana({ address, chain })) {
          return ok('balances_found', 'Balances on the chain.', await balancesOnSolana(services, address));
        }
        if (chain === SOLANA || !(await isEvmAddress(address))) return wrongAddress(chain);
        return ok('balances_found', 'Balances on the chains.', await balancesOf(services, address, chain));
      }),
  ],
  [
    'POST',
    'reset',
    async () => {
      await control.reset();
      return ok('reset_done', 'Payments, orders, users, settings and chains are as on the first day. The keys stay.');
    },
  ],
  [
    'POST',
    'stop',
    async () => {
      control.stop();
      return ok('stopping', 'The sandbox stops.');
    },
  ],
];

/** Adds the control of the sandbox, under `/_sandbox`, behind its own key. */
export const addControl = (app: App, services: Services, control: Control): void => {
  app.use('/_sandbox/*', async (context, next) => {
    if (!isKey(context.req.header('x-control-key'), control.key)) return say(context, NO_KEY);
    await next();
    return undefined;
  });
  const routes = [
    ...routesOf(services, control),
    ...chainRoutes(services),
    ...clockRoutes(services),
    ...identityRoutes(services),
    ...tenantRoutes(services),
    ...moneyRoutes(services),
    ...eventRoutes(services),
    ...faultRoutes(services),
    ...logRoutes(services),
  ];
  for (const [method, name, answer] of routes) {
    app.on(method, `/_sandbox/${name}`, async (context) => say(context, await answer(context)));
  }
};

const input = z.object({ lines: z.coerce.number('must be a number').int().min(1).max(10_000).default(100) });

/** The last entries of the log, the newest at the end. */
const logRoutes = ({ io, requests }: Services): readonly Route[] => [
  [
    'GET',
    'logs',
    (context) =>
      withInput(context, input, async ({ lines }) => {
        await requests.flush();
        const entries = await openLogReader(io).next();
        return ok('logs_found', 'Requests, and what the process said.', { entries: entries.slice(-lines) });
      }),
  ],
];

/** Makes a key, shown this once: that of a new tenant, or a valid one that belongs to none. */
const tenantRoutes = (services: Services): readonly Route[] => [
  [
    'POST',
    'tenant',
    (context) =>
      withInput(context, tenantInput, async ({ without_tenant }) => {
        const api_key = newKey(services.io, 'sandbox');
        const at = services.clock.nowIso();
        const ledger = await services.ledger();
        if (without_tenant) {
          await putKeyWithoutTenant(ledger, api_key, at);
          return ok('key_created', 'A key that belongs to no tenant.', { tenant: null, api_key });
        }
        return ok('tenant_created', 'A tenant and its key.', { tenant: await addTenant(ledger, api_key, at), api_key });
      }),
  ],
];

const stateOf = async ({ clock, ledger }: Services): Promise<ClockState> => {
  await ledger();
  return { now: clock.nowIso(), offset_ms: clock.offset() };
};

/** Shows and moves the clock. It only goes forward: what happened stays in the past. */
const clockRoutes = (services: Services): readonly Route[] => [
  ['GET', 'clock', async () => ok('clock_found', "The sandbox's time.", await stateOf(services))],
  [
    'POST',
    'clock',
    (context) =>
      withInput(context, advanceInput, async ({ advance }) => {
        if (!(await services.advance(readSpan(advance)))) return invalid('advance', 'is more than a hundred years');
        const moved = ok('clock_advanced', "The sandbox's time was moved.", await stateOf(services));
        // The request came in another time.
        return { ...moved, headers: { date: httpDate(services.clock) } };
      }),
  ],
];

/** More than anybody needs; each costs a look at every call. */
const MAX_FAULTS = 100;

/** Makes the next calls of an endpoint fail, in any way that the document or the network knows. */
const faultRoutes = ({ faults }: Services): readonly Route[] => {
  const all = (status: string, message: string) => ok(status, message, { faults: faults.list() });
  return [
    ['GET', 'fault', async () => all('faults_found', 'Faults that wait for their calls.')],
    [
      'DELETE',
      'fault',
      async ({ req }) => {
        const id = req.query('endpoint');
        faults.clear(id);
        return all('faults_cleared', `No call${id === undefined ? '' : ` of ${id}`} meets a fault.`);
      },
    ],
    [
      'POST',
      'fault',
      (context) =>
        withInput(context, faultInput, async ({ endpoint: id, ...fault }) => {
          const endpoint = ENDPOINTS.find((each) => each.id === id);
          if (!endpoint) return invalid('endpoint', `must be one of ${ENDPOINTS.map((each) => each.id).join(', ')}`);
          const problem = problemOfKind(endpoint, fault.kind);
          if (problem) return invalid('kind', problem);
          if (faults.list().length >= MAX_FAULTS) return invalid('endpoint', 'too many faults wait already');
          faults.add({ endpoint: endpoint.id, ...fault });
          return all('fault_added', `The next ${fault.count} calls of ${id} fail.`);
        }),
    ],
  ];
};
