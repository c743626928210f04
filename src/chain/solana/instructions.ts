import { Failure, isFailure } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressOf, derivedAddress, tokenAccountOf } from './address.ts';
import { invalidInput, type Reader, readerOf } from './bytes.ts';
import { PROGRAMS, type SolanaNetwork, TOKEN_PROGRAMS } from './network.ts';
import { exactAccounts, type Instruction } from './resolve.ts';
import type { Step } from './step.ts';

const TRANSFER = 2;

/** The other instructions of the System program, by number. No yield operation needs them. */
const SYSTEM_INSTRUCTIONS: Readonly<Record<number, string>> = {
  0: 'CreateAccount: pays for an account of any program',
  1: 'Assign: gives the whole account to a program',
  3: 'CreateAccountWithSeed: pays for an account of any program',
  4: 'AdvanceNonceAccount: the transaction stays valid until it is sent (durable nonce)',
  5: 'WithdrawNonceAccount: takes lamports out of a nonce account',
  6: 'InitializeNonceAccount: sets up a nonce account',
  7: 'AuthorizeNonceAccount: gives a nonce account to another address',
  8: 'Allocate: after it the account cannot pay any more',
  9: 'AllocateWithSeed: reserves room in an account',
  10: 'AssignWithSeed: gives an account to a program',
  11: 'TransferWithSeed: takes lamports out of an account derived from a seed',
  12: 'UpgradeNonceAccount: changes a nonce account',
};

/** Reads an instruction of the System program (number as u32). Throws `invalid_input` when it is malformed. */
export const readSystem = ({ accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const number = reader.u32();
  const other = SYSTEM_INSTRUCTIONS[number] ?? `instruction ${number}: not known`;
  if (number !== TRANSFER) return { kind: 'dangerous', name: `System program, ${other}` };
  const units = reader.u64();
  reader.end();
  const [from = '', to = ''] = exactAccounts(accounts, 2);
  return { kind: 'pays_coin', from, to, units };
};

/** Reads a memo: UTF-8 text. Its accounts only require signatures. Throws `invalid_input` for other bytes. */
export const readMemo = ({ data }: Instruction): Step => {
  try {
    return { kind: 'memo', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data) };
  } catch (cause) {
    throw new Failure('invalid_input', 'its text is not UTF-8', { cause });
  }
};

const KINDS = ['deposit', 'withdraw'] as const;

/** Bytes without a meaning. */
const UNUSED = 5;

/**
 * Reads an instruction of the sandbox's lending program (src/sandbox/solana/program/lender.s). The position must be the one of
 * its owner and mint. Throws `invalid_input` for a malformed instruction.
 */
export const readLender = ({ program, accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const direction = KINDS[reader.u8()] ?? invalidInput('it is neither a deposit nor a withdrawal');
  const [bump, decimals] = [reader.u8(), reader.u8()];
  reader.take(UNUSED);
  const [units, shares] = [reader.u64(), reader.u64()];
  const owner = addressOf(reader.take(ADDRESS_BYTES));
  reader.end();
  const [wallet = '', position = '', own = '', vault = '', mint = '', , token, system] = exactAccounts(accounts, 8);
  if (token !== PROGRAMS.token || system !== PROGRAMS.system)
    return invalidInput('its token or System program is another one');
  const expected = derivedAddress([owner, mint], program);
  if (position !== expected.address || bump !== expected.bump)
    return invalidInput('the position does not belong to its owner');
  const [from, to] = direction === 'deposit' ? [own, vault] : [vault, own];
  return { kind: 'lends', direction, program, wallet, owner, position, from, to, mint, units, decimals, shares };
};

type Budget = Extract<Step, { kind: 'budget' }>;

const BUDGETS: Readonly<Record<number, (data: Reader) => Omit<Budget, 'kind'>>> = {
  1: (data) => ({ what: 'heap', value: BigInt(data.u32()) }),
  2: (data) => ({ what: 'units', value: BigInt(data.u32()) }),
  3: (data) => ({ what: 'price', value: data.u64() }),
  4: (data) => ({ what: 'data', value: BigInt(data.u32()) }),
};

/** Reads an instruction of the Compute Budget program (number as u8). Throws `invalid_input` when it is malformed. */
export const readComputeBudget = ({ accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const number = reader.u8();
  const read = BUDGETS[number];
  const name = `Compute Budget program, instruction ${number}: not known, or not used any more`;
  if (!read) return { kind: 'dangerous', name };
  const budget = read(reader);
  reader.end();
  exactAccounts(accounts, 0);
  return { kind: 'budget', ...budget };
};

/** Create (also without any data) and CreateIdempotent. */
const CREATES: readonly string[] = ['', '00', '01'];

/** Reads an instruction of the Associated Token program. Throws `invalid_input` when it is malformed. */
export const readAssociatedToken = ({ accounts, data }: Instruction): Step => {
  const number = Buffer.from(data).toString('hex');
  if (!CREATES.includes(number)) {
    return { kind: 'dangerous', name: `Associated Token program, instruction ${number.slice(0, 2)}: not needed` };
  }
  const [payer = '', account = '', owner = '', mint = '', system = '', program = ''] = exactAccounts(accounts, 6);
  if (system !== PROGRAMS.system) return invalidInput('its fifth account is not the System program');
  if (!TOKEN_PROGRAMS.includes(program)) return invalidInput('its sixth account is no token program');
  if (account !== tokenAccountOf(owner, mint, program))
    return invalidInput('the account is not the one of that owner and mint');
  return { kind: 'opens', payer, account, owner, mint, program };
};

type Read = (instruction: Instruction, data: Reader) => Step;

const checked = (data: Reader, isChecked: boolean): { units: bigint; decimals: number | undefined } => ({
  units: data.u64(),
  decimals: isChecked ? data.u8() : undefined,
});

const transfer: Read = ({ program, accounts }, data) => {
  const [from = '', to = '', authority = ''] = exactAccounts(accounts, 3);
  return { kind: 'moves', program, from, to, authority, mint: undefined, ...checked(data, false) };
};

const transferChecked: Read = ({ program, accounts }, data) => {
  const [from = '', mint = '', to = '', authority = ''] = exactAccounts(accounts, 4);
  return { kind: 'moves', program, from, to, authority, mint, ...checked(data, true) };
};

const mintTo =
  (isChecked: boolean): Read =>
  ({ program, accounts }, data) => {
    const [mint = '', to = '', authority = ''] = exactAccounts(accounts, 3);
    return { kind: 'mints', program, mint, to, authority, ...checked(data, isChecked) };
  };

const burn =
  (isChecked: boolean): Read =>
  ({ program, accounts }, data) => {
    const [from = '', mint = '', authority = ''] = exactAccounts(accounts, 3);
    return { kind: 'burns', program, from, mint, authority, ...checked(data, isChecked) };
  };

const close: Read = ({ accounts }) => {
  const [account = '', to = '', authority = ''] = exactAccounts(accounts, 3);
  return { kind: 'closes', account, to, authority };
};

const harmless =
  (count: number, name: string): Read =>
  ({ accounts }) => {
    exactAccounts(accounts, count);
    return { kind: 'harmless', name };
  };

const READ: Readonly<Record<number, Read>> = {
  3: transfer,
  5: harmless(2, 'The transaction revokes a spending right.'),
  7: mintTo(false),
  8: burn(false),
  9: close,
  12: transferChecked,
  14: mintTo(true),
  15: burn(true),
  17: harmless(1, 'The transaction updates the balance of a wrapped SOL account.'),
};

/** The other instructions that both token programs have, by number. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'InitializeMint: makes a token',
  1: 'InitializeAccount: sets up a token account',
  2: 'InitializeMultisig: sets up several owners',
  4: 'Approve: lets another address take tokens later',
  6: 'SetAuthority: gives an account or a token to another owner',
  10: 'FreezeAccount: locks a token account',
  11: 'ThawAccount: unlocks a token account',
  13: 'ApproveChecked: lets another address take tokens later',
  16: 'InitializeAccount2: sets up a token account',
  18: 'InitializeAccount3: sets up a token account',
  19: 'InitializeMultisig2: sets up several owners',
  20: 'InitializeMint2: makes a token',
};

/** Reads an instruction of Token or Token-2022 (number as u8). Throws `invalid_input` when it is malformed. */
export const readToken = (instruction: Instruction): Step => {
  const data = readerOf(instruction.data);
  const number = data.u8();
  const read = READ[number];
  if (!read)
    return { kind: 'dangerous', name: `Token program, ${OTHERS[number] ?? `instruction ${number}: not known`}` };
  const step = read(instruction, data);
  data.end();
  return step;
};

type Program = { readonly name: string; readonly read: (instruction: Instruction) => Step };

const READERS: Readonly<Record<string, Program>> = {
  [PROGRAMS.system]: { name: 'System program', read: readSystem },
  [PROGRAMS.token]: { name: 'Token program', read: readToken },
  [PROGRAMS.token2022]: { name: 'Token-2022 program', read: readToken },
  [PROGRAMS.associatedToken]: { name: 'Associated Token program', read: readAssociatedToken },
  [PROGRAMS.computeBudget]: { name: 'Compute Budget program', read: readComputeBudget },
  [PROGRAMS.memo]: { name: 'Memo program', read: readMemo },
  [PROGRAMS.memoV1]: { name: 'Memo program', read: readMemo },
};

/** Only the sandbox has a lending program. */
const lenderOf = ({ lender }: SolanaNetwork, program: string): Program | undefined =>
  lender !== undefined && program === lender ? { name: 'lending program', read: readLender } : undefined;

/** Decodes an instruction on a network. Never throws: a known program with other bytes than its own is `malformed`. */
export const decodeInstruction = (instruction: Instruction, network: SolanaNetwork): Step => {
  const { program, accounts } = instruction;
  const known = Object.hasOwn(READERS, program) ? READERS[program] : lenderOf(network, program);
  if (!known) return { kind: 'unknown', program, accounts: accounts.map(({ address }) => address) };
  try {
    return known.read(instruction);
  } catch (error) {
    if (!isFailure(error, 'invalid_input')) throw error;
    return { kind: 'malformed', name: known.name, why: error.message };
  }
};
