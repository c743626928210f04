import { SOLANA } from '../contract/chains.ts';
import type { Io } from '../io/io.ts';
import { chainsFolder, ledgerPath } from './address.ts';
import { FIRST_TENANT } from './assumptions.ts';
import type { Nodes } from './chains/nodes.ts';
import { openGate } from './chains/turns.ts';
import { openClock, type SandboxClock } from './clock.ts';
import { openExchanges } from './exchanges.ts';
import { openFaults } from './faults/faults.ts';
import { closeLedgerFile, openLedgerFile } from './ledger/file.ts';
import { changesOf } from './ledger/latest.ts';
import { connect, type Ledger } from './ledger/ledger.ts';
import { deleteRecords } from './ledger/payments.ts';
import { readSolanaGenesis, writeSolanaPort } from './ledger/settings.ts';
import { openTenants, putTenant } from './ledger/tenants.ts';
import { openRandom } from './random.ts';
import { openRequestLog } from './request-log.ts';
import { openSnapshots } from './snapshots/open.ts';
import { folderShelf, memoryShelf } from './snapshots/shelf.ts';
import type { SnapshotParts } from './snapshots/snapshots.ts';
import type { Solana } from './solana/solana.ts';
import type { Worker } from './worker.ts';

/** Makes a value on first use and stores it. After a failure the next use tries again. */
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
    /** The promise of the value; `undefined` before the first use. */
    made: () => made,
    /** Drops the value. The next use makes a new one. */
    forget: () => {
      made = undefined;
    },
  };
};

/** The parts of a sandbox, with the functions that reset and close them. */
export type OpenServices = Readonly<Awaited<ReturnType<typeof openServices>>>;

/** The parts of a running sandbox. A part that takes time to load is a function that makes it on first use. */
export type Services = Readonly<OpenServices['services']>;

type Options = {
  readonly ephemeral: boolean;
  readonly apiKey: string;
  readonly url: () => string;
  /** Called for every request of the Solana JSON-RPC, which has its own server. */
  readonly onRequest: () => void;
};

/** Opens the parts of a sandbox. The ledger's file opens at once, so that a damaged file stops the start. */
export const openServices = async (io: Io, { ephemeral, apiKey, url, onRequest }: Options) => {
  const file = await openLedgerFile(io, ephemeral ? undefined : ledgerPath(io));
  let workers: Worker | undefined;
  let startWorkers: (() => Worker) | undefined;
  let nudges = 0;
  const gate = openGate();
  const random = openRandom(io);
  const faults = openFaults();
  const requests = openRequestLog(io);
  const exchanges = openExchanges(io);
  const { clock, restore: restoreClock, advance, reset: resetClock } = openClock(io);
  const ledger = onFirstUse<Ledger>(async () => {
    const opened = await connect(file);
    await restoreClock(opened);
    await putTenant(opened, FIRST_TENANT, apiKey, clock.nowIso());
    return opened;
  });
  const stateFolder = ephemeral ? undefined : chainsFolder(io);
  const chains = openChains({ io, stateFolder, ledger: ledger.get, clock, onRequest, together: gate.together });
  let tenantOf = openTenants(ledger.get);
  const services = {
    ...chains.services,
    io,
    clock,
    /** Moves the clock forward, also for later starts. Returns `false` beyond the limit; then nothing changes. */
    advance: async (milliseconds: number) => {
      const isMoved = await advance(await ledger.get(), milliseconds);
      if (isMoved) workers?.nudge();
      return isMoved;
    },
    ledger: ledger.get,
    /** The tenant of an API key; `NO_TENANT` for a valid key without a tenant, `undefined` for an invalid key. */
    tenantOf: (key: string) => tenantOf(key),
    /** The random values of ids, codes and keys. After a restore they repeat. */
    random: random.source,
    newCuid: random.newCuid,
    /** Runs work that reads or changes the state. It never overlaps with a snapshot or a restore. Calls are not nested. */
    together: gate.together,
    /** Runs work that must not overlap, such as the executions of one payer on one chain. */
    inTurn: openTurns(),
    /** The injected faults that wait for their calls. */
    faults,
    /** The log of requests and answers. */
    requests,
    /** The last requests with their bodies. */
    exchanges,
    /** Wakes the workers after a change of a payment or the clock: webhooks, payouts and expiries may be due. */
    nudge: () => {
      nudges += 1;
      workers?.nudge();
    },
    /** The number of nudges so far. Open pages reload when it changes. */
    nudges: () => nudges,
    /** The base URL of this server. */
    url,
  };
  const shelf = ephemeral ? memoryShelf() : folderShelf(io);
  const openParts = async (): Promise<SnapshotParts> => {
    const nodes = await chains.services.nodes();
    return { io, shelf, file, nodes, clock, faults, beginIds: random.begin };
  };
  const snapshots = openSnapshots(openParts, {
    alone: gate.alone,
    pause: async () => {
      await workers?.drain?.();
      await workers?.stop();
      const port = await chains.pauseSolana();
      // A read waits for an open commit, so that none is left.
      await changesOf(await ledger.get());
      return port;
    },
    resume: async (solanaPort) => {
      const opened = await ledger.get();
      await restoreClock(opened);
      await putTenant(opened, FIRST_TENANT, apiKey, clock.nowIso());
      tenantOf = openTenants(ledger.get);
      // Clients keep the address of Solana's JSON-RPC, if the chain exists.
      if (solanaPort !== undefined && (await readSolanaGenesis(opened)) !== undefined) await services.solana();
      workers = startWorkers?.();
      services.nudge();
    },
  });
  await snapshots.completeRestore(shelf);
  return {
    services,
    snapshots,
    /** Starts the background workers. They are nudged, stop during a snapshot, and stop before the ledger closes. */
    adopt: (start: () => Worker) => {
      startWorkers = start;
      workers = start();
    },
    reset: async () => {
      const port = await chains.reset();
      await deleteRecords(await ledger.get());
      faults.clear();
      exchanges.forget();
      random.reset();
      if (port !== undefined) await writeSolanaPort(await ledger.get(), port);
      resetClock();
    },
    /**
     * Closes the ledger before the nodes. A payment that is cut off stays in `processing`, and the next start settles
     * it.
     */
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

/** Runs work. Calls with the same key run one after the other, in the order of the calls. */
type RunInTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Opens the queues. A queue is deleted after its last work. */
const openTurns = (): RunInTurn => {
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

/** Runs work that never overlaps with a snapshot or a restore. */
type Together = ReturnType<typeof openGate>['together'];

type ChainOptions = {
  readonly io: Io;
  /** The folder of the nodes' state; `undefined` stores nothing. */
  readonly stateFolder: string | undefined;
  readonly ledger: () => Promise<Ledger>;
  readonly clock: SandboxClock;
  /** Called for every request that Solana's JSON-RPC gets. */
  readonly onRequest: () => void;
  readonly together: Together;
};

/** Opens the chains. Each chain loads and starts on first use. */
const openChains = ({ io, stateFolder, ledger, clock, onRequest, together }: ChainOptions) => {
  const nodes = onFirstUse<Nodes>(async () => (await import('./chains/nodes.ts')).openNodes({ io, stateFolder }));
  const solana = onFirstUse<Solana>(async () => {
    const { openSolana } = await import('./solana/solana.ts');
    return openSolana(await ledger(), clock, { onRequest, together });
  });
  const closeSolana = async () => (await solana.made())?.close();
  /** Closes the Solana chain; its next use opens it again. Resolves with the port of its JSON-RPC, if it ran. */
  const pauseSolana = async () => {
    const port = (await solana.made())?.rpc.port;
    await closeSolana();
    solana.forget();
    return port;
  };
  return {
    services: {
      /** All nodes. This call starts none. */
      nodes: nodes.get,
      /** The node of a chain. Throws when it cannot be started. */
      node: async (chain: string) => (await nodes.get()).on(chain),
      /** The Solana chain. Throws `sandbox_unavailable` where litesvm cannot run. */
      solana: solana.get,
      /** The URL of the Solana JSON-RPC; `undefined` while the chain does not run. */
      solanaRpc: async () => (await solana.made())?.rpc.url,
      /** The names of the running chains. */
      running: async () => [...((await nodes.made())?.running() ?? []), ...(solana.made() ? [SOLANA] : [])],
      /** The reach of the running EVM nodes, as `evm_access` shows it; `undefined` while none runs. */
      evmAccess: async () => (await nodes.made())?.reach(),
    },
    /** Deletes the state of all chains. Resolves with the port of Solana's JSON-RPC, if it ran. */
    reset: async () => {
      await (await nodes.made())?.reset();
      return pauseSolana();
    },
    pauseSolana,
    closeSolana,
    closeNodes: async () => (await nodes.made())?.close(),
  };
};
