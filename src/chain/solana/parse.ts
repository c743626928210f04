import { MAX_TRANSACTION_BYTES } from '../../contract/chains.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressBytes, addressOf } from './address.ts';
import { invalidInput, type Reader, readerOf } from './bytes.ts';

/** A list of accounts on the chain, and the indexes that a message uses (Solana: address lookup table). */
export type Lookup = {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
};

/** An instruction in wire format: indexes into the accounts of the message. */
export type RawInstruction = {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
};

/** The signed part of a transaction. Addresses are base58. */
export type Message = {
  readonly version: 'legacy' | 0;
  /** The message's own accounts. The first `signers` of them must sign; the first pays the fee. */
  readonly addresses: readonly string[];
  readonly signers: number;
  /** The number of read-only signers, and of other read-only accounts. They are the last of each. */
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  readonly blockhash: string;
  readonly instructions: readonly RawInstruction[];
  readonly lookups: readonly Lookup[];
};

/** A strictly parsed transaction. `parseSolana` creates it. */
export type UnsignedSolana = {
  /** The whole transaction as received. */
  readonly bytes: Uint8Array;
  /** The signed part: the received bytes, never rebuilt. */
  readonly messageBytes: Uint8Array;
  /** 64 bytes for each signer; zeros for a missing signature. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
};

/** The number of accounts for instructions: those of the message and of its lookup tables. */
export const accountCount = ({ addresses, lookups }: Message): number =>
  lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, addresses.length);

const SIGNATURE_BYTES = 64;

const read = (bytes: Uint8Array): UnsignedSolana => {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    invalidInput(`it has ${bytes.length} bytes; the maximum is ${MAX_TRANSACTION_BYTES}`);
  const reader = readerOf(bytes);
  const signatures = Array.from({ length: reader.length() }, () => reader.take(SIGNATURE_BYTES));
  const messageBytes = reader.rest();
  const message = parseMessage(messageBytes);
  if (signatures.length !== message.signers) {
    invalidInput(`it has ${signatures.length} signatures; the number of its signers is ${message.signers}`);
  }
  // Written again, the message must give the same bytes: a fault of the parser must not let other bytes be signed.
  if (!Buffer.from(writeTransaction(signatures, message)).equals(bytes))
    invalidInput('its bytes are not in canonical form');
  return Object.freeze({ bytes, messageBytes, signatures, message });
};

const base64Bytes = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : invalidInput('it is not valid base64');
};

/**
 * Parses a Solana transaction strictly, from its bytes or from the service's base64 (document: `transaction` of
 * POST /yield/deposit). Throws `refused_by_review` with the reason.
 */
export const parseSolana = (transaction: Uint8Array | string): UnsignedSolana => {
  try {
    return read(typeof transaction === 'string' ? base64Bytes(transaction.trim()) : Uint8Array.from(transaction));
  } catch (error) {
    throw new Failure('refused_by_review', `this Solana transaction cannot be signed: ${messageOf(error)}`, {
      cause: error,
    });
  }
};

const length = (count: number): readonly number[] => {
  const low = count & 0x7f;
  return count < 0x80 ? [low] : [low | 0x80, ...length(count >> 7)];
};

const list = (values: readonly number[]): readonly number[] => [...length(values.length), ...values];

const instruction = ({ program, accounts, data }: RawInstruction): readonly number[] => [
  program,
  ...list(accounts),
  ...length(data.length),
  ...data,
];

const lookup = ({ table, writable, readonly }: Lookup): readonly number[] => [
  ...addressBytes(table),
  ...list(writable),
  ...list(readonly),
];

const writeMessage = (message: Message): readonly number[] => [
  ...(message.version === 'legacy' ? [] : [0x80 | message.version]),
  message.signers,
  message.readonlySigners,
  message.readonlyOthers,
  ...length(message.addresses.length),
  ...message.addresses.flatMap((address) => [...addressBytes(address)]),
  ...addressBytes(message.blockhash),
  ...length(message.instructions.length),
  ...message.instructions.flatMap(instruction),
  ...(message.version === 'legacy' ? [] : [...length(message.lookups.length), ...message.lookups.flatMap(lookup)]),
];

/** A transaction's bytes from its parts, in canonical form. */
const writeTransaction = (signatures: readonly Uint8Array[], message: Message): Uint8Array =>
  Uint8Array.from([
    ...length(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...writeMessage(message),
  ]);

/** An index is one byte. */
const MAX_ACCOUNTS = 256;

/** A list after its length. Every element reads at least a byte, so a false length ends at the last byte. */
const listOf = <T>(reader: Reader, read: () => T): readonly T[] =>
  Array.from({ length: reader.length() }, () => read());

const readAddress = (reader: Reader): string => addressOf(reader.take(ADDRESS_BYTES));

const readInstruction = (reader: Reader): RawInstruction => ({
  program: reader.u8(),
  accounts: listOf(reader, reader.u8),
  data: reader.take(reader.length()),
});

const readLookup = (reader: Reader): Lookup => ({
  table: readAddress(reader),
  writable: listOf(reader, reader.u8),
  readonly: listOf(reader, reader.u8),
});

/** The first byte of a versioned message has its highest bit set; otherwise it is the number of signers. */
const readVersion = (first: number): Message['version'] => {
  if (first < 0x80) return 'legacy';
  return first === 0x80 ? 0 : invalidInput(`its version ${first - 0x80} is not known`);
};

const checkHeader = ({ addresses, signers, readonlySigners, readonlyOthers }: Message): void => {
  if (signers === 0) invalidInput('it has no signer');
  if (signers > addresses.length) invalidInput('it has more signers than accounts');
  if (readonlySigners >= signers) invalidInput('its fee payer is a read-only account');
  if (readonlyOthers > addresses.length - signers) invalidInput('it has more read-only accounts than accounts');
  if (new Set(addresses).size !== addresses.length) invalidInput('it names an account twice');
};

const checkLookups = ({ lookups }: Message): void => {
  const isEmpty = ({ writable, readonly }: Lookup) => writable.length + readonly.length === 0;
  if (lookups.some(isEmpty)) invalidInput('it names a lookup table without using it');
  if (new Set(lookups.map(({ table }) => table)).size !== lookups.length) invalidInput('it names a lookup table twice');
};

/** Every index has an account. A program is one of the message's own accounts, but not the fee payer. */
const checkIndexes = (message: Message): void => {
  const count = accountCount(message);
  if (count > MAX_ACCOUNTS) invalidInput('it has more accounts than an index can name');
  for (const { program, accounts } of message.instructions) {
    if (program === 0 || program >= message.addresses.length) invalidInput(`no program has the index ${program}`);
    const beyond = accounts.find((index) => index >= count);
    if (beyond !== undefined) invalidInput(`no account has the index ${beyond}`);
  }
};

/**
 * Parses a message, legacy or version 0, in the canonical form of the chain. Throws `invalid_input` for missing or extra
 * bytes, an index without an account, a header that contradicts the accounts, or a duplicate account.
 */
const parseMessage = (bytes: Uint8Array): Message => {
  const reader = readerOf(bytes);
  const first = reader.u8();
  const version = readVersion(first);
  const header = {
    signers: version === 'legacy' ? first : reader.u8(),
    readonlySigners: reader.u8(),
    readonlyOthers: reader.u8(),
  };
  const message: Message = {
    version,
    ...header,
    addresses: listOf(reader, () => readAddress(reader)),
    blockhash: readAddress(reader),
    instructions: listOf(reader, () => readInstruction(reader)),
    lookups: version === 'legacy' ? [] : listOf(reader, () => readLookup(reader)),
  };
  reader.end();
  checkHeader(message);
  checkLookups(message);
  checkIndexes(message);
  return message;
};
