import { timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';
import { SOLANA } from '../../contract/solana.ts';
import { isFailure } from '../../core/failure.ts';
import { type App, say } from '../http/app.ts';
import type { Answer } from '../http/envelope.ts';
import { hashOf } from '../ledger/tenants.ts';
import { isEvmAddress, NOT_AN_ADDRESS } from '../payments/address.ts';
import type { Services } from '../services.ts';
import { isSolanaAddress, NOT_A_SOLANA_ADDRESS } from '../solana/address.ts';
import { chainRoutes } from './chains.ts';
import { clockRoutes } from './clock.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { balancesOf, chainsFor, fund } from './fund.ts';
import { balancesOnSolana, fundOnSolana, isOnSolana } from './fund-solana.ts';
import { identityRoutes } from './identity.ts';
import { logRoutes } from './logs.ts';
import { moneyRoutes } from './money.ts';
import { type Act, invalid, ok, type Route, withInput } from './route.ts';
import { type Health, INPUTS } from './shapes.ts';
import { tenantRoutes } from './tenants.ts';

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
