import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { FieldError } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';

/** One answer of the sandbox, before it is HTTP. */
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

/** HTTP allows no body with these (RFC 9110, section 6.4.1). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** An answer as HTTP. Nothing of it may be cached, and no browser may take it for anything but JSON. */
export const respond = (answer: Answer): Response =>
  new Response(WITHOUT_BODY.includes(answer.http) ? null : envelopeText(answer), {
    status: answer.http,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...answer.headers,
    },
  });

/** The request as Node received it, and `answered`: the status of the envelope it is answered with, for the log. */
export type Bindings = HttpBindings & { answered?: string };

/** The routes of the sandbox. */
export type App = Hono<{ Bindings: Bindings }>;

/** One request to them. */
export type Met = Context<{ Bindings: Bindings }>;

/** Answers with an envelope, and remembers its status for the log. */
export const send = (context: Met, answer: Answer): Response => {
  context.env.answered = answer.status;
  return respond(answer);
};
