import { isFailure } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressOf } from './address.ts';
import { type Reader, readerOf } from './bytes.ts';
import { TOKEN_PROGRAMS } from './programs/addresses.ts';
import type { AccountState } from './simulation.ts';

/** A token account as the chain keeps it (SPL Token: Account, 165 bytes, and extensions behind). */
export type TokenAccount = {
  readonly mint: string;
  readonly owner: string;
  readonly units: bigint;
  readonly delegate: string | undefined;
  /** What the delegate may take. */
  readonly delegated: bigint;
  /** Who may close it beside its owner. */
  readonly closer: string | undefined;
};

const SMALLEST = 165;
/** Behind the 165 bytes Token-2022 says what kind of account it is. */
const IS_ACCOUNT = 2;

const address = (reader: Reader): string => addressOf(reader.take(ADDRESS_BYTES));

/** A value that may be missing: four bytes say whether, and its room is there in any case. */
const optional = <T>(reader: Reader, read: () => T): T | undefined => {
  const has = reader.u32() === 1;
  const value = read();
  return has ? value : undefined;
};

const readFields = (reader: Reader): TokenAccount => {
  const head = { mint: address(reader), owner: address(reader), units: reader.u64() };
  const delegate = optional(reader, () => address(reader));
  reader.u8();
  optional(reader, reader.u64);
  const delegated = reader.u64();
  return { ...head, delegate, delegated, closer: optional(reader, () => address(reader)) };
};

/** The token account in a state; `undefined` for an account that is none. */
export const readTokenAccount = ({ owner, data }: AccountState): TokenAccount | undefined => {
  const isAccount = data.length === SMALLEST || (data.length > SMALLEST && data[SMALLEST] === IS_ACCOUNT);
  if (!TOKEN_PROGRAMS.includes(owner) || !isAccount) return undefined;
  try {
    return readFields(readerOf(data));
  } catch (error) {
    if (isFailure(error, 'invalid_input')) return undefined;
    throw error;
  }
};
