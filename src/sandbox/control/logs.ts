import * as z from 'zod';
import { openLogReader } from '../read-logs.ts';
import type { Services } from '../services.ts';
import { ok, type Route, withInput } from './route.ts';

const input = z.object({ lines: z.coerce.number('must be a number').int().min(1).max(10_000).default(100) });

/** The last entries of the log, the newest at the end. */
export const logRoutes = ({ io, requests }: Services): readonly Route[] => [
  [
    'GET',
    'logs',
    (context) =>
      withInput(context, input, async ({ lines }) => {
        await requests.flush();
        const entries = await openLogReader(io).next();
        return ok('logs_found', 'Requests, and what the process said.', { entries: entries.slice(-lines) });
      }),
  ],
];
