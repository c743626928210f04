import type { PageAddress } from '../core/web-address.ts';
import type { Prompt } from './asked.ts';
import type { Http } from './exchange.ts';
import type { Files } from './file-facts.ts';
import type { Processes } from './process-name.ts';

/**
 * The world as bursar touches it: everything outside this process comes through one value of this type.
 * `system.ts` makes the only real one; tests hand in another.
 */
export type Io = {
  /** Whether only errors and warnings about money are written to stderr. */
  readonly isQuiet: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
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
  readonly http: Http;
  readonly prompt: Prompt;
  readonly browser: Browser;
  readonly processes: Processes;
  readonly keyring: Keyring;
  /** Aborts when the user interrupts (Ctrl-C) or the process is asked to end. */
  readonly interrupted: AbortSignal;
  /** Aborts when that happens once more: nobody wants to wait for anything. */
  readonly forceQuit: AbortSignal;
  /** Shows that work goes on, on a terminal; elsewhere just awaits. A label that changes is asked for again and again. */
  readonly spin: <T>(label: string | (() => string), work: Promise<T>) => Promise<T>;
};

/** What bursar runs on, as Node names it. */
export type Machine = { readonly node: string; readonly system: string; readonly processor: string };

/** Standard input. */
export type Input = {
  readonly isTerminal: boolean;
  /** All of it, as bytes. Throws `invalid_input` above `mostBytes`. */
  readonly readAll: (mostBytes?: number) => Promise<Uint8Array>;
};

/** Standard output, or standard error. */
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

/** Time. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from any fixed point, never going back. */
  readonly monotonic: () => number;
  /** Resolves after the time, or rejects with `interrupted` when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** Chance. */
export type Random = {
  readonly bytes: (count: number) => Uint8Array;
  /** At least 0 and below 1; for jitter, never for secrets. */
  readonly fraction: () => number;
};

/** How a password becomes the bytes of a key: scrypt (RFC 7914) or PBKDF2 (RFC 8018, section 5.2). */
export type Derivation = { readonly password: Uint8Array; readonly salt: Uint8Array; readonly bytes: number } & (
  | { readonly kdf: 'scrypt'; readonly n: number; readonly r: number; readonly p: number }
  | { readonly kdf: 'pbkdf2'; readonly rounds: number; readonly digest: 'sha256' | 'sha512' }
);

/** Derives a key on a thread of its own, so that a spinner turns meanwhile. The only work that starts a thread. */
export type Derive = (derivation: Derivation) => Promise<Uint8Array>;

/** The folders that bursar owns: one each, all inside BURSAR_HOME when that is set. */
export type Places = {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
  readonly sandbox: string;
};

/** The user's browser. */
export type Browser = {
  /** Opens a page, and does not wait for what is done there. `false` where there is no browser to open it. */
  readonly open: (page: PageAddress) => Promise<boolean>;
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
