import { Transaction } from 'ethers/transaction';
import { Failure, type FieldError } from '../../core/failure.ts';
import type { Recovery } from './second-verifier.ts';
import { LARGEST_S } from './signing-key.ts';

/** The fields of an EIP-1559 transaction. Addresses are checksummed, `data` is lower-case hex, fees are in wei. */
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

/** A `crypto_tx` with valid fields. `parseCryptoTx` creates it. */
export type UnsignedEvm = EvmFields & { readonly chainName: string };

/** A new type-2 transaction with exactly these fields (EIP-1559). */
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

/** The hash that a signature of these fields signs (EIP-1559). It identifies exactly these bytes. */
export const digestOf = (fields: EvmFields): string => buildTransaction(fields).unsignedHash;

/** A little more than nodes accept into their pool. */
const MAX_CHARACTERS = 2 * 132 * 1024;

const invalid = (why: string, cause?: unknown): never => {
  throw new Failure('invalid_input', `this is not a signed EIP-1559 transaction: ${why}`, { cause });
};

const decode = (raw: string): Transaction => {
  try {
    return Transaction.from(raw);
  } catch (cause) {
    return invalid('its bytes cannot be decoded', cause);
  }
};

const parse = (hex: string): Transaction => {
  const raw = hex
    .trim()
    .toLowerCase()
    .replace(/^(?!0x)/, '0x');
  if (!/^0x(?:[0-9a-f]{2})+$/.test(raw) || raw.length > MAX_CHARACTERS) return invalid('it must be hex digits');
  if (!raw.startsWith('0x02')) return invalid('it has another type');
  const transaction = decode(raw);
  const { signature, accessList, to } = transaction;
  if (signature === null) return invalid('it has no signature');
  if (BigInt(signature._s) > LARGEST_S) return invalid('chains do not accept the form of its signature (EIP-2)');
  if (transaction.serialized !== raw) return invalid('its bytes are not in canonical form');
  if ((accessList ?? []).length > 0) return invalid('it has an access list (EIP-2930)');
  return to === null ? invalid('it creates a contract') : transaction;
};

const numberOf = (chainId: bigint): number =>
  chainId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(chainId) : invalid('its chain id is too large');

/** By the library that signs. */
const recoverByEthers: Recovery = ({ from }) => from ?? invalid('it has no signature');

const signerOf = (transaction: Transaction, recover: Recovery): string => {
  try {
    return recover(transaction);
  } catch (cause) {
    return invalid('its signer cannot be recovered', cause);
  }
};

const fieldsOf = (transaction: Transaction, recover: Recovery): EvmFields => ({
  from: signerOf(transaction, recover),
  to: transaction.to ?? invalid('it creates a contract'),
  data: transaction.data,
  value: transaction.value,
  chainId: numberOf(transaction.chainId),
  gasLimit: transaction.gasLimit,
  maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? 0n,
  maxFeePerGas: transaction.maxFeePerGas ?? 0n,
  nonce: transaction.nonce,
});

/** The chain and nonce of signed bytes, without their signer. Throws `invalid_input` like `readSigned`. */
export const chainAndNonceOf = (hex: string): Pick<EvmFields, 'chainId' | 'nonce'> => {
  const { chainId, nonce } = parse(hex);
  return { chainId: numberOf(chainId), nonce };
};

/** Calldata can be long; its beginning is enough for a message. */
const brief = (value: unknown): string => {
  const text = String(value);
  return text.length <= 140 ? text : `${text.slice(0, 140)}…`;
};

const differences = (fields: EvmFields, expected: UnsignedEvm): readonly FieldError[] =>
  (Object.keys(fields) as (keyof EvmFields)[])
    .filter((field) => fields[field] !== expected[field])
    .map((field) => ({ field, message: `is ${brief(fields[field])} and must be ${brief(expected[field])}` }));

/**
 * Decodes a signed transaction and recovers its signer by `recover`; with `expected`, compares every field with it.
 * Throws `invalid_input` for other bytes, `refused_by_review` with the fields that differ.
 */
export const readSigned = (hex: string, expected?: UnsignedEvm, recover = recoverByEthers) => {
  const transaction = parse(hex);
  const fields = fieldsOf(transaction, recover);
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
