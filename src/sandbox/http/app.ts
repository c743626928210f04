import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { type Answer, respond } from './envelope.ts';

/** The request as Node received it, and `said`: the status of the envelope it is answered with, for the log. */
export type Bindings = HttpBindings & { said?: string };

/** The routes of the sandbox. */
export type App = Hono<{ Bindings: Bindings }>;

/** One request to them. */
export type Met = Context<{ Bindings: Bindings }>;

/** Answers with an envelope, and remembers its status for the log. */
export const say = (context: Met, answer: Answer): Response => {
  context.env.said = answer.status;
  return respond(answer);
};
