import { Failure } from '../../core/failure.ts';

/** Throws `invalid_input`. The caller adds to the message which input it was reading. */
export const invalidInput = (message: string): never => {
  throw new Failure('invalid_input', message);
};

/** A length in one to three bytes, at most 65,535, in its shortest form ("compact-u16" of Solana's wire format). */
const readLength = (u8: () => number): number => {
  let value = 0;
  for (let at = 0; at < 3; at += 1) {
    const byte = u8();
    value |= (byte & 0x7f) << (7 * at);
    if (byte < 0x80) {
      if (at > 0 && byte === 0) return invalidInput('a length is not in its shortest form');
      return value <= 0xffff ? value : invalidInput('a length is above 65535');
    }
  }
  return invalidInput('a length is longer than three bytes');
};

/**
 * Reads bytes from start to end. Numbers are little-endian; `take` and `rest` share the memory of `bytes`. Every read
 * throws `invalid_input` if too few bytes are left.
 */
export const readerOf = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const step = (count: number): number => {
    const at = position;
    if (count > bytes.length - at) return invalidInput('it ends too early');
    position += count;
    return at;
  };
  const u8 = () => view.getUint8(step(1));
  return {
    u8,
    u32: () => view.getUint32(step(4), true),
    u64: () => view.getBigUint64(step(8), true),
    length: () => readLength(u8),
    take: (count: number) => {
      const at = step(count);
      return bytes.subarray(at, at + count);
    },
    rest: () => bytes.subarray(step(bytes.length - position)),
    /** The number of bytes read. */
    at: () => position,
    /** Throws unless all bytes were read. */
    end: () => (position === bytes.length ? undefined : invalidInput(`${bytes.length - position} bytes are left over`)),
  };
};

/** A reader of bytes. */
export type Reader = ReturnType<typeof readerOf>;
