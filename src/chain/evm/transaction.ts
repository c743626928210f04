import { Transaction } from 'ethers/transaction';
import { Failure, type FieldError } from '../../core/failure.ts';
import { LARGEST_S } from './address.ts';

/** A signed transaction, read from its bytes. */
export type DecodedTransaction = {
  readonly signed_transaction: string;
  readonly hash: string;
  /** The signer, recovered from the signature. */
  readonly from: string;
  readonly fields: EvmFields;
};

/** What a node takes at most into its pool, and some. */
const MAX_CHARACTERS = 2 * 132 * 1024;

const invalid = (why: string, cause?: unknown): never => {
  throw new Failure('invalid_input', `this is not a signed EIP-1559 transaction: ${why}`, { cause });
};

const decode = (raw: string): Transaction => {
  try {
    return Transaction.from(raw);
  } catch (cause) {
    return invalid('its bytes cannot be read', cause);
  }
};

const parse = (hex: string): Transaction => {
  const raw = hex
    .trim()
    .toLowerCase()
    .replace(/^(?!0x)/, '0x');
  if (!/^0x(?:[0-9a-f]{2})+$/.test(raw) || raw.length > MAX_CHARACTERS) return invalid('it must be hex digits');
  if (!raw.startsWith('0x02')) return invalid('it is of another type');
  const transaction = decode(raw);
  const { signature, accessList, to } = transaction;
  if (signature === null) return invalid('it has no signature');
  if (BigInt(signature._s) > LARGEST_S) return invalid('its signature is not in the form that chains take (EIP-2)');
  if (transaction.serialized !== raw) return invalid('its bytes are not in their one canonical form');
  if ((accessList ?? []).length > 0) return invalid('it carries an access list (EIP-2930)');
  return to === null ? invalid('it creates a contract') : transaction;
};

const numberOf = (chainId: bigint): number =>
  chainId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(chainId) : invalid('its chain id is too large');

const signerOf = (transaction: Transaction): string => {
  try {
    return transaction.from ?? invalid('it has no signature');
  } catch (cause) {
    return invalid('its signer cannot be recovered', cause);
  }
};

const fieldsOf = (transaction: Transaction): EvmFields => ({
  from: signerOf(transaction),
  to: transaction.to ?? invalid('it creates a contract'),
  data: transaction.data,
  value: transaction.value,
  chainId: numberOf(transaction.chainId),
  gasLimit: transaction.gasLimit,
  maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? 0n,
  maxFeePerGas: transaction.maxFeePerGas ?? 0n,
  nonce: transaction.nonce,
});

/** The chain and nonce of signed bytes; their signer is not recovered. Throws `invalid_input` as `readSigned` does. */
export const chainAndNonceOf = (hex: string): Pick<EvmFields, 'chainId' | 'nonce'> => {
  const { chainId, nonce } = parse(hex);
  return { chainId: numberOf(chainId), nonce };
};

/** Calldata can be long, and only its beginning tells a reader anything. */
const brief = (value: unknown): string => {
  const text = String(value);
  return text.length <= 140 ? text : `${text.slice(0, 140)}…`;
};

const differences = (fields: EvmFields, expected: UnsignedEvm): readonly FieldError[] =>
  (Object.keys(fields) as (keyof EvmFields)[])
    .filter((field) => fields[field] !== expected[field])
    .map((field) => ({ field, message: `is ${brief(fields[field])} and must be ${brief(expected[field])}` }));

/**
 * Reads a signed transaction and recovers its signer; with `expected`, holds every field against it.
 * Throws `invalid_input` when it is no such transaction, `refused_by_review` with the fields that differ.
 */
export const readSigned = (hex: string, expected?: UnsignedEvm): DecodedTransaction => {
  const transaction = parse(hex);
  const fields = fieldsOf(transaction);
  const errors = expected === undefined ? [] : differences(fields, expected);
  if (errors.length > 0) {
    const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new Failure('refused_by_review', `the signed transaction differs from the payment's: ${list}`, {
      errors,
      namesErrors: true,
    });
  }
  const hash = transaction.hash ?? invalid('it has no hash');
  return { signed_transaction: transaction.serialized, hash, from: fields.from, fields };
};

/** The fields of an EIP-1559 transaction. Addresses are checksummed, `data` is lower-case hex, fees are wei. */
export type EvmFields = {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly chainId: number;
  readonly gasLimit: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly nonce: number;
};

/** A `crypto_tx` whose every field was checked for its form. `parseCryptoTx` makes it. */
export type UnsignedEvm = EvmFields & { readonly chainName: string };

/** A fresh type-2 transaction of exactly these fields, with nothing carried over from elsewhere (EIP-1559). */
export const buildTransaction = (fields: EvmFields): Transaction =>
  Transaction.from({
    type: 2,
    chainId: fields.chainId,
    nonce: fields.nonce,
    to: fields.to,
    value: fields.value,
    data: fields.data,
    gasLimit: fields.gasLimit,
    maxFeePerGas: fields.maxFeePerGas,
    maxPriorityFeePerGas: fields.maxPriorityFeePerGas,
    accessList: [],
  });

/** The hash that a signature of these fields signs (EIP-1559): the same for the same bytes, and for no others. */
export const digestOf = (fields: EvmFields): string => buildTransaction(fields).unsignedHash;
