import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { Failure, hasCode } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** The systems and processors with a build of litesvm. */
const BUILDS: Readonly<Record<string, readonly string[]>> = { darwin: ['x64', 'arm64'], linux: ['x64', 'arm64'] };

/** The npm packages of litesvm for a system and processor, in Node's names. Linux has one for each C library. */
export const solanaPackages = (system: string, processor: string): readonly string[] => {
  if (!BUILDS[system]?.includes(processor)) return [];
  const name = `litesvm-${system}-${processor}`;
  return system === 'linux' ? [`${name}-gnu`, `${name}-musl`] : [name];
};

/** The failure if litesvm cannot run. Everything except the sandbox's Solana chain still works. */
const cannotRun = (message: string, advice: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's Solana chain cannot run here: ${message}`, {
    hint: `${advice} Payments on EVM chains and commands against a deployment do not need it.`,
    next: nextStep('doctor'),
    cause,
  });

const isMissing = (error: unknown): boolean => hasCode(error, 'MODULE_NOT_FOUND') && !/GLIBC/i.test(String(error));

/**
 * Loads litesvm's binding from the first installed package for this machine. Throws `sandbox_unavailable` without a build or
 * a package for this machine, and if the binding does not fit the C library.
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

/** An account in the runtime. */
export type SvmAccount = {
  readonly lamports: () => bigint;
  readonly data: () => Uint8Array;
  readonly owner: () => Uint8Array;
  readonly executable: () => boolean;
};

/** A call by a program. */
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
  /** One list for each instruction; no lists if nothing was executed. */
  readonly innerInstructions: () => readonly (readonly SvmInner[])[];
  /** `data` is empty if the program returned nothing. */
  readonly returnData: () => { readonly programId: () => Uint8Array; readonly data: () => Uint8Array };
};

/** An error of the runtime: a number of the runtime's list, or an object with details. */
export type SvmError =
  | number
  | { readonly index?: number; readonly accountIndex?: number; readonly err?: () => unknown };

/** A failed transaction, with its error. */
type SvmFailure = { readonly err: () => SvmError; readonly meta: () => SvmMetadata };
/** A simulated transaction. */
type SvmSimulation = {
  readonly meta: () => SvmMetadata;
  /** The accounts of the transaction that exist after it. */
  readonly postAccounts: () => readonly { readonly address: Uint8Array; readonly account: () => SvmAccount }[];
};

/**
 * The part of litesvm's binding that the sandbox uses. The binding has no documentation, so
 * test/sandbox/solana/binding.test.ts tests these calls. Bytes that are not a whole transaction end the process. So parse
 * them first.
 */
export type LiteSvm = {
  readonly setBlockhashCheck: (check: boolean) => void;
  /** Sets whether later calls verify signatures. */
  readonly setSigverify: (verify: boolean) => void;
  /** With 0, the runtime stores no transactions and does not detect repeated ones. */
  readonly setTransactionHistory: (capacity: bigint) => void;
  readonly getAccount: (address: Uint8Array) => SvmAccount | null;
  readonly getBalance: (address: Uint8Array) => bigint | null;
  readonly setAccount: (address: Uint8Array, account: SvmAccount) => void;
  readonly getProgramAccounts: (program: Uint8Array) => readonly { address: Uint8Array; account: () => SvmAccount }[];
  readonly minimumBalanceForRentExemption: (bytes: bigint) => bigint;
  readonly setClock: (clock: unknown) => void;
  readonly getClock: () => { readonly slot: bigint; readonly unixTimestamp: bigint };
  /** Also accepts legacy transactions. */
  readonly sendVersionedTransaction: (bytes: Uint8Array) => SvmMetadata | SvmFailure;
  readonly simulateVersionedTransaction: (bytes: Uint8Array) => SvmSimulation | SvmFailure;
};

/** The package's exports: the runtime, and the types of its inputs. */
export type Binding = {
  readonly LiteSvm: new () => LiteSvm;
  readonly Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => SvmAccount;
  /** `start`: the start time of the epoch. `schedule`: the epoch of the leader schedule. `seconds`: since 1970. */
  readonly Clock: new (
    slot: bigint,
    start: bigint,
    epoch: bigint,
    schedule: bigint,
    seconds: bigint,
  ) => unknown;
};

/** Whether a transaction, sent or simulated, failed. */
export const isFailed = (result: SvmMetadata | SvmFailure | SvmSimulation): result is SvmFailure => 'err' in result;
