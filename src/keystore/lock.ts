import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';

const PAUSE_MS = 25;
const PATIENCE_MS = 5_000;

/** A lock whose owner was killed is nobody's. */
const removeStale = async (io: Io, lock: string): Promise<void> => {
  const pid = Number(new TextDecoder().decode((await io.files.read(lock)) ?? new Uint8Array()));
  if (pid > 0 && !io.processes.isRunning(pid)) await io.files.remove(lock);
};

/**
 * Work on a key's file that no other process may do at the same time: what two of them read and write must not cross.
 * Throws `unwritable_file` when another one does not come to its end.
 */
export const withLock = async <T>(io: Io, path: string, work: () => Promise<T>): Promise<T> => {
  const lock = `${path}.lock`;
  const until = io.clock.monotonic() + PATIENCE_MS;
  while (!(await io.files.createPrivate(lock, String(io.processes.pid)))) {
    await removeStale(io, lock);
    if (io.clock.monotonic() > until)
      throw new Failure('unwritable_file', `another process is busy with ${path}; its lock is ${lock}`);
    await io.clock.sleep(PAUSE_MS, io.interrupted);
  }
  try {
    return await work();
  } finally {
    await io.files.remove(lock);
  }
};
