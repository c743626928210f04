import type { IncomingMessage } from 'node:http';
import type { App } from '../http/envelope.ts';
import { changesOf } from '../ledger/latest.ts';
import type { Services } from '../services.ts';

const LOOK_EVERY_MS = 200;
/** Open pages that are live at once; more have to be loaded again by hand. */
const MAX_STREAMS = 32;

/** What the live pages of the sandbox look at themselves. It is no use of the sandbox, which may end of idleness. */
export const isWatching = ({ url, headers }: IncomingMessage): boolean =>
  url === '/_live' || headers['x-watching'] !== undefined;

/** Stands for all that the pages show: it changes with the ledger, with what moves beside it, and with a new start. */
const stampOf = async ({ io, ledger, moves }: Services): Promise<string> =>
  `${io.processes.pid}.${await changesOf(await ledger())}.${moves()}`;

/** What a page is made of: the state of all that pages show, and the sandbox's time. */
export type Live = { readonly stamp: string; readonly now: number };

/** To be asked before anything else of a page is read: what changes meanwhile is then shown a moment later. */
export const liveNow = async (services: Services): Promise<Live> => ({
  stamp: await stampOf(services),
  now: services.clock.now(),
});

const streamOf = (services: Services, signal: AbortSignal): ReadableStream<Uint8Array> => {
  let last: string | undefined;
  const text = new TextEncoder();
  return new ReadableStream({
    pull: async (sink) => {
      for (;;) {
        const stamp = signal.aborted ? undefined : await stampOf(services);
        if (stamp === undefined) return sink.close();
        if (stamp !== last) {
          last = stamp;
          return sink.enqueue(text.encode(`data: ${stamp}\n\n`));
        }
        await services.io.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      }
    },
  });
};

/** Server-sent events: the stamp, now and whenever it changes. Ends with the page, or with the sandbox. */
export const addLive = (app: App, services: Services, ended: AbortSignal): void => {
  let open = 0;
  app.get('/_live', ({ env, req }) => {
    const site = req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') return new Response(null, { status: 403 });
    if (open >= MAX_STREAMS || ended.aborted) return new Response(null, { status: 503 });
    open += 1;
    const gone = new AbortController();
    env.outgoing.once('close', () => {
      open -= 1;
      gone.abort();
    });
    return new Response(streamOf(services, AbortSignal.any([gone.signal, ended])), {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  });
};
