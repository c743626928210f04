import { undefinedOn } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressBytes, addressOf } from './address.ts';
import { type Reader, readerOf } from './bytes.ts';
import { TOKEN_PROGRAMS } from './network.ts';

/** The state of an account, from a node. */
export type AccountState = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/** Whether an account's data contains an address. */
export const contains = ({ data }: AccountState, key: string): boolean =>
  Buffer.from(data).includes(Buffer.from(addressBytes(key)));

/** An account before and after the transaction; `undefined` where it does not exist. */
export type AccountChange = {
  readonly address: string;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
};

/** A node's simulation: every account that the transaction may change. */
export type Simulation = {
  /** Why the transaction would fail, in the node's words. */
  readonly error?: string | undefined;
  readonly accounts: readonly AccountChange[];
};

const PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
const IS_TABLE = 1;
/** Kind, two slots, an index, an optional authority, and padding. */
const HEAD_BYTES = 56;
const STILL_ACTIVE = 2n ** 64n - 1n;

/**
 * The addresses in a lookup table, by its account's bytes (Solana: AddressLookupTable). `undefined` for another kind of
 * account, and for a deactivated table: it may be refilled with other addresses.
 */
export const readLookupTable = ({ owner, data }: AccountState): readonly string[] | undefined => {
  if (owner !== PROGRAM || data.length < HEAD_BYTES || (data.length - HEAD_BYTES) % ADDRESS_BYTES !== 0)
    return undefined;
  const reader = readerOf(data);
  return undefinedOn(() => {
    if (reader.u32() !== IS_TABLE || reader.u64() !== STILL_ACTIVE) return undefined;
    reader.take(HEAD_BYTES - reader.at());
    return Array.from({ length: (data.length - HEAD_BYTES) / ADDRESS_BYTES }, () => address(reader));
  }, 'invalid_input');
};

/** A token account on the chain (SPL Token: Account, 165 bytes, then extensions). */
export type TokenAccount = {
  readonly mint: string;
  readonly owner: string;
  readonly units: bigint;
  readonly delegate: string | undefined;
  /** The amount that the delegate may take. */
  readonly delegated: bigint;
  /** An address besides the owner that may close it. */
  readonly closer: string | undefined;
};

const SMALLEST = 165;
/** After the 165 bytes Token-2022 stores the kind of the account. */
const IS_ACCOUNT = 2;

const address = (reader: Reader): string => addressOf(reader.take(ADDRESS_BYTES));

/** An optional value: four bytes show whether it is set; its bytes are always there. */
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

/** The token account in a state; `undefined` for another kind of account. */
export const readTokenAccount = ({ owner, data }: AccountState): TokenAccount | undefined => {
  const isAccount = data.length === SMALLEST || (data.length > SMALLEST && data[SMALLEST] === IS_ACCOUNT);
  if (!TOKEN_PROGRAMS.includes(owner) || !isAccount) return undefined;
  return undefinedOn(() => readFields(readerOf(data)), 'invalid_input');
};
