import { ADDRESS_BYTES, addressOf } from './address.ts';

/** The program that lookup tables belong to (Solana: address lookup table program). */
const PROGRAM = 'AddressLookupTab1e1111111111111111111111111';

const HEADER_BYTES = 56;
const INITIALISED = 1;

/** The addresses that a lookup table holds; `undefined` for an account that is none. */
export const readLookupTable = (owner: string, data: Uint8Array): readonly string[] | undefined => {
  const kind = data.length < HEADER_BYTES ? undefined : Buffer.from(data).readUInt32LE(0);
  const rest = data.subarray(HEADER_BYTES);
  if (owner !== PROGRAM || kind !== INITIALISED || rest.length % ADDRESS_BYTES !== 0) return undefined;
  const count = rest.length / ADDRESS_BYTES;
  return Array.from({ length: count }, (_, at) =>
    addressOf(rest.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)),
  );
};
