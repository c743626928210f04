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

/**
 * Runs work in a new home in the folder for temporary files. Afterwards it stops the processes of the work and removes
 * the home, also after a failure or an interrupt.
 */
export const inThrowawayHome = async <T>(io: Io, work: (io: Io) => Promise<T>): Promise<T> => {
  const home = join(tmpdir(), `bursar-demo-${Buffer.from(io.random.bytes(6)).toString('hex')}`);
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
