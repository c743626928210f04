import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { FieldError } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';

/** One answer of the sandbox: its HTTP code, its headers, and the fields of its envelope. */
export type Answer = {
  readonly http: number;
  readonly status: string;
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: readonly FieldError[] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer without data. */
export const refusal = (http: number, status: string, message: string): Answer => ({ http, status, message });

/** The envelope as JSON text, numbers digit for digit. Document: Response envelope. */
export const envelopeText = ({ http, status, message, data, errors }: Answer): string =>
  printJson({ statusCode: http, success: http < 400, status, message, data, errors });

/** HTTP codes without a body (RFC 9110, section 6.4.1). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** The headers forbid caching, and forbid a browser to read the answer as anything but JSON. */
const responseOf = ({ http, headers }: Answer, body: string): Response =>
  new Response(WITHOUT_BODY.includes(http) ? null : body, {
    status: http,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });

/** An answer as an HTTP response. */
export const respond = (answer: Answer): Response => responseOf(answer, envelopeText(answer));

/**
 * The request as Node received it. For the log, also the status of the answer's envelope and the bodies of request and
 * answer. Only calls of the service and the control have bodies here; forms of pages have none.
 */
export type Bindings = HttpBindings & {
  answered?: string;
  requestBody?: Uint8Array;
  answerBody?: string;
  /** The body of the request, after the first call that reads it. */
  body?: Promise<Uint8Array | undefined>;
};

/** The routes of the sandbox. */
export type App = Hono<{ Bindings: Bindings }>;

/** The context of one request. */
export type RequestContext = Context<{ Bindings: Bindings }>;

/** Answers with an envelope, and stores its status and its body for the log. */
export const send = ({ env }: RequestContext, answer: Answer): Response => {
  const body = envelopeText(answer);
  env.answered = answer.status;
  env.answerBody = body;
  return responseOf(answer, body);
};
