import type { Action, Decider, Decision } from './decisions.ts';

/** Captured before `closeGlobals`. */
const nextTurn = setImmediate;

type Task = { readonly at: number; readonly order: number; readonly run: () => void };

/** One process of a life. All its calls go through `Kernel.call`. */
export type Process = {
  readonly name: string;
  /** The script that runs it, for the table of coverage. */
  readonly actor: string;
  readonly pid: number;
  /** The boot of its machine and its start, as in `ProcessName`. */
  readonly boot: string;
  readonly started: string;
  state: 'running' | 'ended' | 'killed';
  /** The last journal step that the process wrote or read. */
  stage: string;
  /** Is called before the process writes a journal step. */
  onJournal?: (step: string) => void;
  /** A stopped process continues at this virtual time. */
  stoppedUntil: number;
  /** How often the process made each call. */
  readonly counts: Map<string, number>;
  readonly interrupt: AbortController;
  readonly killed: () => void;
};

/** A call of a process. `perform` has the whole effect; `partly` has the effect when the process dies inside the call. */
export type Call<T> = {
  readonly name: string;
  readonly takes: number;
  readonly allowed: readonly Action[];
  readonly weight?: number | undefined;
  readonly perform: (decision: Decision | undefined) => T | Later<T>;
  readonly partly?: ((size: number) => void) | undefined;
};

/** A result that comes later, when the simulated world calls `settle`. */
export type Later<T> = { readonly later: (settle: (result: () => T) => void) => void };

const isLater = <T>(value: T | Later<T>): value is Later<T> =>
  typeof value === 'object' && value !== null && 'later' in value;

/** A queue of tasks by virtual time (a binary heap). */
const newQueue = () => {
  const heap: Task[] = [];
  const isEarlier = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Task, heap[a] as Task];
  };
  return {
    push: (task: Task): void => {
      heap.push(task);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isEarlier(heap[at] as Task, heap[parent] as Task)) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop: (): Task | undefined => {
      const [first] = heap;
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let smallest = at;
        for (const child of [left, right]) {
          if (child < heap.length && isEarlier(heap[child] as Task, heap[smallest] as Task)) smallest = child;
        }
        if (smallest === at) break;
        swap(at, smallest);
        at = smallest;
      }
      return first;
    },
  };
};

/**
 * Virtual time and the order of all events. A task runs, then all microtasks that it caused, then the next task. Therefore
 * the same decisions give the same life.
 */
export const newKernel = (decider: Decider, story: (line: string) => void) => {
  const queue = newQueue();
  let now = 0;
  let order = 0;
  let steps = 0;
  const at = (time: number, run: () => void): void => {
    queue.push({ at: Math.max(time, now), order, run });
    order += 1;
  };
  const eventOf = (process: Process, name: string): string => {
    const count = (process.counts.get(name) ?? 0) + 1;
    process.counts.set(name, count);
    return `${process.name}: ${name}${count === 1 ? '' : `#${count}`}`;
  };
  const kill = (process: Process, cause: string): void => {
    if (process.state !== 'running') return;
    process.state = 'killed';
    story(`${process.name} is killed ${cause}`);
    process.killed();
  };
  /** Calls `run` when the process can run: later for a stopped process, never for a dead one. */
  const whenAwake = (process: Process, run: () => void): void => {
    if (process.state !== 'running') return;
    if (process.stoppedUntil <= now) run();
    else at(process.stoppedUntil, () => whenAwake(process, run));
  };
  const call = <T>(process: Process, { name, takes, allowed, weight, perform, partly }: Call<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (process.state !== 'running') return;
      const event = eventOf(process, name);
      const decision = decider.ask(event, allowed, weight, process);
      if (decision) story(`${event}: ${decision.action} (${decision.size.toFixed(3)})`);
      const action = decision?.action;
      if (action === 'stop') process.stoppedUntil = now + Math.round((decision?.size ?? 0) * 120_000) + 1_000;
      if (action === 'interrupt') process.interrupt.abort();
      const finish = (result: () => T): void => {
        if (action === 'kill after') kill(process, `after ${event}`);
        whenAwake(process, () => {
          try {
            resolve(result());
          } catch (error) {
            reject(error);
          }
        });
      };
      const extra = action === 'delay' ? Math.round((decision?.size ?? 0) * 20_000) : 0;
      at(now + takes + extra, () =>
        whenAwake(process, () => {
          if (action === 'kill before') return kill(process, `before ${event}`);
          if (action === 'kill inside') {
            partly?.(decision?.size ?? 0);
            return kill(process, `inside ${event}`);
          }
          try {
            const result = perform(decision);
            if (isLater(result)) result.later(finish);
            else finish(() => result);
          } catch (error) {
            finish(() => {
              throw error;
            });
          }
        }),
      );
    });
  return {
    now: () => now,
    at,
    call,
    kill,
    steps: () => steps,
    /** Runs tasks until a condition holds or no task remains. */
    runUntil: async (isDone: () => boolean, check: () => void): Promise<void> => {
      while (!isDone()) {
        const task = queue.pop();
        if (task === undefined) return;
        now = task.at;
        steps += 1;
        task.run();
        await new Promise((resolve) => nextTurn(resolve));
        check();
      }
    },
  };
};

export type Kernel = ReturnType<typeof newKernel>;
