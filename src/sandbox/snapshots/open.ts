import type { Shelf } from './shelf.ts';
import type { RestoreResult, SnapshotParts, SnapshotView } from './snapshots.ts';

/** How the other parts of the sandbox make way for a snapshot. */
type Hooks = {
  /** Runs work while no request runs. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Stops the background work and the Solana chain. Resolves with the port of Solana's JSON-RPC, if it ran. */
  readonly pause: () => Promise<number | undefined>;
  /** Reads the state again, and starts what `pause` stopped. */
  readonly resume: (solanaPort: number | undefined) => Promise<void>;
};

const load = () => import('./snapshots.ts');

/** Opens the snapshots of a running sandbox. Their code loads on the first use, and `openParts` runs then. */
export const openSnapshots = (openParts: () => Promise<SnapshotParts>, { alone, pause, resume }: Hooks) => {
  let opened: Promise<SnapshotParts> | undefined;
  const parts = () => {
    opened ??= openParts();
    return opened;
  };
  return {
    take: (name: string): Promise<SnapshotView> =>
      alone(async () => {
        const { takeSnapshot } = await load();
        let port: number | undefined;
        try {
          port = await pause();
          return await takeSnapshot(await parts(), name);
        } finally {
          await resume(port);
        }
      }),
    /** Throws `sandbox_unavailable` after a failed write. Nothing is started again: the sandbox must end then. */
    restore: (name: string): Promise<RestoreResult> =>
      alone(async () => {
        const { restoreSnapshot } = await load();
        const port = await pause();
        const result = await restoreSnapshot(await parts(), name, port);
        await resume(port);
        return result;
      }),
    list: async () => (await load()).listSnapshots((await parts()).shelf),
    /** Completes the restore that an earlier process began, before anything reads the state. */
    completeRestore: async (shelf: Shelf): Promise<void> => {
      const name = await shelf.pending();
      if (name !== undefined) await (await load()).completeRestore(await parts(), name);
    },
  };
};
