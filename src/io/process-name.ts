/** Which process: no later one of the same number is taken for it. What a platform does not tell is left out. */
export type ProcessName = {
  readonly pid: number;
  readonly host: string;
  readonly boot?: string | undefined;
  /** Its container, as far as numbers of processes go. */
  readonly space?: string | undefined;
  readonly started?: string | undefined;
};

/** `unknown` is what runs on another machine, or in another container. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** This process, and others of this machine. */
export type Processes = {
  readonly pid: number;
  /** The name of this process. */
  readonly self: () => Promise<ProcessName>;
  /** Whether a process still runs; one that is stopped does. */
  readonly liveness: (process: ProcessName) => Promise<Liveness>;
  /** Whether a process of that id is running. */
  readonly isRunning: (pid: number) => boolean;
  /** Asks a process to end; `false` when there is none. */
  readonly terminate: (pid: number) => boolean;
  /** Starts bursar again in the background, its output appended to a private log. Resolves with its pid. */
  readonly startSelf: (args: readonly string[], log: string) => Promise<number>;
};
