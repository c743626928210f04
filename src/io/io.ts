import type { PageAddress } from '../core/page-address.ts';
import type { Prompt } from './asked.ts';

/**
 * The world as bursar touches it: everything outside this process comes through one value of this type.
 * `system.ts` makes the only real one; tests hand in another.
 */
export type Io = {
  /** The words after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly machine: Machine;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly settings: SettingsFiles;
  readonly places: Places;
  readonly http: Http;
  readonly prompt: Prompt;
  readonly browser: Browser;
  readonly processes: Processes;
  readonly keyring: Keyring;
  /** Aborts when the user interrupts (Ctrl-C) or the process is asked to end. */
  readonly interrupted: AbortSignal;
  /** Aborts when that happens once more: nobody wants to wait for anything. */
  readonly insisted: AbortSignal;
  /** Shows that work goes on, on a terminal; elsewhere just awaits. A label that changes is asked for again and again. */
  readonly spin: <T>(label: string | (() => string), work: Promise<T>) => Promise<T>;
};

/** What bursar runs on, as Node names it. */
export type Machine = { readonly node: string; readonly system: string; readonly processor: string };

export type Input = {
  readonly isTerminal: boolean;
  /** All of it, as bytes. Throws `invalid_input` above `mostBytes`. */
  readonly readAll: (mostBytes?: number) => Promise<Uint8Array>;
};

export type Output = {
  readonly isTerminal: boolean;
  /** Width in characters; 80 where it is unknown or zero. */
  readonly columns: number;
  /** Height in lines; 24 where it is unknown or zero. */
  readonly rows: number;
  /** Resolves when the text has been taken; a closed pipe is not an error. */
  readonly write: (text: string) => Promise<void>;
  /** Whether its reader is known to have gone away: what has no end of its own ends then. */
  readonly isClosed: () => boolean;
};

export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from any fixed point, never going back. */
  readonly monotonic: () => number;
  /** Resolves after the time, or rejects with `interrupted` when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

export type Random = {
  readonly bytes: (count: number) => Uint8Array;
  /** At least 0 and below 1; for jitter, never for secrets. */
  readonly fraction: () => number;
};

/** What a file is, besides its content. */
export type FileFacts = {
  readonly mode: number;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modifiedAt: number;
};

/** "Private": a file is 0600 and its folder 0700, whatever the umask. "Durable": synced before it resolves. */
export type Files = {
  /** `undefined` when there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /**
   * What the user named, a pipe or device too; `undefined` when there is none. Throws `unreadable_file` above
   * `mostBytes`, for such a thing may have no end.
   */
  readonly readGiven: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  readonly facts: (path: string) => Promise<FileFacts | undefined>;
  /** As `facts`, of what a symbolic link points to in the end. */
  readonly targetFacts: (path: string) => Promise<FileFacts | undefined>;
  /** Names in a folder, sorted; none when there is no folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly makePrivateFolder: (path: string) => Promise<void>;
  /** Takes a file away from everybody but its owner. */
  readonly makePrivate: (path: string) => Promise<void>;
  /** Private and durable. `false`, and nothing written, when the path exists. */
  readonly createPrivate: (path: string, bytes: Uint8Array | string) => Promise<boolean>;
  /**
   * As `createPrivate`, straight into a folder of the user's, which must be there. Throws `unwritable_file`.
   */
  readonly createNew: (path: string, bytes: Uint8Array | string) => Promise<boolean>;
  /** Private, durable, atomic: after a crash the old file or the new one is there, whole. */
  readonly replacePrivate: (path: string, bytes: Uint8Array | string) => Promise<void>;
  /** Appends to a private file and syncs it; creates it, and syncs its folder, when it is not there. */
  readonly appendDurably: (path: string, text: string) => Promise<void>;
  /** Cuts a file off after so many bytes, durably: what a crash left half written. */
  readonly cut: (path: string, size: number) => Promise<void>;
  /** Takes everything out of a file; whoever appends to it goes on at its beginning. Nothing when there is none. */
  readonly empty: (path: string) => Promise<void>;
  /** Removes a file; nothing when there is none. */
  readonly remove: (path: string) => Promise<void>;
  /** Removes a folder and all in it; nothing when there is none. */
  readonly removeFolder: (path: string) => Promise<void>;
};

/** The folders that bursar owns: one each, all inside BURSAR_HOME when that is set. */
export type Places = {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
  readonly sandbox: string;
};

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  /** An answer that is larger is cut off and is a fault. */
  readonly mostBytes: number;
};

export type HttpAnswer = {
  readonly kind: 'answer';
  readonly http: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Why no answer came. */
export type HttpFaultReason =
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'tls'
  | 'deadline'
  | 'connection_lost'
  | 'too_large'
  | 'bad_encoding'
  | 'proxy'
  | 'interrupted';

/** `sent` is false only when the request is known not to have left. */
export type HttpFault = {
  readonly kind: 'fault';
  readonly reason: HttpFaultReason;
  readonly sent: boolean;
  readonly message: string;
  /** The code of Node or OpenSSL for it, such as CERT_HAS_EXPIRED. */
  readonly code?: string;
};

export type Http = {
  /**
   * Follows no redirect, inflates to `mostBytes` at most, keeps no connection, never throws for what the network does.
   * Goes through the proxy that the environment names, but for this machine.
   */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer | HttpFault>;
};

export type Browser = {
  /** Opens a page, and does not wait for what is done there. `false` where there is no browser to open it. */
  readonly open: (page: PageAddress) => Promise<boolean>;
};

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

/** Files of settings that bursar keeps for its user. */
export type SettingsFiles = {
  /**
   * Writes the whole of a file: private, atomic, synced. Throws `unwritable_file`. What stands there must have been
   * read before, under a lock: it is replaced.
   */
  readonly write: (path: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
};

/**
 * Where the user's system keeps passwords. `lookup` reads what the user stored; `store` and `clear` are for what
 * bursar itself keeps there. A secret goes to the system's tool by standard input.
 */
export type Keyring = {
  /** Throws `unreadable_file` where no keyring can be asked. One that is locked is one all the same. */
  readonly assertThere: () => Promise<void>;
  /** The bytes of a password. Throws `unreadable_file` when there is none, or no keyring, with what to do. */
  readonly lookup: (service: string, account: string) => Promise<Uint8Array>;
  /** Keeps printable ASCII without spaces, quotes and backslashes. Throws `unreadable_file` where it cannot. */
  readonly store: (service: string, account: string, secret: string) => Promise<void>;
  /** Forgets what is kept, if anything is. Throws `unreadable_file` where there is no keyring to be asked. */
  readonly clear: (service: string, account: string) => Promise<void>;
};
