import { Failure } from '../../../core/failure.ts';
import { wrong } from '../../wrong.ts';
import { ADDRESS_BYTES, addressOf, derivedAddress, tokenAccountOf } from '../address.ts';
import { type Reader, readerOf } from '../bytes.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { exactly, four, three, two } from './accounts.ts';
import { PROGRAMS, TOKEN_PROGRAMS } from './addresses.ts';

/** Reads a memo: UTF-8 text. Its accounts only say who must have signed. Throws `invalid_input` for other bytes. */
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
 * Reads an instruction of the sandbox's lending program, as src/sandbox/solana/program/lender.s describes it. The position
 * must be the one of its owner and mint. Throws `invalid_input` when it is malformed.
 */
export const readLender = ({ program, accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const direction = KINDS[reader.u8()] ?? wrong('it is neither a deposit nor a withdrawal');
  const [bump, decimals] = [reader.u8(), reader.u8()];
  reader.take(UNUSED);
  const [units, shares] = [reader.u64(), reader.u64()];
  const owner = addressOf(reader.take(ADDRESS_BYTES));
  reader.end();
  const [wallet = '', position = '', own = '', vault = '', mint = '', , token, system] = exactly(accounts, 8);
  if (token !== PROGRAMS.token || system !== PROGRAMS.system) return wrong('it names other programs than it calls');
  const expected = derivedAddress([owner, mint], program);
  if (position !== expected.address || bump !== expected.bump) return wrong('the position is not that of its owner');
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
  if (!read)
    return {
      kind: 'dangerous',
      name: `Compute Budget program, instruction ${number}: not known, or not used any more`,
    };
  const budget = read(reader);
  reader.end();
  exactly(accounts, 0);
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
  const [payer = '', account = '', owner = '', mint = '', system = '', program = ''] = exactly(accounts, 6);
  if (system !== PROGRAMS.system) return wrong('its fifth account is not the System program');
  if (!TOKEN_PROGRAMS.includes(program)) return wrong('its sixth account is no token program');
  if (account !== tokenAccountOf(owner, mint, program))
    return wrong('the account is not the one of that owner and mint');
  return { kind: 'opens', payer, account, owner, mint, program };
};

type Read = (instruction: Instruction, data: Reader) => Step;

const checked = (data: Reader, isChecked: boolean): { units: bigint; decimals: number | undefined } => ({
  units: data.u64(),
  decimals: isChecked ? data.u8() : undefined,
});

const transfer: Read = ({ program, accounts }, data) => {
  const [from, to, authority] = three(accounts);
  return { kind: 'moves', program, from, to, authority, mint: undefined, ...checked(data, false) };
};

const transferChecked: Read = ({ program, accounts }, data) => {
  const [from, mint, to, authority] = four(accounts);
  return { kind: 'moves', program, from, to, authority, mint, ...checked(data, true) };
};

const mintTo =
  (isChecked: boolean): Read =>
  ({ program, accounts }, data) => {
    const [mint, to, authority] = three(accounts);
    return { kind: 'mints', program, mint, to, authority, ...checked(data, isChecked) };
  };

const burn =
  (isChecked: boolean): Read =>
  ({ program, accounts }, data) => {
    const [from, mint, authority] = three(accounts);
    return { kind: 'burns', program, from, mint, authority, ...checked(data, isChecked) };
  };

const close: Read = ({ accounts }) => {
  const [account, to, authority] = three(accounts);
  return { kind: 'closes', account, to, authority };
};

const revoke: Read = ({ accounts }) => {
  two(accounts);
  return { kind: 'harmless', name: 'It takes back what somebody was allowed to spend.' };
};

const syncNative: Read = ({ accounts }) => {
  exactly(accounts, 1);
  return { kind: 'harmless', name: 'It counts the lamports of a wrapped SOL account.' };
};

const READ: Readonly<Record<number, Read>> = {
  3: transfer,
  5: revoke,
  7: mintTo(false),
  8: burn(false),
  9: close,
  12: transferChecked,
  14: mintTo(true),
  15: burn(true),
  17: syncNative,
};

/** The other instructions that both token programs have, by number. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'InitializeMint: makes a token',
  1: 'InitializeAccount: sets up a token account',
  2: 'InitializeMultisig: sets up several owners',
  4: 'Approve: lets somebody take tokens later',
  6: 'SetAuthority: gives an account or a token to another owner',
  10: 'FreezeAccount: locks a token account',
  11: 'ThawAccount: unlocks a token account',
  13: 'ApproveChecked: lets somebody take tokens later',
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
