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

/** A request as the network delivers it. `respond` is called at most once. */
export type Delivered = {
  readonly request: HttpRequest;
  readonly decision: Decision | undefined;
  readonly process: Process;
  /** The network repeats a request, and no process sends it. */
  readonly isCopy?: true;
  readonly respond: (answer: HttpAnswer) => void;
};

/** Everything outside the machines: the service and the nodes. */
export type Network = {
  readonly deliver: (delivered: Delivered) => void;
  readonly faultsOf: (request: HttpRequest) => RequestFaults;
};

const TRIP_MS = 25;

const FIRST_PID = 101;

const SEND_FAULTS: readonly Action[] = [
  ...(['kill before', 'kill inside', 'kill after', 'stop', 'interrupt', 'power loss'] as const),
  ...(['refuse', 'lose request', 'lose answer', 'truncate', 'duplicate', 'delay'] as const),
];

const combined = new Map<readonly Action[], readonly Action[]>();

/** The faults of the network and of a service, as one list for each list. */
const together = (actions: readonly Action[]): readonly Action[] => {
  const known = combined.get(actions) ?? [...SEND_FAULTS, ...actions];
  combined.set(actions, known);
  return known;
};

const methodIn = (body: string | undefined): string => /"method":"(\w+)"/.exec(body ?? '')?.[1] ?? '';

/** The name of a request in events: no id, which differs between two lives. */
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

/** Key files of a simulation are cheap; each derivation is done once. */
const deriveOnce = (derivation: Derivation): Uint8Array => {
  if (derivation.kdf !== 'scrypt') throw new Error('the simulation has keys of scrypt alone');
  const { password, salt, bytes, n, r, p } = derivation;
  const key = [password, salt].map((part) => Buffer.from(part).toString('hex')).join(' ');
  const known = derived.get(key) ?? new Uint8Array(scryptSync(password, salt, bytes, { N: n, r, p }));
  derived.set(key, known);
  return Uint8Array.from(known);
};

/** What a process said, and its exit code; `undefined` for a killed process. */
export type Run = {
  readonly said: { stdout: string; stderr: string };
  readonly code: number | undefined;
};

type Given = {
  readonly name: string;
  readonly kernel: Kernel;
  readonly network: Network;
  readonly tell: (line: string) => void;
  readonly seed: number;
  /** How much longer writes and syncs take than usual. */
  readonly slowness?: number | undefined;
};

/** A machine with its own clock, disk and processes. */
export const newMachine = ({ name, kernel, network, tell, seed, slowness = 1 }: Given) => {
  const disk: DiskState = newDiskState();
  const numbers = numbersFrom(seed ^ hashOf(name));
  const running = new Set<Process>();
  let boots = 1;
  let started = 0;
  /** How far the clock of this machine is from the virtual time, and how much faster it goes. */
  let offset = 0;
  const drift = (numbers() - 0.5) / 1000;
  const losePower = (): void => {
    tell(`${name} loses its power`);
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
    // The numbers of ended processes come again at once.
    let pid = FIRST_PID;
    while ([...running].some((each) => each.pid === pid)) pid += 1;
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
    return [...running].some((each) => each.pid === pid && each.started === since) ? 'alive' : 'dead';
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
    const what = inEvents(request);
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
      name: what,
      takes: TRIP_MS,
      allowed: together(actions),
      weight,
      perform,
      // The request has left, and the process is no more.
      partly: () => network.deliver({ request, decision: undefined, process, respond: () => undefined }),
    });
  };

  /** An Io for a new process of this machine. */
  const ioFor = (
    process: Process,
    home: string,
    env: Io['env'],
    answers?: (question: string) => boolean,
  ): { io: Io; said: Run['said'] } => {
    const said = { stdout: '', stderr: '' };
    const random = numbersFrom(seed ^ hashOf(process.name));
    const files = filesOn(
      diskFor({ kernel, process, state: disk, losePower, now, slowness }),
      () => `${process.name}-${Math.floor(random() * 2 ** 32)}`,
    );
    const unexpected = (what: string) => (): never => {
      throw new Error(`the simulation does not expect ${what}`);
    };
    const outputTo = (stream: 'stdout' | 'stderr', isTerminal: boolean): Io['stdout'] => ({
      isTerminal,
      columns: 80,
      rows: 24,
      isClosed: () => false,
      write: (text) =>
        kernel.call(process, {
          name: `print on ${stream}`,
          takes: 0.05,
          allowed: ['kill before', 'kill after', 'stop'],
          perform: () => {
            said[stream] += text;
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
        isRunning: (pid) => [...running].some((each) => each.pid === pid),
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
    return { io, said };
  };

  /** The files of operations in the journal, with their present content. */
  const records = () => disk.all().filter(([path]) => path.endsWith('.ndjson'));
  const operations = (): readonly (readonly [path: string, text: string])[] =>
    records().map(([path, bytes]) => [path, bytes.toString()]);

  return {
    disk,
    operations,
    /** Whether the record of one operation has all these texts, and survives the loss of power with them. */
    hasSynced: (...texts: readonly string[]): boolean =>
      records().some(([path]) => texts.every((text) => disk.isSafe(path, text))),
    /** The time by the clock of this machine. */
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
