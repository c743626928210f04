import { type Health, reset, stop } from '../contract/control/process.ts';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import { type Address, dashboardLink, removeAddress, removeState } from './address.ts';
import { control, findRunning, isLocked } from './control-client.ts';
import { logPath } from './log.ts';
import { withPackages } from './packages.ts';
import type { RunOptions } from './run.ts';

/**
 * Options of a start. Without a port the sandbox uses its last port or a free one. An ephemeral sandbox stores nothing.
 */
export type StartOptions = { readonly port?: number; readonly ephemeral?: boolean };

/** The data of `sandbox status`. */
export type SandboxStatus =
  | { readonly running: false }
  | ({ readonly running: true; readonly url: string; readonly dashboard: string } & Health);

const READY_WITHIN_MS = 10_000;
const GONE_WITHIN_MS = 15_000;
const CHECK_EVERY_MS = 20;
/** A process ends within this time after it frees the lock. */
const EXIT_WITHIN_MS = 400;
const MAX_LOG_BYTES = 1024 * 1024;
const LAST_LINES = 6;
/** A sandbox that fails to start logs its next command in a line with this prefix. */
const NEXT = 'next: ';

const readLog = async (io: Io): Promise<string> => new TextDecoder().decode(await io.files.read(logPath(io)));

/** The failure of a start, with the end of the log. `logStart` is the length of the log before the start. */
const notStarted = async (io: Io, logStart: number, reason: string): Promise<Failure> => {
  const lines = (await readLog(io)).slice(logStart).trimEnd().split('\n').slice(-LAST_LINES);
  const nextArguments = lines
    .find((line) => line.startsWith(NEXT))
    ?.slice(NEXT.length)
    .split(' ');
  // One line, because a hint shows line ends as escapes.
  const output = lines
    .filter((line) => !line.startsWith(NEXT))
    .map((line) => line.replace(/^(?:error|hint): /, '').replace(/(?<![.!?:])$/, '.'))
    .join(' ');
  return new Failure('sandbox_unavailable', `the sandbox could not be started: ${reason}`, {
    hint: `${output} Its log: ${logPath(io)}`.trim(),
    next: nextArguments ? nextStep('sandbox.log', nextArguments) : nextStep('doctor'),
  });
};

/** Waits until a sandbox of this home answers: the started process `pid`, or a parallel start that was faster. */
const whenReady = async (io: Io, pid: number, logStart: number): Promise<Address> => {
  const deadline = io.clock.monotonic() + READY_WITHIN_MS;
  let running: Awaited<ReturnType<typeof findRunning>>;
  while (io.clock.monotonic() < deadline) {
    const wasRunning = io.processes.isRunning(pid);
    running = await findRunning(io);
    // With a faster parallel start, wait for the end of this process. It could become the sandbox if the other one
    // stopped.
    if (running && (running.address.pid === pid || !wasRunning)) return running.address;
    if (!running && !wasRunning && !(await isLocked(io))) throw await notStarted(io, logStart, 'its process ended');
    await io.clock.sleep(CHECK_EVERY_MS, io.interrupted);
  }
  if (running) return running.address;
  throw await notStarted(io, logStart, `it did not answer within ${READY_WITHIN_MS / 1000} s`);
};

/** The arguments of the background process. `--fields` omits the keys, because its output goes into the log. */
const argumentsOf = ({ port, ephemeral }: StartOptions): readonly string[] => [
  ...['sandbox', 'start', '--foreground', '--fields', 'url,pid'],
  ...(port === undefined ? [] : ['--port', String(port)]),
  ...(ephemeral ? ['--ephemeral'] : []),
];

/**
 * The address of this home's sandbox. Starts a sandbox in the background if none runs. Throws `sandbox_unavailable`,
 * with the last lines of its log, when it does not answer in time.
 */
export const startSandbox = async (io: Io, options: StartOptions): Promise<Address> => {
  const running = await findRunning(io);
  if (running) return running.address;
  const { length } = await readLog(io);
  const isFull = length > MAX_LOG_BYTES;
  if (isFull) await io.files.remove(logPath(io));
  const pid = await io.processes.startSelf(argumentsOf(options), logPath(io));
  return whenReady(io, pid, isFull ? 0 : length);
};

/** Runs the sandbox in this process. Resolves after its end: it was stopped, interrupted or idle for half an hour. */
export const runSandbox = async (io: Io, options: RunOptions): Promise<void> => {
  const { run } = await withPackages(() => import('./run.ts'));
  return run(io, options);
};

/**
 * Waits until the process has ended. In a container without an init process an ended process stays in the list. So a
 * process also counts as ended when the lock of its home stays free. Throws `sandbox_unavailable` after the time limit.
 */
const whenGone = async (io: Io, pid: number): Promise<void> => {
  const deadline = io.clock.monotonic() + GONE_WITHIN_MS;
  let freeSince: number | undefined;
  while (io.processes.isRunning(pid)) {
    const now = io.clock.monotonic();
    freeSince = freeSince === undefined && (await isLocked(io)) ? undefined : (freeSince ?? now);
    if (freeSince !== undefined && now - freeSince > EXIT_WITHIN_MS) return;
    if (now > deadline) {
      throw new Failure('sandbox_unavailable', `the sandbox (process ${pid}) was stopped and still runs`);
    }
    await io.clock.sleep(CHECK_EVERY_MS, io.interrupted);
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

/** The status of this home's sandbox: its address, its dashboard and its health. With `isWatching` it is no activity. */
export const sandboxStatus = async (io: Io, isWatching = false): Promise<SandboxStatus> => {
  const running = await findRunning(io, isWatching);
  if (!running) return { running: false };
  const { address, health } = running;
  return { running: true, url: address.url, dashboard: dashboardLink(address), ...health };
};

/**
 * Deletes payments, settings and chains; keys and port stay. Throws `sandbox_unavailable` when it runs and does not
 * answer.
 */
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
