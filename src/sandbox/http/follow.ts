import { isWatching } from '../pages/live.ts';
import type { Services } from '../services.ts';
import type { Bindings } from './envelope.ts';

/** Requests that commands make by themselves would hide the rest of the log. */
const UNTOLD: readonly string[] = ['/_sandbox/health', '/_sandbox/logs'];

/** Sees a request from its beginning to its end: it is use of the sandbox, and goes into the log. */
export const follow = ({ io, requests }: Services, onUse: () => void, env: Bindings): void => {
  const { incoming, outgoing } = env;
  if (isWatching(incoming)) return;
  const startedMs = io.clock.monotonic();
  const path = (incoming.url ?? '').replace(/[?#].*$/s, '');
  onUse();
  outgoing.once('close', () => {
    onUse();
    if (UNTOLD.includes(path)) return;
    const ms = Math.round(io.clock.monotonic() - startedMs);
    requests.add({ method: incoming.method ?? '', path, http: outgoing.statusCode, status: env.said ?? '-', ms });
  });
};
