import { addressBytes } from './address.ts';
import type { Lookup, Message, RawInstruction } from './message.ts';

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
export const writeTransaction = (signatures: readonly Uint8Array[], message: Message): Uint8Array =>
  Uint8Array.from([
    ...length(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...writeMessage(message),
  ]);
