import { SOLANA } from '../contract/chains.ts';
import type { Io } from '../io/io.ts';
import { chainsFolder, ledgerPath } from './address.ts';
import { FIRST_TENANT } from './assumptions.ts';
import type { Nodes } from './chains/nodes.ts';
import { openClock, type SandboxClock } from './clock.ts';
import { openExchanges } from './exchanges.ts';
import { openFaults } from './faults/faults.ts';
import { closeLedgerFile, openLedgerFile } from './ledger/file.ts';
import { connect, type Ledger } from './ledger/ledger.ts';
import { forgetAll } from './ledger/payments.ts';
import { writeSolanaPort } from './ledger/settings.ts';
import { openTenants, putTenant } from './ledger/tenants.ts';
import { openRequestLog } from './request-log.ts';
import type { Solana } from './solana/solana.ts';
import type { Worker } from './worker.ts';

/** Makes a value on first use and keeps it; after a failure the next use tries again. */
const onFirstUse = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    get,
    /** The value, or its promise; `undefined` before the first use. */
    made: () => made,
    /** The next use makes another. */
    forget: () => {
      made = undefined;
    },
  };
};

/** The sandbox's parts, their reset and their end. */
export type OpenServices = Readonly<Awaited<ReturnType<typeof openServices>>>;

/** The parts of a running sandbox. A part that takes time to load is a function and is made on first use. */
export type Services = Readonly<OpenServices['services']>;

type Options = {
  readonly ephemeral: boolean;
  readonly apiKey: string;
  readonly url: () => string;
  /** Called for every request that does not come through the server. */
  readonly onRequest: () => void;
};

/** Opens the ledger's file at once, so that a damaged one is found at the start, and all else on first use. */
export const openServices = async (io: Io, { ephemeral, apiKey, url, onRequest }: Options) => {
  const file = await openLedgerFile(io, ephemeral ? undefined : ledgerPath(io));
  let workers: Worker | undefined;
  let moves = 0;
  const faults = openFaults();
  const requests = openRequestLog(io);
  const exchanges = openExchanges(io);
  const { clock, restore, advance, reset: resetClock } = openClock(io);
  const ledger = onFirstUse<Ledger>(async () => {
    const opened = await connect(file);
    await restore(opened);
    await putTenant(opened, FIRST_TENANT, apiKey, clock.nowIso());
    return opened;
  });
  const stateFolder = ephemeral ? undefined : chainsFolder(io);
  const chains = openChains({ io, stateFolder, ledger: ledger.get, clock, onRequest });
  const services = {
    ...chains.services,
    io,
    clock,
    /** Moves the clock forward and keeps it there over restarts. `false` when that is too far; then it stays. */
    advance: async (milliseconds: number) => {
      const isMoved = await advance(await ledger.get(), milliseconds);
      if (isMoved) workers?.nudge();
      return isMoved;
    },
    ledger: ledger.get,
    /** The tenant that an API key belongs to: `NO_TENANT` for a valid key of none, `undefined` for no valid key. */
    tenantOf: openTenants(ledger.get),
    /** Work that must not overlap: one payer's executions on one chain. */
    inTurn: openTurns(),
    /** Injected faults that wait for their calls. */
    faults,
    /** The log of requests and answers. */
    requests,
    /** The last requests with their bodies. */
    exchanges,
    /** Wakes the workers after a payment or the clock has moved: webhooks, payouts and expiries may be due. */
    nudge: () => {
      moves += 1;
      workers?.nudge();
    },
    /** Number of nudges so far: open pages reload after a change. */
    moves: () => moves,
    /** Where this server answers. */
    url,
  };
  return {
    services,
    /** Takes the background workers: they are nudged, and ended before the ledger is closed. */
    adopt: (started: Worker) => {
      workers = started;
    },
    reset: async () => {
      const port = await chains.reset();
      await forgetAll(await ledger.get());
      faults.clear();
      exchanges.forget();
      if (port !== undefined) await writeSolanaPort(await ledger.get(), port);
      resetClock();
    },
    /** The ledger first: a payment that is cut off stays in `processing`, and the next start settles it. */
    close: async () => {
      await workers?.stop();
      await chains.closeSolana().catch(() => undefined);
      await (await ledger.made())?.destroy();
      closeLedgerFile(file);
      await requests.flush();
      exchanges.close();
      await chains.closeNodes();
    },
  };
};

/** Lets pieces of work with the same key happen one after the other, in the order they came. */
type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Queues by key; a key is forgotten when its last work is done. */
const openTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
};

type ChainOptions = {
  readonly io: Io;
  /** Where the state of the nodes is kept; `undefined` keeps nothing. */
  readonly stateFolder: string | undefined;
  readonly ledger: () => Promise<Ledger>;
  readonly clock: SandboxClock;
  /** Called for every request that Solana's JSON-RPC gets. */
  readonly onRequest: () => void;
};

/** Loads and starts each chain on its first use. */
const openChains = ({ io, stateFolder, ledger, clock, onRequest }: ChainOptions) => {
  const nodes = onFirstUse<Nodes>(async () => (await import('./chains/nodes.ts')).openNodes({ io, stateFolder }));
  const solana = onFirstUse<Solana>(async () => {
    const { openSolana } = await import('./solana/solana.ts');
    return openSolana(await ledger(), clock, onRequest);
  });
  const closeSolana = async () => (await solana.made())?.close();
  return {
    services: {
      /** All nodes; none is started by asking for them. */
      nodes: nodes.get,
      /** The node of a chain. Throws when it cannot be started. */
      node: async (chain: string) => (await nodes.get()).on(chain),
      /** The Solana chain. Throws `sandbox_unavailable` where litesvm cannot run. */
      solana: solana.get,
      /** Where the Solana JSON-RPC answers; `undefined` while the chain is not in use. */
      solanaRpc: async () => (await solana.made())?.rpc.url,
      /** Names of the chains whose node runs. */
      running: async () => [...((await nodes.made())?.running() ?? []), ...(solana.made() ? [SOLANA] : [])],
      /** Who can connect to the EVM nodes that run; `undefined` while none does. */
      evmAccess: async () => (await nodes.made())?.reach(),
    },
    /** As on the first day; resolves with the port that Solana's JSON-RPC had, where it ran. */
    reset: async () => {
      await (await nodes.made())?.reset();
      const port = (await solana.made())?.rpc.port;
      await closeSolana();
      solana.forget();
      return port;
    },
    closeSolana,
    closeNodes: async () => (await nodes.made())?.close(),
  };
};
