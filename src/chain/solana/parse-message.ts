import { wrong } from '../wrong.ts';
import { ADDRESS_BYTES, addressOf } from './address.ts';
import { type Reader, readerOf } from './bytes.ts';
import { accountCount, type Lookup, type Message, type RawInstruction } from './message.ts';

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
  return first === 0x80 ? 0 : wrong(`its version ${first - 0x80} is not known`);
};

const checkHeader = ({ addresses, signers, readonlySigners, readonlyOthers }: Message): void => {
  if (signers === 0) wrong('nobody signs it');
  if (signers > addresses.length) wrong('it has more signers than accounts');
  if (readonlySigners >= signers) wrong('its fee payer cannot pay: the account is only read');
  if (readonlyOthers > addresses.length - signers) wrong('it has more accounts that are only read than accounts');
  if (new Set(addresses).size !== addresses.length) wrong('it names an account twice');
};

const checkLookups = ({ lookups }: Message): void => {
  const isEmpty = ({ writable, readonly }: Lookup) => writable.length + readonly.length === 0;
  if (lookups.some(isEmpty)) wrong('it names a lookup table and uses nothing of it');
  if (new Set(lookups.map(({ table }) => table)).size !== lookups.length) wrong('it names a lookup table twice');
};

/** Every index names an account, and a program is one that the message itself names and not the fee payer. */
const checkIndexes = (message: Message): void => {
  const count = accountCount(message);
  if (count > MAX_ACCOUNTS) wrong('it has more accounts than an index can name');
  for (const { program, accounts } of message.instructions) {
    if (program === 0 || program >= message.addresses.length) wrong(`no program has the index ${program}`);
    const beyond = accounts.find((index) => index >= count);
    if (beyond !== undefined) wrong(`no account has the index ${beyond}`);
  }
};

/**
 * Reads a message, legacy or version 0, in the one form that the chain takes. Throws `invalid_input`: bytes too few
 * or left over, an index that names nothing, a header that contradicts the accounts, an account twice.
 */
export const parseMessage = (bytes: Uint8Array): Message => {
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
