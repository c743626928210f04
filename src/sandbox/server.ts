import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { isFailure } from '../core/failure.ts';
import { addControl, type Control } from './control/routes.ts';
import { meetFault } from './faults/meet.ts';
import { HANDLERS } from './handlers/table.ts';
import { answerEndpoint } from './http/answer-endpoint.ts';
import type { App, Met } from './http/app.ts';
import { type Answer, envelopeText, respond } from './http/envelope.ts';
import { isOwnHost } from './http/host.ts';
import { openTurnEnd } from './http/together.ts';
import { describeError, log } from './log.ts';
import { addKycPages } from './pages/kyc-session.ts';
import type { Services } from './services.ts';

const FOREIGN_HOST: Answer = {
  http: 403,
  status: 'host_not_allowed',
  message: 'The sandbox answers under the name of this machine only: 127.0.0.1, localhost or [::1], with its port.',
};
const BAD_REQUEST: Answer = { http: 400, status: 'bad_request', message: 'This is not a usable HTTP request.' };
const NO_ROUTE: Answer = { http: 404, status: 'route_not_found', message: 'The service has no such path.' };
const FAULT: Answer = {
  http: 500,
  status: 'internal_error',
  message: 'The sandbox failed. Its log, sandbox.log in its folder, says more.',
};

/** The service's path as hono writes it. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const wrongMethod = (allowed: readonly string[]): Answer => ({
  http: 405,
  status: 'method_not_allowed',
  message: `This path takes ${allowed.join(' and ')}.`,
  headers: { allow: allowed.join(', ') },
});

const addEndpoint = (app: App, services: Services, endpoint: Endpoint, turnEnd: () => Promise<void>): void => {
  const answer = (context: Met) =>
    meetFault(services.faults, endpoint, context, async () => {
      const { env, req } = context;
      const answered = await answerEndpoint(services, endpoint, HANDLERS.get(endpoint.id), env.incoming, req.param());
      await turnEnd();
      return respond(answered);
    });
  app.on(endpoint.method, routeOf(endpoint.path), answer);
};

/** The methods of a path that the contract has; each parameter is one part of it. */
const methodsOf = (path: string): readonly string[] => {
  const isIt = (endpoint: Endpoint) => new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return ENDPOINTS.filter(isIt).map(({ method }) => method);
};

/** All routes: the contract's, the control's, and an envelope for whatever is neither. */
const openApp = (services: Services, control: Control): App => {
  const app: App = new Hono();
  addControl(app, services, control);
  addKycPages(app, services);
  const turnEnd = openTurnEnd();
  for (const endpoint of ENDPOINTS) addEndpoint(app, services, endpoint, turnEnd);
  app.notFound(({ req }) => {
    const allowed = methodsOf(req.path);
    return respond(allowed.length > 0 ? wrongMethod(allowed) : NO_ROUTE);
  });
  app.onError(async (error, { req }) => {
    await log(services.io, `${req.method} ${req.routePath} failed: ${describeError(error)}`).catch(() => undefined);
    return respond(isFailure(error) ? { ...FAULT, message: error.message } : FAULT);
  });
  return app;
};

/** What never becomes a request still gets an envelope. */
const answerGarbage = (server: Server): void => {
  server.on('clientError', (_, socket) => {
    const body = envelopeText(BAD_REQUEST);
    const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
    if (socket.writable) socket.end(`${head}\r\n\r\n${body}`);
    else socket.destroy();
  });
};

/** The HTTP server of a sandbox, not listening yet. */
export const openServer = (services: Services, control: Control): Server => {
  const app = openApp(services, control);
  const errorHandler = () => respond(BAD_REQUEST);
  const answer = getRequestListener((request, env) => app.fetch(request, env), { errorHandler });
  const refuse = getRequestListener(() => respond(FOREIGN_HOST), { errorHandler });
  // Here and not in a route of all paths: with a single route for a call, none has to be chained.
  const server = createServer((incoming, outgoing) => {
    control.onRequest();
    outgoing.once('close', control.onRequest);
    const isOwn = isOwnHost(incoming.headers.host, incoming.socket.localPort);
    void (isOwn ? answer : refuse)(incoming, outgoing);
  });
  answerGarbage(server);
  return server;
};
