import bs58 from 'bs58';
import { ED25519_KEY_BYTES, ed25519PublicKey, signEd25519, verifyEd25519 } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { actingIn } from '../../core/text.ts';
import { assertSecondVerifier } from '../solana/signatures.ts';

/** The largest transaction is 1,232 bytes; decoding base58 takes time in the square of its length. */
const LONGEST_BASE58 = 2_000;

/** The bytes of a text that encodes bytes as wallets write transactions; it may have line breaks. */
const decodings = (text: string): readonly Uint8Array[] => {
  const word = text.replace(/\s+/g, '');
  return [
    ...(/^[A-Za-z0-9+/_-]+={0,2}$/.test(word) ? [Buffer.from(word, 'base64')] : []),
    ...(/^(?:0x)?(?:[0-9a-f]{2})+$/i.test(word) ? [Buffer.from(word.replace(/^0x/i, ''), 'hex')] : []),
    ...(word.length <= LONGEST_BASE58 ? [bs58.decodeUnsafe(word) ?? new Uint8Array()] : []),
  ];
};

const problemOf = (text: string): string | undefined => {
  if (text.trim() === '') return 'is empty';
  // Line ends and tabs are harmless.
  const acting = actingIn(text.replace(/\r\n|\t/g, '\n'));
  if (acting) return `contains ${acting}, which the screen does not show as it is`;
  if ([Buffer.from(text), ...decodings(text)].some(hasTransactionShape)) return 'is a Solana transaction';
  return undefined;
};

/**
 * Asserts that a Solana key may sign a text. A raw signature of a message is also a transaction signature if the bytes are
 * the same. Throws `refused_by_review` for a text that is a transaction: plain, or in base64, base58 or hex. Also for an empty
 * text, and for control, direction and invisible characters.
 */
export const assertSignableText = (text: string): void => {
  const problem = problemOf(text);
  if (problem) throw new Failure('refused_by_review', `the message ${problem}; it was not signed`);
};

/** Reads bytes from the start; `undefined` after their end. */
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

/** Reads a counted list; false if a part of it is missing. */
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

/** An instruction or a lookup: its first part, and two lists of bytes. */
const skipEntry = (reader: Reader, first: number) => () => reader.skip(first) && skipBytes(reader) && skipBytes(reader);

/** Reads a message, legacy or version 0, to the last byte. `signatures` is its number of signers, if known. */
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
    skipList(reader, skipEntry(reader, 1)) &&
    (!isVersioned || skipList(reader, skipEntry(reader, ADDRESS_BYTES))) &&
    reader.isAtEnd()
  );
};

/**
 * Whether bytes have the shape of a Solana transaction, or of the message that its signatures sign. In doubt it returns true:
 * limits of the network, such as 1,232 bytes, do not count.
 */
const hasTransactionShape = (bytes: Uint8Array): boolean => {
  if (isMessage(readerOf(bytes))) return true;
  const reader = readerOf(bytes);
  const signatures = reader.count();
  return signatures !== undefined && reader.skip(SIGNATURE_BYTES * signatures) && isMessage(reader, signatures);
};

/** Longer than a signature of 64 bytes or an address of 32 bytes in base58. */
const LONGEST = 100;

const bytesOf = (base58: string): Uint8Array =>
  (base58.length <= LONGEST ? bs58.decodeUnsafe(base58) : undefined) ?? new Uint8Array();

/**
 * Whether `signature`, base58, is a signature by the owner of a Solana address over the UTF-8 bytes of a text.
 * Throws `invalid_input` for an invalid address.
 */
export const isSolanaSignature = (text: string, signature: string, address: string): boolean => {
  const publicKey = bytesOf(address);
  if (publicKey.length !== ED25519_KEY_BYTES) throw new Failure('invalid_input', 'this is not a Solana address');
  return verifyEd25519(Buffer.from(text), bytesOf(signature), publicKey);
};

/**
 * Signs a text with a Solana key, given as its seed of 32 bytes: the detached ed25519 signature of its UTF-8 bytes, in base58.
 * Throws `refused_by_review` like `assertSignableText`.
 */
export const signSolanaMessage = (text: string, seed: Uint8Array): string => {
  assertSignableText(text);
  const bytes = Buffer.from(text);
  const signature = signEd25519(bytes, seed);
  const publicKey = ed25519PublicKey(seed);
  if (!verifyEd25519(bytes, signature, publicKey)) throw new Failure('internal', 'the new signature is not valid');
  assertSecondVerifier(bytes, signature, publicKey);
  return bs58.encode(signature);
};
