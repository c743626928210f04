import { MAX_TRANSACTION_BYTES } from '../../contract/solana.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { ADDRESS_BYTES, addressBytes, addressOf } from './address.ts';
import { invalidInput, type Reader, readerOf } from './bytes.ts';

/** A list of accounts that lies on the chain, and which of them a message uses (Solana: address lookup table). */
export type Lookup = {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
};

/** An instruction as the wire has it: indexes into the accounts of the message. */
export type RawInstruction = {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
};

/** What is signed. Addresses are base58. */
export type Message = {
  readonly version: 'legacy' | 0;
  /** The accounts that the message itself names; the first `signers` of them must sign, the first pays the fee. */
  readonly addresses: readonly string[];
  readonly signers: number;
  /** How many of the signers, and of the others, are only read. They are the last of each. */
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  readonly blockhash: string;
  readonly instructions: readonly RawInstruction[];
  readonly lookups: readonly Lookup[];
};

/** A transaction that was read from its bytes, strictly. `parseSolana` makes it. */
export type UnsignedSolana = {
  /** All of it, as it came. */
  readonly bytes: Uint8Array;
  /** The part that is signed: the very bytes that came, never rebuilt. */
  readonly messageBytes: Uint8Array;
  /** 64 bytes for each signer; all zero where a signature is missing. */
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
};

/** How many accounts all instructions can use: those of the message, then those of its lookup tables. */
export const accountCount = ({ addresses, lookups }: Message): number =>
  lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, addresses.length);

const SIGNATURE_BYTES = 64;

const read = (bytes: Uint8Array): UnsignedSolana => {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    invalidInput(`it is ${bytes.length} bytes, and ${MAX_TRANSACTION_BYTES} is the most`);
  const reader = readerOf(bytes);
  const signatures = Array.from({ length: reader.length() }, () => reader.take(SIGNATURE_BYTES));
  const messageBytes = reader.rest();
  const message = parseMessage(messageBytes);
  if (signatures.length !== message.signers) {
    invalidInput(`it has room for ${signatures.length} signatures, and ${message.signers} must sign`);
  }
  // What was understood must be all that is there: a reader's fault must not let other bytes be signed.
  if (!Buffer.from(writeTransaction(signatures, message)).equals(bytes))
    invalidInput('its bytes are not in their one form');
  return Object.freeze({ bytes, messageBytes, signatures, message });
};

const base64Bytes = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : invalidInput('it is not whole base64');
};

/**
 * Reads a Solana transaction strictly, from its bytes or from the base64 that the service gives (document:
 * `transaction` of POST /yield/deposit). Throws `refused_by_review` with what is wrong with it.
 */
export const parseSolana = (transaction: Uint8Array | string): UnsignedSolana => {
  try {
    return read(typeof transaction === 'string' ? base64Bytes(transaction.trim()) : Uint8Array.from(transaction));
  } catch (error) {
    throw new Failure('refused_by_review', `this is no Solana transaction that can be signed: ${messageOf(error)}`, {
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

/** A transaction's bytes from its parts, in the one form that there is. */
const writeTransaction = (signatures: readonly Uint8Array[], message: Message): Uint8Array =>
  Uint8Array.from([
    ...length(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...writeMessage(message),
  ]);

/** An index is one byte. */
const MAX_ACCOUNTS = 256;

/** A list with its length before it. Every element reads at least a byte, so no length makes work by itself. */
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

/** The first byte of a message with a version has its highest bit set; one without is a number of signers. */
const readVersion = (first: number): Message['version'] => {
  if (first < 0x80) return 'legacy';
  return first === 0x80 ? 0 : invalidInput(`its version ${first - 0x80} is not known`);
};

const checkHeader = ({ addresses, signers, readonlySigners, readonlyOthers }: Message): void => {
  if (signers === 0) invalidInput('nobody signs it');
  if (signers > addresses.length) invalidInput('it has more signers than accounts');
  if (readonlySigners >= signers) invalidInput('its fee payer cannot pay: the account is only read');
  if (readonlyOthers > addresses.length - signers)
    invalidInput('it has more accounts that are only read than accounts');
  if (new Set(addresses).size !== addresses.length) invalidInput('it names an account twice');
};

const checkLookups = ({ lookups }: Message): void => {
  const isEmpty = ({ writable, readonly }: Lookup) => writable.length + readonly.length === 0;
  if (lookups.some(isEmpty)) invalidInput('it names a lookup table and uses nothing of it');
  if (new Set(lookups.map(({ table }) => table)).size !== lookups.length) invalidInput('it names a lookup table twice');
};

/** Every index names an account, and a program is one that the message itself names and not the fee payer. */
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
 * Reads a message, legacy or version 0, in the one form that the chain takes. Throws `invalid_input`: bytes too few
 * or left over, an index that names nothing, a header that contradicts the accounts, an account twice.
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
