import { type Health, reset, stop } from '../contract/control/process.ts';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import { type Address, dashboardLink, removeAddress, removeState } from './address.ts';
import { control, findRunning, isLocked } from './control-client.ts';
import { logPath } from './log.ts';
import { withPackages } from './packages.ts';
import type { RunOptions } from './run.ts';

/** Without a port it is the one of before, or any that is free. An ephemeral sandbox keeps nothing. */
export type StartOptions = { readonly port?: number; readonly ephemeral?: boolean };

/** The data of `sandbox status`. */
export type SandboxStatus =
  | { readonly running: false }
  | ({ readonly running: true; readonly url: string; readonly dashboard: string } & Health);

const READY_WITHIN_MS = 10_000;
const GONE_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 20;
/** From the freeing of the lock to the end of the process. */
const LAST_BREATH_MS = 400;
const LARGEST_LOG_BYTES = 1024 * 1024;
const LAST_LINES = 6;
/** The start of the last log line of a sandbox that could not start. */
const NEXT = 'next: ';

const readLog = async (io: Io): Promise<string> => new TextDecoder().decode(await io.files.read(logPath(io)));

const notStarted = async (io: Io, logged: number, why: string): Promise<Failure> => {
  const lines = (await readLog(io)).slice(logged).trimEnd().split('\n').slice(-LAST_LINES);
  const named = lines
    .find((line) => line.startsWith(NEXT))
    ?.slice(NEXT.length)
    .split(' ');
  // One line: a hint is escaped, and would show the ends of lines.
  const output = lines
    .filter((line) => !line.startsWith(NEXT))
    .map((line) => line.replace(/^(?:error|hint): /, '').replace(/(?<![.!?:])$/, '.'))
    .join(' ');
  return new Failure('sandbox_unavailable', `the sandbox could not be started: ${why}`, {
    hint: `${output} Its log: ${logPath(io)}`.trim(),
    next: named ? nextStep('sandbox.log', named) : nextStep('doctor'),
  });
};

/** Waits until a sandbox of this home answers: the one just started, or another that was quicker. */
const whenReady = async (io: Io, pid: number, logged: number): Promise<Address> => {
  const deadline = io.clock.monotonic() + READY_WITHIN_MS;
  let running: Awaited<ReturnType<typeof findRunning>>;
  while (io.clock.monotonic() < deadline) {
    const wasRunning = io.processes.isRunning(pid);
    running = await findRunning(io);
    // A slower process of this start ends by itself, and would become the sandbox if the quicker one were stopped first.
    if (running && (running.address.pid === pid || !wasRunning)) return running.address;
    if (!running && !wasRunning && !(await isLocked(io))) throw await notStarted(io, logged, 'its process ended');
    await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
  }
  if (running) return running.address;
  throw await notStarted(io, logged, `it did not answer within ${READY_WITHIN_MS / 1000} s`);
};

/** The background process writes what it prints into the log, and keys do not belong there. */
const wordsOf = ({ port, ephemeral }: StartOptions): readonly string[] => [
  ...['sandbox', 'start', '--foreground', '--fields', 'url,pid'],
  ...(port === undefined ? [] : ['--port', String(port)]),
  ...(ephemeral ? ['--ephemeral'] : []),
];

/**
 * The address of this home's sandbox; one is started in the background when none runs. Throws
 * `sandbox_unavailable`, with the last lines of its log, when it does not answer in time.
 */
export const startSandbox = async (io: Io, options: StartOptions): Promise<Address> => {
  const running = await findRunning(io);
  if (running) return running.address;
  const old = await readLog(io);
  if (old.length > LARGEST_LOG_BYTES) await io.files.remove(logPath(io));
  const logged = old.length > LARGEST_LOG_BYTES ? 0 : old.length;
  const pid = await io.processes.startSelf(wordsOf(options), logPath(io));
  return whenReady(io, pid, logged);
};

/** Runs the sandbox in this process; resolves when it was stopped, interrupted or idle for half an hour, and all is closed. */
export const runSandbox = async (io: Io, options: RunOptions): Promise<void> => {
  const { run } = await withPackages(() => import('./run.ts'));
  return run(io, options);
};

/**
 * Waits until the process has ended. In a container without an init process an ended process stays in the list. So a
 * home whose lock stays free counts as ended.
 */
const whenGone = async (io: Io, pid: number): Promise<void> => {
  const deadline = io.clock.monotonic() + GONE_WITHIN_MS;
  let freeSince: number | undefined;
  while (io.processes.isRunning(pid)) {
    const now = io.clock.monotonic();
    freeSince = freeSince === undefined && (await isLocked(io)) ? undefined : (freeSince ?? now);
    if (freeSince !== undefined && now - freeSince > LAST_BREATH_MS) return;
    if (now > deadline) {
      throw new Failure('sandbox_unavailable', `the sandbox (process ${pid}) was stopped and still runs`);
    }
    await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
  }
};

/** Stops this home's sandbox and waits until its process has ended; `false` when none ran. */
export const stopSandbox = async (io: Io): Promise<boolean> => {
  const running = await findRunning(io);
  if (!running) {
    await removeAddress(io);
    return false;
  }
  await control(io, running.address)(stop);
  await whenGone(io, running.address.pid);
  return true;
};

/** Whether this home's sandbox runs, where, and what it has started. A watching read is no use of the sandbox. */
export const sandboxStatus = async (io: Io, isWatching = false): Promise<SandboxStatus> => {
  const running = await findRunning(io, isWatching);
  if (!running) return { running: false };
  const { address, health } = running;
  return { running: true, url: address.url, dashboard: dashboardLink(address), ...health };
};

/** Forgets payments, settings and chains; keys and port stay. Throws `sandbox_unavailable` when it runs and does not answer. */
export const resetSandbox = async (io: Io): Promise<void> => {
  const running = await findRunning(io);
  if (running) return control(io, running.address)(reset);
  const { lockHome } = await withPackages(() => import('./ledger/lock.ts'));
  const release = await lockHome(io);
  try {
    return await removeState(io);
  } finally {
    release();
  }
};
