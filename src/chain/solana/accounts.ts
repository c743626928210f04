import { isFailure } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressOf } from './address.ts';
import { type Reader, readerOf } from './bytes.ts';
import { TOKEN_PROGRAMS } from './network.ts';

/** An account as a node shows it. */
export type AccountState = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/** An account before the transaction and after it; `undefined` where there is none. */
export type AccountChange = {
  readonly address: string;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
};

/** What a node says would happen, of every account that the transaction may change. */
export type Simulation = {
  /** Why it would fail, in the node's words. */
  readonly error?: string | undefined;
  readonly accounts: readonly AccountChange[];
};

const PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
const IS_TABLE = 1;
/** Kind, two slots, an index, and an authority that may be missing, filled up. */
const HEAD_BYTES = 56;
const STILL_ACTIVE = 2n ** 64n - 1n;

/**
 * The addresses in a lookup table, by its account's bytes (Solana: AddressLookupTable). `undefined` for an account
 * that is none, and for a table that was given up: it can be closed and filled with other addresses.
 */
export const readLookupTable = ({ owner, data }: AccountState): readonly string[] | undefined => {
  if (owner !== PROGRAM || data.length < HEAD_BYTES || (data.length - HEAD_BYTES) % ADDRESS_BYTES !== 0)
    return undefined;
  const reader = readerOf(data);
  try {
    if (reader.u32() !== IS_TABLE || reader.u64() !== STILL_ACTIVE) return undefined;
    reader.take(HEAD_BYTES - reader.at());
    const count = (data.length - HEAD_BYTES) / ADDRESS_BYTES;
    return Array.from({ length: count }, () => addressOf(reader.take(ADDRESS_BYTES)));
  } catch (error) {
    if (isFailure(error, 'invalid_input')) return undefined;
    throw error;
  }
};

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
