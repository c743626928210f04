import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS, type EndpointId } from '../contract/index.ts';
import { isFailure } from '../core/failure.ts';
import { addChains, type OpenSession } from './chains/foreign.ts';
import { httpDate } from './clock.ts';
import type { Control } from './control/handler.ts';
import { addControl } from './control/routes.ts';
import { runWithFaults } from './faults/run-with-faults.ts';
import { HANDLERS } from './handlers/table.ts';
import { answerEndpoint, readCall } from './http/answer-endpoint.ts';
import { type Answer, type App, type Bindings, type RequestContext, refusal, respond, send } from './http/envelope.ts';
import { answerGarbage, BAD_REQUEST, isOwnHost, isOwnOrigin } from './http/listen.ts';
import { whenReceived } from './http/read-input.ts';
import { openSockets, takeUpgrades } from './http/websocket.ts';
import { describeError, log } from './log.ts';
import { isWatching } from './pages/page.ts';
import { addPages } from './pages/table.ts';
import { applyInjectedError, changesStatus } from './payments/settle.ts';
import type { Services } from './services.ts';

/**
 * Waits for the end of this turn of the event loop. All answers of the turn are then written together and wake their
 * reader once, because a wake-up takes longer than a write.
 */
const openTurnEnd = (): (() => Promise<void>) => {
  let end: Promise<void> | undefined;
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    });
    return end;
  };
};

/** The header names of the keys. */
const KEYS = ['x-api-key', 'x-control-key'] as const;

/** Paths that are not logged. Commands call them often, and they would hide the other requests. */
const UNLOGGED: readonly string[] = ['/_sandbox/health', '/_sandbox/logs'];

/** Counts a request as activity at its start and its end, and writes it into the log. */
const follow = ({ io, requests, exchanges }: Services, onUse: () => void, env: Bindings): void => {
  const { incoming, outgoing } = env;
  if (isWatching(incoming)) return;
  const startedMs = io.clock.monotonic();
  const path = (incoming.url ?? '').replace(/[?#].*$/s, '');
  onUse();
  outgoing.once('close', () => {
    onUse();
    if (UNLOGGED.includes(path)) return;
    const ms = Math.round(io.clock.monotonic() - startedMs);
    const { method = '', url = '', headers } = incoming;
    const entry = requests.add({ method, path, http: outgoing.statusCode, status: env.answered ?? '-', ms });
    const { requestBody: request, answerBody: answer } = env;
    if (answer === undefined) return;
    const keys = KEYS.flatMap((name) => headers[name] ?? []);
    exchanges.add({ entry, url, keys, request, answer });
  });
};

const FOREIGN_HOST: Answer = {
  http: 403,
  status: 'host_not_allowed',
  message: 'The sandbox answers under the name of this machine only: 127.0.0.1, localhost or [::1], with its port.',
};
const FOREIGN_ORIGIN = refusal(403, 'origin_not_allowed', 'A page of another site may not use the sandbox.');
const NO_ROUTE = refusal(404, 'route_not_found', 'The service has no such path.');
const FAULT = refusal(500, 'internal_error', 'The sandbox failed. See sandbox.log in its folder.');

/** A path of the contract in the notation of hono. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const wrongMethod = (allowed: readonly string[]): Answer => ({
  ...refusal(405, 'method_not_allowed', `This path takes ${allowed.join(' and ')}.`),
  headers: { allow: allowed.join(', ') },
});

const addEndpoint = (app: App, services: Services, endpoint: Endpoint, turnEnd: () => Promise<void>): void => {
  const handler = HANDLERS[endpoint.id as EndpointId];
  const answer = (context: RequestContext) => {
    const { env, req } = context;
    const run = async (fault?: string) => {
      // A slow upload must not delay a snapshot, nor the calls that wait for the snapshot.
      await whenReceived(endpoint, env);
      const work = () => answerEndpoint(services, { endpoint, handler, fault }, env, req.param());
      const answered = await services.together(work);
      await turnEnd();
      return send(context, answered);
    };
    const applyError = async (status: string) => {
      if (!changesStatus(endpoint, status)) return;
      await whenReceived(endpoint, env);
      await services.together(async () => {
        const call = await readCall(services, endpoint, env, req.param());
        if (call) await applyInjectedError(services, status, call);
      });
    };
    return runWithFaults(services.faults, endpoint, context, { run, applyError });
  };
  app.on(endpoint.method, routeOf(endpoint.path), answer);
};

/** The methods of the contract for a path; empty for an unknown path. */
const methodsOf = (path: string): readonly string[] => {
  const hasPath = (endpoint: Endpoint) => new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return ENDPOINTS.filter(hasPath).map(({ method }) => method);
};

/** Adds all routes: the service, the control, the pages, the chains, and an envelope for any other path. */
const openApp = (services: Services, control: Control): { readonly app: App; readonly openSession: OpenSession } => {
  const app: App = new Hono();
  addControl(app, services, control);
  addPages(app, services, control);
  const openSession = addChains(app, services);
  const turnEnd = openTurnEnd();
  for (const endpoint of ENDPOINTS) addEndpoint(app, services, endpoint, turnEnd);
  app.notFound((context) => {
    const allowed = methodsOf(context.req.path);
    return send(context, allowed.length > 0 ? wrongMethod(allowed) : NO_ROUTE);
  });
  app.onError(async (error, context) => {
    const { method, routePath } = context.req;
    await log(services.io, `${method} ${routePath} failed: ${describeError(error)}`);
    return send(context, isFailure(error) ? { ...FAULT, message: error.message } : FAULT);
  });
  return { app, openSession };
};

/** Adds the WebSockets of the chains, with the same refusals as for requests. They close at the end of the sandbox. */
const addSockets = (server: Server, services: Services, control: Control, openSession: OpenSession): void => {
  const sockets = openSockets(control.onRequest);
  control.ended.addEventListener('abort', sockets.close, { once: true });
  takeUpgrades(server, (upgrade) => {
    const { request } = upgrade;
    control.onRequest();
    if (!isOwnHost(request)) return FOREIGN_HOST;
    if (!isOwnOrigin(request)) return FOREIGN_ORIGIN;
    const path = (request.url ?? '').replace(/[?#].*$/s, '');
    const open = openSession(path);
    if (!open) return NO_ROUTE;
    services.requests.add({ method: 'GET', path, http: 101, status: 'web_socket', ms: 0 });
    sockets.welcome(upgrade, open);
    return undefined;
  });
};

/** A connection closes when a request is not complete in this time. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Opens the HTTP server of a sandbox. It does not listen yet. */
export const openServer = (services: Services, control: Control): Server => {
  const { app, openSession } = openApp(services, control);
  // These checks are no middleware of hono, because a request with a single matching route is faster.
  const answer = (request: Request, env: Bindings) => {
    follow(services, control.onRequest, env);
    if (isOwnHost(env.incoming)) return app.fetch(request, env);
    env.answered = FOREIGN_HOST.status;
    return respond(FOREIGN_HOST);
  };
  const errorHandler = () => respond(BAD_REQUEST);
  const listener = getRequestListener((request, env) => answer(request, env as Bindings), { errorHandler });
  const serve: RequestListener = (incoming, outgoing) => {
    // Node sends the machine's time by default.
    if (services.clock.offset() !== 0) outgoing.setHeader('date', httpDate(services.clock));
    void listener(incoming, outgoing);
  };
  // Node answers a missing Host and an unknown expectation by itself, without an envelope. The sandbox answers both.
  const server = createServer({ requireHostHeader: false, requestTimeout: REQUEST_TIMEOUT_MS }, serve);
  server.on('checkExpectation', serve);
  answerGarbage(server);
  addSockets(server, services, control, openSession);
  return server;
};
