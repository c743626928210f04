import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

/** The routes of the sandbox, with the request as Node received it at hand. */
export type App = Hono<{ Bindings: HttpBindings }>;

/** One request to them. */
export type Met = Context<{ Bindings: HttpBindings }>;
