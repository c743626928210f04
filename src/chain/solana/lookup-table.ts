import { isFailure } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressOf } from './address.ts';
import { readerOf } from './bytes.ts';
import type { AccountState } from './simulation.ts';

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
