import { MAX_TRANSACTION_BYTES } from '../../contract/solana.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { wrong } from '../wrong.ts';
import { readerOf } from './bytes.ts';
import type { UnsignedSolana } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { writeTransaction } from './write.ts';

const SIGNATURE_BYTES = 64;

const read = (bytes: Uint8Array): UnsignedSolana => {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    wrong(`it is ${bytes.length} bytes, and ${MAX_TRANSACTION_BYTES} is the most`);
  const reader = readerOf(bytes);
  const signatures = Array.from({ length: reader.length() }, () => reader.take(SIGNATURE_BYTES));
  const messageBytes = reader.rest();
  const message = parseMessage(messageBytes);
  if (signatures.length !== message.signers) {
    wrong(`it has room for ${signatures.length} signatures, and ${message.signers} must sign`);
  }
  // What was understood must be all that is there: a reader's fault must not let other bytes be signed.
  if (!Buffer.from(writeTransaction(signatures, message)).equals(bytes)) wrong('its bytes are not in their one form');
  return Object.freeze({ bytes, messageBytes, signatures, message });
};

const base64Bytes = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : wrong('it is not whole base64');
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
