import { Failure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import type { Io } from '../../../io/io.ts';
import { documentOf, readGiven } from '../../command/body.ts';

/** What a file holds to be reviewed. */
export type Subject =
  | { readonly family: 'evm'; readonly cryptoTx: unknown }
  | { readonly family: 'solana'; readonly transaction: string };

/** Where answers of the service keep a transaction, from the outside to the inside. */
const WRAPPERS = ['data', 'crypto_tx', 'unsigned_tx'] as const;

const SEVERAL = 'it holds several transactions: review one at a time';

/** Finds the transaction in what was read: itself, or in an answer of the service. */
const subjectIn = (value: unknown): Subject | undefined => {
  if (typeof value === 'string') return { family: 'solana', transaction: value };
  if (!isJsonObject(value)) return undefined;
  if (value['family'] !== undefined || value['transactionRequest'] !== undefined) {
    return { family: 'evm', cryptoTx: value };
  }
  if (typeof value['transaction'] === 'string') return { family: 'solana', transaction: value['transaction'] };
  if (Array.isArray(value['transactions'] ?? value['transaction'])) throw new Failure('invalid_input', SEVERAL);
  const wrapper = WRAPPERS.find((name) => isJsonObject(value[name]));
  return wrapper === undefined ? undefined : subjectIn(value[wrapper]);
};

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/**
 * Reads what is to be reviewed: a `crypto_tx`, a Solana transaction as base64, or an answer of the service that holds
 * one. Throws `unreadable_file`, and `invalid_input` for anything else.
 */
export const readSubject = async (io: Io, path: string): Promise<Subject> => {
  const text = (await readGiven(io, path)).trim();
  const subject = isBase64(text)
    ? ({ family: 'solana', transaction: text } as const)
    : subjectIn(await documentOf(text, path));
  if (subject) return subject;
  throw new Failure('invalid_input', 'this holds neither a crypto_tx nor a Solana transaction as base64');
};
