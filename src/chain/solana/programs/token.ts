import { type Reader, readerOf } from '../bytes.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { exactly, four, three, two } from './accounts.ts';

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
