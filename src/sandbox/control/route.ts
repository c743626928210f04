import type * as z from 'zod';
import type { Met } from '../http/app.ts';
import type { Answer } from '../http/envelope.ts';
import { readJson } from '../http/read-json.ts';

/** An answer that something was done, HTTP 200. */
export const ok = (status: string, message: string, data?: unknown): Answer => ({ http: 200, status, message, data });

/** What is asked about is not there. */
export const missing = (status: string, message: string): Answer => ({ http: 404, status, message });

/** An answer that one field is wrong, HTTP 400. */
export const invalid = (field: string, message: string): Answer => ({
  http: 400,
  status: 'invalid_parameters',
  message: `${field}: ${message}`,
  errors: [{ field, message }],
});

/** What a call of the control does with its input. */
export type Act<T> = (input: T) => Promise<Answer>;

/** Reads the input of a call, body or query, and acts on it when it is right. */
export const withInput = async <T>(context: Met, schema: z.ZodType<T>, act: Act<T>): Promise<Answer> => {
  const isQuery = context.req.method === 'GET';
  const body = isQuery ? ({ ok: true, fields: context.req.query() } as const) : await readJson(context.env.incoming);
  if (!body.ok) return invalid('body', body.message);
  const parsed = schema.safeParse(body.fields);
  if (parsed.success) return act(parsed.data);
  const [issue] = parsed.error.issues;
  return invalid(issue?.path.join('.') || 'body', issue?.message ?? 'is wrong');
};

/** One call of the control, under `/_sandbox`. */
export type Route = readonly ['GET' | 'POST' | 'DELETE', string, (context: Met) => Promise<Answer>];
