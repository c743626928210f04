import { ComputeBudgetProgram, PublicKey } from '@solana/web3.js';
import { verifyEd25519 } from '../../src/core/ed25519.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../src/sandbox/solana/instructions.ts';
import { type ParsedTransaction, parseTransaction } from '../../src/sandbox/solana/parse.ts';
import { SOLANA_ADDRESS } from './home.ts';
import {
  type Account,
  type Accounts,
  POSITIONS,
  PROGRAM,
  type Provider,
  positionIn,
  rightsIn,
  tokenOwnerIn,
  unitsIn,
  VAULT_TOKENS,
  VAULTS,
  WALLET_TOKENS,
  withDelegate,
  withPosition,
  withUnits,
} from './solana-accounts.ts';

/** A signed transaction as the chain reads it. `raw` is base64. */
export type SolanaTransaction = ParsedTransaction & { readonly raw: string; readonly hash: string };

const read = new Map<string, ParsedTransaction>();

/** Reads a transaction in base64; signatures may be missing. Throws if the bytes are no transaction. */
export const parsed = (raw: string): ParsedTransaction => {
  const known = read.get(raw);
  if (known) return known;
  const result = parseTransaction(Buffer.from(raw, 'base64'));
  if (!result.ok) throw new Error(result.message);
  read.set(raw, result.transaction);
  return result.transaction;
};

const verified = new Map<string, boolean>();

const isSigned = ({ message, signatures, keyBytes }: ParsedTransaction): boolean => {
  const bytes = message.serialize();
  return signatures.every((signature, at) => verifyEd25519(bytes, signature, keyBytes[at] ?? new Uint8Array()));
};

/** Reads a signed transaction. Throws if a signature is missing or wrong. */
export const readSolana = (raw: string): SolanaTransaction => {
  const transaction = parsed(raw);
  const isValid = verified.get(raw) ?? isSigned(transaction);
  verified.set(raw, isValid);
  if (!isValid) throw new Error('Transaction signature verification failure');
  return { ...transaction, raw, hash: transaction.signature };
};

/** The accounts after an execution, or its error. The fee is paid in both cases. */
export type ExecutionResult = { readonly accounts: Accounts; readonly error: object | undefined };

const FEE = 5_000n;

type Instruction = {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
  readonly isSigner: (address: string) => boolean;
};

const instructionsOf = ({ message, keys }: ParsedTransaction): readonly Instruction[] =>
  message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: keys[programIdIndex] ?? '',
    accounts: accountKeyIndexes.map((at) => keys[at] ?? ''),
    data: Buffer.from(data),
    isSigner: (address) => keys.indexOf(address) < message.header.numRequiredSignatures && keys.includes(address),
  }));

const get = (accounts: Accounts, address: string | undefined): Account => {
  const found = accounts.get(address ?? '');
  if (found) return found;
  throw new Error('an account is missing');
};

const require = (isTrue: boolean): void => {
  if (!isTrue) throw new Error('the program refuses');
};

type MutableAccounts = Map<string, Account>;

const moveTokens = (accounts: MutableAccounts, from: string, to: string, units: bigint): void => {
  const source = get(accounts, from);
  require(unitsIn(source) >= units);
  accounts.set(from, withUnits(source, unitsIn(source) - units));
  const target = get(accounts, to);
  accounts.set(to, withUnits(target, unitsIn(target) + units));
};

/** SPL Token: TransferChecked, MintToChecked, Approve. */
const runToken = (
  accounts: MutableAccounts,
  { accounts: [first = '', second = '', third = '', fourth = ''], data, isSigner }: Instruction,
) => {
  const [kind, units] = [data.readUInt8(0), data.readBigUInt64LE(1)];
  if (kind === 12) {
    require(isSigner(fourth) && tokenOwnerIn(get(accounts, first)) === fourth);
    moveTokens(accounts, first, third, units);
  } else if (kind === 14) {
    require(isSigner(third));
    const target = get(accounts, second);
    accounts.set(second, withUnits(target, unitsIn(target) + units));
  } else if (kind === 4) {
    require(isSigner(third) && tokenOwnerIn(get(accounts, first)) === third);
    accounts.set(first, withDelegate(get(accounts, first), new PublicKey(second)));
  } else throw new Error('no such instruction');
};

const runSystem = (accounts: MutableAccounts, { accounts: [from = '', to = ''], data, isSigner }: Instruction) => {
  const [kind, lamports] = [data.readUInt32LE(0), data.readBigUInt64LE(4)];
  require(kind === 2 && isSigner(from));
  const [source, target] = [get(accounts, from), get(accounts, to)];
  require(source.lamports >= lamports);
  accounts.set(from, { ...source, lamports: source.lamports - lamports });
  accounts.set(to, { ...target, lamports: target.lamports + lamports });
};

/**
 * The lending program. The first byte is the kind: 0 (deposit) and 1 (withdrawal) move tokens and need the signature of the
 * wallet; 2 and 3 only change the position and need the signature of provider_a. The units follow.
 */
const runLender = (accounts: MutableAccounts, { accounts: all, data, isSigner }: Instruction) => {
  const [signer = '', at = '', own = '', vault = ''] = all;
  const [kind, units] = [data.readUInt8(0), data.readBigUInt64LE(1)];
  const [position, isDeposit] = [get(accounts, at), kind % 2 === 0];
  require(isSigner(signer) && position.owner === PROGRAM.toBase58());
  require(isDeposit || positionIn(position) >= units);
  // The program moves only tokens of its own vaults.
  require(kind > 1 || Object.values(VAULT_TOKENS).includes(vault));
  if (kind === 0) {
    require(tokenOwnerIn(get(accounts, own)) === signer);
    moveTokens(accounts, own, vault, units);
  } else if (kind === 1) {
    require(position.data.includes(Buffer.from(new PublicKey(signer).toBytes())));
    moveTokens(accounts, vault, own, units);
  } else require(signer === VAULTS.provider_a.address);
  accounts.set(at, withPosition(position, positionIn(position) + (isDeposit ? units : -units)));
};

const RUN: Readonly<Record<string, (accounts: MutableAccounts, instruction: Instruction) => void>> = {
  [TOKEN_PROGRAM.toBase58()]: runToken,
  [SYSTEM_PROGRAM]: runSystem,
  [PROGRAM.toBase58()]: runLender,
  // The compute budget moves nothing.
  [ComputeBudgetProgram.programId.toBase58()]: () => undefined,
  // All token accounts exist already.
  [ASSOCIATED_TOKEN_PROGRAM.toBase58()]: () => undefined,
};

/** Executes a transaction on accounts. Either all its instructions take effect, or none. */
export const execute = (before: Accounts, transaction: ParsedTransaction): ExecutionResult => {
  const payer = transaction.keys[0] ?? '';
  const fee = FEE * BigInt(transaction.message.header.numRequiredSignatures);
  const paid = new Map(before);
  const account = before.get(payer);
  if (account) paid.set(payer, { ...account, lamports: account.lamports - fee });
  const after = new Map(paid);
  for (const [at, instruction] of instructionsOf(transaction).entries()) {
    try {
      const run = RUN[instruction.program];
      if (!run) throw new Error('no such program');
      run(after, instruction);
    } catch {
      return { accounts: paid, error: { InstructionError: [at, { Custom: 1 }] } };
    }
  }
  return { accounts: after, error: undefined };
};

/** Money that moved between the wallet and a provider; `other` is a change that no operation makes. */
export type Leg = {
  readonly kind: 'deposit' | 'withdraw' | 'other';
  readonly provider: Provider | undefined;
  readonly units: bigint;
};

const change = (before: Accounts, after: Accounts, address: string, unitsOf = unitsIn): bigint => {
  const [had, has] = [before.get(address), after.get(address)];
  return (has ? unitsOf(has) : 0n) - (had ? unitsOf(had) : 0n);
};

const legOf = (before: Accounts, after: Accounts, provider: Provider): readonly Leg[] => {
  const gained = change(before, after, VAULT_TOKENS[provider]);
  if (gained === 0n) return [];
  const isCounted = change(before, after, POSITIONS[provider], positionIn) === gained;
  if (!isCounted) return [{ kind: 'other', provider, units: gained }];
  return [{ kind: gained > 0n ? 'deposit' : 'withdraw', provider, units: gained > 0n ? gained : -gained }];
};

/** The effects of a transaction on the wallet: its legs, and changes that no operation makes. */
export const legsOf = (before: Accounts, after: Accounts): readonly Leg[] => {
  const legs = (['provider_a', 'provider_b'] as const).flatMap((provider) => legOf(before, after, provider));
  const paidIn = legs.reduce((sum, { units, kind }) => sum + (kind === 'withdraw' ? -units : units), 0n);
  const lost = -change(before, after, WALLET_TOKENS);
  const [own, owned] = [before.get(WALLET_TOKENS), after.get(WALLET_TOKENS)];
  const isTaken = own && owned && rightsIn(own) !== rightsIn(owned);
  const coin = (before.get(SOLANA_ADDRESS)?.lamports ?? 0n) - (after.get(SOLANA_ADDRESS)?.lamports ?? 0n);
  const isOther = lost !== paidIn || isTaken || coin > 3n * FEE;
  return isOther ? [...legs, { kind: 'other', provider: undefined, units: lost - paidIn }] : legs;
};
