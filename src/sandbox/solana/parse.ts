import { type VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { MAX_TRANSACTION_BYTES } from '../../contract/chains.ts';
import { addressOf } from './address.ts';

/** A parsed transaction in canonical form: serializing it gives exactly these bytes. */
export type ParsedTransaction = {
  readonly bytes: Uint8Array;
  /** The first signature, which is the id of the transaction. */
  readonly signature: string;
  readonly signatures: readonly Uint8Array[];
  readonly message: VersionedMessage;
  /** The addresses of all accounts, in base58. */
  readonly keys: readonly string[];
  /** The same addresses as bytes. */
  readonly keyBytes: readonly Uint8Array[];
  readonly blockhash: string;
};

/** A transaction, or the reason why the bytes are not a valid one. */
export type ParseResult =
  | { readonly ok: true; readonly transaction: ParsedTransaction }
  | { readonly ok: false; readonly message: string };

const refuse = (message: string): ParseResult => ({ ok: false, message });

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * Returns the first error of a transaction's structure. web3.js does not check the structure, and the runtime ends the process
 * if it cannot read a transaction.
 */
const findError = ({ message, signatures }: VersionedTransaction, keys: readonly string[]): string | undefined => {
  const { header, compiledInstructions } = message;
  const signers = header.numRequiredSignatures;
  if (message.addressTableLookups.length > 0) return 'it uses an address lookup table, which this chain does not have';
  if (signers < 1 || signers !== signatures.length) return 'its signatures are not as many as its signers';
  if (header.numReadonlySignedAccounts >= signers) return 'its payer cannot be written to';
  if (signers + header.numReadonlyUnsignedAccounts > keys.length) return 'it has fewer accounts than its header states';
  if (new Set(keys).size !== keys.length) return 'it names an account twice';
  const isOutside = (index: number) => index >= keys.length;
  const hasWrongAccount = compiledInstructions.some(
    ({ programIdIndex, accountKeyIndexes }) =>
      programIdIndex === 0 || isOutside(programIdIndex) || accountKeyIndexes.some(isOutside),
  );
  return hasWrongAccount ? 'an instruction names an account that is not in the transaction' : undefined;
};

/** Reads a transaction; `undefined` for invalid bytes. web3.js also accepts bytes that are not canonical, so they are compared. */
const readTransaction = (bytes: Uint8Array): VersionedTransaction | undefined => {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    return sameBytes(transaction.serialize(), bytes) ? transaction : undefined;
  } catch {
    return undefined;
  }
};

/** Parses a transaction strictly: legacy or v0, in canonical form, and not larger than a packet. */
export const parseTransaction = (bytes: Uint8Array): ParseResult => {
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    return refuse(`it has ${bytes.length} bytes; the maximum is ${MAX_TRANSACTION_BYTES}`);
  }
  const transaction = readTransaction(bytes);
  if (!transaction) return refuse('it is not a Solana transaction');
  const { message, signatures } = transaction;
  const keyBytes = message.staticAccountKeys.map((key) => key.toBytes());
  const keys = keyBytes.map(addressOf);
  const error = findError(transaction, keys);
  if (error !== undefined) return refuse(error);
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
