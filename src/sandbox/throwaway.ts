import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io/io.ts';
import { placesFrom } from '../io/system.ts';

const GONE_WITHIN_MS = 15_000;
const CHECK_EVERY_MS = 50;

/** Waits until a process has ended, or 15 seconds. An interrupt does not end this wait. */
const whenGone = async ({ clock, processes }: Io, pid: number): Promise<void> => {
  const deadline = clock.monotonic() + GONE_WITHIN_MS;
  while (processes.isRunning(pid) && clock.monotonic() < deadline) await clock.sleep(CHECK_EVERY_MS);
};

const newHome = (io: Io, use: string): string =>
  join(tmpdir(), `bursar-${use}-${Buffer.from(io.random.bytes(6)).toString('hex')}`);

/** Runs the work of this process alone in a new private home in the folder for temporary files, and removes the home. */
export const inOwnHome = async <T>(io: Io, work: (io: Io, home: string) => Promise<T>): Promise<T> => {
  const home = newHome(io, 'kit');
  const env = { ...io.env, BURSAR_HOME: home };
  await io.files.makePrivateFolder(home);
  try {
    return await work({ ...io, env, places: placesFrom(env) }, home);
  } finally {
    await io.files.removeFolder(home);
  }
};

/**
 * Runs work in a new home in the folder for temporary files. Afterwards it stops the processes of the work and removes
 * the home, also after a failure or an interrupt.
 */
export const inThrowawayHome = async <T>(io: Io, work: (io: Io) => Promise<T>): Promise<T> => {
  const home = newHome(io, 'demo');
  const env = { ...io.env, BURSAR_HOME: home };
  const started: number[] = [];
  const startSelf: Io['processes']['startSelf'] = async (args, log) => {
    const pid = await io.processes.startSelf(args, log, env);
    started.push(pid);
    return pid;
  };
  try {
    await io.files.makePrivateFolder(home);
    return await work({ ...io, env, places: placesFrom(env), processes: { ...io.processes, startSelf } });
  } finally {
    for (const pid of started) io.processes.terminate(pid);
    await io.spin('Stopping the sandbox of the demo', Promise.all(started.map((pid) => whenGone(io, pid))));
    await io.files.removeFolder(home);
  }
};
