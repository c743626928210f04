import { wrong } from '../../wrong.ts';
import { ADDRESS_BYTES, addressOf, derivedAddress } from '../address.ts';
import { readerOf } from '../bytes.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { exactly } from './accounts.ts';
import { PROGRAMS } from './addresses.ts';

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
