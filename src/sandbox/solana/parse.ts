import { type VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { MAX_TRANSACTION_BYTES } from '../../contract/chains.ts';
import { addressOf } from './address.ts';

/** A transaction whose bytes are exactly what its content is written as. */
export type ParsedTransaction = {
  readonly bytes: Uint8Array;
  /** The first signature, by which the chain knows the transaction. */
  readonly signature: string;
  readonly signatures: readonly Uint8Array[];
  readonly message: VersionedMessage;
  readonly keys: readonly string[];
  /** The same as bytes. */
  readonly keyBytes: readonly Uint8Array[];
  readonly blockhash: string;
};

/** A transaction, or why the bytes are none. */
export type ParseResult =
  | { readonly ok: true; readonly transaction: ParsedTransaction }
  | { readonly ok: false; readonly message: string };

const no = (message: string): ParseResult => ({ ok: false, message });

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** The runtime ends the process on bytes that it cannot read, and web3.js accepts bytes that are not canonical. */
const whatIsWrong = ({ message, signatures }: VersionedTransaction, keys: readonly string[]): string | undefined => {
  const { header, compiledInstructions } = message;
  const signers = header.numRequiredSignatures;
  if (message.addressTableLookups.length > 0) return 'it uses an address lookup table, which this chain does not have';
  if (signers < 1 || signers !== signatures.length) return 'its signatures are not as many as its signers';
  if (header.numReadonlySignedAccounts >= signers) return 'its payer cannot be written to';
  if (signers + header.numReadonlyUnsignedAccounts > keys.length) return 'it has fewer accounts than its header states';
  if (new Set(keys).size !== keys.length) return 'it names an account twice';
  const isOutside = (index: number) => index >= keys.length;
  const isWrong = compiledInstructions.some(
    ({ programIdIndex, accountKeyIndexes }) =>
      programIdIndex === 0 || isOutside(programIdIndex) || accountKeyIndexes.some(isOutside),
  );
  return isWrong ? 'an instruction names an account that is not there' : undefined;
};

const readTransaction = (bytes: Uint8Array): VersionedTransaction | undefined => {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    return sameBytes(transaction.serialize(), bytes) ? transaction : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a transaction strictly: legacy or v0, canonical, no larger than a packet. */
export const parseTransaction = (bytes: Uint8Array): ParseResult => {
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    return no(`it has ${bytes.length} bytes, and a transaction must not have more than ${MAX_TRANSACTION_BYTES}`);
  }
  const transaction = readTransaction(bytes);
  if (!transaction) return no('it is not a Solana transaction');
  const { message, signatures } = transaction;
  const keyBytes = message.staticAccountKeys.map((key) => key.toBytes());
  const keys = keyBytes.map(addressOf);
  const wrong = whatIsWrong(transaction, keys);
  if (wrong !== undefined) return no(wrong);
  return {
    ok: true,
    transaction: {
      bytes,
      signature: bs58.encode(signatures[0] ?? new Uint8Array(64)),
      signatures,
      message,
      keys,
      keyBytes,
      blockhash: message.recentBlockhash,
    },
  };
};
