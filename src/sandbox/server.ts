import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { isFailure } from '../core/failure.ts';
import { addChains } from './chains/foreign.ts';
import { addControl, type Control } from './control/routes.ts';
import { meetFault } from './faults/meet.ts';
import { HANDLERS } from './handlers/table.ts';
import { answerEndpoint } from './http/answer-endpoint.ts';
import { type App, type Met, say } from './http/app.ts';
import { type Answer, envelopeText, respond } from './http/envelope.ts';
import { isOwnHost } from './http/host.ts';
import { describeError, log } from './log.ts';
import { isWatching } from './pages/live.ts';
import { addPages } from './pages/table.ts';
import type { Services } from './services.ts';

const FOREIGN_HOST: Answer = {
  http: 403,
  status: 'host_not_allowed',
  message: 'The sandbox answers under the name of this machine only: 127.0.0.1, localhost or [::1], with its port.',
};
const BAD_REQUEST: Answer = { http: 400, status: 'bad_request', message: 'This is not a usable HTTP request.' };
const NO_PROXY: Answer = { http: 405, status: 'method_not_allowed', message: 'The sandbox is no proxy.' };
const NO_ROUTE: Answer = { http: 404, status: 'route_not_found', message: 'The service has no such path.' };
const FAULT: Answer = {
  http: 500,
  status: 'internal_error',
  message: 'The sandbox failed. Its log, sandbox.log in its folder, says more.',
};

/** What commands ask by themselves would drown the rest of the log. */
const UNTOLD: readonly string[] = ['/_sandbox/health', '/_sandbox/logs'];

/** The service's path as hono writes it. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const wrongMethod = (allowed: readonly string[]): Answer => ({
  http: 405,
  status: 'method_not_allowed',
  message: `This path takes ${allowed.join(' and ')}.`,
  headers: { allow: allowed.join(', ') },
});

const addEndpoint = (app: App, services: Services, endpoint: Endpoint): void => {
  const answer = (context: Met) =>
    meetFault(services.faults, endpoint, context, async () => {
      const { env, req } = context;
      const handler = HANDLERS.get(endpoint.id);
      return say(context, await answerEndpoint(services, endpoint, handler, env.incoming, req.param()));
    });
  app.on(endpoint.method, routeOf(endpoint.path), answer);
};

const addWrongMethods = (app: App): void => {
  for (const route of new Set(ENDPOINTS.map(({ path }) => routeOf(path)))) {
    // A path such as /order/create is also one of /order/{order_id}.
    const methods = ENDPOINTS.filter(({ path }) => patternOf(path).test(route)).map(({ method }) => method);
    app.all(route, (context) => say(context, wrongMethod(methods)));
  }
};

/** All routes: the contract's, the control's, and an envelope for whatever is neither. */
const openApp = (services: Services, control: Control): App => {
  const app: App = new Hono();
  app.use(async (context, next) => {
    const { req, env } = context;
    const isUse = !isWatching(context);
    if (isUse) control.onRequest();
    const begun = services.io.clock.monotonic();
    if (isOwnHost(req.header('host'), env.incoming.socket.localPort)) await next();
    else context.res = say(context, FOREIGN_HOST);
    if (isUse) control.onRequest();
    if (!isUse || UNTOLD.includes(req.path)) return;
    services.requests.add({
      method: req.method,
      path: req.path,
      http: context.res.status,
      status: context.get('said') ?? '-',
      ms: Math.round(services.io.clock.monotonic() - begun),
    });
  });
  addControl(app, services, control);
  addPages(app, services, control);
  addChains(app, services);
  for (const endpoint of ENDPOINTS) addEndpoint(app, services, endpoint);
  addWrongMethods(app);
  app.notFound((context) => say(context, NO_ROUTE));
  app.onError(async (error, context) => {
    const { method, routePath } = context.req;
    await log(services.io, `${method} ${routePath} failed: ${describeError(error)}`).catch(() => undefined);
    return say(context, isFailure(error) ? { ...FAULT, message: error.message } : FAULT);
  });
  return app;
};

/** An answer to what is no request to the routes, as bytes; the connection ends with it. */
const endWith = (socket: Duplex, answer: Answer): void => {
  const body = envelopeText(answer);
  const head = [
    `HTTP/1.1 ${answer.http} ${STATUS_CODES[answer.http]}`,
    ...['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
};

/** What never becomes a request still gets an envelope. */
const answerGarbage = (server: Server): void => {
  server.on('clientError', (_, socket) => endWith(socket, BAD_REQUEST));
  server.on('connect', (_, socket) => endWith(socket, NO_PROXY));
};

/** A body that does not come whole in this time ends its connection. */
const WHOLE_REQUEST_MS = 60_000;

/** The HTTP server of a sandbox, not listening yet. */
export const openServer = (services: Services, control: Control): Server => {
  const app = openApp(services, control);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    errorHandler: () => respond(BAD_REQUEST),
  });
  const serve: RequestListener = (incoming, outgoing) => void listener(incoming, outgoing);
  // Node would answer these two by itself, without an envelope: no Host, and an expectation that it does not know.
  const server = createServer({ requireHostHeader: false, requestTimeout: WHOLE_REQUEST_MS }, serve);
  server.on('checkExpectation', serve);
  answerGarbage(server);
  return server;
};
