import { readerOf } from '../bytes.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { two } from './accounts.ts';

const TRANSFER = 2;

/** The other instructions of the System program, by number. Money that earns elsewhere needs none of them. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'CreateAccount: pays for an account of any program',
  1: 'Assign: gives the whole account to a program',
  3: 'CreateAccountWithSeed: pays for an account of any program',
  4: 'AdvanceNonceAccount: with a durable nonce the transaction stays valid until somebody uses it',
  5: 'WithdrawNonceAccount: takes lamports out of a nonce account',
  6: 'InitializeNonceAccount: sets up a nonce account',
  7: 'AuthorizeNonceAccount: gives a nonce account to somebody else',
  8: 'Allocate: makes the account one that cannot pay any more',
  9: 'AllocateWithSeed: reserves room in an account',
  10: 'AssignWithSeed: gives an account to a program',
  11: 'TransferWithSeed: takes lamports out of an account that a seed names',
  12: 'UpgradeNonceAccount: changes a nonce account',
};

/** Reads an instruction of the System program (number as u32). Throws `invalid_input` when it is malformed. */
export const readSystem = ({ accounts, data }: Instruction): Step => {
  const reader = readerOf(data);
  const number = reader.u32();
  if (number !== TRANSFER) {
    return { kind: 'dangerous', name: `System program, ${OTHERS[number] ?? `instruction ${number}: not known`}` };
  }
  const units = reader.u64();
  reader.end();
  const [from, to] = two(accounts);
  return { kind: 'pays_coin', from, to, units };
};
