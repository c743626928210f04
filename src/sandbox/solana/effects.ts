import { TOKEN_PROGRAM } from './instructions.ts';
import type { LiteSvm, SvmError, SvmMetadata } from './package.ts';
import type { ParsedTransaction } from './parse.ts';
import type { StoredAccount } from './store.ts';

/** The sizes of the token program's accounts, in bytes. */
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

/**
 * The tokens in one account of a transaction. `at` is the account's index; `units` is a whole number as text. Mint and owner
 * are in base64: base58 takes 50 times as long, and few callers read them.
 */
export type TokenHolding = {
  readonly at: number;
  readonly mint: string;
  readonly owner: string;
  readonly units: string;
};

/** The balances of a transaction's accounts, before or after it: lamports as text, and tokens. */
export type Holdings = { readonly lamports: readonly string[]; readonly tokens: readonly TokenHolding[] };

/** The fields of an account that this file uses. `isToken`: the token program owns the account. */
type AccountView = { readonly lamports: string; readonly isToken: boolean; readonly data: () => Uint8Array };

const TOKEN_BYTES = Buffer.from(TOKEN_PROGRAM.toBytes());
const TOKEN_NAME = TOKEN_PROGRAM.toBase58();

const tokensIn = (account: AccountView | undefined, at: number): readonly TokenHolding[] => {
  if (!account?.isToken) return [];
  const bytes = Buffer.from(account.data());
  if (bytes.length !== TOKEN_ACCOUNT_BYTES) return [];
  const [mint, owner] = [bytes.toString('base64', 0, 32), bytes.toString('base64', 32, 64)];
  return [{ at, mint, owner, units: bytes.readBigUInt64LE(64).toString() }];
};

const readAccount = (svm: LiteSvm, key: Uint8Array): AccountView | undefined => {
  const account = svm.getAccount(key);
  if (!account) return undefined;
  const isToken = Buffer.compare(account.owner(), TOKEN_BYTES) === 0;
  return { lamports: account.lamports().toString(), isToken, data: () => account.data() };
};

/** Reads the balances of a transaction's accounts. It skips the data of programs, which is large and has no tokens. */
export const holdingsOf = (svm: LiteSvm, { message, keyBytes }: ParsedTransaction): Holdings => {
  const programs = new Set(message.compiledInstructions.map(({ programIdIndex }) => programIdIndex));
  const lamports: string[] = [];
  const tokens: TokenHolding[] = [];
  for (const [at, key] of keyBytes.entries()) {
    const account = programs.has(at) ? undefined : readAccount(svm, key);
    lamports.push(account?.lamports ?? (programs.has(at) ? String(svm.getBalance(key) ?? 0n) : '0'));
    tokens.push(...tokensIn(account, at));
  }
  return { lamports, tokens };
};

/** Computes the balances after a transaction. `changed` are its writable accounts after the transaction. */
export const holdingsAfter = (
  before: Holdings,
  { message, keys }: ParsedTransaction,
  changed: readonly StoredAccount[],
): Holdings => {
  const byAddress = new Map(changed.map((each) => [each.address, each]));
  const accountAt = (at: number): AccountView | undefined => {
    const found = byAddress.get(keys[at] ?? '');
    return found && { lamports: found.lamports, isToken: found.owner === TOKEN_NAME, data: () => found.data };
  };
  const isReadOnly = (at: number): boolean => !message.isAccountWritable(at);
  return {
    lamports: before.lamports.map((each, at) => (isReadOnly(at) ? each : (accountAt(at)?.lamports ?? '0'))),
    tokens: keys.flatMap((_, at) =>
      isReadOnly(at) ? before.tokens.filter((each) => each.at === at) : tokensIn(accountAt(at), at),
    ),
  };
};

/** The names of the runtime's errors by number, in litesvm's order (crate solana-transaction-error). */
const TRANSACTION_ERRORS = [
  ...['AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound', 'InsufficientFundsForFee'],
  ...['InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound', 'CallChainTooDeep', 'MissingSignatureForFee'],
  ...['InvalidAccountIndex', 'SignatureFailure', 'InvalidProgramForExecution', 'SanitizeFailure', 'ClusterMaintenance'],
  ...['AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion', 'InvalidWritableAccount'],
  ...['WouldExceedMaxAccountCostLimit', 'WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks'],
  ...['AddressLookupTableNotFound', 'InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData'],
  ...['InvalidAddressLookupTableIndex', 'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit'],
  ...['WouldExceedAccountDataTotalLimit', 'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded'],
  ...['InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction', 'ProgramCacheHitMaxLimit', 'CommitCancelled'],
];

/** The names of an instruction's errors by number (crate solana-instruction-error). */
const INSTRUCTION_ERRORS = [
  ...['GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData', 'AccountDataTooSmall'],
  ...['InsufficientFunds', 'IncorrectProgramId', 'MissingRequiredSignature', 'AccountAlreadyInitialized'],
  ...['UninitializedAccount', 'UnbalancedInstruction', 'ModifiedProgramId', 'ExternalAccountLamportSpend'],
  ...['ExternalAccountDataModified', 'ReadonlyLamportChange', 'ReadonlyDataModified', 'DuplicateAccountIndex'],
  ...['ExecutableModified', 'RentEpochModified', 'NotEnoughAccountKeys', 'AccountDataSizeChanged'],
  ...['AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding', 'DuplicateAccountOutOfSync'],
  ...['InvalidError', 'ExecutableDataModified', 'ExecutableLamportChange', 'ExecutableAccountNotRentExempt'],
  ...['UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed', 'MaxSeedLengthExceeded'],
  ...['InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation'],
  ...['ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable'],
  ...['IncorrectAuthority', 'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar'],
  ...['IllegalOwner', 'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded'],
  ...['MaxInstructionTraceLengthExceeded', 'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError'],
];

/** The error of a transaction in Solana's JSON-RPC: a word, or `{InstructionError: [index, word or {Custom}]}`. */
export type TransactionError = string | Readonly<Record<string, unknown>>;

const instructionError = (inner: unknown): unknown => {
  if (typeof inner === 'number') return INSTRUCTION_ERRORS[inner] ?? 'GenericError';
  const { code, msg } = inner as { code?: number; msg?: string };
  return code === undefined ? { BorshIoError: msg ?? '' } : { Custom: code };
};

/** The runtime's error in the form of Solana's JSON-RPC. */
export const transactionError = (error: SvmError): TransactionError => {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'SanitizeFailure';
  if (error.err) return { InstructionError: [error.index ?? 0, instructionError(error.err())] };
  if (error.accountIndex !== undefined) return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  return { DuplicateInstruction: error.index ?? 0 };
};

/** A compiled instruction: accounts by index, data in base64. */
export type CompiledInstruction = {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  /** 1 for an instruction of the transaction itself; `null` if the runtime does not report it. */
  readonly stackHeight: number | null;
};

/** The calls by programs during the instruction at `index` of the transaction. */
export type Inner = { readonly index: number; readonly instructions: readonly CompiledInstruction[] };

/** The inner instructions of a transaction and its return data, in base64. */
export type Calls = {
  readonly inner: readonly Inner[];
  readonly returned: { readonly program: string; readonly data: string } | undefined;
};

/** The effects of an executed transaction, as the ledger stores them in JSON. */
export type Effects = Calls & { readonly before: Holdings; readonly after: Holdings };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Reads the calls from the metadata of the runtime. */
export const callsOf = (meta: SvmMetadata): Calls => {
  const inner = meta.innerInstructions().map((list, index) => ({
    index,
    instructions: list.map((each) => {
      const called = each.instruction();
      const [accounts, data] = [[...called.accounts()], base64(called.data())];
      return { programIdIndex: called.programIdIndex(), accounts, data, stackHeight: each.stackHeight() };
    }),
  }));
  const returned = meta.returnData();
  const data = returned.data();
  return {
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    returned: data.length === 0 ? undefined : { program: base64(returned.programId()), data: base64(data) },
  };
};

const sum = (lamports: readonly string[]): bigint => lamports.reduce((total, each) => total + BigInt(each), 0n);

/** The fee in lamports: the total that the accounts of a transaction lost. Only the fee leaves the accounts. */
export const feeOf = ({ before, after }: Effects): bigint => sum(before.lamports) - sum(after.lamports);
