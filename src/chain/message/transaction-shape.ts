/** Reads bytes from the front; `undefined` from the first read beyond their end on. */
const readerOf = (bytes: Uint8Array) => {
  let at = 0;
  const skip = (count: number): boolean => {
    at += count;
    return at <= bytes.length;
  };
  const byte = (): number | undefined => {
    at += 1;
    return bytes[at - 1];
  };
  /** compact-u16: seven bits a byte, the lowest first, three bytes at most. */
  const count = (): number | undefined => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte();
      if (next === undefined) return undefined;
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    return undefined;
  };
  return { byte, count, skip, isAtEnd: () => at === bytes.length };
};

type Reader = ReturnType<typeof readerOf>;

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
const VERSIONED = 0x80;

/** Reads a counted list; false as soon as a part of it is missing. */
const skipList = (reader: Reader, skipOne: () => boolean): boolean => {
  const length = reader.count();
  if (length === undefined) return false;
  for (let index = 0; index < length; index += 1) if (!skipOne()) return false;
  return true;
};

const skipBytes = (reader: Reader): boolean => {
  const length = reader.count();
  return length !== undefined && reader.skip(length);
};

const skipInstruction = (reader: Reader) => () => reader.skip(1) && skipBytes(reader) && skipBytes(reader);

const skipLookup = (reader: Reader) => () => reader.skip(ADDRESS_BYTES) && skipBytes(reader) && skipBytes(reader);

/** Reads a message, legacy or version 0, to the last byte. `signatures` is how many it must ask for, where known. */
const isMessage = (reader: Reader, signatures?: number): boolean => {
  const first = reader.byte();
  const isVersioned = first === VERSIONED;
  const signers = isVersioned ? reader.byte() : first;
  if (!signers || signers >= VERSIONED || (signatures !== undefined && signers !== signatures)) return false;
  const [readonlySigners, readonlyOthers, keys] = [reader.byte(), reader.byte(), reader.count()];
  if (readonlySigners === undefined || readonlyOthers === undefined || keys === undefined) return false;
  return (
    readonlySigners < signers &&
    keys >= signers &&
    reader.skip(ADDRESS_BYTES * (keys + 1)) &&
    skipList(reader, skipInstruction(reader)) &&
    (!isVersioned || skipList(reader, skipLookup(reader))) &&
    reader.isAtEnd()
  );
};

/**
 * Whether bytes have the shape of a Solana message, which is what a transaction's signatures are over, or of a
 * whole transaction. It errs on the side of yes: limits of the network, such as 1,232 bytes, do not count here.
 */
export const hasTransactionShape = (bytes: Uint8Array): boolean => {
  if (isMessage(readerOf(bytes))) return true;
  const reader = readerOf(bytes);
  const signatures = reader.count();
  return signatures !== undefined && reader.skip(SIGNATURE_BYTES * signatures) && isMessage(reader, signatures);
};
