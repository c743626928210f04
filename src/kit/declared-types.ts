/** The fixed part of the declarations of `bursar/client`. The generator replaces CODES and AREAS. */
export const CLIENT_TYPES = `
/**
 * A number of the service without rounding. It is a number where JavaScript holds it exactly. A larger whole number of at
 * most 1,000 digits is a bigint, and any other number is text with its digits. Amounts in wei are always bigint, and decimal
 * amounts of money are text.
 */
export type ExactNumber = number | bigint | string;

/** The service of a client. */
export interface ClientOptions {
  /** The address of the service: https, or http on this machine. */
  readonly baseUrl: string;
  /** Sent to the origin of \`baseUrl\` only. */
  readonly apiKey?: string | undefined;
  /** The maximum time of one call with its retries, in milliseconds; 60,000 without it. */
  readonly timeoutMs?: number | undefined;
}

/** The options of one call. */
export interface CallOptions {
  /** Ends the call. A request that was sent may still have its effect. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum time of this call with its retries, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** The code of a failed call. It is \`error.code\` in the JSON output of bursar. */
export type CallCode = CODES;

/** A failed call. \`Status\` has the documented errors of the endpoint; the service may send others. */
export interface CallError<Status extends string = string> {
  readonly code: CallCode;
  /** The status of the service's answer, if it answered. */
  readonly status?: Status | (string & {});
  /** The HTTP status of the answer. */
  readonly http?: number;
  readonly message: string;
  /** The wrong fields; empty without any. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** The data of the answer, if it has any. */
  readonly data?: unknown;
  /** Whether the call may have taken effect. Read the state back before you repeat it. */
  readonly isUnclear: boolean;
  /** The wait in milliseconds that the service requests. */
  readonly retryAfterMs?: number;
}

/** A documented answer of the service. */
export interface CallSuccess<Status extends string, Data> {
  readonly ok: true;
  readonly status: Status;
  readonly http: number;
  readonly message: string;
  readonly data: Data;
}

/** A failure as a value. Functions of the client do not reject for it. */
export interface CallFailure<Status extends string> {
  readonly ok: false;
  readonly error: CallError<Status>;
}

/** The functions of the service by area and verb. */
export interface Client {
AREAS
}

/**
 * Makes a client of a service. A read is repeated up to three times after a temporary failure; a call that moves money
 * or spends a quota is never repeated. Throws an error for a base URL that is neither https nor on this machine, and for an
 * API key that no header can have.
 */
export function createClient(options: ClientOptions): Client;
`;

/** The fixed part of the declarations of `bursar/sandbox`, with the functions of the control. */
export const sandboxTypes = (functions: string): string => `
/// <reference lib="esnext.disposable" />

/** The options of \`startSandbox\`. */
export interface SandboxOptions {
  /**
   * A folder that keeps the sandbox's state. Without it the sandbox gets a new private folder, stores nothing in it but
   * its keys and logs, and removes it at its end.
   */
  readonly home?: string | undefined;
  /** The port of the server; a free one without it. */
  readonly port?: number | undefined;
  /**
   * The chains that accept payments. Their nodes start before \`startSandbox\` resolves, and all other chains are switched
   * off. Without it all chains accept payments, and each node starts on its first use.
   */
  readonly chains?: readonly string[] | undefined;
}

/** A refused or failed call of the sandbox's control. */
export interface SandboxError extends Error {
  /** The code, such as \`rejected\`, \`not_found\` or \`sandbox_unavailable\`. */
  readonly code: string;
  /** The status of the answer, such as \`payment_not_found\`. */
  readonly status?: string;
}

/** A running sandbox. Functions of the control reject with a \`SandboxError\`. */
export interface Sandbox {
  /** The base URL of the service. */
  readonly url: string;
  /** An API key of the first tenant. */
  readonly apiKey: string;
  /** The folder of the sandbox. */
  readonly home: string;
  /** The process of the sandbox. */
  readonly pid: number;
  /** Stops the sandbox. Removes its folder, unless \`home\` was given. A second call does nothing. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
${functions}
}

/**
 * Starts a sandbox of the whole service: offline, on this machine, with test money. It ends within two seconds of the
 * process that started it. Throws a \`SandboxError\` if it cannot run.
 */
export function startSandbox(options?: SandboxOptions): Promise<Sandbox>;
`;
