import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** The routes of the sandbox, with the request as Node received it at hand. */
export type App = Hono<{ Bindings: HttpBindings }>;
