import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { Failure, hasCode } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** Processors that have a build, of each system. */
const BUILDS: Readonly<Record<string, readonly string[]>> = { darwin: ['x64', 'arm64'], linux: ['x64', 'arm64'] };

/** The packages that may hold litesvm for a system and processor, as Node names them; on Linux one for each C library. */
export const solanaPackages = (system: string, processor: string): readonly string[] => {
  if (!BUILDS[system]?.includes(processor)) return [];
  const name = `litesvm-${system}-${processor}`;
  return system === 'linux' ? [`${name}-gnu`, `${name}-musl`] : [name];
};

/** Failures of this kind leave everything but the sandbox's Solana chain working. */
const cannotRun = (message: string, advice: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's Solana chain cannot run here: ${message}`, {
    hint: `${advice} Payments on EVM chains and commands against a deployment do not need it.`,
    next: nextStep('doctor'),
    cause,
  });

const isMissing = (error: unknown): boolean => hasCode(error, 'MODULE_NOT_FOUND') && !/GLIBC/i.test(String(error));

/**
 * The raw binding, of the first of this machine's packages that is installed. Throws `sandbox_unavailable` when there is none for
 * it, when it is not installed, or when it does not fit the C library.
 */
export const loadSolana = (system: string = platform(), processor: string = arch()): Binding => {
  const names = solanaPackages(system, processor);
  if (names.length === 0) {
    throw cannotRun(`litesvm has no build for ${system} on ${processor}`, 'Use Linux or macOS on x64 or arm64.');
  }
  const require = createRequire(import.meta.url);
  for (const name of names) {
    try {
      return require(name);
    } catch (error) {
      if (!isMissing(error))
        throw cannotRun(
          `${name} does not load here: ${String(error)}`,
          'Read its message: it names the missing part.',
          error,
        );
    }
  }
  throw cannotRun(
    `the optional package ${names.join(' or ')} is not installed`,
    'Install bursar again with its optional dependencies: npm install --include=optional.',
  );
};

/** An account as the runtime keeps it. */
export type SvmAccount = {
  readonly lamports: () => bigint;
  readonly data: () => Uint8Array;
  readonly owner: () => Uint8Array;
  readonly executable: () => boolean;
};

/** A call that a program made. */
type SvmInner = {
  readonly stackHeight: () => number;
  readonly instruction: () => {
    readonly programIdIndex: () => number;
    readonly accounts: () => Uint8Array;
    readonly data: () => Uint8Array;
  };
};

/** The effects of a transaction. */
export type SvmMetadata = {
  readonly signature: () => Uint8Array;
  readonly logs: () => readonly string[];
  readonly computeUnitsConsumed: () => bigint;
  /** One list for each instruction; none at all where nothing was executed. */
  readonly innerInstructions: () => readonly (readonly SvmInner[])[];
  /** Without data where nothing was returned. */
  readonly returnData: () => { readonly programId: () => Uint8Array; readonly data: () => Uint8Array };
};

/** An error of the runtime: a number of its list, or an object with details. */
export type SvmError =
  | number
  | { readonly index?: number; readonly accountIndex?: number; readonly err?: () => unknown };

/** A transaction that failed, and why. */
type SvmFailed = { readonly err: () => SvmError; readonly meta: () => SvmMetadata };
/** A transaction that was only tried. */
type SvmSimulated = {
  readonly meta: () => SvmMetadata;
  /** Every account of the transaction that is there afterwards. */
  readonly postAccounts: () => readonly { readonly address: Uint8Array; readonly account: () => SvmAccount }[];
};

/**
 * The part of litesvm's raw binding that the sandbox uses. It is not documented: test/sandbox/solana/binding.test.ts
 * holds it to what is relied on. Bytes that are no whole transaction end the process: parse them first.
 */
export type LiteSvm = {
  readonly setBlockhashCheck: (check: boolean) => void;
  /** Whether signatures are verified, from here on. */
  readonly setSigverify: (verify: boolean) => void;
  /** With 0 nothing is kept and nothing is de-duplicated. */
  readonly setTransactionHistory: (capacity: bigint) => void;
  readonly getAccount: (address: Uint8Array) => SvmAccount | null;
  readonly getBalance: (address: Uint8Array) => bigint | null;
  readonly setAccount: (address: Uint8Array, account: SvmAccount) => void;
  readonly getProgramAccounts: (program: Uint8Array) => readonly { address: Uint8Array; account: () => SvmAccount }[];
  readonly minimumBalanceForRentExemption: (bytes: bigint) => bigint;
  readonly setClock: (clock: unknown) => void;
  readonly getClock: () => { readonly slot: bigint; readonly unixTimestamp: bigint };
  /** Takes legacy transactions too. */
  readonly sendVersionedTransaction: (bytes: Uint8Array) => SvmMetadata | SvmFailed;
  readonly simulateVersionedTransaction: (bytes: Uint8Array) => SvmSimulated | SvmFailed;
};

/** The package's exports: the runtime, and its inputs. */
export type Binding = {
  readonly LiteSvm: new () => LiteSvm;
  readonly Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => SvmAccount;
  /** Slot, start of the epoch, epoch, epoch of the leaders' schedule, seconds since 1970. */
  readonly Clock: new (
    slot: bigint,
    start: bigint,
    epoch: bigint,
    schedule: bigint,
    seconds: bigint,
  ) => unknown;
};

/** Whether a transaction failed, sent or tried. */
export const isFailed = (result: SvmMetadata | SvmFailed | SvmSimulated): result is SvmFailed => 'err' in result;
