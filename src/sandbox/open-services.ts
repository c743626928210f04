import { SOLANA } from '../contract/solana.ts';
import type { Io } from '../io/io.ts';
import { FIRST_TENANT, FURTHEST_OFFSET_MS } from './assumptions.ts';
import type { Nodes } from './chains/nodes.ts';
import { sandboxClock } from './clock.ts';
import { openFaults } from './faults/faults.ts';
import { closeLedgerFile, openLedgerFile } from './ledger/file.ts';
import { connect, type Ledger } from './ledger/ledger.ts';
import { forgetAll } from './ledger/payments.ts';
import { readClockOffset, writeClockOffset, writeSolanaPort } from './ledger/settings.ts';
import { openTenants, putTenant } from './ledger/tenants.ts';
import { chainsFolder, ledgerPath } from './places.ts';
import { openRequestLog } from './request-log.ts';
import type { Services } from './services.ts';
import type { Solana } from './solana/solana.ts';
import { openTurns } from './turns.ts';
import type { Worker } from './worker.ts';

/** The sandbox's parts, and how they are put back and put away. */
export type OpenServices = {
  readonly services: Services;
  /** Takes in what goes on beside the requests: it is nudged, and ended before the ledger is closed. */
  readonly adopt: (workers: Worker) => void;
  readonly reset: () => Promise<void>;
  /** The ledger first: a payment that is cut off stays in `processing`, and the next start settles it. */
  readonly close: () => Promise<void>;
};

type Options = {
  readonly ephemeral: boolean;
  readonly apiKey: string;
  readonly url: () => string;
  /** Called for every request that does not come through the server. */
  readonly onRequest: () => void;
};

/** Makes a value on first use and keeps it; after a failure the next use tries again. */
const once = <T>(
  make: () => Promise<T>,
): {
  readonly get: () => Promise<T>;
  readonly made: () => Promise<T> | undefined;
  readonly forget: () => void;
} => {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const forget = () => {
    made = undefined;
  };
  return { get, made: () => made, forget };
};

/** Opens the ledger's file at once, so that a damaged one is found at the start, and all else on first use. */
export const openServices = async (io: Io, { ephemeral, apiKey, url, onRequest }: Options): Promise<OpenServices> => {
  const file = await openLedgerFile(io, ephemeral ? undefined : ledgerPath(io));
  let offset = 0;
  let workers: Worker | undefined;
  let moves = 0;
  const faults = openFaults();
  const requests = openRequestLog(io);
  const clock = sandboxClock(io, () => offset);
  const ledger = once<Ledger>(async () => {
    const opened = await connect(file);
    offset = await readClockOffset(opened);
    await putTenant(opened, FIRST_TENANT, apiKey, clock.nowIso());
    return opened;
  });
  const advance = async (milliseconds: number): Promise<boolean> => {
    const opened = await ledger.get();
    if (offset + milliseconds > FURTHEST_OFFSET_MS) return false;
    offset += milliseconds;
    await writeClockOffset(opened, offset);
    workers?.nudge();
    return true;
  };
  const nodes = once<Nodes>(async () => {
    const { openNodes } = await import('./chains/nodes.ts');
    return openNodes({ io, stateFolder: ephemeral ? undefined : chainsFolder(io) });
  });
  const solana = once<Solana>(async () => {
    const { openSolana } = await import('./solana/solana.ts');
    return openSolana(await ledger.get(), clock, onRequest);
  });
  const solanaPort = async () => (await solana.made())?.rpc.port;
  const leaveSolana = async () => (await solana.made())?.close();
  return {
    services: {
      io,
      clock,
      advance,
      ledger: ledger.get,
      tenantOf: openTenants(ledger.get),
      nodes: nodes.get,
      node: async (chain) => (await nodes.get()).on(chain),
      solana: solana.get,
      solanaRpc: async () => (await solana.made())?.rpc.url,
      running: async () => [...((await nodes.made())?.running() ?? []), ...(solana.made() ? [SOLANA] : [])],
      inTurn: openTurns(),
      faults,
      requests,
      nudge: () => {
        moves += 1;
        workers?.nudge();
      },
      moves: () => moves,
      url,
    },
    adopt: (begun) => {
      workers = begun;
    },
    reset: async () => {
      await (await nodes.made())?.reset();
      const port = await solanaPort();
      await leaveSolana();
      solana.forget();
      await forgetAll(await ledger.get());
      faults.clear();
      if (port !== undefined) await writeSolanaPort(await ledger.get(), port);
      offset = 0;
    },
    close: async () => {
      await workers?.stop();
      await leaveSolana().catch(() => undefined);
      await (await ledger.made())?.destroy();
      closeLedgerFile(file);
      await requests.flush();
      await (await nodes.made())?.close();
    },
  };
};
