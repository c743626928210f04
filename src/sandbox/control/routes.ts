import { timingSafeEqual } from 'node:crypto';
import type { ControlId } from '../../contract/control/index.ts';
import { validate } from '../../contract/define.ts';
import { httpDate } from '../clock.ts';
import { type Answer, type App, type Met, say } from '../http/envelope.ts';
import { readInput } from '../http/read-input.ts';
import { hashOf } from '../ledger/tenants.ts';
import type { Services } from '../services.ts';
import { CHAIN_HANDLERS } from './chains.ts';
import { CHARGE_HANDLERS } from './charges.ts';
import { EVENT_HANDLERS } from './events.ts';
import { FAULT_HANDLERS } from './faults.ts';
import type { Control, ControlCall, ControlHandler } from './handler.ts';
import { IDENTITY_HANDLERS } from './identity.ts';
import { PROCESS_HANDLERS } from './process.ts';

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
