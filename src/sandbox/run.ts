import type { Server } from 'node:http';
import { CHAIN_NAMES } from '../contract/chains.ts';
import { PROVIDERS } from '../contract/yield/providers.ts';
import type { Io } from '../io/io.ts';
import {
  type Address,
  type CompletionData,
  type Identity,
  openIdentity,
  removeAddress,
  writeAddress,
  writeIdentity,
} from './address.ts';
import { IDLE_STOP_MS } from './assumptions.ts';
import { startExpiry } from './charges/pix.ts';
import type { Control } from './control/handler.ts';
import { closeServer, LAST_BOUND_CALLS_MS, LAST_CALLS_MS, listen } from './http/listen.ts';
import { lockHome } from './ledger/lock.ts';
import { readDisabledChains } from './ledger/settings.ts';
import { describeError, log } from './log.ts';
import { openLinks } from './pages/links.ts';
import { settleLeftovers } from './payments/settle.ts';
import { startPayouts } from './payouts/worker.ts';
import { openServer } from './server.ts';
import { type OpenServices, openServices, type Services } from './services.ts';
import { startCourier } from './webhooks/courier.ts';
import type { Worker } from './worker.ts';

/** Options of a sandbox that runs in this process. */
export type RunOptions = {
  /** The port of the server. Without it the sandbox uses its last port, or a free one. */
  readonly port?: number;
  /** Stores nothing: ledger and chains are in memory only. */
  readonly ephemeral?: boolean;
  /** The program's version, for `health`. */
  readonly version?: string;
  /** Ends the sandbox when it settles, such as the input from a parent process. An idle sandbox then continues. */
  readonly until?: Promise<unknown> | undefined;
  /** Called once, as soon as the sandbox answers. */
  readonly onReady?: (address: Address) => void | Promise<void>;
};

/**
 * The life of the sandbox. It ends by a call or by an interrupt. Without `until` it also ends after a time without requests;
 * with `until` another program decides.
 */
const openLife = (io: Io, until: RunOptions['until']) => {
  let lastRequest = io.clock.monotonic();
  const idleMs = () => io.clock.monotonic() - lastRequest;
  const ended = new AbortController();
  const end = () => ended.abort();
  io.interrupted.addEventListener('abort', end, { once: true });
  if (io.interrupted.aborted) end();
  const wait = async () => {
    const idleLeftMs = () => IDLE_STOP_MS - (until ? 0 : idleMs());
    while (!ended.signal.aborted && idleLeftMs() > 0) {
      await io.clock.sleep(idleLeftMs(), ended.signal).catch(() => undefined);
    }
    io.interrupted.removeEventListener('abort', end);
  };
  const onRequest = () => {
    lastRequest = io.clock.monotonic();
  };
  return { over: wait(), end, ended: ended.signal, onRequest, idleMs };
};

/** A sandbox in this process: its options, its keys and its life. */
type Run = {
  readonly io: Io;
  readonly options: RunOptions;
  readonly identity: Identity;
  readonly life: ReturnType<typeof openLife>;
};

const addressOf = ({ io, identity }: Run, url: string): Address => {
  const { api_key, control_key } = identity;
  return { url, api_key, control_key, pid: io.processes.pid };
};

const completionOf = async ({ ledger }: Services): Promise<CompletionData> => {
  const disabled = await readDisabledChains(await ledger());
  return { chains: CHAIN_NAMES.map((name) => ({ name, enabled: !disabled.includes(name) })), providers: PROVIDERS };
};

/**
 * The queue for the address file. Writes and the removal run one after the other, so that no write follows the removal.
 */
const ADDRESS_FILE = 'address file';

/** Writes the address file with the values for completion. A failure is only logged: completion then offers all chains. */
const publish = (run: Run, services: Services): Promise<void> =>
  services
    .inTurn(ADDRESS_FILE, async () => {
      const completion = await completionOf(services);
      if (!run.life.ended.aborted) await writeAddress(run.io, addressOf(run, services.url()), completion);
    })
    .catch((error: unknown) => log(run.io, `the address file was not written: ${describeError(error)}`));

const controlOf = (run: Run, parts: OpenServices): Control => {
  const { io, options, identity, life } = run;
  const startedAt = io.clock.monotonic();
  return {
    key: identity.control_key,
    onRequest: life.onRequest,
    reset: async () => {
      await parts.reset();
      await publish(run, parts.services);
    },
    snapshot: parts.snapshots.take,
    restore: async (name) => {
      const restored = await parts.snapshots.restore(name).catch((error: unknown) => {
        life.end();
        throw error;
      });
      await publish(run, parts.services);
      return restored;
    },
    snapshots: parts.snapshots.list,
    publish: () => publish(run, parts.services),
    links: openLinks(io),
    stop: life.end,
    ended: life.ended,
    health: async () => ({
      version: options.version ?? 'unknown',
      pid: io.processes.pid,
      uptime_ms: Math.round(io.clock.monotonic() - startedAt),
      idle_ms: Math.round(life.idleMs()),
      chains: [...(await parts.services.running())],
      solana_rpc: (await parts.services.solanaRpc()) ?? null,
      evm_access: (await parts.services.evmAccess()) ?? null,
      ephemeral: options.ephemeral === true,
    }),
  };
};

type ListeningServer = { readonly server: Server; readonly port: number; readonly url: string };

/** Writes the address file, passes the address to `onReady`, and stores the port for the next start. */
const publishAddress = async (run: Run, { port, url }: ListeningServer, services: Services): Promise<void> => {
  const { io, options, identity } = run;
  const address = addressOf(run, url);
  void log(io, `bursar ${options.version ?? ''} answers on ${url}, process ${io.processes.pid}`);
  if (port !== identity.port) await writeIdentity(io, { ...identity, port });
  // If the ledger cannot be read, only the calls that need it fail, and not the start.
  await writeAddress(io, address, await completionOf(services).catch(() => undefined));
  await options.onReady?.(address);
};

/** Serves from the first request to the end: settles old payments, starts the workers, waits for the end, and closes. */
const serve = async (run: Run, listening: ListeningServer, { services, adopt }: OpenServices): Promise<void> => {
  const { io, life } = run;
  try {
    await publishAddress(run, listening, services);
    services
      .together(() => settleLeftovers(services))
      .catch((error: unknown) => log(io, `settling failed: ${describeError(error)}`));
    adopt(() => startWorkers(services));
    await life.over;
  } finally {
    life.end();
    await closeServer(io, listening.server, run.options.until ? LAST_BOUND_CALLS_MS : LAST_CALLS_MS);
    await services.inTurn(ADDRESS_FILE, () => removeAddress(io));
    await log(io, 'the sandbox has ended');
  }
};

const openAndServe = async (run: Run): Promise<void> => {
  const { io, options, identity, life } = run;
  let url = '';
  const ephemeral = options.ephemeral === true;
  const { onRequest } = life;
  const parts = await openServices(io, { ephemeral, apiKey: identity.api_key, url: () => url, onRequest });
  try {
    const server = openServer(parts.services, controlOf(run, parts));
    const port = await listen(server, options.port, identity.port);
    url = `http://127.0.0.1:${port}`;
    await serve(run, { server, port, url }, parts);
  } finally {
    await parts.close();
  }
};

/**
 * Runs the sandbox in this process until it is stopped, interrupted or idle for half an hour. Throws
 * `sandbox_unavailable` when another sandbox runs in this home, the ledger is damaged or the port is taken.
 */
export const run = async (io: Io, options: RunOptions): Promise<void> => {
  const release = await lockHome(io);
  try {
    await limitGarbage(io.machine.node);
    const identity = await openIdentity(io);
    const life = openLife(io, options.until);
    options.until?.then(life.end, life.end);
    await openAndServe({ io, options, identity, life }).finally(life.end);
  } finally {
    release();
  }
};

/** From this version of Node on, V8 begins with 16 MB for young objects and grows to more than 100 MB. */
const LARGE_YOUNG_SPACE = 24;

/**
 * Limits the memory of this process. Without a limit, V8 lets the heap of a busy process grow to several times its
 * content. A sandbox uses 20 MB after any number of payments.
 */
const limitGarbage = async (node: string): Promise<void> => {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  if (Number(/^v(\d+)/.exec(node)?.[1]) >= LARGE_YOUNG_SPACE) setFlagsFromString('--semi-space-growth-factor=1');
};

/** Starts all background workers, and joins them to one. */
const startWorkers = (services: Services): Worker => {
  const all = [startPayouts, startExpiry, startCourier].map((start) => start(services));
  return {
    nudge: () => {
      for (const worker of all) worker.nudge();
    },
    drain: async () => {
      for (const worker of all) await worker.drain?.();
    },
    stop: async () => {
      await Promise.all(all.map((worker) => worker.stop()));
    },
  };
};
