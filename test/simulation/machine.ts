import { scryptSync } from 'node:crypto';
import { interrupted as interruptedFailure } from '../../src/core/failure.ts';
import { filesOn } from '../../src/io/files/files.ts';
import type { HttpAnswer, HttpFault, HttpRequest } from '../../src/io/http/http.ts';
import type { Clock, Derivation, Io } from '../../src/io/io.ts';
import type { ProcessName } from '../../src/io/processes.ts';
import { type Action, type Decision, hashOf, numbersFrom } from './decisions.ts';
import { type DiskState, diskFor, newDiskState } from './disk.ts';
import { GENESIS_MS } from './evm-chain.ts';
import type { Kernel, Later, Process } from './kernel.ts';
import type { RequestFaults } from './service.ts';

/** A request that the network delivers. `respond` is called at most once. */
export type Delivery = {
  readonly request: HttpRequest;
  readonly decision: Decision | undefined;
  readonly process: Process;
  /** The network repeats the request; no process sent it. */
  readonly isCopy?: true;
  readonly respond: (answer: HttpAnswer) => void;
};

/** The service and the nodes, outside the machines. */
export type Network = {
  readonly deliver: (delivered: Delivery) => void;
  readonly faultsOf: (request: HttpRequest) => RequestFaults;
};

const TRIP_MS = 25;

const FIRST_PID = 101;

const SEND_FAULTS: readonly Action[] = [
  ...(['kill before', 'kill inside', 'kill after', 'stop', 'interrupt', 'power loss'] as const),
  ...(['refuse', 'lose request', 'lose answer', 'truncate', 'duplicate', 'delay'] as const),
];

const combined = new Map<readonly Action[], readonly Action[]>();

/** The faults of the network and of a service in one list, which is cached. */
const withNetworkFaults = (actions: readonly Action[]): readonly Action[] => {
  const known = combined.get(actions) ?? [...SEND_FAULTS, ...actions];
  combined.set(actions, known);
  return known;
};

const methodIn = (body: string | undefined): string => /"method":"(\w+)"/.exec(body ?? '')?.[1] ?? '';

/** The name of a request in events, without its id, which differs between two lives. */
const inEvents = ({ method, url, body }: HttpRequest): string => {
  const rpc = methodIn(body);
  const path = new URL(url).pathname.replace(/pay_\d+/, 'ID');
  return rpc ? `ask the node ${rpc}` : `${method} ${path}`;
};

const fault = (reason: HttpFault['reason'], sent: boolean): HttpFault => ({
  kind: 'fault',
  reason,
  sent,
  message: reason,
});

const truncated = (answer: HttpAnswer, size: number): HttpAnswer => ({
  ...answer,
  body: answer.body.subarray(0, Math.floor(size * answer.body.length)),
});

const derived = new Map<string, Uint8Array>();

/** Derives a key; each derivation is done once and cached. */
const deriveOnce = (derivation: Derivation): Uint8Array => {
  if (derivation.kdf !== 'scrypt') throw new Error('the simulation has only keys with scrypt');
  const { password, salt, bytes, n, r, p } = derivation;
  const key = [password, salt].map((part) => Buffer.from(part).toString('hex')).join(' ');
  const known = derived.get(key) ?? new Uint8Array(scryptSync(password, salt, bytes, { N: n, r, p }));
  derived.set(key, known);
  return Uint8Array.from(known);
};

/** The output of a process, and its exit code, which is `undefined` for a killed process. */
export type Run = {
  readonly output: { stdout: string; stderr: string };
  readonly code: number | undefined;
};

type MachineOptions = {
  readonly name: string;
  readonly kernel: Kernel;
  readonly network: Network;
  readonly log: (line: string) => void;
  readonly seed: number;
  /** The factor by which writes and syncs are slower than usual. */
  readonly slowness?: number | undefined;
  /** The operations of a journal that machines share, in place of those on the disk. */
  readonly sharedOperations?: (() => readonly (readonly [path: string, text: string])[]) | undefined;
};

/** A machine with its own clock, disk and processes. */
export const newMachine = ({ sharedOperations, ...options }: MachineOptions) => {
  const { name, kernel, network, log, seed, slowness = 1 } = options;
  const disk: DiskState = newDiskState();
  const numbers = numbersFrom(seed ^ hashOf(name));
  const running = new Set<Process>();
  let boots = 1;
  let started = 0;
  /** The difference of this machine's clock from the virtual time. */
  let offset = 0;
  /** The relative speed error of the clock. */
  const drift = (numbers() - 0.5) / 1000;
  const losePower = (): void => {
    log(`${name} loses its power`);
    for (const process of running) kernel.kill(process, 'by the loss of power');
    running.clear();
    disk.losePower(numbers);
    boots += 1;
  };
  const now = (): number => GENESIS_MS + Math.floor(kernel.now() * (1 + drift)) + offset;
  const bootId = () => `${name}-boot-${boots}`;

  /** A new process. `onKill` is called when it is killed. */
  const start = (processName: string, actor: string, onKill: () => void): Process => {
    started += 1;
    // The machine reuses the ids of ended processes at once.
    let pid = FIRST_PID;
    while ([...running].some((other) => other.pid === pid)) pid += 1;
    const process: Process = {
      ...{ name: processName, actor, pid, boot: bootId(), started: String(started), stage: 'none' },
      ...{ state: 'running', stoppedUntil: 0, counts: new Map(), interrupt: new AbortController() },
      killed: () => {
        running.delete(process);
        onKill();
      },
    };
    running.add(process);
    return process;
  };

  const liveness = ({ host, boot, pid, started: since }: ProcessName) => {
    if (host !== name) return 'unknown';
    if (boot !== bootId()) return 'dead';
    return [...running].some((other) => other.pid === pid && other.started === since) ? 'alive' : 'dead';
  };

  const clockOf = (process: Process, forceQuit: AbortSignal): Clock => ({
    now,
    monotonic: () => kernel.now(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted && signal !== forceQuit) return reject(interruptedFailure());
        const onAbort = () => reject(interruptedFailure());
        signal?.addEventListener('abort', onAbort, { once: true });
        const awake = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const slept = kernel.call(process, {
          name: 'sleep',
          takes: milliseconds,
          allowed: ['kill before', 'stop', 'interrupt'],
          perform: () => undefined,
        });
        void slept.then(awake);
      }),
  });

  const send = (process: Process, request: HttpRequest): Promise<HttpAnswer | HttpFault> => {
    const event = inEvents(request);
    const { actions, weight } = network.faultsOf(request);
    const perform = (decision: Decision | undefined): (HttpAnswer | HttpFault) | Later<HttpAnswer | HttpFault> => {
      if (decision?.action === 'refuse') return fault('refused', false);
      if (decision?.action === 'power loss') {
        losePower();
        return { later: () => undefined };
      }
      return {
        later: (settle) => {
          let isSettled = false;
          const settleOnce = (result: HttpAnswer | HttpFault): void => {
            if (isSettled) return;
            isSettled = true;
            process.interrupt.signal.removeEventListener('abort', onAbort);
            settle(() => result);
          };
          const respond = (answer: HttpAnswer): void =>
            kernel.at(kernel.now() + TRIP_MS, () => {
              if (decision?.action === 'lose answer') return settleOnce(fault('connection_lost', true));
              settleOnce(decision?.action === 'truncate' ? truncated(answer, decision.size) : answer);
            });
          kernel.at(kernel.now() + request.timeoutMs, () => settleOnce(fault('deadline', true)));
          const onAbort = (): void => settleOnce(fault('interrupted', true));
          process.interrupt.signal.addEventListener('abort', onAbort);
          if (decision?.action === 'lose request') return settleOnce(fault('connection_lost', true));
          network.deliver({ request, decision, process, respond });
          if (decision?.action === 'duplicate') {
            kernel.at(kernel.now() + decision.size * 5_000, () =>
              network.deliver({ request, decision: undefined, process, isCopy: true, respond: () => undefined }),
            );
          }
        },
      };
    };
    return kernel.call(process, {
      name: event,
      takes: TRIP_MS,
      allowed: withNetworkFaults(actions),
      weight,
      perform,
      // The request was sent before the process died.
      partly: () => network.deliver({ request, decision: undefined, process, respond: () => undefined }),
    });
  };

  /** An Io for a new process of this machine. */
  const ioFor = (
    process: Process,
    home: string,
    env: Io['env'],
    answers?: (question: string) => boolean,
  ): { io: Io; output: Run['output'] } => {
    const output = { stdout: '', stderr: '' };
    const random = numbersFrom(seed ^ hashOf(process.name));
    const files = filesOn(
      diskFor({ kernel, process, state: disk, losePower, now, slowness }),
      () => `${process.name}-${Math.floor(random() * 2 ** 32)}`,
    );
    const unexpected = (call: string) => (): never => {
      throw new Error(`the simulation does not expect ${call}`);
    };
    const outputTo = (stream: 'stdout' | 'stderr', isTerminal: boolean): Io['stdout'] => ({
      isTerminal,
      columns: 80,
      rows: 24,
      isClosed: () => false,
      writeBytes: unexpected('bytes on a stream'),
      write: (text) =>
        kernel.call(process, {
          name: `print on ${stream}`,
          takes: 0.05,
          allowed: ['kill before', 'kill after', 'stop'],
          perform: () => {
            output[stream] += text;
          },
        }),
    });
    const isTerminal = answers !== undefined;
    const { signal } = process.interrupt;
    const forceQuit = new AbortController().signal;
    const io: Io = {
      isQuiet: false,
      env,
      cwd: home,
      machine: { node: 'v20.20.2', system: 'linux', processor: 'x64' },
      stdin: { isTerminal, readAll: unexpected('a read of standard input') },
      stdout: outputTo('stdout', false),
      stderr: outputTo('stderr', isTerminal),
      clock: clockOf(process, forceQuit),
      random: {
        bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
        fraction: random,
      },
      derive: (derivation) =>
        kernel.call(process, {
          name: 'derive a key',
          takes: 400,
          allowed: ['kill before', 'stop', 'interrupt'],
          perform: () => deriveOnce(derivation),
        }),
      files,
      settings: { write: (path, settings) => files.replacePrivate(path, JSON.stringify(settings)) },
      places: { config: home, state: `${home}/state`, cache: `${home}/cache`, sandbox: `${home}/sandbox` },
      http: { send: (request) => send(process, request) },
      receive: unexpected('a receiver'),
      prompt: {
        isPossible: isTerminal,
        confirm: (question) =>
          kernel.call(process, {
            name: 'a question',
            takes: 3_000,
            allowed: ['kill before', 'stop', 'interrupt'],
            perform: () => answers?.(question) === true,
          }),
        text: unexpected('a question for a text'),
        password: unexpected('a question for a password'),
        select: unexpected('a question with choices'),
        untilBack: unexpected('a question that can be left'),
        waitedMs: () => 0,
      },
      browser: { open: unexpected('a browser') },
      processes: {
        pid: process.pid,
        self: async () => ({
          pid: process.pid,
          host: name,
          boot: process.boot,
          space: 'host',
          started: process.started,
        }),
        liveness: (other) =>
          kernel.call(process, {
            name: 'look at a process',
            takes: 0.1,
            allowed: ['kill before', 'stop'],
            perform: () => liveness(other),
          }),
        isRunning: (pid) => [...running].some((other) => other.pid === pid),
        terminate: unexpected('the end of a process'),
        startSelf: unexpected('a new process'),
      },
      keyring: {
        assertAvailable: unexpected('a keyring'),
        lookup: unexpected('a keyring'),
        store: unexpected('a keyring'),
        clear: unexpected('a keyring'),
      },
      interrupted: signal,
      forceQuit,
      spin: (_, work) => work,
    };
    return { io, output };
  };

  /** The operation files of the journal, with their current content. */
  const records = () => disk.all().filter(([path]) => path.endsWith('.ndjson'));
  const operations =
    sharedOperations ??
    ((): readonly (readonly [path: string, text: string])[] =>
      records().map(([path, bytes]) => [path, bytes.toString()]));

  return {
    disk,
    operations,
    /** Whether one operation has all these texts, synced or committed. */
    hasSynced: (...texts: readonly string[]): boolean =>
      sharedOperations
        ? sharedOperations().some(([, operation]) => texts.every((text) => operation.includes(text)))
        : records().some(([path]) => texts.every((text) => disk.isSafe(path, text))),
    /** The time on the clock of this machine. */
    now,
    start,
    ioFor,
    ended: (process: Process): void => {
      if (process.state === 'running') process.state = 'ended';
      running.delete(process);
    },
    setClock: (milliseconds: number): void => {
      offset = milliseconds;
    },
  };
};

export type Machine = ReturnType<typeof newMachine>;
