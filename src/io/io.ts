import type { Environment } from '../core/screen.ts';
import type { PageAddress } from '../core/web-address.ts';
import type { Files } from './files/files.ts';
import type { Http } from './http/http.ts';
import type { Receive } from './http/receive.ts';
import type { Processes } from './processes.ts';
import type { Prompt } from './prompt/prompt.ts';

/**
 * Everything outside the program: files, network, terminal, time. `system.ts` makes the only real value; tests pass
 * their own.
 */
export type Io = {
  /** Whether stderr shows only errors and warnings about money. */
  readonly isQuiet: boolean;
  readonly env: Environment;
  readonly cwd: string;
  readonly machine: Machine;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly random: Random;
  readonly derive: Derive;
  readonly files: Files;
  readonly settings: SettingsFiles;
  readonly places: Places;
  /** The journal that the profile of the command names. BURSAR_JOURNAL takes precedence. */
  readonly journal?: (() => Promise<JournalName | undefined>) | undefined;
  /** The end of the command's --timeout, by the monotonic clock. */
  readonly deadline?: (() => number) | undefined;
  readonly http: Http;
  readonly receive: Receive;
  readonly prompt: Prompt;
  readonly browser: Browser;
  readonly processes: Processes;
  readonly keyring: Keyring;
  /** Aborts on Ctrl-C and on a signal to end the process. */
  readonly interrupted: AbortSignal;
  /** Aborts on the second interrupt: the user no longer waits. */
  readonly forceQuit: AbortSignal;
  /** Awaits work, and shows a spinner on a terminal. A label that is a function is called repeatedly. */
  readonly spin: <T>(label: string | (() => string), work: Promise<T>) => Promise<T>;
};

/** The platform, in Node's terms. */
export type Machine = { readonly node: string; readonly system: string; readonly processor: string };

/** Standard input. */
export type Input = {
  readonly isTerminal: boolean;
  /** Reads to the end. Throws `invalid_input` above `maxBytes`. */
  readonly readAll: (maxBytes?: number) => Promise<Uint8Array>;
};

/** Standard output or standard error. */
export type Output = {
  readonly isTerminal: boolean;
  /** Width in characters; 80 if it is unknown or zero. */
  readonly columns: number;
  /** Height in lines; 24 if it is unknown or zero. */
  readonly rows: number;
  /** Resolves when the stream has accepted the text; a closed pipe is no error. */
  readonly write: (text: string) => Promise<void>;
  /** Writes exact bytes. Only for a pipe or a file: a terminal would obey them. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  /** Whether the reader has closed the pipe. Endless output stops then. */
  readonly isClosed: () => boolean;
};

/** Time. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since any fixed point; never decreases. */
  readonly monotonic: () => number;
  /** Resolves after the time. Throws `interrupted` when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** Randomness. */
export type Random = {
  readonly bytes: (count: number) => Uint8Array;
  /** At least 0 and below 1; for jitter, never for secrets. */
  readonly fraction: () => number;
};

/** Parameters to derive a key from a password, by scrypt (RFC 7914) or PBKDF2 (RFC 8018, section 5.2). */
export type Derivation = { readonly password: Uint8Array; readonly salt: Uint8Array; readonly bytes: number } & (
  | { readonly kdf: 'scrypt'; readonly n: number; readonly r: number; readonly p: number }
  | { readonly kdf: 'pbkdf2'; readonly rounds: number; readonly digest: 'sha256' | 'sha512' }
);

/** Derives a key on a separate thread, so that a spinner keeps turning. Nothing else starts a thread. */
export type Derive = (derivation: Derivation) => Promise<Uint8Array>;

/** The folders that bursar owns, all inside BURSAR_HOME if it is set. */
export type Places = {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
  readonly sandbox: string;
};

/** A journal in a database: its address, and the variable or setting that names it. */
export type JournalName = { readonly url: string; readonly source: string };

/** The user's browser. */
export type Browser = {
  /** Opens a page, and does not wait for it. Returns `false` without a browser. */
  readonly open: (page: PageAddress) => Promise<boolean>;
};

/** Settings files of the user. */
export type SettingsFiles = {
  /**
   * Replaces a file: private, atomic, synced. The caller must have read the old settings under a lock. Throws
   * `unwritable_file`.
   */
  readonly write: (path: string, settings: Readonly<Record<string, unknown>>) => Promise<void>;
};

/**
 * The password store of the user's system. `lookup` reads secrets of the user and of bursar; `store` and `clear` change
 * only secrets of bursar. A secret reaches the system's tool by its standard input.
 */
export type Keyring = {
  /** Throws `unreadable_file` without a keyring. A locked keyring counts as present. */
  readonly assertAvailable: () => Promise<void>;
  /** The bytes of a secret. Throws `unreadable_file`, with advice, without the secret or without a keyring. */
  readonly lookup: (service: string, account: string) => Promise<Uint8Array>;
  /** Stores printable ASCII without spaces, quotes and backslashes. Throws `unreadable_file` if that fails. */
  readonly store: (service: string, account: string, secret: string) => Promise<void>;
  /** Removes a secret, if it exists. Throws `unreadable_file` without a keyring. */
  readonly clear: (service: string, account: string) => Promise<void>;
};
